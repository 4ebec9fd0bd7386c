// The simulated board: miniatures to lift and put down on virtual sensors, with lamps below. It sends the movements of
// the hands; the table interprets them.

import { ARROWS } from "./camera.js";
import { GameMap, place } from "./map.js";
import { PictureStream, isCurrentGame, pause, post } from "./net.js";
import { boardStrip, miniName, miniWord, showConnection, request } from "./frame.js";
import { bookLink, healthLink, refused } from "./reasons.js";
import { arrange, badge, disc, Lamps, lettersOf, showManual } from "./scene.js";
import { t } from "./texts.js";
import { $, announce, button, h, paint, quiet, svg } from "./ui.js";

// The game's part of this page; empty if it has none.
const { module } = document.body.dataset;
const gameModule = module ? await import(module) : {};

// A spare magnet. It isn't a miniature, but is stored with the miniatures.
const WAND = "wand";
const REACH = 420;
// How often this page tells the table that it's open, in milliseconds.
const ATTEND_MS = 20_000;
// How long the wand touches a space, in milliseconds.
const TOUCH_MS = 150;

const own = gameModule.board ?? {};
const page = { picture: null, view: null, colours: {} };
const map = new GameMap($("#map"), { focus: () => hintSpaces() });
const lamps = new Lamps(map);
// Only the public picture has pieces without a sensor.
const stream = new PictureStream("board", { onPicture: receive, onState, more: { table: receiveTable } });

// Where a miniature was put while the table has not answered yet: ID -> space, or null.
const ahead = new Map();
// The miniature being held: {id, from, over, drawn, key}.
let held = null;
let queue = Promise.resolve();

function receiveTable(picture) {
  if (!isCurrentGame(picture)) return;
  page.view = picture.view;
  page.colours = picture.generic?.colours ?? {};
  layTokens();
  tint();
}

const layTokens = () => own.lay?.(map, page.view);

const mini = (id) => (id === WAND ? wand() : (own.mini ?? plainMini)(id));

function receive(picture) {
  if (!isCurrentGame(picture)) return;
  if (page.picture?.board.open && !picture.board.open) attend(); // another page of the board was closed
  page.picture = picture;
  map.whole = !picture.has_sensors;
  lamps.show(picture.lamps);
  map.load(picture.map).then(() => {
    layTokens();
    show();
  });
  show();
}

// While this page is open, its board is used for the game. The page must report regularly that it is open, because a
// browser may close it without notice. A device that may not move miniatures is refused.
const attend = () => post("/api/attend", { attended: true });

setInterval(() => stream.live && attend(), ATTEND_MS);
window.addEventListener("pagehide", () =>
  navigator.sendBeacon("/api/attend", new Blob(['{"attended":false}'], { type: "application/json" })),
);

function onState(live) {
  showConnection(live);
  if (live) attend();
  if (!live && held) putBack();
  show();
}

// --- painting ---------------------------------------------------------------------------------------------------

const placeOf = (id) => (ahead.has(id) ? ahead.get(id) : page.picture.miniatures.find((it) => it.id === id).space);

function show() {
  const { picture } = page;
  if (!picture) return;
  paint($("#hud"), [picture.board, picture.stage, stream.live], () => [
    h("strong", { class: "bench-title" }, t("bench.title")),
    picture.stage !== "playing" && picture.board.state !== "resting"
      ? h("p", { class: "board-strip" }, t(picture.stage === "over" ? "hud.over" : "turn.waiting"))
      : boardStrip(picture.board, true, (id) => badge(mini(id))),
    picture.has_sensors &&
      button(t("bench.tidy"), "tidy", () => request("/api/tidy", {}), { class: "main small", disabled: !stream.live }),
  ]);
  const all = picture.miniatures.map(({ id }) => [id, placeOf(id)]);
  paint($("#tray"), [all, stream.live, held && held.id, picture.has_sensors], () =>
    tray(all.filter(([id, space]) => !space && !(held && held.id === id)).map(([id]) => id)),
  );
  if (!map.ready) return;
  showManual(map, picture.board.manual);
  const standing = all.filter(([id, space]) => space && !(held && held.id === id));
  map.stand(new Map(standing.map(([id, space]) => [id, { space, make: () => handle(id) }])));
  arrange(map, new Map(standing));
  tint();
  for (const [id, space] of standing)
    map.pieces.get(id)?.setAttribute("aria-label", t("bench.mini", { unit: miniWord(id), space }));
}

