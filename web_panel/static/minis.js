// Miniatures of the simulated board that the game doesn't draw.

import { miniName } from "./frame.js";
import { svg } from "./ui.js";

// A spare magnet, which isn't a miniature but is kept with them.
export const WAND = "wand";
const R = 135;

// A disc with the first letter of its name, drawn around (0, 0) in tenths of a millimetre.
export const plain = (id) =>
  svg("g", { class: "mini plain", "aria-hidden": "true" }, [
    svg("circle", { class: "shade", r: R, transform: "translate(14 20)" }),
    svg("circle", { class: "base", r: R }),
    svg("text", { class: "numeral", y: 50 }, miniName(id)[0].toUpperCase()),
  ]);

export function wand() {
  return svg("g", { class: "mini wand", "aria-hidden": "true" }, [
    svg("path", { class: "horn", d: "M-70 120V-10A70 70 0 0 1 70 -10V120" }),
    svg("path", { class: "pole", d: "M-70 70V120M70 70V120" }),
  ]);
}
