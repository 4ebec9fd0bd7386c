// The sniper's section of the drawer in the solo game: position, health, objectives and loadout.

import { allyCard, titleOf } from "/games/sniper-elite/static/nest.js";
import { handList, objectiveList, whereLine } from "/games/sniper-elite/static/sniper-parts.js";
import { list, t } from "/static/texts.js";
import { h, quiet } from "/static/ui.js";
import { healthStack } from "./parts.js";

export function dossier(context) {
  const { view } = context.picture;
  const { space, hand, mines, used } = view.sniper;
  return [
    whereLine(space),
    allyCard(view, context.words),
    h("h3", {}, t("solo.health")),
    h("div", { class: "row" }, healthStack(view), quiet(t("solo.health.how"))),
    objectiveList(context.map, view.sniper),
    // Before the sniper enters, the defenders know nothing.
    view.possible.length > 0 && [
      h("h3", {}, t("solo.possible")),
      h("p", { testid: "possible-objectives" }, list(view.possible.map(String))),
    ],
    handList(context, hand),
    mines.length > 0 && h("p", { testid: "mines" }, t("sniper.mines", { spaces: list(mines) })),
    used.length > 0 && quiet(t("solo.used", { cards: list(used.map((card) => titleOf(context.words, card))) })),
  ];
}
