// The game's part of the simulated board: its miniatures, and the dogs, which have no sensor.

import { dogMarks, mini } from "./pieces.js";

export const board = {
  mini,
  lay(map, view) {
    const spaces = view ? view.dogs : [];
    map.draw("under", spaces, () => dogMarks(map, spaces));
  },
};
