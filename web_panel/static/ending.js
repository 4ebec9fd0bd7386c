// A game that is over, in figures, and how often those who sat there have won here. Loaded once a game is over.

import { askPast, lasting } from "./past.js";
import { t } from "./texts.js";
import { h } from "./ui.js";

// Fills `place` with what the table tells of game `number`; what cannot be had is left out.
export async function fill(place, number) {
  const { status, body } = await askPast(`/api/games/${number}/ending`);
  if (status === 200) place.replaceChildren(...shown(body));
}

const shown = (told) => [
  h("p", { class: "quiet", "data-testid": "lasted" }, lasting(told)),
  h(
    "dl",
    { class: "figures", "data-testid": "figures" },
    told.figures.map(({ label, number }) => h("div", {}, h("dt", {}, label), h("dd", {}, String(number)))),
  ),
  h(
    "ul",
    { class: "plain", "data-testid": "records" },
    told.players.filter(({ won }) => won !== null).map(record),
  ),
];

const record = ({ name, won, history }) =>
  h("li", { class: won ? "won" : "" }, t("ending.record", { name, won: history.won, played: history.played }));
