// The map legend: draws the pieces of the game. The game's module exports `legend`: the name of a piece -> a function
// that draws it around (0, 0).

import { badge } from "./scene.js";
import { $ } from "./ui.js";

const { module } = document.body.dataset;
const gameModule = module ? await import(module) : {};

for (const [name, draw] of Object.entries(gameModule.legend ?? {})) {
  const line = $(`[data-piece="${CSS.escape(name)}"]`);
  line?.prepend(badge(draw()));
  if (line) line.hidden = false;
}
