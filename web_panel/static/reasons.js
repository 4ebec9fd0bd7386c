// Why something cannot be done: the reason in words, and the rule behind it to look up.

import { t, tOf } from "./texts.js";
import { h, toast } from "./ui.js";

// Reason -> the rule that says so. What hangs on the line or on another device has none.
const RULES = {
  turn: "MP-TURN-01",
  left: "MP-DEF-02",
  intel: "MP-DEF-02",
  done: "MP-DEF-04",
  off: "MP-ACT-20",
  scouted: "MP-SPEC-18",
  dismissed: "MP-ACT-18",
  officer: "MP-SPEC-03",
  uses: "MP-SPEC-01",
  used: "MP-SPEC-04",
  medic: "MP-SPEC-26",
  "intel-actions": "MP-INTEL-02",
  "intel-officer": "MP-INTEL-01",
  "intel-other": "MP-DIFF-08",
  "intel-early": "MP-DIFF-07",
};
// What is to be done, where no space or unit is left for it -> the rule that says where it could be.
const PLACES = {
  move: "MP-ACT-02",
  spot: "MP-ACT-08",
  sweep: "MP-ACT-10",
  deploy: "MP-ACT-15",
  "deploy-officer": "MP-ACT-14",
  "kennel-master": "MP-SPEC-10",
  scout: "MP-SPEC-16",
  "radio-operator": "MP-SPEC-19",
  jaeger: "MP-SPEC-05",
  sniper: "MP-SPEC-05",
};

// A reason that the screen gives: its words and its rule, null where there is none.
export function reason(name, { deed = null, ...values } = {}) {
  return { text: tOf("defenders.why", name, values), rule: RULES[name] || PLACES[deed] || null };
}

// Opens the rule beside the game, which stays as it is.
export function ruleLink(rule) {
  return h(
    "a",
    {
      class: "rule-link",
      href: `/rules#${rule}`,
      target: "_blank",
      rel: "noopener",
      "aria-label": t("rules.of", { rule }),
      "data-testid": `rule-${rule}`,
    },
    rule,
  );
}

export const bookLink = (testid, name = "") =>
  h("a", { class: name, href: "/rules", target: "_blank", rel: "noopener", "data-testid": testid }, t("rules.title"));

export const aidsLink = (testid, name = "") =>
  h("a", { class: name, href: "/aids", target: "_blank", rel: "noopener", "data-testid": testid }, t("aids.title"));

// Shows the sentence of a refusal.
export function refused({ sentence, rule }) {
  toast(sentence, "bad", rule && ruleLink(rule));
}
