// The camera over a map: the part of it that a holder shows. Positions are in map units, the scale in map units per
// pixel.

import { calm } from "./ui.js";

const CLOSEST = 1100;
const SURROUNDINGS = 2100;
const SMALL_PX = 640;
// Boards with up to this many spaces are shown whole even on a phone.
const FEW = 40;
const MARGIN = 700;
// The margin around a whole shape.
const EDGE = 60;
const GLIDE_MS = 260;

// The directions of the arrow keys.
export const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

// The size of a fingertip, in pixels.
export const FINGER_PX = 44;

// Returns the box around some positions, with a margin, and around whole shapes.
function around(spots, shapes) {
  const boxes = shapes.map((shape) => shape.getBBox());
  const side = (axis, length, sign) => [
    ...spots.map((it) => it[axis] + (sign * MARGIN) / 2),
    ...boxes.map((box) => box[axis] + (sign > 0 ? box[length] : 0) + sign * EDGE),
  ];
  return [
    ...["x", "y"].map((axis, i) => Math.min(...side(axis, SIDES[i], -1))),
    ...["x", "y"].map((axis, i) => Math.max(...side(axis, SIDES[i], 1))),
  ];
}

const SIDES = ["width", "height"];
const shorterSide = ({ width, height }) => Math.min(width, height);

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

export class Camera {
  // `holder` shows `view`, the drawing of a map of this size. `spaces` are its spaces by ID, with x and y. `seen(scale)`
  // is called with every view.
  constructor(holder, view, size, spaces, seen = (_scale) => {}) {
    this.holder = holder;
    this.view = view;
    this.size = size;
    this.spaces = spaces;
    this.seen = seen;
    this.followed = null; // spaces to keep in view
  }

  // Returns the width and height of the holder.
  box() {
    const { width, height } = this.holder.getBoundingClientRect();
    return [Math.max(1, width), Math.max(1, height)];
  }

  // The scale that shows the whole map.
  get whole() {
    const [width, height] = this.box();
    return Math.max(this.size[0] / width, this.size[1] / height);
  }

  // The scale that shows a box.
  /** @param {number[]} box */
  scaleFor([left, top, right, bottom]) {
    const [width, height] = this.box();
    return Math.max((right - left) / width, (bottom - top) / height);
  }

  see(x, y, scale) {
    const [width, height] = this.box();
    // The scale has limits on both sides, and the view stays on the map.
    const least = CLOSEST / Math.min(width, height);
    this.scale = Math.min(this.whole * 1.02, Math.max(least, scale));
    const [w, h] = [width * this.scale, height * this.scale];
    this.x = w >= this.size[0] ? this.size[0] / 2 : clamp(x, w / 2, this.size[0] - w / 2);
    this.y = h >= this.size[1] ? this.size[1] / 2 : clamp(y, h / 2, this.size[1] - h / 2);
    this.view.setAttribute("viewBox", [this.x - w / 2, this.y - h / 2, w, h].join(" "));
    this.seen(this.scale);
  }

  // Whether a position is visible and not at the very edge.
  sees({ x, y }) {
    const [width, height] = this.box();
    return Math.abs(x - this.x) <= width * this.scale * 0.45 && Math.abs(y - this.y) <= height * this.scale * 0.45;
  }

  // Converts a point of the screen to a position on the map.
  at(clientX, clientY) {
    const { left, top } = this.holder.getBoundingClientRect();
    const [width, height] = this.box();
    return [this.x + (clientX - left - width / 2) * this.scale, this.y + (clientY - top - height / 2) * this.scale];
  }

  // --- views ----------------------------------------------------------------------------------------------------

  // The first view: the whole map, or on a small screen about half of a large one around some spaces, more if they are
  // far apart. `whole` shows all of it.
  frame(ids, whole) {
    const [width, height] = this.box();
    this.framed = [width, height];
    this.followed = null;
    const filling = Math.min(this.size[0] / width, this.size[1] / height);
    const small = !whole && ids.length > 0 && this.spaces.size > FEW && this.holder.clientWidth < SMALL_PX;
    const half = clamp(filling, this.whole * 0.45, this.whole * 0.6);
    const close = small ? Math.max(half, this.scaleFor(around(this.spotsOf(ids), []))) : this.whole;
    if (this.isClose(close)) this.see(...this.middle(ids), close);
    else this.see(...this.middle([]), this.whole * 1.02);
  }

