// What is on the map, for its legend. The texts are `frame.legend.piece.…` in the catalogues.

import { svg } from "/static/ui.js";
import { statusSign, minePiece, mini } from "./pieces.js";
import { arrowBetween } from "./hunt.js";
import { impact } from "./recent.js";

export const legend = {
  sniper: () => mini("sniper-1"),
  assassin: () => mini("assassin-2"),
  leader: () => mini("leader-3"),
  mine: () => svg("g", { transform: "scale(1.8)" }, minePiece("player-4")),
  hunts: () => arrowBetween([-150, 60], [150, -60], "p2 own"),
  "shot-fresh": () => statusSign("shot fresh"),
  "shot-stale": () => statusSign("shot stale"),
  healing: () => statusSign("healing"),
  locked: () => statusSign("locked"),
  recover: () => statusSign("recover"),
  "double-jump": () => statusSign("down"),
  fallen: () => impact("fall"),
};
