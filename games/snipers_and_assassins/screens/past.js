// One step of a finished game. Nothing is hidden in it, so both maps show the same.

import { playerName, t, tOf } from "/static/texts.js";
import { h } from "/static/ui.js";
import { showHunts } from "./hunt.js";
import { numberOf, showPieces, standing } from "./pieces.js";
import { tone } from "./recent.js";

const shown = (side, { known, truth }) => (side === "truth" ? truth : known);

// Nothing is hidden, so one of the two maps is enough.
document.body.classList.add("all-public");

const all = (side, step) => [...standing(shown(side, step)).values()];

export const past = {
  viewer: "table",
  turn: ({ turn, round, setup, over }, step) => ({
    kind: `racer-turn p${numberOf(turn)}`,
    mark: numberOf(turn),
    name: playerName(step.seats, turn),
    round: setup ? tOf("sa.setup", setup) : t("sa.round", { round }),
    over: Boolean(over),
  }),
  places: all,
  tone,
  // The whole race stays in view.
  news: all,
  draw(side, map, step) {
    showPieces(map, shown(side, step));
    showHunts(map, shown(side, step));
  },
  lines(side, step) {
    const { turns_to_go: left } = shown(side, step);
    const lines = Object.entries(left ?? {}).map(([seat, number]) =>
      h("li", {}, h("i", { class: `disc p${numberOf(seat)}` }, numberOf(seat)), t("sa.past.to-go", { number })),
    );
    return lines.length > 0 && h("ul", { class: "past-facts past-racers" }, lines);
  },
};
