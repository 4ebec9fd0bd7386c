// The map on a page. It is drawn once; then only its layers change. Pan by dragging, zoom with the wheel, two fingers
// or buttons, choose a space by tapping or with arrow keys and Enter. Some pages let a drag draw a route or move a
// piece.

import { ARROWS, Camera, FINGER_PX } from "./camera.js";
import { Fingers } from "./fingers.js";
import { MapNames } from "./map-names.js";
import { t } from "./texts.js";
import { svg } from "./ui.js";

const NEAR = 240;
// Milliseconds until a failed map is requested again: at first, and at most.
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
const NO_SUCH = 404;

const LAYERS = ["possible", "lamps", "marks", "lit", "under", "manual", "trail", "lines", "pieces", "over", "coach"];
const SILENT = new Set(["possible", "lamps", "marks", "under", "manual", "trail", "lines", "over", "coach"]);

export class GameMap {
  // `onTap(space)` is called for any space tapped. `focus()` returns the spaces for the "find" button. `begins(space)`
  // says whether a route may be drawn from there; `onStep(space)` gets each space it reaches, and `onDrawn()` is called
  // when the finger is lifted. `carries(space)` returns the piece that may be dragged from there; `onLift(piece)`
  // starts and `onDrop(piece, space)` ends the drag, and returns the promise of its action, if any. `whole` shows the
  // whole map at first, even on a small screen.
  /** @type {(holder: any, listeners?: MapListeners) => void} */
  constructor(holder, listeners = {}) {
    const { whole = false, focus = () => [] } = listeners;
    this.holder = holder;
    this.whole = whole;
    /** @type {MapListeners} */
    this.heard = { onTap: () => {}, begins: () => false, carries: () => null, ...listeners };
    this.watching = new ResizeObserver(() => {
      this.camera.resize();
      this.follow();
    });
    this.focus = focus;
    this.spaces = new Map();
    this.layers = {};
    this.pieces = new Map();
    this.offered = new Map();
    this.taken = [];
    this.slug = null;
  }

  // Calls back whenever a map is ready to be drawn on.
  onTaken(call) {
    this.taken.push(call);
  }

