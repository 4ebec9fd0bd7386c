// What stands on the map in the solo game, and its marks.

import { mine, mini, reticle } from "/games/sniper-elite/static/pieces.js";
import { aside, way } from "/static/scene.js";

// Shows all known pieces. `units` are the positions of the defenders; a recap shows earlier ones.
export function showPieces(map, view, units = view.units) {
  const standing = Object.entries(units).filter(([, space]) => space);
  const pieces = new Map(standing.map(([unit, space]) => [unit, { space, make: () => mini(unit) }]));
  if (view.sniper.space) pieces.set("me", { space: view.sniper.space, make: () => reticle("mini me") });
  map.stand(pieces);
  map.draw("under", [view.possible, view.lks, view.sniper.mines], () => [
    sector(map, view),
    [...map.spaces.values()]
      .filter(({ objective }) => objective && view.possible.includes(Number(objective)))
      .map(({ id }) => map.outline(id, "wanted-space")),
    view.sniper.mines.map((space) => map.on(space, aside(mine(), 155, 130))),
  ]);
}

const sector = (map, { lks, over }) =>
  lks && !over
    ? [...map.spaces.values()].filter((space) => space.sector === lks).map(({ id }) => map.outline(id, "sector-space"))
    : [];

export function goals(map, { sniper }) {
  const wanted = new Set((sniper.objectives || []).map(String));
  const done = new Set(sniper.completed.map(String));
  return [...map.spaces.values()]
    .filter(({ objective }) => wanted.has(objective) || done.has(objective))
    .map(({ id, objective }) => map.outline(id, done.has(objective) ? "goal-space done" : "goal-space"));
}

// Arrows for miniatures still to be moved on the board; those that have to wait are fainter.
export const carries = (map, board) =>
  (board?.hint?.orders ?? [])
    .filter(({ from }) => from)
    .map(({ from, to, squad, waits }) => way(map, [from, to], `way carry ${squad} ${waits ? "waits" : ""}`));
