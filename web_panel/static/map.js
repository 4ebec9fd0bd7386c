// The map on a page: drawn once, then only its layers change. Pan by dragging, zoom by wheel, pinch or buttons, choose
// a space by tap or by arrow keys and Enter. Where the page says so, dragging from a space draws a way instead.

import { t } from "./texts.js";
import { calm, svg } from "./ui.js";

const TAP_PX = 9;
const STROKE_PX = 6;
const NEAR = 240;
const CLOSEST = 1100;
const SMALL_PX = 640;
const MARGIN = 700;
const LAYERS = ["possible", "lamps", "lit", "under", "manual", "lines", "pieces", "over"];
const SILENT = new Set(["possible", "lamps", "under", "manual", "lines", "over"]);
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

export class GameMap {
  // `onTap(space)` for any space that is tapped; `focus()` names the spaces that the "find" button shows. `begins(space)`
  // says whether a way may be drawn from there, `onStep(space)` each space that the finger then comes to, `onDrawn()`
  // that it has let go.
  constructor(holder, { onTap = () => {}, focus = () => [], begins = () => false, onStep, onDrawn } = {}) {
    this.holder = holder;
    this.onTap = onTap;
    this.begins = begins;
    this.onStep = onStep;
    this.onDrawn = onDrawn;
    this.stroke = null;
    this.focus = focus;
    this.spaces = new Map();
    this.layers = {};
    this.pieces = new Map();
    this.offered = new Map();
    this.pointers = new Map();
    this.slug = null;
  }

