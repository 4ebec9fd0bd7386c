// Parts that the screens of the solo game share: whose turn it is, health, the defenders' cards, the result.

import { art } from "/static/art.js";
import { capital, has, list, t, tOf } from "/static/texts.js";
import { h, quiet, verdictLine } from "/static/ui.js";
import { objectiveNames } from "/games/sniper-elite/static/parts.js";

// The health stack from the top; the next hit removes the top token.
export function healthStack({ sniper }) {
  const tokens = [...sniper.stack].reverse();
  const words = tokens.length ? list(tokens.map((token) => tOf("token", token))) : t("solo.stack.empty");
  return h("div", { class: "health", role: "img", "aria-label": t("solo.stack", { tokens: words }), testid: "stack" }, [
    tokens.map((token, i) =>
      h(
        "i",
        { class: `slab token ${token}${i ? "" : " top"}`, "aria-hidden": "true" },
        capital(tOf("token", token)[0]),
      ),
    ),
    !tokens.length && h("i", { class: "slab none", "aria-hidden": "true" }, "–"),
  ]);
}

const fact = (name, label, value) => h("div", { testid: name }, h("dt", {}, label), h("dd", {}, value));

// The important facts in one line. On a phone the possible objectives are only on the map; a tap explains the line.
export const status = (view, onclick = null, brief = Boolean(onclick)) =>
  h("div", { class: brief ? "solo-status brief" : "solo-status", testid: "status", onclick }, [
    !brief && healthStack(view),
    h("dl", {}, [
      brief && fact("health", t("solo.health"), healthStack(view)),
      (!brief || view.sniper.hits > 0) &&
        fact("hits", t(brief ? "solo.hits.brief" : "solo.hits"), String(view.sniper.hits)),
      fact("lks", t(brief ? "solo.lks.brief" : "solo.lks"), view.lks ? tOf("solo.sector", view.lks) : "–"),
      fact("deck", t(brief ? "solo.deck.brief" : "solo.deck"), String(view.counts.deck)),
      !brief && view.possible.length > 0 && fact("wanted", t("solo.possible"), view.possible.join(", ")),
    ]),
  ]);

// --- the defenders' cards -----------------------------------------------------------------------------------------

// The slots from the left, each with the die value that turns its card. `cards` says what an open card would do.
export const slotList = (view, words, cards = {}) =>
  h("ol", { class: "slots", testid: "slots" }, [
    view.slots.map(({ card, face }, i) =>
      h("li", { class: face === "up" || card ? "slot" : "slot back", testid: `slot-${i + 1}` }, [
        die(i + 1),
        card ? openCard(card, words, cards[card]) : h("p", {}, t("solo.face-down")),
      ]),
    ),
  ]);

export const die = (value) =>
  h("span", { class: "die", role: "img", "aria-label": t("solo.die", { value }) }, String(value));

function openCard(card, words, steps = []) {
  const it = words?.solo_cards?.[card];
  return [
    art(card),
    h("b", {}, it ? it.title : card, it?.urgent && h("small", {}, t("solo.urgent"))),
    steps.length > 0 &&
      h("ol", { class: "steps" }, [
        steps.map(({ text, applies }) =>
          h("li", { class: applies ? "" : "not-now" }, text, !applies && h("small", {}, ` ${t("solo.not-now")}`)),
        ),
      ]),
  ];
}

// `isOwn` is true on the sniper's own screen; others can give the winner's `names`.
export const ending = (view, map, isOwn = false, names = "") => [
  isOwn
    ? verdictLine(tOf("solo.end", view.over.winner), view.over.winner === "sniper")
    : verdictLine(names ? tOf("over.by", view.over.winner, { names }) : tOf("over", view.over.winner)),
  h("p", {}, [
    isOwn || !has(`over.${view.over.reason}`) ? tOf("solo.over", view.over.reason) : tOf("over", view.over.reason),
  ]),
  view.opened && quiet(t("over.objectives.were", { objectives: objectiveNames(map, view.opened.objectives) })),
];
