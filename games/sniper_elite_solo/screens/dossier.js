// The sniper's section of the drawer in the solo game: position, health, objectives and loadout.

import { allyCard } from "/games/sniper-elite/static/nest.js";
import { heldCard } from "/games/sniper-elite/static/sniper-cards.js";
import { list, t, tOf } from "/static/texts.js";
import { h, quiet } from "/static/ui.js";
import { stack } from "./parts.js";

export function dossier(context) {
  const { view } = context.picture;
  const { space, hand, mines, used } = view.sniper;
  return [
    h("p", { class: "where", testid: "where" }, space ? t("sniper.you", { space }) : t("sniper.away")),
    allyCard(view, context.words),
    h("h3", {}, t("solo.health")),
    h("div", { class: "row" }, stack(view), quiet(t("solo.health.how"))),
    // Before the sniper enters, the defenders know nothing.
    view.possible.length > 0 && [
      h("h3", {}, t("solo.possible")),
      h("p", { testid: "possible-objectives" }, list(view.possible.map(String))),
    ],
    h("h3", {}, t("sniper.objectives")),
    h("ul", { class: "goals" }, [(view.sniper.objectives ?? []).map((number) => goal(context, number))]),
    h("h3", {}, t("sniper.hand")),
    hand.length
      ? h("ul", { class: "cards" }, [
          [...new Set(hand)].map((card) => heldCard(context, card, hand.filter((it) => it === card).length)),
        ])
      : quiet(t("sniper.hand.none")),
    mines.length > 0 && h("p", { testid: "mines" }, t("sniper.mines", { spaces: list(mines) })),
    used.length > 0 &&
      quiet(t("solo.used", { cards: list(used.map((card) => context.words?.cards[card]?.title ?? card)) })),
  ];
}

function goal({ picture, map }, number) {
  const space = [...map.spaces.values()].find(({ objective }) => objective === String(number));
  const done = picture.view.sniper.completed.includes(number);
  const where = space
    ? t("sniper.objective.at", {
        space: space.name ? `${space.id}, ${space.name}` : space.id,
        sector: tOf("sector", space.sector),
      })
    : "";
  return h("li", { class: done ? "goal done" : "goal", testid: `objective-${number}` }, [
    h("b", {}, String(number)),
    h("span", {}, where, done && h("em", {}, ` ${t("sniper.objective.done")}`)),
  ]);
}
