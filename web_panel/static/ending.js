// The end of a game, loaded when it is needed: the figures of a finished game with its players' wins, and the question
// before a game is ended for good.

import { request } from "./frame.js";
import { ask } from "./net.js";
import { askPast, minutesBetween, lengthText } from "./past.js";
import { t } from "./texts.js";
import { confirmed, h, terms } from "./ui.js";

// --- figures ----------------------------------------------------------------------------------------------------

// Fills `place` with facts about game `number`; unavailable facts are left out.
export async function fill(place, number) {
  const { status, body } = await askPast(`/api/games/${number}/ending`);
  if (status === 200) place.replaceChildren(...shown(body));
}

const shown = (told) => [
  h("p", { class: "quiet", testid: "lasted" }, lengthText(told)),
  terms(
    { class: "figures", testid: "figures" },
    told.figures.map(({ label, number }) => [label, String(number)]),
  ),
  h("ul", { class: "plain", testid: "records" }, told.players.filter(({ won }) => won !== null).map(record)),
];

const record = ({ name, won, history }) =>
  h("li", { class: won ? "won" : "" }, t("ending.record", { name, won: history.won, played: history.played }));

// --- ending a game for good -------------------------------------------------------------------------------------

// Asks, then ends the game; returns whether it was ended. `seat` is the player's seat; the lobby of a device with
// several seats leaves it out.
export async function abandon(seat) {
  const words = await lost().catch(() => t("menu.abandon.sure"));
  if (!(await confirmed(t("menu.abandon"), words, t("menu.abandon.yes")))) return false;
  return request("/api/abandon", seat ? { seat } : {});
}

async function lost() {
  const [{ body: lobby }, { body: past }] = await Promise.all([ask("/api/lobby"), ask("/api/games")]);
  const { number, name, started } = past.games.find(({ state }) => state === "running");
  const title = name && name !== lobby.title ? `${lobby.title}, ${name}` : lobby.title;
  const minutes = minutesBetween(started, Date.now() / 1000);
  return `${t("menu.abandon.what", { title, number, minutes })} ${t("menu.abandon.sure")}`;
}
