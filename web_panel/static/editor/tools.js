// Pointer actions on the sheet, depending on the selected tool. Mouse, pen and one finger use the tool; two fingers,
// the wheel, the middle button, and dragging with the space bar move the view.

import { t } from "../texts.js";
import { toast } from "../ui.js";
import { byKey, spacesOf, withProperty } from "./plan.js";
import { inside, samePoint, distanceToRing } from "./plane.js";
import { withSpace, follows, inserted, moved, shifted, snapped, split, withAccess, withEntry } from "./shapes.js";

const SNAP_PX = 9;
const FINGER_PX = 18;
const DRAG_PX = 4;
const DOUBLE_MS = 400;
const BORDER_PX = 24;

export const TOOLS = ["select", "draw", "split", "door", "ladder", "entry", "spot", "look"];

export class Hand {
  // `editor` has the plan, the sheet and the selection, and receives the edits.
  constructor(editor) {
    this.editor = editor;
    this.tool = "select";
    this.points = [];
    this.fingers = new Map();
    const { holder } = editor.sheet;
    const hear = (name, act) => holder.addEventListener(name, act);
    hear("pointerdown", (event) => this.down(event));
    hear("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) hear(end, (event) => this.up(event, end === "pointercancel"));
    hear("contextmenu", (event) => event.preventDefault());
    hear("wheel", (event) => this.wheel(event));
    hear("pointerleave", () => this.points.length || editor.sheet.draft([], null));
  }

  take(tool) {
    this.tool = tool;
    this.points = [];
    this.editor.sheet.draft([], null);
    this.editor.changedTool(tool);
  }

  // --- moving the view ------------------------------------------------------------------------------------------

  wheel(event) {
    event.preventDefault();
    const { camera } = this.editor.sheet;
    camera.hold();
    if (event.shiftKey) camera.pan(-event.deltaY, 0);
    else camera.zoom(Math.exp(Math.max(-120, Math.min(120, event.deltaY)) * 0.003), event.clientX, event.clientY);
  }

  pinched() {
    const [a, b] = [...this.fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, far: Math.hypot(a.x - b.x, a.y - b.y) };
  }

  pinch() {
    const now = this.pinched();
    const before = this.pinching ?? now;
    const { camera } = this.editor.sheet;
    camera.pan(now.x - before.x, now.y - before.y);
    camera.zoom(Math.max(1, before.far) / Math.max(1, now.far), now.x, now.y);
    this.pinching = now;
  }

  // --- pointers -------------------------------------------------------------------------------------------------

  down(event) {
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    event.currentTarget.setPointerCapture(event.pointerId);
    this.editor.sheet.camera.hold();
    if (this.fingers.size > 1) {
      this.pinching = this.pinched();
      this.drag = null;
      this.editor.preview(null);
      return;
    }
    const panning = event.button === 1 || event.button === 2 || this.editor.spaceBar;
    const { target } = event; // later events go to the sheet, which captures the pointer
    this.drag = {
      x: event.clientX,
      y: event.clientY,
      target,
      panning,
      part: panning ? null : this.part(event),
      moved: false,
    };
    if (panning || event.button === 1) event.preventDefault();
  }

  move(event) {
    if (this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.fingers.size > 1) return this.pinch();
    const aim = this.aim(event);
    this.editor.pointed(aim.point);
    if (!this.drag) return this.hover(event, aim);
    const [dx, dy] = [event.clientX - this.drag.x, event.clientY - this.drag.y];
    if (!this.drag.moved && Math.hypot(dx, dy) < DRAG_PX) return undefined;
    this.drag.moved = true;
    if (
      this.drag.panning ||
      (this.tool === "select" && !this.drag.part) ||
      (this.tool === "look" && event.pointerType !== "pen")
    ) {
      this.editor.sheet.camera.pan(dx, dy);
      Object.assign(this.drag, { x: event.clientX, y: event.clientY, panning: true });
      return undefined;
    }
    return this.pull(event);
  }

  up(event, lost) {
    this.fingers.delete(event.pointerId);
    this.pinching = null;
    const { drag } = this;
    this.drag = null;
    if (lost || !drag) return this.editor.preview(null);
    if (drag.panning) return undefined;
    if (drag.moved && this.tool === "select") return this.editor.settle();
    this.editor.preview(null);
    return this.press(event, drag.target);
  }

  // Returns the part of the selection under the pointer: a corner, a midpoint, the spot, a door, or the space itself.
  part(event) {
    const { dataset } = event.target;
    if (this.tool !== "select" || !dataset) return null;
    const point = (text) => text.split(",").map(Number);
    if (dataset.corner) return { corner: point(dataset.corner) };
    if (dataset.between && event.target.classList.contains("more"))
      return { between: dataset.between.split(" ").map(point) };
    const key = Number(event.target.closest("[data-key]")?.dataset.key);
    return this.editor.selected.has(key) ? { key } : null;
  }

  reach = ({ pointerType }) => this.editor.sheet.reach(pointerType === "touch" ? FINGER_PX : SNAP_PX);

  aim(event, except = null) {
    const { plan, sheet } = this.editor;
    const p = sheet.at(event);
    if (event.altKey) return { point: p.map(Math.round), kind: "free" };
    return snapped(plan, p, this.reach(event), { extra: this.points, except });
  }

  hover(event, aim) {
    if (this.tool === "draw" || this.tool === "split") this.editor.sheet.draft(this.points, aim);
    else if (this.tool === "door" || this.tool === "ladder" || this.tool === "entry") this.editor.sheet.draft([], aim);
  }

  // --- select: pulling ------------------------------------------------------------------------------------------

  pull(event) {
    const { editor, drag } = this;
    const { part } = drag;
    if (part?.between && !part.corner) {
      const [a, b] = part.between;
      // The midpoint handle becomes a new corner, which the drag then moves.
      part.corner = editor.sheet.at(event).map(Math.round);
      drag.from = inserted(editor.plan, a, b, part.corner);
    }
    if (part?.corner) {
      const aim = this.aim(event, part.corner);
      editor.corner = aim.point;
      editor.sheet.draft([], aim);
      return editor.preview(
        moved(drag.from ?? editor.plan, part.corner, aim.point, event.ctrlKey ? [...editor.selected][0] : null),
      );
    }
    const it = part && byKey(editor.plan, part.key);
    if (it && it.role !== "space") return this.slide(event, it);
    if (!event.shiftKey) {
      const [x, y] = editor.sheet.at(event);
      const [x0, y0] = editor.sheet.at({ clientX: drag.x, clientY: drag.y });
      return editor.preview(shifted(editor.plan, editor.selected, [Math.round(x - x0), Math.round(y - y0)]));
    }
    return undefined;
  }

  // Moves a door, ladder or arrow along its border.
  slide(event, it) {
    const { plan, sheet } = this.editor;
    const p = sheet.at(event);
    const reach = sheet.reach(BORDER_PX);
    const next = it.role === "entry" ? withEntry(plan, p, reach) : withAccess(plan, it.said.access, p, reach);
    // A different key means that the nearest border belongs to another pair of spaces.
    if (next?.key === it.key) this.editor.preview(next.plan);
  }

  // --- pressing -------------------------------------------------------------------------------------------------

  press(event, target) {
    const act = {
      select: () => this.choose(event, target),
      look: () => this.editor.sightTool.look(this.under(event)?.said.id ?? null, event.shiftKey),
      draw: () => this.corner(event),
      split: () => this.corner(event),
      door: () => this.put(event, (plan, p, reach) => withAccess(plan, "door", p, reach)),
      ladder: () => this.put(event, (plan, p, reach) => withAccess(plan, "ladder", p, reach)),
      entry: () => this.put(event, withEntry),
      spot: () => this.spot(event),
    };
    act[this.tool]();
  }

  // Returns the topmost space under the pointer; a tunnel counts as above, as in the drawing.
  under(event) {
    const p = this.editor.sheet.at(event);
    const found = spacesOf(this.editor.plan).filter(({ ring }) => inside(p, ring));
    return found.find(({ said }) => said.under) ?? found.at(-1);
  }

  choose(event, target) {
    const { editor } = this;
    const { dataset } = target;
    if (dataset.corner) {
      editor.corner = dataset.corner.split(",").map(Number);
      return editor.repaint();
    }
    if (dataset.between && target.classList.contains("more")) {
      const [a, b] = dataset.between.split(" ").map((text) => text.split(",").map(Number));
      const p = editor.sheet.at(event).map(Math.round);
      editor.corner = p;
      return editor.take(inserted(editor.plan, a, b, p));
    }
    const mark = target.closest("g[data-key]");
    const key = mark ? Number(mark.dataset.key) : this.under(event)?.key;
    return editor.select(key ?? null, event.shiftKey);
  }

  // Adds a corner to an outline or a cut. The first corner again, or the last one twice, finishes it.
  corner(event) {
    const { editor, points } = this;
    const aim = this.aim(event);
    const now = event.timeStamp;
    // Two presses at the same point count as one corner; a quick double press finishes.
    const again = points.length && samePoint(points.at(-1), aim.point);
    if (again && now - this.pressed < DOUBLE_MS) return this.finish();
    this.pressed = now;
    if (again) return undefined;
    if (this.tool === "draw" && points.length > 2 && samePoint(points[0], aim.point)) return this.finish();
    const between =
      points.length && !event.altKey && this.tool === "draw"
        ? follows(editor.plan, points.at(-1), aim.point, points)
        : [];
    this.points = [...points, ...between, aim.point];
    if (this.tool === "split" && this.points.length > 1 && this.cuts()) return this.finish();
    return editor.sheet.draft(this.points, aim);
  }

  // Returns the space that a cut crosses, once both ends are on its border.
  cuts() {
    const [first, last] = [this.points[0], this.points.at(-1)];
    return spacesOf(this.editor.plan).find(({ ring }) => {
      const inner = this.points.length > 2 ? this.points[1] : [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2];
      return distanceToRing(first, ring) <= 1 && distanceToRing(last, ring) <= 1 && inside(inner, ring);
    });
  }

  finish() {
    const { editor } = this;
    const { points } = this;
    if (this.tool === "split") {
      const space = points.length > 1 && this.cuts();
      const done = space && split(editor.plan, space.key, points);
      this.points = [];
      editor.sheet.draft([], null);
      if (!done) return toast(t("editor.cut.fault"), "bad");
      return editor.take(done.plan, done.key);
    }
    if (this.tool !== "draw") return undefined;
    if (points.length < 3) return toast(t("editor.draw.fault"), "bad");
    const ring = [...points, ...follows(editor.plan, points.at(-1), points[0], points)];
    this.points = [];
    editor.sheet.draft([], null);
    const done = withSpace(editor.plan, ring, editor.brush);
    return editor.take(done.plan, done.key);
  }

  // Removes the last corner of an outline; returns whether there was one.
  back() {
    if (!this.points.length) return false;
    this.points = this.points.slice(0, -1);
    this.editor.sheet.draft(this.points, this.points.length ? { point: this.points.at(-1), kind: "free" } : null);
    return true;
  }

  put(event, placed) {
    const { editor } = this;
    const p = editor.sheet.at(event);
    const done = placed(editor.plan, p, editor.sheet.reach(BORDER_PX));
    if (!done) return toast(t(this.tool === "entry" ? "editor.entry.fault" : "editor.border.fault"), "bad");
    return editor.take(done.plan, done.key);
  }

  spot(event) {
    const { editor } = this;
    const p = editor.sheet.at(event).map(Math.round);
    const [only] = editor.selected;
    // If spaces overlap, use the selected one.
    const own = byKey(editor.plan, only);
    const space = own?.role === "space" && inside(p, own.ring) ? own : this.under(event);
    if (!space) return toast(t("editor.spot.fault"), "bad");
    return editor.take(withProperty(editor.plan, [space.key], "spot", p), space.key);
  }
}
