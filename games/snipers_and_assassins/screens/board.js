// The game's part of the simulated board: its markers, what has no sensor (Leaders and gas mines), and who hunts whom.

import { showHunts } from "./hunt.js";
import { minePieces, minesOf, mini } from "./pieces.js";

export const board = {
  mini,
  lay(map, view) {
    const leaders = Object.entries(view?.players ?? {}).filter(([, { leader }]) => leader);
    const facts = view && [leaders.map(([seat, { leader }]) => [seat, leader]), minesOf(view)];
    map.draw("under", facts, () => [
      leaders.map(([seat, { leader }]) => map.on(leader, mini(seat.replace("player", "leader")))),
      view && minePieces(map, view),
    ]);
    if (view) showHunts(map, view);
    else map.draw("possible", [], () => []);
  },
};
