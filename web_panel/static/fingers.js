// Fingers and mouse over a map: drag to pan, pinch or wheel to zoom, tap a space. If `begins` allows it, dragging from
// a space draws a route instead; if `carries` names a piece, it drags the piece.

import { clamp } from "./camera.js";

const TAP_PX = 9;
const STROKE_PX = 6;

export class Fingers {
  // `map.camera` moves. `map.near(space, x, y)` says whether a point of the screen is near a space's centre.
  /** @param {MapListeners} page */
  constructor(map, page) {
    this.map = map;
    this.page = page;
    this.tap = null;
    this.pointers = new Map();
    this.stroke = null;
    this.carried = null;
    const on = (name, act, options) => map.holder.addEventListener(name, act, options);
    on("pointerdown", (event) => this.press(event));
    on("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) on(name, (event) => this.release(event));
    // Only a listener that isn't passive can prevent scrolling.
    on("wheel", (event) => this.wheel(event), { passive: false });
  }

  // Whether a route is being drawn or a piece dragged: nothing may move under the finger.
  get drawing() {
    return Boolean(this.stroke?.begun || this.carried?.lifted);
  }

  press(event) {
    if (event.button > 0) return;
    this.map.camera.hold();
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const drawn = this.stroke?.begun;
    this.stroke = null;
    // A second finger ends the route that the first one is drawing.
    if (drawn) this.page.onDrawn();
    this.putDown(null);
    // Two fingers move the view; they don't tap.
    if (this.pointers.size > 1) return void (this.tap = null);
    this.tap = { x: event.clientX, y: event.clientY, target: event.target };
    const space = spaceOf(event.target);
    if (space && this.page.begins(space)) this.stroke = { space, begun: false };
    else if (space) this.carried = { piece: this.page.carries(space), lifted: false };
  }

  drag(event) {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    // A mouse button released outside the map before it moved.
    if (event.pointerType === "mouse" && !event.buttons) return this.release(event);
    const now = { x: event.clientX, y: event.clientY };
    if (this.tap && Math.hypot(now.x - this.tap.x, now.y - this.tap.y) > TAP_PX) {
      this.tap = null;
      this.map.holder.setPointerCapture(event.pointerId);
    }
    if (this.tap) return;
    if (this.stroke) {
      this.pointers.set(event.pointerId, now);
      return this.trace([last, ...between(event), now]);
    }
    if (this.carried?.piece) {
      this.pointers.set(event.pointerId, now);
      return this.carry(now);
    }
    const before = this.spread();
    this.pointers.set(event.pointerId, now);
    const after = this.spread();
    this.map.camera.pan(after.x - before.x, after.y - before.y);
    if (before.wide && after.wide) this.map.camera.zoom(before.wide / after.wide, after.x, after.y);
  }

  // A fast finger skips spaces, so every few pixels of its path count. A space counts only near its centre or where the
  // finger is lifted, so that brushing a corner doesn't.
  trace(points) {
    const begun = this.stroke.begun;
    this.stroke.begun = true;
    if (!begun) this.page.onStep(this.stroke.space);
    points.slice(1).forEach((to, i) => this.follow(points[i], to));
  }

  follow(from, to) {
    const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / STROKE_PX);
    for (let i = 1; i <= steps; i += 1) {
      const [x, y] = [from.x + ((to.x - from.x) * i) / steps, from.y + ((to.y - from.y) * i) / steps];
      const space = spaceOf(document.elementFromPoint(x, y));
      this.stroke.over = space;
      if (space && space !== this.stroke.space && this.map.near(space, x, y)) this.step(space);
    }
  }

  carry({ x, y }) {
    const { piece, lifted } = this.carried;
    this.carried.lifted = true;
    if (!lifted) this.page.onLift(piece);
    this.map.hold(piece, x, y);
  }

  // Puts the piece on the space under the finger, or back.
  putDown(space) {
    const { piece, lifted } = this.carried ?? {};
    this.carried = null;
    if (lifted) this.map.letGo(piece, space, space && this.page.onDrop(piece, space));
  }

  step(space) {
    this.stroke.space = space;
    this.page.onStep(space);
  }

  // Returns the middle of all fingers, and the distance between two of them.
  spread() {
    const all = [...this.pointers.values()];
    const mean = (axis) => all.reduce((sum, it) => sum + it[axis], 0) / all.length;
    const wide = all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0;
    return { x: mean("x"), y: mean("y"), wide };
  }

  release(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    const { tap, stroke } = this;
    this.tap = this.stroke = null;
    const { clientX: x, clientY: y } = event;
    this.putDown(event.type === "pointerup" ? this.map.meant(spaceOf(document.elementFromPoint(x, y)), x, y) : null);
    if (stroke?.begun) {
      if (stroke.over && stroke.over !== stroke.space) this.page.onStep(stroke.over);
      this.page.onDrawn();
    }
    if (event.type !== "pointerup" || !tap) return;
    const touched = spaceOf(tap.target);
    const space = event.pointerType === "mouse" ? touched : this.map.meant(touched, x, y);
    if (space) this.page.onTap(space);
  }

  wheel(event) {
    event.preventDefault();
    // In mode 1, a wheel reports lines instead of pixels.
    const step = event.deltaMode === 1 ? event.deltaY * 20 : event.deltaY;
    this.map.camera.zoom(Math.exp(clamp(step, -120, 120) * 0.0025), event.clientX, event.clientY);
  }
}

// Positions of a pointer since the last frame: browsers otherwise report only the last one.
const between = (event) => event.getCoalescedEvents?.().map((it) => ({ x: it.clientX, y: it.clientY })) || [];

const spaceOf = (element) => element?.closest?.("[data-space]")?.dataset.space;
