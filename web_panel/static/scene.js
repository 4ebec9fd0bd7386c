// What is drawn on a map in every game: signs, lines, numbers, lamps.

import { place } from "./map.js";
import { calm, svg } from "./ui.js";

// Tenths of a millimetre between two spots that miniatures can stand on.
const APART = 350;

// The spaces whose sensors do not count: a little screen, for that is where they are played.
export function showManual(map, spaces) {
  map.draw("manual", spaces, () =>
    spaces.map((space) => map.on(space, svg("g", { "data-manual": space }, aside(screen(), -130, 120)))),
  );
}

// The sign of a space that is played on the screens.
function screen() {
  return svg(
    "g",
    { class: "by-hand" },
    svg("rect", { x: -44, y: -72, width: 88, height: 144, rx: 16 }),
    svg("path", { d: "M-14 46H14" }),
  );
}

// What lies on a space lies beside its spot, so that a miniature does not hide it.
export function aside(drawn, x, y) {
  return svg("g", {}, svg("g", { transform: `translate(${x} ${y})` }, drawn));
}

export function line(name, points) {
  return svg("polyline", { class: name, points: points.map(([x, y]) => `${x},${y}`).join(" ") });
}

export function way(map, spaces, name) {
  const spots = spaces.map((space) => map.spot(space)).filter(Boolean);
  return spots.length > 1
    ? line(
        name,
        spots.map(({ x, y }) => [x, y]),
      )
    : null;
}

// How far away something on a space is, beside it.
export function far(map, space, distance) {
  return map.on(
    space,
    svg(
      "g",
      { class: "far" },
      svg("circle", { cx: 165, cy: -150, r: 78 }),
      svg("text", { x: 165, y: -112 }, String(distance)),
    ),
  );
}

export function stamp(map, space, number, last) {
  return map.on(
    space,
    svg(
      "g",
      { class: last ? "stamp last" : "stamp" },
      svg("circle", { r: 88 }),
      svg("text", { y: 38 }, String(number)),
    ),
  );
}

// A piece small, for lists and buttons.
export function badge(drawn) {
  return svg("svg", { class: "badge", viewBox: "-170 -170 340 340", "aria-hidden": "true" }, drawn);
}

// How large lamps are drawn: smaller than usual where spaces lie closer than miniatures could stand.
function scaleOf(spaces) {
  let least = APART;
  for (const [number, one] of spaces.entries())
    for (const other of spaces.slice(number + 1)) least = Math.min(least, Math.hypot(one.x - other.x, one.y - other.y));
  return least / APART;
}

// Where motion is to be reduced, a lamp shows the brightest colour that it had in so many milliseconds: it burns steadily
// in place of pulsing. Every rhythm that blinks comes round within this time.
const STEADY_MS = 2000;

const brightness = (colour) => Math.max(...[0, 2, 4].map((i) => parseInt(colour.slice(i, i + 2), 16)));

// Lamps as glowing discs. A lamp's colour is shown as bright as an eye sees it in the dark, not as the wire says it.
export class Lamps {
  constructor(map) {
    this.map = map;
    this.shown = new Map();
    this.discs = new Map();
    this.latest = []; // pictures of the last STEADY_MS, the newest at the end
    this.timer = 0;
    this.drawn = {};
    map.onTaken(() => this.draw(this.drawn)); // lamps may be told of before the map has come
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
    // What has gone dark meanwhile goes dark here too, though no further picture comes.
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
    const disc = svg(
      "g",
      { class: "glow" },
      ...[330, 240, 165].map((r) => svg("circle", { r: r * this.scale })),
    );
    place(disc, spot.x, spot.y);
    this.discs.set(space, this.layer.appendChild(disc));
    return disc;
  }
}
