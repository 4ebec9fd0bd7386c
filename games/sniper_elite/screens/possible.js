// Where the sniper can be, by what everybody was told: hatched on the map, where the table plays with it and this device
// wants to see it.

import { tOf, t } from "/static/texts.js";
import { h, icon, svg } from "/static/ui.js";

const HATCH = "possible-hatch";
const EYE = "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z";

export class Possible {
  // `viewer` is whose screen this is, `wanted` whether it shows them until somebody says otherwise.
  constructor(viewer, wanted, onChange) {
    this.kept = `sniperboard-possible-${viewer}`;
    this.shown = remembered(this.kept, wanted);
    this.onChange = onChange;
  }

  // The number of spaces, and a tap to show or hide them on this device.
  button(spaces) {
    return h(
      "button",
      {
        type: "button",
        class: "possible",
        "aria-pressed": String(this.shown),
        "aria-label": `${tally(spaces)} ${this.shown ? t("possible.hide") : t("possible.show")}`,
        "data-testid": "possible",
        onclick: () => this.turn(),
      },
      h("i", { class: "swatch", "aria-hidden": "true" }),
      h("span", { "aria-hidden": "true" }, tally(spaces)),
      h("b", { "aria-hidden": "true" }, spaces.length === 1 ? spaces[0] : String(spaces.length)),
      icon(this.shown ? EYE : [EYE, "M4 20L20 4"]),
    );
  }

  turn() {
    this.shown = !this.shown;
    remember(this.kept, this.shown);
    this.onChange();
  }

  draw(map, spaces) {
    drawPossible(map, this.shown && spaces ? spaces : []);
  }
}

export function drawPossible(map, spaces) {
  map.draw("possible", spaces, () => [spaces.length > 0 && hatch(), spaces.map((space) => marked(map, space))]);
}

export const tally = (spaces) =>
  spaces.length > 1
    ? t("possible.many", { number: spaces.length })
    : tOf("possible", spaces.length, { space: spaces[0] });

function hatch() {
  const lines = svg("path", { d: "M-20 20L20 -20M0 120L120 0M100 140L140 100" });
  return svg("pattern", { id: HATCH, width: 120, height: 120, patternUnits: "userSpaceOnUse" }, lines);
}

// A tunnel is marked in the window through what lies above it.
function marked(map, space) {
  const { d, window: opening } = map.spot(space) || {};
  return d && svg("path", { d: opening || d, class: "possible-space", fill: `url(#${HATCH})`, "data-possible": space });
}

// A browser that keeps nothing shows what is usual.
function remembered(name, usual) {
  try {
    return (localStorage.getItem(name) ?? String(usual)) === "true";
  } catch {
    return usual;
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(name, String(value));
  } catch {
    // It holds until the page is closed.
  }
}
