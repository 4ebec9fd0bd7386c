// A seat's page: connection, actions, map, glossary. The game provides the contents: see `screen` in
// web_panel/README.md. In a lesson, the lesson replaces the table.

import { awakeWhilePlaying } from "./awake.js";
import { signalTurn } from "./device.js";
import { followSeat, glossary, showGone, showConnection, request } from "./frame.js";
import "./leading.js";
import { GameMap } from "./map.js";
import { ask, PictureStream, isCurrentGame, post, Seat } from "./net.js";
import { refused } from "./reasons.js";
import { deviceName, hasBriefing, list, roleOf, t } from "./texts.js";
import { $, button, h, paint, recall, store, toast } from "./ui.js";

const KEEP_MS = 200;

const { module, screen: name, number, secret, lesson } = document.body.dataset;
const gameModule = await import(module);
const other = lesson ? await import("./lesson.js") : { PictureStream, Seat, lessonGlossary: glossary };

const map = new GameMap($("#map"), {
  onTap: (space) => own.tap?.(space),
  focus: () => own.focus?.() ?? [],
  begins: (space) => Boolean(own.begins?.(space)),
  onStep: (space) => own.step?.(space),
  onDrawn: () => own.show(),
  carries: (space) => own.carries?.(space),
  onLift: (piece) => own.lift(piece),
  onDrop: (piece, space) => own.drop(piece, space),
});
/** @type {any} */
const stream = new other.PictureStream(name, { onPicture: receive, onState, onGone });
const seat = new other.Seat(name, stream, { onChange: () => own.show(), onRefused: refused });
const own = gameModule.screen({ name, number: Number(number), map, seat, keep: keepDraft });
awakeWhilePlaying();

// The table, not the browser, stores the plan, because it is secret; a reloaded page continues with it. The plan
// belongs to a moment of the game, which stays the same after the table restarts.
let keeping = 0;
/** @type {Promise<any> | null} */
let planned = lesson ? null : ask(`/api/draft/${name}`).catch(() => ({}));
let drafted = null;
let moment = "";

function keepDraft(draft) {
  drafted = draft;
  // On a phone, a plan needs the space.
  document.body.classList.toggle(
    "planning",
    Object.values(draft).some((part) => part && part.length !== 0),
  );
  clearTimeout(keeping);
  const plan = { seat: name, moment, draft };
  if (!lesson) keeping = setTimeout(() => post("/api/draft", plan), KEEP_MS);
}

async function restoreDraft() {
  const { body } = await planned;
  planned = null;
  if (body?.moment === moment) own.plan?.(body.draft);
}

// Whether a new picture changes nothing in the game, for example after a wrong PIN or a restart of the table: then the
// plan stays.
function isSameMoment({ view, legal, log }) {
  const before = moment;
  moment = digest(JSON.stringify([view, legal, log?.length]));
  if (moment !== before) {
    drafted = null;
    document.body.classList.remove("planning");
  }
  return moment === before && !lesson;
}

// Returns a 64-bit FNV-1a hash in two halves: `crypto.subtle` doesn't exist over plain http.
function digest(text) {
  const halves = [0x811c9dc5, 0xcbf29ce4];
  for (let i = 0; i < text.length; i += 1)
    halves.forEach((half, at) => (halves[at] = Math.imul(half ^ text.charCodeAt(i), 0x01000193)));
  return halves.map((half) => (half >>> 0).toString(16)).join("-");
}

// If the browser restores a stored page, it stays hidden until the table has answered.
if (secret === "yes") {
  window.addEventListener("pagehide", () => (document.body.hidden = true));
  window.addEventListener("pageshow", (event) => event.persisted && location.reload());
}

// Shows how many wrong PINs were tried, until the player dismisses it, and which other devices show this seat's
// secrets, or showed them earlier in this game.
/** @param {Picture} picture */
function showWarnings({ wrong_pins: wrong, seats }) {
  const seen = () => request("/api/wrong-pins", { seat: name, seen: wrong });
  const others = secret === "yes" ? seats[name].devices.filter((it) => it.number !== Number(number)) : [];
  const [devices, left] = [list(others.map(deviceName)), list(seats[name].left)];
  paint($("#wrong-pins"), [wrong, devices, left], () => [
    devices && h("p", { class: "quiet", testid: "also-on" }, t("seat.also-on", { devices })),
    left && h("p", { class: "quiet", testid: "was-on" }, t("seat.was-on", { devices: left })),
    wrong > 0 && h("p", { testid: "wrong-pins" }, t("seat.wrong-pins", { number: wrong })),
    wrong > 0 && button(t("seat.wrong-pins.seen"), "wrong-pins-seen", seen, { class: "small" }),
  ]);
}