  // Loads and shows a map, unless it is shown already.
  async load(slug) {
    if (!slug || this.slug === slug) return; // games without a map
    this.slug = slug;
    const fetched = await this.fetchDrawing(slug);
    if (fetched === null || this.slug !== slug) return;
    // The page's policy forbids style elements, so the drawing's style sheet is adopted.
    const sheet = new CSSStyleSheet();
    const text = fetched.replace(/<style>([^<]*)<\/style>/g, (_, rules) => (sheet.replaceSync(rules), ""));
    document.adoptedStyleSheets = [sheet];
    this.showDrawing(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
  }

  // Requests a map's drawing until it arrives or another is wanted. Retrying is necessary: the table may be busy, and
  // without the map nobody can act, so no new picture would trigger another request. Resolves to null if the game has
  // no map.
  async fetchDrawing(slug) {
    for (let pause = FIRST_PAUSE; this.slug === slug; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const answer = await fetch(`/maps/${encodeURIComponent(slug)}.svg`).catch(() => null);
      const text = answer?.ok ? await answer.text().catch(() => null) : null;
      if (text !== null) return text;
      if (answer?.status === NO_SUCH)
        this.slug = null; // the next picture requests it again
      else await new Promise((wake) => setTimeout(wake, pause));
    }
    return null;
  }

  // Puts the drawing into a separate SVG, which the camera moves.
  showDrawing(drawing) {
    const [, , width, height] = drawing
      .getAttribute("viewBox")
      .split(/[\s,]+/)
      .map(Number);
    for (const [name, value] of Object.entries({ x: 0, y: 0, width, height, "aria-hidden": "true" }))
      drawing.setAttribute(name, value);
    drawing.removeAttribute("role");
    drawing.querySelector("title")?.remove();
    this.spaces.clear();
    this.pieces.clear();
    this.offeredKey = null;
    this.view = svg("svg", { class: "view" }, document.importNode(drawing, true));
    for (const path of this.view.querySelectorAll('[id^="s-"]')) this.addSpace(path);
    for (const path of this.view.querySelectorAll(".window[data-space]"))
      this.spaces.get(path.dataset.space).window = path.getAttribute("d");
    this.entries = new Map(
      [...this.view.querySelectorAll("[data-entry]")].map(({ dataset }) => [dataset.sector, dataset.entry]),
    );
    for (const name of LAYERS)
      this.layers[name] = this.view.appendChild(
        svg("g", { class: `layer-${name}`, "aria-hidden": SILENT.has(name) ? "true" : null }),
      );
    // Names stay readable on spaces that are lit, and next to miniatures. The class keeps their style.
    this.above = svg("g", { class: drawing.getAttribute("class"), "aria-hidden": "true" });
    this.above.append(...this.view.querySelectorAll(".board-map :is(.id, .name)"));
    this.layers.over.before(this.above);
    this.holder.replaceChildren(this.view);
    this.names = new MapNames(this.view, this.spaces);
    this.camera = new Camera(this.holder, this.view, [width, height], this.spaces, (scale) => this.names.fit(scale));
    this.listen();
    this.frame();
    this.watching.observe(this.holder);
    for (const call of this.taken) call();
  }

  addSpace(path) {
    const [x, y] = path.dataset.spot.split(",").map(Number);
    const id = path.dataset.space;
    const { sector, objective, name } = path.dataset;
    this.spaces.set(id, { id, d: path.getAttribute("d"), x, y, sector, objective, name });
  }

  get ready() {
    return this.spaces.size > 0;
  }

  // --- camera ---------------------------------------------------------------------------------------------------

  // Whether a route is being drawn or a piece dragged: nothing may move under the finger.
  get drawing() {
    return Boolean(this.fingers?.drawing);
  }

  fit() {
    if (this.ready) this.camera.fit();
  }

  frame() {
    this.camera.frame(this.focus(), this.whole);
  }

  // Shows spaces, also if they are offered later, until the player looks around.
  reveal(ids) {
    this.camera.followed = ids;
    this.follow();
  }

  follow() {
    const ids = this.camera.followed;
    if (ids && !this.drawing) this.camera.reveal(ids, this.shown(ids));
  }

  shown(ids) {
    return ids.map((id) => this.offered.get(id)).filter(Boolean);
  }

  near(space, clientX, clientY) {
    const [x, y] = this.camera.at(clientX, clientY);
    const spot = this.spaces.get(space);
    return spot && Math.hypot(x - spot.x, y - spot.y) < NEAR;
  }

  // Returns the space that a finger means: the one touched, or an offered one so close that the fingertip covers it.
  meant(touched, clientX, clientY) {
    if (this.offered.has(touched)) return touched;
    let best = null;
    for (const [id, shape] of this.offered) {
      const { left, top, width, height } = shape.getBoundingClientRect();
      const [x, y] = [Math.abs(clientX - left - width / 2), Math.abs(clientY - top - height / 2)];
      const far = Math.hypot(x, y);
      if (2 * x <= Math.max(width, FINGER_PX) && 2 * y <= Math.max(height, FINGER_PX) && (!best || far < best.far))
        best = { id, far };
    }
    return best?.id ?? touched;
  }

  // --- buttons and keys -----------------------------------------------------------------------------------------

  listen() {
    if (this.fingers) return;
    this.fingers = new Fingers(this, this.heard);
    this.holder.addEventListener("keydown", (event) => this.onKey(event));
    const does = {
      in: () => this.camera.zoom(0.7),
      out: () => this.camera.zoom(1.43),
      fit: () => this.fit(),
      find: () => this.camera.find(this.focus()),
    };
    const frame = this.holder.parentElement;
    for (const [name, act] of Object.entries(does))
      frame.querySelector(`[data-map="${name}"]`)?.addEventListener("click", () => this.ready && act());
  }

  onKey(event) {
    const here = event.target.dataset?.space;
    if ("+-0".includes(event.key))
      ({ "+": () => this.camera.zoom(0.8), "-": () => this.camera.zoom(1.25), 0: () => this.fit() })[event.key]();
    else if (here && ARROWS[event.key]) this.walk(here, ARROWS[event.key]);
    else if (here && (event.key === "Enter" || event.key === " ")) this.heard.onTap(here);
    else return;
    event.preventDefault();
  }

  // Moves the focus to the nearest offered space in the arrow's direction.
  walk(from, [dx, dy]) {
    const next = this.towards(from, [dx, dy], (id) => this.offered.has(id));
    if (next) this.focusOn(next);
  }

  towards(from, [dx, dy], allowed) {
    const start = this.spaces.get(from);
    let best = null;
    for (const it of this.spaces.values()) {
      const [x, y] = [it.x - start.x, it.y - start.y];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (it.id === from || !allowed(it.id) || ahead <= 0 || aside > 2 * ahead) continue;
      // A farther space straight ahead is preferred to a nearby one at an angle.
      const cost = ahead + 2 * aside;
      if (!best || cost < best.cost) best = { id: it.id, cost };
    }
    return best && best.id;
  }

  focusOn(space) {
    for (const [id, shape] of this.offered) shape.setAttribute("tabindex", id === space ? "0" : "-1");
    const spot = this.spaces.get(space);
    if (!this.camera.sees(spot)) this.camera.see(spot.x, spot.y, this.camera.scale);
    this.offered.get(space).focus({ preventScroll: true });
  }

  // --- layers ---------------------------------------------------------------------------------------------------

  // Lights spaces to choose from: [{space, kind, label}]; `kind` is the class of the light.
  offer(items) {
    const key = JSON.stringify(items);
    if (!this.ready || this.offeredKey === key) return;
    this.offeredKey = key;
    // New lights replace the focused one, so keyboard users get the focus back on the same space.
    const focused = this.layers.lit.contains(document.activeElement)
      ? document.activeElement.getAttribute("data-space")
      : null;
    const known = items.filter((item) => this.spaces.has(item.space)).sort((a, b) => this.depth(a) - this.depth(b));
    this.offered = new Map(known.map((item) => [item.space, this.light(item)]));
    this.layers.lit.replaceChildren(...this.offered.values());
    if (focused && this.offered.has(focused)) this.focusOn(focused);
    else this.offered.values().next().value?.setAttribute("tabindex", "0");
    this.follow();
  }

  // A tunnel is lit and tapped through the opening in what lies above it, so it must be on top.
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

  // Removes what a game has drawn.
  clear() {
    this.stand(new Map());
    for (const layer of ["possible", "marks", "under", "trail", "lines", "over"]) this.draw(layer, [], () => []);
  }

  // Puts pieces on spaces: Map(id -> {space, make()}). Existing pieces are moved, not redrawn.
  stand(wanted) {
    if (!this.ready) return;
    for (const [id, piece] of this.pieces) {
      if (!wanted.has(id)) {
        piece.classList.add("gone");
        Promise.allSettled(piece.getAnimations().map((it) => it.finished)).then(() => piece.remove());
        this.pieces.delete(id);
      }
    }
    for (const [id, { space, make }] of wanted) {
      const spot = this.spaces.get(space);
      if (!spot) continue;
      if (!this.pieces.has(id)) this.pieces.set(id, this.layers.pieces.appendChild(make()));
      // A held piece stays under the finger, even if the picture has it elsewhere.
      if (id !== this.held) place(this.pieces.get(id), spot.x, spot.y);
    }
  }

  // The piece follows the finger until it is released.
  hold(id, clientX, clientY) {
    const piece = this.pieces.get(id);
    if (!piece) return;
    this.held = id;
    piece.classList.add("held");
    place(piece, ...this.camera.at(clientX, clientY));
  }

  // `sent` is the promise of its action, if any; the piece waits on the space until it resolves.
  async letGo(id, space, sent) {
    const piece = this.pieces.get(id);
    const spot = this.spaces.get(space);
    piece?.classList.remove("held");
    if (piece && sent) place(piece, spot.x, spot.y);
    await sent;
    this.held = null;
    this.heard.onDrawn();
  }

  spot(space) {
    return this.spaces.get(space);
  }

  outline(space, name) {
    const it = this.spaces.get(space);
    return it && svg("path", { d: it.d, class: name });
  }

  // Places something drawn around (0, 0) on a space.
  on(space, drawn) {
    const it = this.spaces.get(space);
    if (it) place(drawn, it.x, it.y);
    return it && drawn;
  }
}

export function place(element, x, y) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}
