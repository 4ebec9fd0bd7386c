// Set-up of the defenders: three of six specialists, one for each squad.

import { randomOf, SQUADS } from "./parts.js";
import { art } from "/static/art.js";
import { actionButton } from "/static/frame.js";
import { actionPanel } from "/static/panel.js";
import { t, tOf } from "/static/texts.js";
import { chips, h, headline, quiet } from "/static/ui.js";

export function specialistsPart(context) {
  const { picture, words, draft, seat, redraft } = context;
  const given = draft.specialists || {};
  const legal = picture.legal.filter((action) => action.type === "choose-specialists");
  const action = legal.find(({ squads: cards }) => SQUADS.every((squad) => cards[squad] === given[squad]));
  return {
    dock: () =>
      actionPanel(
        [
          headline(t("defenders.specialists")),
          quiet(t("defenders.specialists.count", { number: Object.keys(given).length })),
          h("ul", { class: "cards choose" }, [
            Object.entries(words ? words.specialists : {}).map(([card, it]) =>
              specialistCard(card, it, given, (squad) => redraft({ specialists: assign(given, squad, card) })),
            ),
          ]),
        ],
        {
          foot: [
            actionButton(seat, t("defenders.specialists.random"), "specialists-random", randomOf(legal)),
            actionButton(seat, t("defenders.specialists.confirm"), "specialists-confirm", action, { class: "main" }),
          ],
        },
      ),
  };
}

// A squad has one card, and a card belongs to one squad. The same tap again takes it back.
function assign(given, squad, card) {
  const others = Object.entries(given).filter(([it, held]) => it !== squad && held !== card);
  return Object.fromEntries(given[squad] === card ? others : [...others, [squad, card]]);
}

function specialistCard(card, { title, text }, given, give) {
  const name = (squad) => t("defenders.specialists.give", { card: title, squad: tOf("squad", squad) });
  const squads = SQUADS.map((squad) => {
    const props = { class: `sector ${squad}`, "aria-label": name(squad) };
    return [squad, `give-${card}-${squad}`, tOf("squad", squad), props];
  });
  const owner = SQUADS.find((squad) => given[squad] === card);
  return h("li", { class: owner ? "card chosen" : "card", testid: `specialist-${card}` }, [
    art(card),
    h("b", {}, title),
    h("p", {}, text),
    chips(title, squads, owner, give),
  ]);
}
