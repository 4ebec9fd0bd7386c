// Eagle's Nest on the screens: who the sniper is, as far as the picture tells it.

import { art } from "/static/art.js";
import { list, t, tOf } from "/static/texts.js";
import { h } from "/static/ui.js";

// A card's title and text, gear included.
export const cardOf = (words, card) => (words && (words.cards[card] || words.gear?.[card])) || null;

const facts = ({ title, text, bag }) => [
  h("p", {}, h("b", {}, title), ` ${text}`),
  h("p", { class: "quiet" }, t("ally.bag", { tokens: list(Object.entries(bag).map(([token, number]) => `${number} ${tOf("token", token)}`)) })),
];

// The allied sniper as all know it, a ghost as unknown; nothing in a game without one.
export function allied(view, words) {
  if (!("ally" in view)) return null;
  const ally = words?.allies?.[view.ally];
  return h(
    "div",
    { class: "ally", "data-testid": "ally" },
    h("h3", {}, t("ally.title")),
    ally && art(view.ally),
    ally ? facts(ally) : h("p", {}, h("b", {}, view.ally || "?"), !view.ally && ` ${t("ally.unknown")}`),
  );
}

// The same for the sniper, who also learns whether the defenders know it, and what tells them.
export function myself(view, words, log) {
  const ghost = !view.identity_revealed && log.some(({ type }) => type === "ally-dealt");
  return [allied(view, words), ghost && h("p", { class: "seen", "data-testid": "ghost" }, t("ally.ghost"))];
}

export const HARROW = "AS-HARROW";

// The steps of a planned way that take gear, in words.
export function stepped({ sniper }, { path, steps }) {
  const from = (i) => path[i - 1] || sniper.space;
  return steps.map((step, i) =>
    step === "walk" ? null : h("small", { class: step }, ` ${tOf("ally.step", step)}: ${from(i)} – ${path[i]}`),
  );
}
