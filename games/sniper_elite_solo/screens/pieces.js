// What stands on the map in the solo game, and its marks.

import { arrow } from "/games/sniper-elite/static/recap.js";
import {
  goalMarks,
  minePiece,
  mini,
  reticle,
  turnMarks,
  turnsOf,
  routeLine,
} from "/games/sniper-elite/static/pieces.js";
import { routeOf } from "/static/on-demand.js";
import { aside, way } from "/static/scene.js";

// Shows all known pieces. `units` are the positions of the defenders; a recap shows earlier ones.
export function showPieces(map, view, units = view.units) {
  const standing = Object.entries(units).filter(([, space]) => space);
  const pieces = new Map(standing.map(([unit, space]) => [unit, { space, make: () => mini(unit) }]));
  if (view.sniper.space) pieces.set("me", { space: view.sniper.space, make: () => reticle("mini me") });
  map.stand(pieces);
  map.draw("under", [view.possible, view.lks, view.sniper.mines], () => [
    sectorOutlines(map, view),
    [...map.spaces.values()]
      .filter(({ objective }) => objective && view.possible.includes(Number(objective)))
      .map(({ id }) => map.outline(id, "wanted-space")),
    view.sniper.mines.map((space) => map.on(space, aside(minePiece(), 155, 130))),
  ]);
}

const sectorOutlines = (map, { lks, over }) =>
  lks && !over
    ? [...map.spaces.values()].filter((space) => space.sector === lks).map(({ id }) => map.outline(id, "sector-space"))
    : [];

// Shows the sniper's way in finished game `number`, as in the multiplayer game; `redraw` shows it once it has arrived.
export function showWay(map, view, number, redraw) {
  const route = routeOf(number, redraw).slice(0, view.round);
  const turns = turnsOf(route.map((spaces) => [0, spaces.at(-1)]));
  map.draw("lines", ["way", turns], () => routeLine(map, turns, route));
  map.draw("over", ["way", turns], () => [
    goalMarks(map, view.sniper.objectives, view.sniper.completed),
    turnMarks(map, turns),
  ]);
}

// Arrows for moves among the steps of a defenders' turn.
export const showMoves = (map, steps) =>
  map.draw("trail", steps, () => steps.map((step) => step.from && step.to && arrow(map, step)));

// Arrows for miniatures still to be moved on the board; those that have to wait are fainter.
export const carryArrows = (map, board) =>
  (board?.hint?.orders ?? [])
    .filter(({ from }) => from)
    .map(({ from, to, squad, waits }) => way(map, [from, to], `way carry ${squad} ${waits ? "waits" : ""}`));
