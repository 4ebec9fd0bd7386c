// The legend of the map: draws the pieces of the game on the table beside what they are. Its half of this page exports
// `legend`: the name of a piece -> a function that draws it around (0, 0).

import { badge } from "./scene.js";

const { module } = document.body.dataset;
const half = module ? await import(module) : {};

for (const [name, draw] of Object.entries(half.legend ?? {})) {
  const line = document.querySelector(`[data-piece="${CSS.escape(name)}"]`);
  line?.prepend(badge(draw()));
  if (line) line.hidden = false;
}
