// Miniatures as every page knows them: what they are called, and how one is drawn that the game does not draw itself.

import { tOf } from "./texts.js";
import { svg } from "./ui.js";

// A spare magnet is no miniature, but lies in the same box.
export const WAND = "wand";
const R = 135;

export const miniName = (id) => tOf("unit", id);

// A disc with the first letter of its name, drawn around (0, 0) in the map's tenths of a millimetre.
export const plain = (id) =>
  svg(
    "g",
    { class: "mini plain", "aria-hidden": "true" },
    svg("circle", { class: "shade", r: R, transform: "translate(14 20)" }),
    svg("circle", { class: "base", r: R }),
    svg("text", { class: "numeral", y: 50 }, miniName(id)[0].toUpperCase()),
  );

export function wand() {
  return svg(
    "g",
    { class: "mini wand", "aria-hidden": "true" },
    svg("path", { class: "horn", d: "M-70 120V-10A70 70 0 0 1 70 -10V120" }),
    svg("path", { class: "pole", d: "M-70 70V120M70 70V120" }),
  );
}

// The sign of a space that is played on the screens.
export function screen() {
  return svg(
    "g",
    { class: "by-hand" },
    svg("rect", { x: -44, y: -72, width: 88, height: 144, rx: 16 }),
    svg("path", { d: "M-14 46H14" }),
  );
}

// The same shapes small, for lists and buttons.
export function badge(drawn) {
  return svg("svg", { class: "badge", viewBox: "-170 -170 340 340", "aria-hidden": "true" }, drawn);
}
