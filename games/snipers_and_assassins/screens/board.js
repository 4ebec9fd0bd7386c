// The game's part of the simulated board: its markers, and what has no sensor: Leaders and gas mines.

import { aside } from "/static/scene.js";
import { arrange, mine, mini } from "./pieces.js";

export const board = {
  mini,
  arrange,
  lay(map, view) {
    const players = Object.entries(view?.players ?? {});
    const facts = players.map(([seat, { leader, mines }]) => [seat, leader, mines]);
    map.draw("under", facts, () =>
      players.map(([seat, { leader, mines }]) => [
        leader && map.on(leader, mini(seat.replace("player", "leader"))),
        mines.map((space) => map.on(space, aside(mine(seat), 122, 128))),
      ]),
    );
  },
};
