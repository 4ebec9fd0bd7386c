// What the simulated board has of this game: its miniatures, and the dogs, which lie there without a sensor.

import { dogs, mini } from "./pieces.js";

export const board = {
  mini,
  lay(map, view) {
    const spaces = view ? view.dogs : [];
    map.draw("under", spaces, () => dogs(map, spaces));
  },
};
