// The map on a page: drawn once, then only its layers change. Pan by dragging, zoom by wheel, pinch or buttons, choose
// a space by tap or by arrow keys and Enter. Where the page says so, dragging from a space draws a way or carries a piece.

import { Camera, FINGER_PX } from "./camera.js";
import { Fingers } from "./fingers.js";
import { t } from "./texts.js";
import { svg } from "./ui.js";

const NEAR = 240;
// Milliseconds until a map that did not come is asked for again: at first, and at most.
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
const NO_SUCH = 404;

const LAYERS = ["possible", "lamps", "lit", "under", "manual", "trail", "lines", "pieces", "over", "coach"];
const SILENT = new Set(["possible", "lamps", "under", "manual", "trail", "lines", "over", "coach"]);
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

export class GameMap {
  // `onTap(space)` for any space that is tapped; `focus()` names the spaces that the "find" button shows. `begins(space)`
  // says whether a way may be drawn from there, `onStep(space)` each space that the finger then comes to, `onDrawn()`
  // that it has let go. `carries(space)` names the piece that may be dragged away from there, `onLift(piece)` says that it
  // is, `onDrop(piece, space)` where to; it gives the act that is sent for it. `whole` shows all of the map at first, however small
  // the screen.
  constructor(
    holder,
    { onTap = () => {}, focus = () => [], begins = () => false, onStep, onDrawn, carries = () => null, onLift, onDrop, whole = false } = {},
  ) {
    this.holder = holder;
    this.whole = whole;
    this.onTap = onTap;
    this.heard = { onTap, begins, onStep, onDrawn, carries, onLift, onDrop };
    this.focus = focus;
    this.spaces = new Map();
    this.layers = {};
    this.pieces = new Map();
    this.offered = new Map();
    this.awaited = [];
    this.taken = [];
    this.slug = null;
  }

  // Calls back whenever a map has come that can be drawn on.
  onTaken(call) {
    this.taken.push(call);
  }

  // Fetches and shows a map, once for each slug.
  async load(slug) {
    if (!slug || this.slug === slug) return; // a game may be played without a map
    this.slug = slug;
    const fetched = await this.asked(slug);
    if (fetched === null || this.slug !== slug) return;
    // The page's policy forbids style in markup: the drawing's style sheet is cut out and adopted.
    const sheet = new CSSStyleSheet();
    const text = fetched.replace(/<style>([^<]*)<\/style>/g, (_, rules) => void sheet.replaceSync(rules) || "");
    document.adoptedStyleSheets = [sheet];
    this.take(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
  }

  // A map's drawing, asked for until it comes or another is wanted: the table may be busy, and without the map nobody
  // can act, so that no new picture would ask again. Null for none.
  async asked(slug) {
    for (let pause = FIRST_PAUSE; this.slug === slug; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const answer = await fetch(`/maps/${encodeURIComponent(slug)}.svg`).catch(() => null);
      const text = answer?.ok ? await answer.text().catch(() => null) : null;
      if (text !== null) return text;
      if (answer?.status === NO_SUCH) this.slug = null; // the next picture asks again
      else await new Promise((wake) => setTimeout(wake, pause));
    }
    return null;
  }

  // The drawing stands inside a picture of ours, which is the camera.
  take(drawing) {
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
    this.camera = new Camera(this.holder, this.view, [width, height], this.spaces);
    this.listen();
    this.frame();
    this.watching ??= new ResizeObserver(() => this.camera.resize());
    this.watching.observe(this.holder);
    for (const call of this.taken) call();
  }

  know(path) {
    const [x, y] = path.dataset.spot.split(",").map(Number);
    const id = path.dataset.space;
    const { sector, objective, name } = path.dataset;
    this.spaces.set(id, { id, d: path.getAttribute("d"), x, y, sector, objective, name });
  }

  get ready() {
    return this.spaces.size > 0;
  }

  // --- camera ---------------------------------------------------------------------------------------------------

  // Whether a finger is drawing a way or carrying a piece: nothing may move under it now.
  get drawing() {
    return Boolean(this.fingers?.drawing);
  }

  fit() {
    if (this.ready) this.camera.fit();
  }

  frame() {
    this.camera.frame(this.focus(), this.whole);
  }

  // Spaces that are offered only later, once the table has answered, are shown large enough then.
  reveal(ids) {
    if (this.drawing) return;
    const offered = ids.map((id) => this.offered.get(id)).filter(Boolean);
    this.awaited = offered.length ? [] : ids;
    this.camera.reveal(ids, offered);
  }

  near(space, clientX, clientY) {
    const [x, y] = this.camera.at(clientX, clientY);
    const spot = this.spaces.get(space);
    return spot && Math.hypot(x - spot.x, y - spot.y) < NEAR;
  }

  // The space that a finger means: what it touches, or one that is offered so close by that it would be under a fingertip.
  meant(touched, clientX, clientY) {
    if (this.offered.has(touched)) return touched;
    let best = null;
    for (const [id, shape] of this.offered) {
      const { left, top, width, height } = shape.getBoundingClientRect();
      const [x, y] = [Math.abs(clientX - left - width / 2), Math.abs(clientY - top - height / 2)];
      const far = Math.hypot(x, y);
      if (2 * x <= Math.max(width, FINGER_PX) && 2 * y <= Math.max(height, FINGER_PX) && (!best || far < best.far)) best = { id, far };
    }
    return best?.id ?? touched;
  }

  // --- buttons and keys -----------------------------------------------------------------------------------------

  listen() {
    if (this.fingers) return;
    this.fingers = new Fingers(this, this.heard);
    this.holder.addEventListener("keydown", (event) => this.key(event));
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

  key(event) {
    const here = event.target.dataset?.space;
    if ("+-0".includes(event.key))
      ({ "+": () => this.camera.zoom(0.8), "-": () => this.camera.zoom(1.25), 0: () => this.fit() })[event.key]();
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
    const focused = this.layers.lit.contains(document.activeElement) ? document.activeElement.dataset.space : null;
    const known = items.filter((item) => this.spaces.has(item.space)).sort((a, b) => this.depth(a) - this.depth(b));
    this.offered = new Map(known.map((item) => [item.space, this.light(item)]));
    this.layers.lit.replaceChildren(...this.offered.values());
    if (focused && this.offered.has(focused)) this.dwell(focused);
    else this.offered.values().next().value?.setAttribute("tabindex", "0");
    if (this.awaited.some((id) => this.offered.has(id))) this.reveal(this.awaited);
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
      if (id !== this.held) place(this.pieces.get(id), spot.x, spot.y);
    }
  }

  // A piece follows a finger until it is let go; then it stands where `stand` puts it.
  hold(id, clientX, clientY) {
    const piece = this.pieces.get(id);
    if (!piece) return;
    this.held = id;
    piece.classList.add("held");
    place(piece, ...this.camera.at(clientX, clientY));
  }

  // `sent` is the act by which it goes to a space, if there is one; until that is answered it waits there.
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
