// The spaces where the sniper can be, derived from public facts: hatched on the map if the game is played with this
// hint and the device shows it.

import { tOf, t } from "/static/texts.js";
import { h, icon, recall, store, svg } from "/static/ui.js";

const HATCH = "possible-hatch";
export const EYE = "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z";

export class Possible {
  // `viewer` is the seat of this screen, `wanted` whether the hint is shown until someone changes it.
  constructor(viewer, wanted, onChange) {
    this.kept = `sniperboard-possible-${viewer}`;
    this.shown = recall(this.kept, wanted);
    this.onChange = onChange;
  }

  // A button with the number of spaces that shows or hides them on this device.
  button(spaces) {
    const words = possibleText(spaces);
    const label = `${words} ${this.shown ? t("possible.hide") : t("possible.show")}`;
    const props = { "aria-pressed": this.shown, "aria-label": label, testid: "possible", onclick: () => this.turn() };
    return h("button", { class: "possible", ...props }, [
      h("i", { class: "swatch", "aria-hidden": "true" }),
      h("span", { "aria-hidden": "true" }, words),
      h("b", { "aria-hidden": "true" }, spaces.length === 1 ? spaces[0] : String(spaces.length)),
      icon(this.shown ? EYE : [EYE, "M4 20L20 4"]),
    ]);
  }

  turn() {
    this.shown = !this.shown;
    store(this.kept, this.shown);
    this.onChange();
  }

  draw(map, spaces) {
    drawPossible(map, this.shown && spaces ? spaces : []);
  }
}

export function drawPossible(map, spaces) {
  map.draw("possible", spaces, () => [spaces.length > 0 && hatch(), spaces.map((space) => hatchSpace(map, space))]);
}

export const possibleText = (spaces) =>
  spaces.length > 1
    ? t("possible.many", { number: spaces.length })
    : tOf("possible", spaces.length, { space: spaces[0] });

function hatch() {
  const lines = svg("path", { d: "M-20 20L20 -20M0 120L120 0M100 140L140 100" });
  return svg("pattern", { id: HATCH, width: 120, height: 120, patternUnits: "userSpaceOnUse" }, lines);
}

// A tunnel is marked in the opening in what lies above it.
function hatchSpace(map, space) {
  const { d, window: opening } = map.spot(space) || {};
  return d && svg("path", { d: opening || d, class: "possible-space", fill: `url(#${HATCH})`, "data-possible": space });
}
