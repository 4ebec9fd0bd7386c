// Parts of pages that are loaded on first use: a seat's menu, the end of a game, the turn clock. Nothing that they import
// may import this module.

import { whenReleased } from "./net.js";
import { t } from "./texts.js";
import { $, button, h, link, toast } from "./ui.js";

// Opens a seat's menu, which is loaded on first use. If loading fails, some browsers can try again only after a page
// reload; if the table was updated while the page was open, all browsers need one.
export async function openMenu(seat, picture) {
  try {
    await (await import("./menu.js")).openMenu(seat, picture);
  } catch {
    const reload = button(t("net.reload"), "reload", () => location.reload(), { class: "small" });
    toast(t("net.away"), "bad", reload);
  }
}

const facts = { of: null, place: null };

// Returns the element with facts about a finished game, always the same one. They arrive later.
export function endFacts(picture) {
  const { finished } = picture;
  if (finished !== facts.of) {
    facts.of = finished;
    facts.place = h("div", { class: "end-facts" });
    // Without them, only the result is shown.
    if (finished !== null) import("./ending.js").then((it) => it.fill(facts.place, picture)).catch(() => {});
  }
  return facts.place;
}

// The choices after a finished game: always the same element, which updates itself.
const next = h("div", { class: "after-game" });

export function afterGame(picture) {
  const { finished } = picture;
  showNext(picture);
  return [finished !== null && link(t("over.look"), "look", `/games/${finished}`), next, endFacts(picture)];
}

let latest = null;

async function showNext(picture) {
  latest = picture;
  try {
    const { showNext } = await import("./rematch.js");
    whenReleased(() => showNext(next, latest));
  } catch {
    next.replaceChildren(link(t("gather.lobby"), "again", "/"));
  }
}

document.addEventListener("picture", ({ detail }) => next.isConnected && detail.stage === "over" && showNext(detail));

const route = { of: null, turns: [] };

// Returns the route of the hidden player of a finished game, as the spaces of each turn. Returns nothing until it has
// arrived; then `redraw` is called.
export function routeOf(number, redraw) {
  if (number !== null && route.of !== number) fetchRoute(number, redraw);
  return route.of === number ? route.turns : [];
}

async function fetchRoute(number, redraw) {
  Object.assign(route, { of: number, turns: [] });
  try {
    const ending = await (await import("./past.js")).askEnding(number);
    if (!ending || route.of !== number) return;
    route.turns = ending.route;
    redraw();
  } catch {
    if (route.of === number) route.of = null;
  }
}

export const askToEnd = async (seat) => (await import("./ending.js")).abandon(seat);

// The turn clock and the bots' speed; loaded when a game uses one of them.
let pace = null;
document.addEventListener("picture", async ({ detail }) => {
  if (!$("#pace") || (!pace && !detail.clock && !detail.bots_act && !detail.readers?.length)) return;
  pace ??= import("./pace.js");
  try {
    (await pace).showPace(detail);
  } catch {
    pace = null;
  }
});
