// One step of a finished game. Nothing is hidden in it, so both maps show the same.

import { playerName, t, tOf } from "/static/texts.js";
import { h } from "/static/ui.js";
import { showHunts } from "./hunt.js";
import { numberOf, showPieces, pieceSpaces } from "./pieces.js";
import { Recent, tone } from "./recent.js";

const viewOf = (side, { known, truth }) => (side === "truth" ? truth : known);

// Nothing is hidden, so one of the two maps is enough.
document.body.classList.add("all-public");

const spacesOf = (side, step) => [...pieceSpaces(viewOf(side, step)).values()];

export const past = {
  viewer: "table",
  turn: ({ turn, round, setup, over }, step) => ({
    kind: `racer-turn p${numberOf(turn)}`,
    mark: numberOf(turn),
    marksPlayer: true,
    name: playerName(step.seats, turn),
    round: setup ? tOf("sa.setup", setup) : t("sa.round", { round }),
    over: Boolean(over),
  }),
  places: spacesOf,
  tone,
  // The whole race stays in view.
  news: spacesOf,
  trail: (map, { known }, log) => new Recent().show(map, log, known),
  draw(side, map, step) {
    showPieces(map, viewOf(side, step));
    showHunts(map, viewOf(side, step));
    new Recent().show(map, step.told, viewOf(side, step));
  },
  lines(side, step) {
    const { turns_to_go: left } = viewOf(side, step);
    const lines = Object.entries(left ?? {}).map(([seat, number]) =>
      h("li", {}, [
        h("i", { class: `disc p${numberOf(seat)}` }, numberOf(seat)),
        `${playerName(step.seats, seat)}: ${t("sa.past.to-go", { number })}`,
      ]),
    );
    return lines.length > 0 && h("ul", { class: "past-facts past-racers" }, lines);
  },
};
