// Drawings on the maps of all games: symbols, lines, numbers, lamps.

import { place } from "./map.js";
import { calm, svg } from "./ui.js";

// The distance between two miniatures, in tenths of a millimetre.
const APART = 350;

// Marks spaces set to manual with a small screen, because moves there are made on a screen.
export function showManual(map, spaces) {
  map.draw("manual", spaces, () =>
    spaces.map((space) => map.on(space, svg("g", { "data-manual": space }, aside(screenSign(), -130, 120)))),
  );
}

// Marks a space on which a sensor detects something.
export const occupiedMark = (map, space) =>
  map.on(space, svg("g", { "data-down": space }, svg("circle", { class: "felt", r: 190 })));

// The symbol for a manual space.
function screenSign() {
  return svg("g", { class: "by-hand" }, [
    svg("rect", { x: -44, y: -72, width: 88, height: 144, rx: 16 }),
    svg("path", { d: "M-14 46H14" }),
  ]);
}

// Moves a drawing off the centre of a space, so that a miniature doesn't hide it.
export function aside(drawn, x, y) {
  return svg("g", {}, svg("g", { transform: `translate(${x} ${y})` }, drawn));
}

// Lets several pieces on a space stand around its middle, smaller. `places`: id -> space.
/** @type {(map: any, places: Map<string, string>) => void} */
export function arrange(map, places) {
  const all = [...places.keys()];
  for (const id of all) {
    const together = all.filter((it) => places.get(it) === places.get(id));
    stepAside(map.pieces.get(id)?.querySelector(".side"), together.indexOf(id), together.length);
  }
}

function stepAside(side, at, count) {
  // Above and below there is more room than at the sides.
  const turn = (2 * Math.PI * at) / count - Math.PI / 2;
  const away = count > 1 ? 122 : 0;
  const [x, y] = [away * Math.cos(turn), away * Math.sin(turn)].map(Math.round);
  const scale = count > 2 ? 0.66 : count > 1 ? 0.86 : 1;
  side?.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
}

export function line(name, points) {
  return svg("polyline", { class: name, points: points.map(([x, y]) => `${x},${y}`).join(" ") });
}

export function way(map, spaces, name) {
  const spots = spaces.map((space) => map.spot(space)).filter(Boolean);
  const points = spots.map(({ x, y }) => [x, y]);
  return points.length > 1 ? line(name, points) : null;
}

// Shows the distance to something next to its space.
export const distanceMark = (map, space, distance) => map.on(space, aside(distanceSign(distance), 165, -150));

// A number between two arrowheads: a distance.
export const distanceSign = (distance) =>
  svg("g", { class: "far" }, [
    svg("rect", { x: -150, y: -72, width: 300, height: 144, rx: 72 }),
    svg("path", { d: "M-92 -34L-126 0L-92 34M92 -34L126 0L92 34" }),
    svg("text", { y: 38 }, String(distance)),
  ]);

export function stamp(map, space, number, last) {
  const drawn = svg("g", { class: last ? "stamp last" : "stamp" }, [
    svg("circle", { r: 88 }),
    svg("text", { y: 38 }, String(number)),
  ]);
  return map.on(space, drawn);
}

// A space to choose, for `GameMap.offer`; `on` is its light on the board.
export const choiceLight = (space, picked, label) => ({
  space,
  kind: picked ? "choice picked" : "choice",
  on: picked ? "chosen" : "choices",
  label,
});

// A piece of a game without own drawings, around (0, 0): a disc with letters, in the game's colour if it gives one.
/** @type {(letters: string, colour?: number[] | null) => any[]} */
export const disc = (letters, colour = null) => [
  svg("circle", { class: "shade", r: 135, transform: "translate(14 20)" }),
  svg("circle", { class: "base", r: 135 }),
  svg("circle", { class: "band", r: 113, style: colour ? { stroke: `rgb(${colour.join(" ")})` } : {} }),
  svg("text", { class: "numeral", y: 50, transform: letters[1] ? "scale(.73)" : null }, letters),
];

