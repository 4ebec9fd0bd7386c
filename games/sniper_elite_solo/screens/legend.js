// What is on the map, for its legend.

import { legend as pieces } from "/games/sniper-elite/static/legend.js";

const { officer, soldier, distance, sniper, mine } = pieces;

export const legend = { officer, soldier, distance, sniper, mine };
