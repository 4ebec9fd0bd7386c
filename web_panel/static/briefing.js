// What a seat is here to do, before its first turn and whenever somebody asks: how it wins, how it goes about that, what
// it should beware of. The words are the game's, by seat; a device is offered them once for each game and seat.

import { has, t, tOf } from "./texts.js";
import { button, dialog, h } from "./ui.js";

const KEPT = "sniperboard-briefed";
const game = document.documentElement.dataset.ofGame;

// Players of a game who all play for the same are briefed alike.
const role = (seat) => seat.replace(/-\d+$/, "");

export const briefed = (seat) => has(`briefing.win.${role(seat)}`);

// `goals` are what only this seat knows of its task, and `spaces` where that is; `look` shows spaces on the map.
export async function showBriefing(seat, { goals = [], spaces = [] } = {}, look = () => {}) {
  note(seat);
  const answer = await dialog(t("briefing.title"), "briefing-dialog", (close) => [
    part(t("briefing.win"), tOf("briefing.win", role(seat))),
    goals.length > 0 && h("ul", { class: "plain goals", "data-testid": "briefing-goals" }, goals.map((goal) => h("li", {}, goal))),
    part(t("briefing.way"), tOf("briefing.way", role(seat))),
    part(t("briefing.beware"), tOf("briefing.beware", role(seat))),
    spaces.length > 0 && button(t("briefing.look"), "briefing-look", () => close("look")),
    button(t("briefing.done"), "briefing-done", () => close(null), { class: "main" }),
  ]);
  if (answer === "look") look(spaces);
}

const part = (title, words) => [h("h3", {}, title), h("p", {}, words)];

export const offered = (seat) => briefed(seat) && !kept().includes(`${game} ${role(seat)}`);

export function note(seat) {
  if (!offered(seat)) return;
  try {
    localStorage.setItem(KEPT, JSON.stringify([...kept(), `${game} ${role(seat)}`]));
  } catch {
    // Storage may be forbidden; then it is offered again.
  }
}

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
