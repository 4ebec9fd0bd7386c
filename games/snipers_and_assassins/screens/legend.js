// What is on the map, for its legend. The texts are `frame.legend.piece.…` in the catalogues.

import { svg } from "/static/ui.js";
import { mark, mine, mini } from "./pieces.js";
import { arrowBetween } from "./hunt.js";
import { impact } from "./recent.js";

export const legend = {
  sniper: () => mini("sniper-1"),
  assassin: () => mini("assassin-2"),
  leader: () => mini("leader-3"),
  mine: () => svg("g", { transform: "scale(1.8)" }, mine("player-4")),
  hunts: () => arrowBetween([-150, 60], [150, -60], "p2 own"),
  "shot-fresh": () => mark("shot fresh"),
  "shot-stale": () => mark("shot stale"),
  healing: () => mark("healing"),
  locked: () => mark("locked"),
  recover: () => mark("recover"),
  "double-jump": () => mark("down"),
  fallen: () => impact("fall"),
};
