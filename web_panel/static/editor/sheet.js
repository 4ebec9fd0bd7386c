// The drawing on the screen: an SVG with layers, painted from a plan, under the camera.

import { Camera } from "../camera.js";
import { svg } from "../ui.js";
import { accessesOf, byId, ENTERABLE, entriesOf, sideAt, sizeOf, spacesOf } from "./plan.js";
import { deepest, middle } from "./plane.js";

const ORDER = ["obstruction", "water", "open", "enclosed", "elevated"];
const LAYERS = ["board", "ground", "access", "words", "sight", "faults", "handles", "draft"];
const BASE = 140;
const MARGIN = 0.6;
// Tenths of a millimetre per pixel at the closest view. Adjacent grid points are then 40 pixels apart, more than the
// snapping distance, so every corner can be pressed.
const CLOSEST = 0.025;
const LEAST = 1000;

const d = (ring, closed = true) => `M${ring.map((p) => p.join(" ")).join("L")}${closed ? "Z" : ""}`;

// The centre of each space, computed once for each outline.
const depths = new WeakMap();
export function spotOf({ said, ring }) {
  if (said.spot?.length === 2 && said.spot.every(Number.isFinite)) return said.spot;
  if (!depths.has(ring)) depths.set(ring, deepest(ring));
  return depths.get(ring);
}

// The panel's camera, which can also look beyond the edge and closer.
class FreeCamera extends Camera {
  // Called after each movement.
  onSee = () => {};

  // The holder's position on the screen, measured only after its size changes, because measuring forces a layout.
  get place() {
    return (this.measured ??= this.holder.getBoundingClientRect());
  }

  box() {
    return [Math.max(1, this.place.width), Math.max(1, this.place.height)];
  }

  at(clientX, clientY) {
    const [x, y] = this.corner;
    return [x + (clientX - this.place.left) * this.scale, y + (clientY - this.place.top) * this.scale];
  }

  resized() {
    this.measured = null;
    if (this.scale) this.see(this.x, this.y, this.scale);
  }

  see(x, y, scale) {
    const [width, height] = this.box();
    this.scale = Math.min(this.whole * 1.6, Math.max(CLOSEST, scale));
    const bounded = (at, size, seen) => Math.min(size + seen * MARGIN, Math.max(-seen * MARGIN, at));
    this.x = bounded(x, this.size[0], (width * this.scale) / 2);
    this.y = bounded(y, this.size[1], (height * this.scale) / 2);
    const [w, h] = [width * this.scale, height * this.scale];
    this.corner = [this.x - w / 2, this.y - h / 2];
    this.view.setAttribute("viewBox", [...this.corner, w, h].join(" "));
    this.onSee();
  }

  // Shows some points and their surroundings.
  around(points, beyond) {
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const [width, height] = this.box();
    const scale = Math.max((right - left) / width, (bottom - top) / height, LEAST / Math.min(width, height)) * beyond;
    this.glide((left + right) / 2, (top + bottom) / 2, scale);
  }
}

export class Sheet {
  constructor(holder, label) {
    this.holder = holder;
    this.view = svg("svg", { class: "view", role: "img", "aria-label": label, testid: "sheet" });
    this.layers = Object.fromEntries(
      LAYERS.map((name) => [name, this.view.appendChild(svg("g", { class: `layer-${name}` }))]),
    );
    holder.append(this.view);
    this.camera = new FreeCamera(holder, this.view, [8410, 5940], new Map());
    new ResizeObserver(() => this.camera.resized()).observe(holder);
  }

  // Converts a pointer's position to the drawing.
  at = ({ clientX, clientY }) => this.camera.at(clientX, clientY);

  // Converts screen pixels to map units.
  reach = (pixels) => pixels * this.camera.scale;

  fit() {
    this.camera.framed = this.camera.box();
    this.camera.see(this.camera.size[0] / 2, this.camera.size[1] / 2, this.camera.whole * 1.08);
  }

  // --- the plan -------------------------------------------------------------------------------------------------

  paint(plan, selected) {
    const size = sizeOf(plan);
    this.camera.size = size;
    this.layers.board.replaceChildren(svg("rect", { class: "board", width: size[0], height: size[1] }));
    const spaces = [...spacesOf(plan)].sort(
      (a, b) =>
        (a.said.under ? 1 : 0) - (b.said.under ? 1 : 0) || ORDER.indexOf(a.said.kind) - ORDER.indexOf(b.said.kind),
    );
    this.layers.ground.replaceChildren(...spaces.map((space) => spaceOutline(space, selected.has(space.key))));
    this.layers.access.replaceChildren(
      ...accessesOf(plan).map((it) => accessMark(plan, it, selected.has(it.key))),
      ...entriesOf(plan).map((it) => entryMark(plan, it, selected.has(it.key))),
    );
    this.layers.words.replaceChildren(...spaces.flatMap(spaceMarks));
  }

  show(layer, ...parts) {
    this.layers[layer].replaceChildren(...parts.flat(Infinity).filter(Boolean));
  }

