// Set-up of the defenders: three of six specialists, one for each squad.

import { SQUADS } from "./parts.js";
import { commanding } from "./squads.js";
import { art } from "/static/art.js";
import { t, tOf } from "/static/texts.js";
import { button, h } from "/static/ui.js";

export function assigning(context) {
  const { squads } = commanding(context);
  const { picture, words, draft, seat, redraft } = context;
  const given = draft.specialists || {};
  const legal = picture.legal.filter((action) => action.type === "choose-specialists");
  const action = legal.find(({ squads: cards }) => SQUADS.every((squad) => cards[squad] === given[squad]));
  const deal = () => seat.act(legal[crypto.getRandomValues(new Uint32Array(1))[0] % legal.length]);
  return {
    squads,
    dock: () => [
      h("p", { class: "headline", "data-testid": "headline" }, t("defenders.specialists")),
      h(
        "ul",
        { class: "cards choose" },
        Object.entries(words ? words.specialists : {}).map(([card, it]) =>
          offer(card, it, given, (squad) => redraft({ specialists: handed(given, squad, card) })),
        ),
      ),
      h("p", { class: "quiet" }, t("defenders.specialists.count", { number: Object.keys(given).length })),
      h(
        "div",
        { class: "row" },
        button(t("defenders.specialists.random"), "specialists-random", deal, { disabled: !seat.ready }),
        button(
          t("defenders.specialists.confirm"),
          "specialists-confirm",
          () => seat.act(action),
          { class: "main", disabled: !seat.ready || !action },
        ),
      ),
    ],
  };
}

// A squad holds one card and a card goes to one squad; the same tap again takes it back.
function handed(given, squad, card) {
  const others = Object.entries(given).filter(([it, held]) => it !== squad && held !== card);
  return Object.fromEntries(given[squad] === card ? others : [...others, [squad, card]]);
}

function offer(card, { title, text }, given, give) {
  return h(
    "li",
    { class: Object.values(given).includes(card) ? "card chosen" : "card", "data-testid": `specialist-${card}` },
    art(card),
    h("b", {}, title),
    h("p", {}, text),
    h(
      "div",
      { class: "chips", role: "group", "aria-label": title },
      SQUADS.map((squad) =>
        h(
          "button",
          {
            type: "button",
            class: `sector ${squad}`,
            "aria-pressed": String(given[squad] === card),
            "aria-label": t("defenders.specialists.give", { card: title, squad: tOf("squad", squad) }),
            "data-testid": `give-${card}-${squad}`,
            onclick: () => give(squad),
          },
          tOf("squad", squad),
        ),
      ),
    ),
  );
}
