// The game's part of the simulated board: its markers, and what has no sensor: Leaders and gas mines.

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
  },
};
