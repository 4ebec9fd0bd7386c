// What the simulated board has of this game: the miniatures of both sides.

import { mini } from "/games/sniper-elite/static/pieces.js";

export const board = { mini };