const gripProps = (id) => ({
  onpointerdown: (event) => grab(event, id),
  onkeydown: (event) => onKey(event, id),
  "data-mini": id,
  testid: `mini-${id}`,
});

const handle = (id) =>
  svg("g", { class: "handle", role: "button", tabindex: "0", ...gripProps(id) }, [
    svg("g", { class: "side" }, [svg("circle", { class: "grip", r: 200 }), mini(id)]),
  ]);

const inTray = (id, label) =>
  h("button", { class: "tray-mini", "aria-label": label, ...gripProps(id) }, [
    badge(mini(id)),
    h("span", {}, miniName(id)),
  ]);

function tray(off) {
  const links = h("p", { class: "links" }, bookLink("link-rules"), " ", healthLink("link-health"));
  if (!page.picture.has_sensors) return [h("p", { class: "quiet help" }, t("bench.lamps")), links];
  const pieces = off.filter((id) => id !== WAND).map((id) => inTray(id, t("bench.mini.off", { unit: miniWord(id) })));
  return [
    h("h2", {}, t("bench.tray")),
    pieces.length ? h("div", { class: "tray-row" }, pieces) : quiet(t("bench.tray.empty")),
    off.includes(WAND) && h("div", { class: "tray-wand" }, inTray(WAND, miniName(WAND)), quiet(t("bench.wand"))),
    h("p", { class: "quiet help" }, t("bench.help")),
    links,
  ];
}

// Returns the spaces in the board's current hint.
function hintSpaces() {
  const { legal = [], spaces = [], orders = [], from, to, about } = page.picture.board.hint ?? {};
  return [legal, spaces, from, to, about, orders.map((it) => [it.from, it.to])].flat(2).filter(Boolean);
}

// --- miniatures that the game does not draw -----------------------------------------------------------------------

const ofBox = () => page.picture.miniatures.map((it) => it.id).filter((id) => id !== WAND);

const plainMini = (id) => svg("g", { class: "mini plain", "aria-hidden": "true" }, disc(lettersOf(ofBox()).get(id)));

// The table's picture says which colours the game gives them.
function tint() {
  for (const [id, { colour }] of Object.entries(page.colours))
    for (const band of document.querySelectorAll(`[data-mini="${id}"] .band`))
      if (band instanceof SVGElement) band.style.stroke = `rgb(${colour.join(" ")})`;
}

function wand() {
  return svg("g", { class: "mini wand", "aria-hidden": "true" }, [
    svg("path", { class: "horn", d: "M-70 120V-10A70 70 0 0 1 70 -10V120" }),
    svg("path", { class: "pole", d: "M-70 70V120M70 70V120" }),
  ]);
}

// --- the hand ---------------------------------------------------------------------------------------------------

// Tells the table that a hand puts a miniature on a space, or lifts it (null).
async function touch(miniature, space) {
  const answer = await post("/api/touch", { miniature, space });
  if (!answer.ok) refused(answer.error);
}

// Movements are sent in order.
const latest = new Map();

function move(id, space) {
  ahead.set(id, space);
  const mark = {};
  latest.set(id, mark);
  queue = queue.then(async () => {
    await touch(id, space);
    await stream.fetch();
    // A later move of the miniature is still on its way.
    if (latest.get(id) === mark) ahead.delete(id);
    show();
  });
}

// The wand touches a space, occupied or not, and returns to the tray.
function point(space) {
  ahead.set(WAND, space);
  queue = queue.then(async () => {
    await touch(WAND, space);
    await pause(TOUCH_MS);
    await touch(WAND, null);
    ahead.delete(WAND);
    await stream.fetch();
    show();
  });
}