  // Whether a scale enlarges the map enough to be worth it: cutting off only a thin strip would hardly enlarge the
  // rest.
  isClose(scale) {
    return scale < this.whole * 0.8;
  }

  fit() {
    this.followed = null;
    this.glide(...this.middle([]), this.whole * 1.02);
  }

  // Shows some spaces and their surroundings, or the whole map if there are none.
  find(ids) {
    const spots = this.spotsOf(ids);
    if (!spots.length) return this.fit();
    this.glide(...this.middle(ids), Math.max(this.scaleFor(around(spots, [])), SURROUNDINGS / Math.min(...this.box())));
  }

  // Shows spaces and `offered` shapes; moves the view only if they aren't visible. To a finger, each shape is at least as
  // large as a fingertip, if all of them fit.
  reveal(ids, offered) {
    const spots = this.spotsOf(ids);
    if (!spots.length && !offered.length) return;
    const [width, height] = this.box();
    const box = around(spots, offered);
    const [left, top, right, bottom] = box;
    const { x, y, scale } = this.goal ?? this;
    const inside =
      Math.max(x - left, right - x) < (width * scale) / 2 && Math.max(y - top, bottom - y) < (height * scale) / 2;
    const fingers = this.holder.clientWidth < SMALL_PX || matchMedia("(pointer: coarse)").matches;
    const near = Math.min(scale, ...(fingers ? offered : []).map((shape) => shorterSide(shape.getBBox()) / FINGER_PX));
    const wanted = Math.max(this.scaleFor(box), near);
    if (inside && wanted >= scale * 0.98) return;
    if (this.isClose(wanted)) this.glide((left + right) / 2, (top + bottom) / 2, wanted);
    else this.fit();
    this.followed = ids;
  }

  spotsOf(ids) {
    return ids.map((id) => this.spaces.get(id)).filter(Boolean);
  }

  // Returns the middle of some spaces, or of the map.
  middle(ids) {
    const spaces = this.spotsOf(ids);
    if (!spaces.length) return [this.size[0] / 2, this.size[1] / 2];
    const mean = (axis) => (Math.min(...spaces.map((it) => it[axis])) + Math.max(...spaces.map((it) => it[axis]))) / 2;
    return [mean("x"), mean("y")];
  }

  // --- motion ---------------------------------------------------------------------------------------------------

  glide(x, y, scale) {
    this.hold();
    if (calm()) return this.see(x, y, scale);
    this.goal = { x, y, scale }; // the target view, for calls during the movement
    const from = [this.x, this.y, this.scale];
    const start = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - start) / GLIDE_MS);
      // Fast at first, slower towards the goal.
      const eased = 1 - (1 - part) ** 3;
      this.see(...[x, y, scale].map((to, i) => from[i] + (to - from[i]) * eased));
      if (part < 1) this.gliding = requestAnimationFrame(step);
      else this.goal = null;
    };
    this.gliding = requestAnimationFrame(step);
  }

  hold() {
    cancelAnimationFrame(this.gliding);
    this.goal = null;
  }

  // Moves the view by a number of pixels.
  pan(across, down) {
    this.followed = null;
    this.see(this.x - across * this.scale, this.y - down * this.scale, this.scale);
  }

  // Zooms around a point of the screen, or around the middle of the view.
  zoom(factor, clientX, clientY) {
    this.followed = null;
    const [x, y] = clientX === undefined ? [this.x, this.y] : this.at(clientX, clientY);
    this.see(x + (this.x - x) * factor, y + (this.y - y) * factor, this.scale * factor);
  }

  // Called when the size of the holder changes.
  resize() {
    const [width, height] = this.box();
    const [was, high] = this.framed;
    if (Math.abs(width - was) < 1 && Math.abs(height - high) < 1) return;
    // A view of the whole map still shows the whole map, and a close view the same share of it.
    const part = this.scale / Math.max(this.size[0] / was, this.size[1] / high);
    this.framed = [width, height];
    this.see(this.x, this.y, part * this.whole);
  }
}
