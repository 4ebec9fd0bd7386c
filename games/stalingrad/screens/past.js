// One step of a finished game: the street and the players. Only hidden hands are a secret; without them both sides are
// the same, and one is shown.

import { tOf } from "/static/texts.js";
import { h } from "/static/ui.js";
import { players, street } from "./street.js";

const OPEN_HANDS = "ST-R-22";
const NO_ROLL = { card: null, dice: [] };
const shown = (side, { known, truth }) => (side === "truth" ? truth : known);

document.body.classList.add("street-game");

export const past = {
  viewer: "table",
  turn: ({ turn, phase, over }) => ({
    kind: `turn-${turn}`,
    mark: turn?.split("-")[1] ?? "",
    name: turn ? tOf("seat", turn) : "",
    // A new turn begins with its Hunt, also of a player alone.
    round: phase === "hunt" ? tOf("st.phase", phase) : "",
    over: Boolean(over),
  }),
  lines(side, step, words) {
    const view = shown(side, step);
    document.body.classList.toggle("all-public", view.switches[OPEN_HANDS]);
    const devices = (seat) =>
      step.people.filter((it) => it.seat === seat && !it.bot && it.name).map(({ name }) => ({ device: name }));
    const seats = Object.fromEntries(
      Object.keys(view.players).map((seat) => [seat, { title: seat, devices: devices(seat) }]),
    );
    return h("div", { class: "st-past" }, [
      (words || !view.card) && street(view, words, NO_ROLL),
      players(view, seats, words),
    ]);
  },
};
