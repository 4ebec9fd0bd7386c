// The game's part of the simulated board: the miniatures of both sides.

import { mini } from "/games/sniper-elite/static/pieces.js";

export const board = { mini };
