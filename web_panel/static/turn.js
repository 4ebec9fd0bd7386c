// Tells players that it's their turn: in the page's title and icon, as a badge of an installed app, and once with sound
// and vibration. It depends only on the seat's own picture.

import { t } from "./texts.js";
import { $ } from "./ui.js";
import { signalTurn } from "./device.js";

const title = document.title;
const tab = $('link[rel="icon"]');
const icons = { false: tab.href, true: tab.href.replace("icon.svg", "icon-turn.svg") };
let before = null;

// A page opened during a turn gives no signal, and lessons don't either.
document.addEventListener("picture", ({ detail: { lesson, stage, paused, your_turn: turn } }) => {
  const mine = Boolean(turn) && stage === "playing" && paused === null && !lesson;
  if (mine === before) return;
  if (mine && before === false) signalTurn();
  before = mine;
  document.title = mine ? `● ${t("turn.yours")} · ${title}` : title;
  tab.href = icons[mine];
  badge(mine).catch(() => {});
});

async function badge(mine) {
  await (mine ? navigator.setAppBadge?.() : navigator.clearAppBadge?.());
}