  // Shows the corners of the selected space, and midpoints for adding corners.
  handles(ring, chosen) {
    const size = this.reach(6);
    const corners = ring.map((p) =>
      svg("circle", {
        class: `corner${chosen && p.join() === chosen.join() ? " chosen" : ""}`,
        cx: p[0],
        cy: p[1],
        r: size,
        "data-corner": p.join(),
      }),
    );
    const more = ring.map((p, i) => {
      const q = ring[(i + 1) % ring.length];
      const [x, y] = middle(p, q);
      return svg("circle", { class: "more", cx: x, cy: y, r: size * 0.6, "data-between": `${p.join()} ${q.join()}` });
    });
    this.show("handles", more, corners);
  }

  // Shows an outline being drawn, with its next point.
  draft(points, next, kind) {
    if (!next) return this.show("draft");
    const path = points.length ? svg("path", { class: "draft", d: d([...points, next.point], false) }) : null;
    const dots = points.map((p, i) =>
      svg("circle", { class: i ? "dot" : "dot first", cx: p[0], cy: p[1], r: this.reach(i ? 3 : 5) }),
    );
    this.show(
      "draft",
      path,
      dots,
      svg("circle", {
        class: `aim ${next.kind} ${kind ?? ""}`,
        cx: next.point[0],
        cy: next.point[1],
        r: this.reach(7),
      }),
    );
  }

  // Lights what a space sees, by distance; `left` are spaces that were not checked.
  lights(plan, found) {
    if (!found) return this.show("sight");
    const parts = found.seen.flatMap(({ space, distance, line }) => {
      const it = byId(plan, space);
      if (!it) return [];
      const [x, y] = spotOf(it);
      return [
        svg("path", {
          class: `seen${line ? "" : " eye"}`,
          d: d(it.ring),
          "data-seen": space,
          "data-distance": distance,
        }),
        svg("text", { class: "distance", x, y: y + 70, "font-size": 150 }, String(distance)),
      ];
    });
    this.show("sight", parts);
  }

  line(points) {
    this.layers.sight.querySelector(".witness")?.remove();
    if (points) this.layers.sight.append(svg("path", { class: "witness", d: d(points, false) }));
  }

  marks(places) {
    this.show(
      "faults",
      places.map(([x, y]) => svg("circle", { class: "fault-mark", cx: x, cy: y, r: this.reach(14) })),
    );
  }
}

// --- parts ------------------------------------------------------------------------------------------------------

function spaceOutline({ key, said, ring }, chosen) {
  const names = [
    "place",
    said.kind,
    said.sector,
    said.under && "under",
    said.difficult && "difficult",
    chosen && "chosen",
  ];
  return svg("path", { class: names.filter(Boolean).join(" "), d: d(ring), "data-key": key, "data-id": said.id });
}

function spaceMarks(space) {
  const { said } = space;
  const [x, y] = spotOf(space);
  const parts = [];
  if (ENTERABLE.has(said.kind))
    parts.push(svg("circle", { class: `ring ${said.start ? `start ${said.sector}` : ""}`, cx: x, cy: y, r: BASE }));
  if (said.start === "officer")
    parts.push(svg("path", { class: `cross ${said.sector}`, d: `M${x - 62} ${y - 62}l124 124m0-124l-124 124` }));
  parts.push(svg("text", { class: "id", x, y: y + (said.objective ? -22 : 32), "font-size": 96 }, said.id ?? "?"));
  if (said.objective) {
    parts.push(svg("rect", { class: "plate", x: x - 56, y: y - 2, width: 112, height: 112, rx: 14 }));
    parts.push(svg("text", { class: "number", x, y: y + 88, "font-size": 108 }, said.objective));
  }
  return parts;
}

const movedTo = ([x, y]) => `translate(${x} ${y})`;
const turned = (at, [a, b]) => `${movedTo(at)} rotate(${(Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI})`;

function accessMark(plan, { key, said, at }, chosen) {
  const side = sideAt(plan, { said, at });
  const name = `access ${said.access}${chosen ? " chosen" : ""}${side ? "" : " astray"}`;
  const shape =
    said.access === "door"
      ? "M-60 0H60M-60-26V26M60-26V26"
      : "M-30-72V72M30-72V72M-30-48H30M-30-16H30M-30 16H30M-30 48H30";
  const place = {
    transform: side ? turned(at, side) : movedTo(at),
    "data-key": key,
    "data-between": said.between.join("-"),
  };
  return svg("g", { class: name, ...place }, [
    svg("circle", { class: "touch", r: 90 }),
    svg("path", { class: "bed", d: shape }),
    svg("path", { class: "sign", d: shape }),
  ]);
}

function entryMark(plan, { key, said, at }, chosen) {
  const space = byId(plan, said.entry);
  const aim = space ? spotOf(space) : [at[0] + 1, at[1]];
  const name = `entry ${space?.said.sector ?? ""}${chosen ? " chosen" : ""}`;
  const place = { transform: turned(at, [at, aim]), "data-key": key, "data-entry": said.entry };
  return svg("g", { class: name, ...place }, svg("path", { d: "M0-60V60H70V92L154 0L70-92V-60Z" }));
}
