// Eagle's Nest: who the sniper is, as far as the picture contains it.

import { art } from "/static/art.js";
import { list, t, tOf } from "/static/texts.js";
import { h, quiet } from "/static/ui.js";

// Returns a card's title and text; gear is included.
export const cardOf = (words, card) => (words && (words.cards[card] || words.gear?.[card])) || null;

export const titleOf = (words, card) => cardOf(words, card)?.title ?? card;

const tokenCount = ([token, number]) => t("bag.beside", { number, token: tOf("token", token) });

const facts = ({ title, text, bag }) => [
  h("p", {}, h("b", {}, title), ` ${text}`),
  quiet(t("ally.bag", { tokens: list(Object.entries(bag).map(tokenCount)) })),
];

// The allied sniper as everyone knows it, or "unknown" for a ghost; nothing in a game without one.
export function allyCard(view, words) {
  if (!("ally" in view)) return null;
  const ally = words?.allies?.[view.ally];
  return h("div", { class: "ally", testid: "ally" }, [
    h("h3", {}, t("ally.title")),
    ally && art(view.ally),
    ally ? facts(ally) : h("p", {}, h("b", {}, view.ally || "?"), !view.ally && ` ${t("ally.unknown")}`),
  ]);
}

// The same for the sniper, who also sees whether the defenders know it.
export function ownCard(view, words, log) {
  const ghost = !view.identity_revealed && log.some(({ type }) => type === "ally-dealt");
  return [allyCard(view, words), ghost && h("p", { class: "seen", testid: "ghost" }, t("ally.ghost"))];
}

export const HARROW = "AS-HARROW";

// The steps of a planned route that use gear, in words.
export function gearSteps({ sniper }, { path, steps }) {
  const from = (i) => path[i - 1] || sniper.space;
  return steps.map((step, i) =>
    step === "walk" ? null : h("small", { class: step }, ` ${tOf("ally.step", step)}: ${from(i)} – ${path[i]}`),
  );
}
