// Why something cannot be done: the reason in words, and the rule behind it to look up.

import { t } from "./texts.js";
import { h, toast } from "./ui.js";

// Why this device cannot do something: another device leads the squad, a rule forbids it (`barred` as the foresight has
// it), or no act of this seat counts just now. Null if it can.
export function withheld(seat, device, barred) {
  if (device) return { why: t("why.others", { device }), rule: null };
  if (barred) return barred;
  return seat.ready ? null : { why: t("why.line"), rule: null };
}

// What of the book and the player aids the game on the table has.
const papers = (document.documentElement.dataset.papers ?? "").split(" ");

// In a lesson the book is that of its game, whatever is on the table.
const { lessonGame } = document.body.dataset;
const book = lessonGame ? `/rules/${lessonGame}` : "/rules";

// Behind a refusal: opens its rule beside the game, which stays as it is.
export const whyLink = (rule) => ruleLink(rule, t("rules.why"), t("rules.why.of", { rule }));

// Beside something that can be chosen: opens what the book says of it.
export const moreLink = (rule) => ruleLink(rule, t("rules.more"), t("rules.more.of", { rule }));

// The number of a rule is in the address and the label alone; a game without a book folds it away.
function ruleLink(rule, word, label) {
  if (!papers.includes("rules"))
    return h("details", { class: "rule-link", "data-testid": `rule-${rule}` }, h("summary", {}, word), rule);
  return h(
    "a",
    {
      class: "rule-link",
      href: `${book}#${rule}`,
      target: "_blank",
      rel: "noopener",
      "aria-label": label,
      "data-testid": `rule-${rule}`,
    },
    word,
  );
}

export const bookLink = (testid, name = "") =>
  papers.includes("rules") && h("a", { class: name, href: book, target: "_blank", rel: "noopener", "data-testid": testid }, t("rules.title"));

export const aidsLink = (testid, name = "") =>
  papers.includes("aids") && h("a", { class: name, href: "/aids", target: "_blank", rel: "noopener", "data-testid": testid }, t("aids.title"));

export const legendLink = (testid, name = "") =>
  h("a", { class: name, href: "/legend", target: "_blank", rel: "noopener", "data-testid": testid }, t("legend.title"));

// Shows the sentence of a refusal.
export function refused({ sentence, rule }) {
  toast(sentence, "bad", rule && whyLink(rule));
}
