// One step of a finished solo game: what the table knew and what was true, on a map and in words.

import { doneObjectives, objectiveNames, tone, wounds } from "/games/sniper-elite/static/parts.js";
import { t } from "/static/texts.js";
import { h } from "/static/ui.js";
import { slotList, status } from "./parts.js";
import { draw } from "./table.js";

const viewOf = (side, { known, truth }) => (side === "truth" ? truth : known);

export const past = {
  head: (known) => h("div", { class: "tokens" }, doneObjectives(known), wounds(known.sniper.wounds)),
  turn: ({ round, over }) => ({
    kind: "sniper",
    mark: String(round),
    name: t("hud.turn.sniper"),
    round: t("hud.round", { round }),
    over: Boolean(over),
  }),
  places: (side, step) => [viewOf(side, step).sniper.space].filter(Boolean),
  news: (side, step) => [viewOf(side, step).sniper.space],
  draw: (side, map, step) => draw(map, viewOf(side, step)),
  lines: (side, step, words, map) => {
    const view = viewOf(side, step);
    const { objectives } = view.sniper;
    return [
      status(view, null, true),
      objectives?.length > 0 && h("p", {}, t("solo.objectives", { objectives: objectiveNames(map, objectives) })),
      slotList(view, words),
    ];
  },
  tone,
};