// The briefing opens in the first game of this kind on this device. It waits for the map and the glossary, and the bots
// wait until it is read.
const known = other.lessonGlossary();
/** @type {Promise<any>} */
let drawn = Promise.resolve();
const BRIEFED = "sniperboard-briefed";
const role = `${document.documentElement.dataset.ofGame} ${roleOf(name)}`;
let briefed = lesson || !hasBriefing(name) || recall(BRIEFED, []).includes(role);

async function openBriefing() {
  briefed = true;
  const reading = (reads) => post("/api/briefing", { seat: name, reading: reads });
  reading(true);
  const [loaded] = await Promise.all([import("./briefing.js").catch(() => null), drawn, known]);
  briefed = Boolean(loaded); // the next picture tries again
  const task = own.mission?.();
  const looks = await loaded?.showBriefing(roleOf(name), task);
  reading(false);
  if (looks === undefined) return;
  store(BRIEFED, [...new Set([...recall(BRIEFED, []), role])]);
  if (looks) map.reveal(task.spaces);
}

document.addEventListener("picture", ({ detail }) => detail.viewer === name && !lesson && showWarnings(detail));
document.addEventListener("brief", openBriefing);

const isAlone = () =>
  Object.values(own.picture.seats)
    .flatMap(({ devices }) => devices)
    .filter(({ bot }) => !bot).length < 2;
const isOverAlone = () => own.picture?.stage === "over" && isAlone();

function receive(picture) {
  if (picture.stage === "lobby" && isOverAlone()) return keepEnd();
  if (!isCurrentGame(picture)) return;
  if (picture.stage === "lobby" && own.picture?.stage === "playing" && !isAlone()) toast(t("seat.ended"));
  document.body.dataset.revision = picture.revision;
  const stays = isSameMoment(picture);
  own.receive(picture);
  if (stays && drafted) own.plan?.(drafted);
  if (planned) restoreDraft();
  const loaded = map.load(picture.map);
  drawn = Promise.all([drawn, loaded]);
  if (picture.stage === "playing" && !briefed) openBriefing();
  loaded.then(() => {
    own.show();
    own.laid?.();
    stream.laid?.(map);
  });
  own.show();
}

async function onGone() {
  if (isOverAlone()) return keepEnd();
  (await followSeat(true)) || showGone();
}

// The end of a game of one person stays on the screen while others use the table.
function keepEnd() {
  own.picture.gone = true;
  document.dispatchEvent(new CustomEvent("picture", { detail: own.picture }));
}

function onState(live) {
  showConnection(live);
  own.show();
}

// --- whose turn ---------------------------------------------------------------------------------------------------

// Tells players that it's their turn: in the page's title and icon, as a badge of an installed app, and once with sound
// and vibration. It depends only on the seat's own picture.
const title = document.title;
const tab = $('link[rel="icon"]');
const icons = { false: tab.href, true: tab.href.replace("icon.svg", "icon-turn.svg") };
let wasMine = null;

// A page opened during a turn gives no signal, and lessons don't either.
document.addEventListener("picture", ({ detail: { lesson, stage, paused, your_turn: turn } }) => {
  const mine = Boolean(turn) && stage === "playing" && paused === null && !lesson;
  if (mine === wasMine) return;
  if (mine && wasMine === false) signalTurn();
  wasMine = mine;
  document.title = mine ? `● ${t("turn.yours")} · ${title}` : title;
  tab.href = icons[mine];
  setBadge(mine).catch(() => {});
});

async function setBadge(mine) {
  await (mine ? navigator.setAppBadge?.() : navigator.clearAppBadge?.());
}

known.then((words) => {
  own.read?.(words);
  own.show();
});
stream.open();