  // Fetches and shows a map, once for each slug.
  async load(slug) {
    if (this.slug === slug) return;
    this.slug = slug;
    const answer = await fetch(`/maps/${encodeURIComponent(slug)}.svg`).catch(() => null);
    if (!answer?.ok) {
      this.slug = null; // the next picture asks again
      return;
    }
    // The page's policy forbids style in markup: the drawing's style sheet is cut out and adopted.
    const sheet = new CSSStyleSheet();
    const text = (await answer.text()).replace(
      /<style>([^<]*)<\/style>/g,
      (_, rules) => void sheet.replaceSync(rules) || "",
    );
    document.adoptedStyleSheets = [sheet];
    this.take(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
  }

  // The drawing stands inside a picture of ours, which is the camera.
  take(drawing) {
    const [, , width, height] = drawing
      .getAttribute("viewBox")
      .split(/[\s,]+/)
      .map(Number);
    this.size = [width, height];
    for (const [name, value] of Object.entries({ x: 0, y: 0, width, height, "aria-hidden": "true" }))
      drawing.setAttribute(name, value);
    drawing.removeAttribute("role");
    drawing.querySelector("title")?.remove();
    this.spaces.clear();
    this.pieces.clear();
    this.offeredKey = null;
    this.view = svg("svg", { class: "view" }, document.importNode(drawing, true));
    for (const path of this.view.querySelectorAll('[id^="s-"]')) this.know(path);
    for (const path of this.view.querySelectorAll(".window[data-space]"))
      this.spaces.get(path.dataset.space).window = path.getAttribute("d");
    this.entries = new Map(
      [...this.view.querySelectorAll("[data-entry]")].map(({ dataset }) => [dataset.sector, dataset.entry]),
    );
    for (const name of LAYERS)
      this.layers[name] = this.view.appendChild(
        svg("g", { class: `layer-${name}`, "aria-hidden": SILENT.has(name) ? "true" : null }),
      );
    this.holder.replaceChildren(this.view);
    this.listen();
    this.frame();
    this.watching ??= new ResizeObserver(() => this.resize());
    this.watching.observe(this.holder);
  }

  know(path) {
    const [x, y] = path.dataset.spot.split(",").map(Number);
    const id = path.dataset.space;
    const { sector, objective, name } = path.dataset;
    this.spaces.set(id, { id, d: path.getAttribute("d"), x, y, sector, objective, name });
  }

  // Whether a finger is drawing a way: nothing may move under it now.
  get drawing() {
    return Boolean(this.stroke?.begun);
  }

  get ready() {
    return this.spaces.size > 0;
  }

  // --- camera ---------------------------------------------------------------------------------------------------

  box() {
    const { width, height } = this.holder.getBoundingClientRect();
    return [Math.max(1, width), Math.max(1, height)];
  }

  // The scale at which the whole map is seen, in map units a pixel.
  get whole() {
    const [width, height] = this.box();
    return Math.max(this.size[0] / width, this.size[1] / height);
  }

  see(x, y, scale) {
    const [width, height] = this.box();
    const least = CLOSEST / Math.min(width, height);
    this.scale = Math.min(this.whole * 1.02, Math.max(least, scale));
    const [w, hh] = [width * this.scale, height * this.scale];
    this.x = w >= this.size[0] ? this.size[0] / 2 : clamp(x, w / 2, this.size[0] - w / 2);
    this.y = hh >= this.size[1] ? this.size[1] / 2 : clamp(y, hh / 2, this.size[1] - hh / 2);
    this.view.setAttribute("viewBox", `${this.x - w / 2} ${this.y - hh / 2} ${w} ${hh}`);
  }

  fit() {
    if (this.ready) this.glide(this.size[0] / 2, this.size[1] / 2, this.whole * 1.02);
  }

  // The first view: the whole map, or on a small screen about half of it, as much as fills the height.
  frame() {
    const [width, height] = this.box();
    const filling = Math.min(this.size[0] / width, this.size[1] / height);
    const [x, y] = this.middle(this.focus());
    this.seen = [width, height];
    if (width < SMALL_PX) this.see(x, y, clamp(filling, this.whole * 0.45, this.whole * 0.6));
    else this.see(this.size[0] / 2, this.size[1] / 2, this.whole * 1.02);
  }

  find() {
    if (!this.ready) return;
    const spaces = this.focus().filter((id) => this.spaces.has(id));
    const [x, y] = this.middle(spaces);
    const [width, height] = this.box();
    const around = spaces.map((id) => this.spaces.get(id));
    const wide = Math.max(...around.map((it) => Math.abs(it.x - x)), 300) * 2 + 1500;
    const high = Math.max(...around.map((it) => Math.abs(it.y - y)), 300) * 2 + 1500;
    this.glide(x, y, spaces.length ? Math.max(wide / width, high / height) : this.whole);
  }

  // Brings spaces into sight, and moves nothing when they are in sight already.
  reveal(ids) {
    const spots = ids.map((id) => this.spaces.get(id)).filter(Boolean);
    if (!spots.length || this.drawing) return;
    const [width, height] = this.box();
    const [x, y] = this.middle(ids);
    const [wide, high] = ["x", "y"].map(
      (axis) => Math.max(...spots.map((it) => it[axis])) - Math.min(...spots.map((it) => it[axis])) + MARGIN,
    );
    const inside = spots.every(
      (it) =>
        Math.abs(it.x - this.x) + MARGIN / 2 < (width * this.scale) / 2 &&
        Math.abs(it.y - this.y) + MARGIN / 2 < (height * this.scale) / 2,
    );
    if (!inside) this.glide(x, y, Math.max(this.scale, wide / width, high / height));
  }

  middle(ids) {
    const spaces = ids.map((id) => this.spaces.get(id)).filter(Boolean);
    if (!spaces.length) return [this.size[0] / 2, this.size[1] / 2];
    const mean = (axis) => (Math.min(...spaces.map((it) => it[axis])) + Math.max(...spaces.map((it) => it[axis]))) / 2;
    return [mean("x"), mean("y")];
  }

  glide(x, y, scale) {
    cancelAnimationFrame(this.gliding);
    if (calm()) return this.see(x, y, scale);
    const from = [this.x, this.y, this.scale];
    const start = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - start) / 260);
      const eased = 1 - (1 - part) ** 3;
      const [a, b, c] = [x, y, scale].map((to, i) => from[i] + (to - from[i]) * eased);
      this.see(a, b, c);
      if (part < 1) this.gliding = requestAnimationFrame(step);
    };
    this.gliding = requestAnimationFrame(step);
  }

  zoom(factor, at = null) {
    const [width, height] = this.box();
    const [px, py] = at || [width / 2, height / 2];
    const [mx, my] = [this.x + (px - width / 2) * this.scale, this.y + (py - height / 2) * this.scale];
    const scale = this.scale * factor;
    this.see(mx - (px - width / 2) * scale, my - (py - height / 2) * scale, scale);
  }

  resize() {
    if (!this.ready) return;
    const [width, height] = this.box();
    const [was, high] = this.seen;
    if (Math.abs(width - was) < 1 && Math.abs(height - high) < 1) return;
    const part = this.scale / Math.max(this.size[0] / was, this.size[1] / high);
    this.seen = [width, height];
    this.see(this.x, this.y, part * this.whole);
  }

  // A point of the screen in map units.
  at(clientX, clientY) {
    const { left, top, width, height } = this.holder.getBoundingClientRect();
    return [this.x + (clientX - left - width / 2) * this.scale, this.y + (clientY - top - height / 2) * this.scale];
  }

  // --- fingers, mouse and keys ----------------------------------------------------------------------------------

  listen() {
    if (this.listening) return;
    this.listening = true;
    const on = (name, act, options) => this.holder.addEventListener(name, act, options);
    on("pointerdown", (event) => this.press(event));
    on("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) on(name, (event) => this.release(event));
    on("wheel", (event) => this.wheel(event), { passive: false });
    on("keydown", (event) => this.key(event));
    const frame = this.holder.parentElement;
    const does = {
      in: () => this.zoom(0.7),
      out: () => this.zoom(1.43),
      fit: () => this.fit(),
      find: () => this.find(),
    };
    for (const [name, act] of Object.entries(does)) {
      frame.querySelector(`[data-map="${name}"]`)?.addEventListener("click", () => this.ready && act());
    }
  }

  press(event) {
    if (event.button > 0) return;
    cancelAnimationFrame(this.gliding);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const drawn = this.drawing;
    this.stroke = null;
    if (drawn) this.onDrawn();
    if (this.pointers.size > 1) return void (this.tap = null);
    this.tap = { x: event.clientX, y: event.clientY, target: event.target };
    const space = spaceOf(event.target);
    if (space && this.begins(space)) this.stroke = { space, begun: false };
  }

  drag(event) {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    const now = { x: event.clientX, y: event.clientY };
    if (this.tap && Math.hypot(now.x - this.tap.x, now.y - this.tap.y) > TAP_PX) {
      this.tap = null;
      this.holder.setPointerCapture(event.pointerId);
    }
    if (this.tap) return;
    if (this.stroke) {
      this.pointers.set(event.pointerId, now);
      return this.trace([last, ...between(event), now]);
    }
    const before = this.spread();
    this.pointers.set(event.pointerId, now);
    const after = this.spread();
    this.see(this.x - (after.x - before.x) * this.scale, this.y - (after.y - before.y) * this.scale, this.scale);
    if (before.wide && after.wide) {
      const { left, top } = this.holder.getBoundingClientRect();
      this.zoom(before.wide / after.wide, [after.x - left, after.y - top]);
    }
  }

  // A fast finger skips spaces: every few pixels of its way count. One that only brushes the corner of a space does not
  // mean it: a space counts near its spot, or where the finger lets go.
  trace(points) {
    const begun = this.stroke.begun;
    this.stroke.begun = true;
    if (!begun) this.onStep(this.stroke.space);
    points.slice(1).forEach((to, i) => this.follow(points[i], to));
  }

  follow(from, to) {
    const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / STROKE_PX);
    for (let i = 1; i <= steps; i += 1) {
      const [x, y] = [from.x + ((to.x - from.x) * i) / steps, from.y + ((to.y - from.y) * i) / steps];
      const space = spaceOf(document.elementFromPoint(x, y));
      this.stroke.over = space;
      if (space && space !== this.stroke.space && this.near(space, x, y)) this.step(space);
    }
  }

  step(space) {
    this.stroke.space = space;
    this.onStep(space);
  }

  near(space, clientX, clientY) {
    const [x, y] = this.at(clientX, clientY);
    const spot = this.spaces.get(space);
    return spot && Math.hypot(x - spot.x, y - spot.y) < NEAR;
  }

  // The middle of all fingers, and how far apart two of them are.
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
    if (stroke?.begun) {
      if (stroke.over && stroke.over !== stroke.space) this.onStep(stroke.over);
      this.onDrawn();
    }
    if (event.type !== "pointerup" || !tap) return;
    const space = spaceOf(tap.target);
    if (space) this.onTap(space);
  }

  wheel(event) {
    event.preventDefault();
    const { left, top } = this.holder.getBoundingClientRect();
    const step = event.deltaMode === 1 ? event.deltaY * 20 : event.deltaY;
    this.zoom(Math.exp(clamp(step, -120, 120) * 0.0025), [event.clientX - left, event.clientY - top]);
  }

  key(event) {
    const here = event.target.dataset?.space;
    if ("+-0".includes(event.key))
      ({ "+": () => this.zoom(0.8), "-": () => this.zoom(1.25), 0: () => this.fit() })[event.key]();
    else if (here && ARROWS[event.key]) this.walk(here, ARROWS[event.key]);
    else if (here && (event.key === "Enter" || event.key === " ")) this.onTap(here);
    else return;
    event.preventDefault();
  }

  // The keyboard walks over the offered spaces, to the nearest one in the arrow's direction.
  walk(from, [dx, dy]) {
    const next = this.towards(from, [dx, dy], (id) => this.offered.has(id));
    if (next) this.dwell(next);
  }

  towards(from, [dx, dy], allowed) {
    const start = this.spaces.get(from);
    let best = null;
    for (const it of this.spaces.values()) {
      const [x, y] = [it.x - start.x, it.y - start.y];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (it.id === from || !allowed(it.id) || ahead <= 0 || aside > 2 * ahead) continue;
      const cost = ahead + 2 * aside;
      if (!best || cost < best.cost) best = { id: it.id, cost };
    }
    return best && best.id;
  }

  dwell(space) {
    for (const [id, shape] of this.offered) shape.setAttribute("tabindex", id === space ? "0" : "-1");
    const { x, y } = this.spaces.get(space);
    const [width, height] = this.box();
    const out = Math.abs(x - this.x) > width * this.scale * 0.45 || Math.abs(y - this.y) > height * this.scale * 0.45;
    if (out) this.see(x, y, this.scale);
    this.offered.get(space).focus({ preventScroll: true });
  }

  // --- layers ---------------------------------------------------------------------------------------------------

  // Lights spaces to choose from: [{space, kind, label}]; `kind` is the class of the light.
  offer(items) {
    const key = JSON.stringify(items);
    if (!this.ready || this.offeredKey === key) return;
    this.offeredKey = key;
    const focused = this.layers.lit.contains(document.activeElement) ? document.activeElement.dataset.space : null;
    const known = items.filter((item) => this.spaces.has(item.space)).sort((a, b) => this.depth(a) - this.depth(b));
    this.offered = new Map(known.map((item) => [item.space, this.light(item)]));
    this.layers.lit.replaceChildren(...this.offered.values());
    if (focused && this.offered.has(focused)) this.dwell(focused);
    else this.offered.values().next().value?.setAttribute("tabindex", "0");
  }

  // A tunnel is lit and tapped by the window through what lies above it, which has to stay on top.
  depth({ space }) {
    return this.spaces.get(space).window ? 1 : 0;
  }

  light({ space, kind, label }) {
    const { d, window: opening, name } = this.spaces.get(space);
    const spoken = t("map.choice", { space: name ? `${space}, ${name}` : space, label });
    return svg("path", {
      d: opening || d,
      class: `lit ${kind}`,
      "data-space": space,
      role: "button",
      tabindex: "-1",
      "aria-label": spoken,
    });
  }

  // Repaints a layer when its facts have changed.
  draw(layer, facts, build) {
    const key = JSON.stringify(facts);
    if (!this.ready || this.layers[layer].painted === key) return;
    this.layers[layer].painted = key;
    this.layers[layer].replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  }

  // Puts pieces on spaces: Map(id -> {space, make()}); those that stay move, they are not drawn again.
  stand(wanted) {
    if (!this.ready) return;
    for (const [id, piece] of this.pieces) {
      if (!wanted.has(id)) {
        piece.remove();
        this.pieces.delete(id);
      }
    }
    for (const [id, { space, make }] of wanted) {
      const spot = this.spaces.get(space);
      if (!spot) continue;
      if (!this.pieces.has(id)) this.pieces.set(id, this.layers.pieces.appendChild(make()));
      place(this.pieces.get(id), spot.x, spot.y);
    }
  }

  spot(space) {
    return this.spaces.get(space);
  }

  outline(space, name) {
    const it = this.spaces.get(space);
    return it && svg("path", { d: it.d, class: name });
  }

  // Something drawn around (0, 0), put on a space.
  on(space, drawn) {
    const it = this.spaces.get(space);
    if (it) place(drawn, it.x, it.y);
    return it && drawn;
  }
}

export function place(element, x, y) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

// Where a pointer was since the last frame: browsers report but its latest place.
const between = (event) => event.getCoalescedEvents?.().map((it) => ({ x: it.clientX, y: it.clientY })) || [];

const spaceOf = (element) => element?.closest?.("[data-space]")?.dataset.space;

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
