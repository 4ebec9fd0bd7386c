// Why something isn't possible: the reason, and a link to the rule.

import { t } from "./texts.js";
import { h, toast } from "./ui.js";

// Returns why this device can't do something: another device leads the squad, a rule forbids it (`barred`, from the
// foresight), or the seat can't act just now. Null if it can.
export function withheld(seat, device, barred) {
  if (device) return { why: t("why.others", { device }), rule: null };
  if (barred) return barred;
  return seat.ready ? null : { why: t("why.lost"), rule: null };
}

// Whether the game has a rule book and player aids.
const papers = (document.documentElement.dataset.papers ?? "").split(" ");

// In a lesson, the rule book is that of the lesson's game.
const { lessonGame } = document.body.dataset;
const book = lessonGame ? `/rules/${lessonGame}` : "/rules";

// After a refusal: opens the rule in another tab.
export const whyLink = (rule) => ruleLink(rule, t("rules.why"), t("rules.why.of"));

// Next to a choice: opens its rule.
export const moreLink = (rule) => ruleLink(rule, t("rules.more"), t("rules.more.of"));

// The rule's number is only in the address. If the game has no rule book, the number is folded away.
function ruleLink(rule, word, label) {
  const props = { class: "rule-link", testid: `rule-${rule}` };
  if (!papers.includes("rules")) return h("details", props, h("summary", {}, word), rule);
  const target = { href: `${book}#${rule}`, target: "_blank", rel: "noopener" };
  return h("a", { ...props, ...target, "aria-label": label }, word);
}

// Links to other pages, which open in another tab.
const pageLink = (href, title, testid, name) =>
  h("a", { class: name, href, target: "_blank", rel: "noopener", testid }, title);

export const bookLink = (testid, name = "") =>
  papers.includes("rules") && pageLink(book, t("rules.title"), testid, name);
export const aidsLink = (testid, name = "") =>
  papers.includes("aids") && pageLink("/aids", t("aids.title"), testid, name);
export const legendLink = (testid, name = "") => pageLink("/legend", t("legend.title"), testid, name);
export const healthLink = (testid, name = "") => pageLink("/health", t("reasons.health"), testid, name);

// Shows the message of a refusal.
export function refused({ sentence, rule }) {
  toast(sentence, "bad", rule && whyLink(rule));
}
