// Tells whoever holds this device that it is their turn: the page's title and its icon say so, which can be seen on another
// tab, an installed app has a badge, and it sounds and buzzes once. What its own seat was told decides, nothing else.

import { t } from "./texts.js";
import { cue } from "./device.js";

const title = document.title;
const tab = document.querySelector('link[rel="icon"]');
const icons = { false: tab.href, true: tab.href.replace("icon.svg", "icon-turn.svg") };
let before = null;

// A page that is opened in the middle of a turn only says so. A lesson calls nobody.
document.addEventListener("told", ({ detail: { lesson, stage, paused, your_turn: turn } }) => {
  const mine = Boolean(turn) && stage === "playing" && paused === null && !lesson;
  if (mine === before) return;
  if (mine && before === false) cue();
  before = mine;
  document.title = mine ? `● ${t("turn.yours")} · ${title}` : title;
  tab.href = icons[mine];
  badge(mine).catch(() => {});
});

async function badge(mine) {
  await (mine ? navigator.setAppBadge?.() : navigator.clearAppBadge?.());
}
