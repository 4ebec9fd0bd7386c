// What the screens of the solo game show alike: whose turn it is, health, the defenders' cards, the end.

import { art } from "/static/art.js";
import { list, t, tOf } from "/static/texts.js";
import { h } from "/static/ui.js";

// `mine` on the sniper's own screen.
export function turnName({ stage, paused, view }, mine = false) {
  if (stage === "lobby" || !view) return t("hud.lobby");
  if (stage === "over" || view.over) return t("hud.over");
  return paused !== null ? t("pause.title") : t(mine ? "hud.turn.mine" : "hud.turn.sniper");
}

// The stack as it lies, its top first: the next hit takes the top.
export function stack({ sniper }) {
  const tokens = [...sniper.stack].reverse();
  const words = tokens.length ? list(tokens.map((token) => tOf("token", token))) : t("solo.stack.empty");
  return h(
    "div",
    { class: "health", role: "img", "aria-label": t("solo.stack", { tokens: words }), "data-testid": "stack" },
    tokens.map((token, i) => h("i", { class: `slab token ${token}${i ? "" : " top"}`, "aria-hidden": "true" }, tOf("token", token)[0])),
    !tokens.length && h("i", { class: "slab none", "aria-hidden": "true" }, "–"),
  );
}

const fact = (name, label, value) => h("div", { "data-testid": name }, h("dt", {}, label), h("dd", {}, value));

// What decides the next minutes, in one line; on a phone the possible objectives are seen on the map.
export const status = (view, brief = false) =>
  h(
    "div",
    { class: "solo-status", "data-testid": "status" },
    stack(view),
    h(
      "dl",
      {},
      fact("hits", t("solo.hits"), String(view.sniper.hits)),
      fact("lks", t("solo.lks"), view.lks ? tOf("solo.sector", view.lks) : "–"),
      fact("deck", t("solo.deck"), String(view.counts.deck)),
      !brief && fact("wanted", t("solo.possible"), view.possible.length ? view.possible.join(", ") : "–"),
    ),
  );

// --- the defenders' cards -----------------------------------------------------------------------------------------

// The slots from the left, each with the faces of the die that turn its card; `cards` says what an open one would do.
export const slots = (view, words, cards = {}) =>
  h(
    "ol",
    { class: "slots", "data-testid": "slots" },
    view.slots.map(({ card, face }, i) =>
      h("li", { class: face === "up" || card ? "slot" : "slot back", "data-testid": `slot-${i + 1}` }, die(i + 1), card ? open(card, words, cards[card]) : h("p", {}, t("solo.face-down"))),
    ),
  );

export const die = (value) => h("span", { class: "die", role: "img", "aria-label": t("solo.die", { value }) }, String(value));

function open(card, words, steps = []) {
  const it = words?.solo_cards?.[card];
  return [
    art(card),
    h("b", {}, it ? it.title : card, it?.urgent && h("small", {}, t("solo.urgent"))),
    steps.length > 0 &&
      h(
        "ol",
        { class: "steps" },
        steps.map(({ text, applies }) => h("li", { class: applies ? "" : "not-now" }, text, !applies && h("small", {}, ` ${t("solo.not-now")}`))),
      ),
  ];
}

// `mine`: for whoever plays the sniper.
export const ending = (view, finished = null, mine = false) => [
  h("p", { class: `verdict ${view.over.winner}`, "data-testid": "over" }, mine ? tOf("solo.end", view.over.winner) : tOf("over", view.over.winner)),
  h("p", {}, tOf("solo.over", view.over.reason)),
  finished !== null && h("a", { class: "button", href: `/games/${finished}`, "data-testid": "look" }, t("over.look")),
];
