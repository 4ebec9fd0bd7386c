// A seat's briefing, which opens in its first game and from the menu: how it wins, how it plays, what to look out for.
// The game provides the texts for each seat. It opens once on each device for each game and seat.

import { has, t, tOf } from "./texts.js";
import { button, dialog, h, recall, store } from "./ui.js";

const KEPT = "sniperboard-briefed";
const game = document.documentElement.dataset.ofGame;

// Numbered seats (such as player-1) share one briefing.
const role = (seat) => seat.replace(/-\d+$/, "");

export const hasBriefing = (seat) => has(`briefing.win.${role(seat)}`);

// `goals` and `spaces` are the seat's secret task; `look` shows spaces on the map.
/** @type {(seat: string, task?: { goals?: string[], spaces?: string[] }, look?: (spaces: string[]) => void) => Promise<void>} */
export async function showBriefing(seat, { goals = [], spaces = [] } = {}, look = () => {}) {
  const answer = await dialog(t("briefing.title"), "briefing-dialog", (close) => [
    part(t("briefing.win"), tOf("briefing.win", role(seat))),
    goals.length > 0 &&
      h("ul", { class: "plain goals", testid: "briefing-goals" }, [goals.map((goal) => h("li", {}, goal))]),
    part(t("briefing.way"), tOf("briefing.way", role(seat))),
    part(t("briefing.beware"), tOf("briefing.beware", role(seat))),
    spaces.length > 0 && button(t("briefing.look"), "briefing-look", () => close("look")),
    button(t("briefing.done"), "briefing-done", () => close(null), { class: "main" }),
  ]);
  markBriefed(seat);
  if (answer === "look") look(spaces);
}

const part = (title, words) => [h("h3", {}, title), h("p", {}, words)];

export const offered = (seat) => hasBriefing(seat) && !recall(KEPT, []).includes(`${game} ${role(seat)}`);

function markBriefed(seat) {
  if (offered(seat)) store(KEPT, [...recall(KEPT, []), `${game} ${role(seat)}`]);
}