// Returns the letters of pieces by ID: the first letter, and also the last if two begin with the same one.
/** @type {(ids: string[]) => Map<string, string>} */
export function lettersOf(ids) {
  const short = ids.map((id) => id[0].toUpperCase());
  const twice = (it) => short.indexOf(it) !== short.lastIndexOf(it);
  const both = (id) => id.replace(/^(.).*?(.)$/, "$1$2").toUpperCase();
  return new Map(ids.map((id, i) => [id, twice(short[i]) ? both(id) : short[i]]));
}

// A piece, small, for lists and buttons.
export function badge(drawn) {
  return svg("svg", { class: "badge", viewBox: "-170 -170 340 340", "aria-hidden": "true" }, drawn);
}

// Returns the relative size of lamps: smaller than 1 if spaces are closer together than miniatures.
function scaleOf(spaces) {
  let least = APART;
  for (const [number, one] of spaces.entries())
    for (const other of spaces.slice(number + 1)) least = Math.min(least, Math.hypot(one.x - other.x, one.y - other.y));
  return least / APART;
}

// With reduced motion, a lamp shows its brightest colour of the last two seconds, so it is steady instead of blinking.
// All blinking patterns repeat within that time.
const STEADY_MS = 2000;

const brightness = (colour) => Math.max(...[0, 2, 4].map((i) => parseInt(colour.slice(i, i + 2), 16)));

// Lamps as glowing discs. Their brightness is shown as the eye perceives it, not linearly.
export class Lamps {
  constructor(map) {
    this.map = map;
    this.shown = new Map();
    this.discs = new Map();
    this.latest = []; // pictures of the last STEADY_MS, the newest last
    this.timer = 0;
    this.drawn = {};
    map.onTaken(() => this.draw(this.drawn)); // lamp states may arrive before the map
  }

  show(lamps) {
    clearTimeout(this.timer);
    if (!calm()) return this.draw(lamps);
    const lit = Object.entries(lamps).filter(([, colour]) => brightness(colour));
    this.latest.push({ until: performance.now() + STEADY_MS, lamps, lit });
    this.steady();
  }

  steady() {
    const now = performance.now();
    while (this.latest.length > 1 && this.latest[0].until <= now) this.latest.shift();
    const brightest = {};
    for (const [space, colour] of this.latest.flatMap((picture) => picture.lit))
      if (!(space in brightest) || brightness(colour) >= brightness(brightest[space])) brightest[space] = colour;
    this.draw({ ...this.latest.at(-1).lamps, ...brightest });
    // Lamps that went dark must go dark here, too, even if no other picture follows.
    if (this.latest.length > 1) this.timer = setTimeout(() => this.steady(), this.latest[0].until - now);
  }

  draw(lamps) {
    this.drawn = lamps;
    if (!this.map.ready) return;
    if (this.layer !== this.map.layers.lamps) this.begin();
    for (const [space, colour] of Object.entries(lamps)) {
      if (this.shown.get(space) === colour) continue;
      this.shown.set(space, colour);
      this.light(space, colour);
    }
  }

  begin() {
    this.layer = this.map.layers.lamps;
    this.scale = scaleOf([...this.map.spaces.values()]);
    this.shown.clear();
    this.discs.clear();
    this.layer.replaceChildren();
  }

  light(space, colour) {
    const parts = [0, 2, 4].map((i) => parseInt(colour.slice(i, i + 2), 16));
    const most = brightness(colour);
    const disc = this.discs.get(space) || (most ? this.add(space) : null);
    if (!disc) return;
    disc.setAttribute("data-lamp", colour);
    disc.style.opacity = String(Math.sqrt(most / 255));
    if (most) disc.style.fill = `rgb(${parts.map((part) => Math.round((part / most) * 255)).join(" ")})`;
  }

  add(space) {
    const spot = this.map.spot(space);
    if (!spot) return null;
    const disc = svg("g", { class: "glow" }, ...[330, 240, 165].map((r) => svg("circle", { r: r * this.scale })));
    place(disc, spot.x, spot.y);
    this.discs.set(space, this.layer.appendChild(disc));
    return disc;
  }
}