function lift(id) {
  held = { id, from: placeOf(id), over: null, drawn: svg("g", { class: "handle held", testid: "held" }, mini(id)) };
  map.layers.over.append(held.drawn);
  // A miniature from the tray leaves no sensor.
  if (held.from) move(id, null);
}

function putDown(space) {
  const { id, drawn } = held;
  drawn.remove();
  held = null;
  if (space && id === WAND) point(space);
  else if (space) move(id, space);
  show();
}

const putBack = () => putDown(held.from);

function isFree(space, id) {
  return id === WAND || !page.picture.miniatures.some((it) => it.id !== id && placeOf(it.id) === space);
}

// Returns the nearest free space within reach of a point; null for none.
/** @type {(point: number[], id: string, reach?: number) => string | null} */
function nearestFree([x, y], id, reach = REACH) {
  const far = (it) => Math.hypot(it.x - x, it.y - y);
  const found = [...map.spaces.values()]
    .filter((it) => far(it) <= reach && it.id in page.picture.lamps && isFree(it.id, id))
    .sort((one, other) => far(one) - far(other));
  return found[0]?.id ?? null;
}

// --- mouse and fingers ------------------------------------------------------------------------------------------

function grab(event, id) {
  if (event.button > 0 || held || !stream.live || !map.ready) return;
  event.preventDefault();
  event.stopPropagation();
  // A touch captures its pointer, and `show` removes the element that would get the events.
  event.target.releasePointerCapture?.(event.pointerId);
  lift(id);
  follow(event);
  const moves = (it) => it.pointerId === event.pointerId && follow(it);
  const ends = (it) => {
    if (it.pointerId !== event.pointerId) return;
    for (const [name, act] of hears) window.removeEventListener(name, act);
    if (held?.id === id) drop(it);
  };
  const hears = Object.entries({ pointermove: moves, pointerup: ends, pointercancel: ends });
  for (const [name, act] of hears) window.addEventListener(name, act);
  show();
}

function follow(event) {
  if (held) place(held.drawn, ...map.camera.at(event.clientX, event.clientY));
}

function drop(event) {
  if (event.type === "pointercancel") return putBack();
  putDown(nearestFree(map.camera.at(event.clientX, event.clientY), held.id));
}

// --- keyboard ---------------------------------------------------------------------------------------------------

function onKey(event, id) {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  if (!stream.live || held || !map.ready) return;
  lift(id);
  held.keyed = true;
  hover(held.from || firstSpace(id));
  // The element disappears when painted; the keys now go to the window.
  /** @type {HTMLElement} */ (document.activeElement).blur();
  show();
}

// From the tray, a miniature starts on a space that the board asks for, or in the middle.
function firstSpace(id) {
  const wanted = hintSpaces().find((space) => isFree(space, id) && map.spot(space));
  return wanted ?? nearestFree(map.camera.middle([]), id, Infinity);
}

function hover(space) {
  held.over = space;
  const { x, y } = map.spot(space);
  place(held.drawn, x, y);
  announce(t("bench.mini.held", { unit: miniWord(held.id), space }));
}

window.addEventListener("keydown", (event) => {
  if (!held || !held.keyed) return;
  const { id, over, from } = held;
  if (ARROWS[event.key]) {
    const next = map.towards(over, ARROWS[event.key], (space) => space in page.picture.lamps);
    if (next) hover(next);
  } else if (event.key === "Enter" || event.key === " ") {
    if (!isFree(over, id)) return;
    putDown(over);
  } else if (event.key === "Escape") putDown(from);
  else if (event.key === "Delete" || event.key === "Backspace") putDown(null);
  else return;
  event.preventDefault();
  if (!held) refocus(id);
});

function refocus(id) {
  $(`[data-mini="${id}"]`)?.focus({ preventScroll: true });
}

stream.open();
