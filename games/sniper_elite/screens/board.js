// What the simulated board has of this game: its miniatures, and the dogs, which lie there without a sensor.

import { mini } from "./pieces.js";
import { dogs } from "./scene.js";

export const board = {
  mini,
  lay(map, view) {
    const spaces = view ? view.dogs : [];
    map.draw("under", spaces, () => dogs(map, spaces));
  },
};
