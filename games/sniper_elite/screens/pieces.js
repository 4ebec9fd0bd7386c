// What stands on the map: miniatures, cubes, dogs and mines, each drawn around (0, 0) in tenths of a millimetre; and
// the sniper's route after the game.

import { aside, badge as framed, stamp, way } from "/static/scene.js";
import { svg } from "/static/ui.js";

// How long a token of a draw is shown alone.
export const TOKEN_MS = 260;

export const HEART = "M12 21C6 17 3 12.5 3 8.5A4.5 4.5 0 0 1 12 7a4.5 4.5 0 0 1 9 1.5C21 12.5 18 17 12 21Z";

const R = 135;
const SHAPES = {
  yellow: `M0 ${-R * 1.18}L${R * 1.18} 0L0 ${R * 1.18}L${-R * 1.18} 0Z`,
  red: `M${-R} 0a${R} ${R} 0 1 0 ${2 * R} 0a${R} ${R} 0 1 0 ${-2 * R} 0Z`,
  black: `M${-R * 0.62} ${-R * 0.98}H${R * 0.62}L${R * 0.98} ${-R * 0.62}V${R * 0.62}L${R * 0.62} ${R * 0.98}H${-R * 0.62}L${-R * 0.98} ${R * 0.62}V${-R * 0.62}Z`,
};
const ARM = "M-13 -66L13 -66L20 -20L66 -13V13L20 20L13 66H-13L-20 20L-66 13V-13L-20 -20Z";

export const squadOf = (unit) => unit.split("-")[0];
const memberOf = (unit) => unit.split("-")[1];
export const isOfficer = (unit) => memberOf(unit) === "officer";

export function mini(id) {
  return id === "sniper" ? reticle("mini sniper") : soldier(id);
}

function soldier(unit) {
  const mark = isOfficer(unit)
    ? [svg("circle", { class: "ring", r: 84 }), svg("path", { class: "cross", d: ARM })]
    : [svg("text", { class: "numeral", y: 50 }, memberOf(unit))];
  return svg("g", { class: `mini ${squadOf(unit)}`, "aria-hidden": "true" }, [
    svg("path", { class: "shade", d: SHAPES[squadOf(unit)], transform: "translate(14 20)" }),
    svg("path", { class: "base", d: SHAPES[squadOf(unit)] }),
    mark,
  ]);
}

export function reticle(name) {
  return svg("g", { class: name, "aria-hidden": "true" }, [
    svg("circle", { class: "disc", r: R }),
    svg("circle", { class: "ring", r: 92 }),
    svg("path", { class: "hairs", d: "M0 -150V-55M0 55V150M-150 0H-55M55 0H150" }),
    svg("circle", { class: "dot", r: 20 }),
  ]);
}

export function cube() {
  return svg("g", { class: "cube" }, [
    svg("path", { class: "top", d: "M0 -70L62 -35L0 0L-62 -35Z" }),
    svg("path", { class: "left", d: "M-62 -35L0 0V72L-62 37Z" }),
    svg("path", { class: "right", d: "M62 -35L0 0V72L62 37Z" }),
  ]);
}

export function dog() {
  return svg("g", { class: "dog" }, [
    svg("circle", { r: 105 }),
    svg("path", { d: "M-60 40C-60 0 -25 -10 0 -10S60 0 60 40C60 75 25 55 0 55S-60 75 -60 40Z" }),
    [
      [-62, -28],
      [-24, -62],
      [24, -62],
      [62, -28],
    ].map(([cx, cy]) => svg("circle", { class: "toe", cx, cy, r: 20 })),
  ]);
}

export function minePiece() {
  return svg("g", { class: "mine" }, [
    svg("path", { d: "M0 -34L-40 -96M0 -34V-104M0 -34L40 -96" }),
    svg("path", { class: "can", d: "M-62 -34H62V60Q0 88 -62 60Z" }),
  ]);
}

// The same shapes, small, for lists and buttons.
export function badge(unit) {
  return framed(mini(unit));
}

// --- on a map ----------------------------------------------------------------------------------------------------

// Shows all public pieces; `extra` adds pieces (id -> {space, make}).
export function showPieces(map, view, extra = new Map()) {
  const standing = Object.entries(view.units).filter(([, space]) => space);
  const pieces = new Map(standing.map(([unit, space]) => [unit, { space, make: () => mini(unit) }]));
  if (view.sniper.miniature) addSniper(pieces, view, "seen", view.sniper.miniature);
  for (const [id, piece] of extra) pieces.set(id, piece);
  map.stand(pieces);
  const mines = view.sniper.mines || [];
  map.draw("under", [view.marks, view.dogs, mines], () => [
    ...dogMarks(map, view.dogs),
    mines.map((space) => map.on(space, aside(minePiece(), 155, 130))),
    view.marks.map((space) => map.on(space, aside(cube(), -120, -105))),
  ]);
}

// Adds the sniper to `pieces`. On a space with a unit it is drawn around the unit, so that both are visible.
export function addSniper(pieces, { units }, name, space) {
  const around = Object.values(units).includes(space);
  pieces.set(around ? `${name}-around` : name, {
    space,
    make: () => reticle(`mini ${name}${around ? " around" : ""}`),
  });
}

export const dogMarks = (map, spaces) => spaces.map((space) => map.on(space, aside(dog(), 125, -115)));

// Sound arcs around a unit that hears something.
export const earMark = (map, space) => map.on(space, earArcs());

export function earArcs() {
  const arc = (r) =>
    svg("path", {
      d: `M${-r * 0.7} ${-r * 0.7}A${r} ${r} 0 0 1 ${r * 0.7} ${-r * 0.7}M${-r * 0.7} ${r * 0.7}A${r} ${r} 0 0 0 ${r * 0.7} ${r * 0.7}`,
    });
  return svg("g", { class: "ears" }, arc(210), arc(265));
}

// The spaces of objectives: those that the sniper wants and those that are done.
/** @type {(map: any, wanted: any[] | null, completed: any[]) => any[]} */
export function goalMarks(map, wanted, completed) {
  const [all, done] = [wanted ?? [], completed].map((numbers) => new Set(numbers.map(String)));
  return [...map.spaces.values()]
    .filter(({ objective }) => all.has(objective) || done.has(objective))
    .map(({ id, objective }) => map.outline(id, done.has(objective) ? "goal-space done" : "goal-space"));
}

// The sniper's turns that ended on a space. They are numbered by rounds, like everywhere.
export const turnsOf = (log) => log.map(([, space], i) => ({ space, round: i + 1 })).filter(({ space }) => space);

// The way through `turns` along the spaces of the `route`, or straight from turn to turn until it is known.
export function routeLine(map, turns, route) {
  const spaces = route.length ? route.slice(0, turns.at(-1)?.round ?? 0).flat() : turns.map(({ space }) => space);
  return way(map, spaces, "way opened");
}

export const turnMarks = (map, turns) =>
  turns.map(({ space, round }, i) => stamp(map, space, round, i === turns.length - 1));

// Shows the sniper's objectives and route after the game with the number of each turn, up to `until` turns.
export function showOpened(map, { opened, sniper }, until, route) {
  const turns = turnsOf(opened.log).slice(0, until);
  map.draw("lines", ["opened", turns, route], () => routeLine(map, turns, route));
  map.draw("over", ["opened", turns], () => [
    ...goalMarks(map, opened.objectives, sniper.completed),
    ...(opened.mines || []).map((space) => map.on(space, aside(minePiece(), 155, 130))),
    ...turnMarks(map, turns),
  ]);
}
