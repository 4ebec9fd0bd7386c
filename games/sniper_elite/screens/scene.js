// The game on a map: what stands where, what is marked, and the sniper's way. Pictures in, layers out.

import { aside, stamp, way } from "/static/scene.js";
import { svg } from "/static/ui.js";
import { cube, dog, mine, mini, reticle } from "./pieces.js";

// Everything public; `extra` are more pieces (id -> {space, make}).
export function showPieces(map, view, extra = new Map()) {
  const standing = Object.entries(view.units).filter(([, space]) => space);
  const pieces = new Map(standing.map(([unit, space]) => [unit, { space, make: () => mini(unit) }]));
  if (view.sniper.miniature) pieces.set("seen", { space: view.sniper.miniature, make: () => reticle("mini seen") });
  for (const [id, piece] of extra) pieces.set(id, piece);
  map.stand(pieces);
  const mines = view.sniper.mines || [];
  map.draw("under", [view.marks, view.dogs, mines], () => [
    ...dogs(map, view.dogs),
    mines.map((space) => map.on(space, aside(mine(), 155, 130))),
    view.marks.map((space) => map.on(space, aside(cube(), -120, -105))),
  ]);
}

export const dogs = (map, spaces) => spaces.map((space) => map.on(space, aside(dog(), 125, -115)));

// Arcs of sound around a unit that hears.
export function ears(map, space) {
  const arc = (r) =>
    svg("path", {
      d: `M${-r * 0.7} ${-r * 0.7}A${r} ${r} 0 0 1 ${r * 0.7} ${-r * 0.7}M${-r * 0.7} ${r * 0.7}A${r} ${r} 0 0 0 ${r * 0.7} ${r * 0.7}`,
    });
  return map.on(space, svg("g", { class: "ears" }, arc(210), arc(265)));
}

// After the game: the sniper's way with the countdown of each turn, up to `until` turns of it.
export function showOpened(map, opened, until) {
  const steps = opened.log.filter(([, space]) => space).slice(0, until);
  map.draw("lines", ["opened", steps], () =>
    way(
      map,
      steps.map(([, space]) => space),
      "way opened",
    ),
  );
  map.draw("over", ["opened", steps], () => [
    ...(opened.mines || []).map((space) => map.on(space, aside(mine(), 155, 130))),
    ...steps.map(([number, space], i) => stamp(map, space, number, i === steps.length - 1)),
  ]);
}
