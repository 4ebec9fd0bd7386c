// One step of a finished game: the street and the players. Only hidden hands are a secret; without them both sides are
// the same, and one is shown.

import { playerName, tOf } from "/static/texts.js";
import { h } from "/static/ui.js";
import { latestRoll, playerList, ranking, street, verdict } from "./street.js";

const OPEN_HANDS = "ST-R-22";
const viewOf = (side, { known, truth }) => (side === "truth" ? truth : known);

document.body.classList.add("street-game");

export const past = {
  viewer: "table",
  turn: ({ turn, phase, over }, step) => ({
    kind: `turn-${turn}`,
    mark: turn?.split("-")[1] ?? "",
    marksPlayer: true,
    name: turn ? playerName(step.seats, turn) : "",
    // A new turn begins with its Hunt, also of a player alone.
    round: phase === "hunt" ? tOf("st.phase", phase) : "",
    over: Boolean(over),
  }),
  lines(side, step, words) {
    const view = viewOf(side, step);
    document.body.classList.toggle("all-public", view.switches[OPEN_HANDS]);
    return h("div", { class: "st-past" }, [
      view.over
        ? [verdict(view, step.seats), ranking(view, step.seats, words)]
        : street(view, words, latestRoll(step.told)),
      playerList(view, step.seats, words),
    ]);
  },
};
