// Parts of pages that are loaded on first use: a seat's menu, the facts about a finished game, the turn clock. Nothing
// that they import may import this module.

import { t } from "./texts.js";
import { $, h, toast } from "./ui.js";

// Opens a seat's menu, which is loaded on first use.
export async function menu(seat, picture) {
  try {
    await (await import("./menu.js")).menu(seat, picture);
  } catch {
    toast(t("net.away"), "bad");
  }
}

const facts = { of: null, place: null };

// Returns an element with facts about a `finished` game, always the same one; it is filled once they have arrived.
export function endFacts(finished) {
  if (finished !== facts.of) {
    facts.of = finished;
    facts.place = h("div", { class: "end-facts" });
    if (finished !== null) fillIn(facts.place, finished);
  }
  return facts.place;
}

async function fillIn(place, finished) {
  try {
    await (await import("./ending.js")).fill(place, finished);
  } catch {
    // The result is shown without them.
  }
}

export const askToEnd = async (seat) => (await import("./ending.js")).abandon(seat);

// The turn clock and the bots' speed; loaded when a game uses one of them.
let pace = null;
document.addEventListener("picture", async ({ detail }) => {
  if (!$("#pace") || (!pace && !detail.clock && !detail.bots_act)) return;
  pace ??= import("./pace.js");
  try {
    (await pace).showPace(detail);
  } catch {
    pace = null;
  }
});
