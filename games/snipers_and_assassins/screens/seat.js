// A player's screen: the map with everybody's pieces, the player's turn, all players, the log.

import { botFailures } from "/static/bots.js";
import { Drawer, head } from "/static/drawer.js";
import { actionButton, boardStrip, lastActor, timeOut } from "/static/frame.js";
import { afterGame, beforeGame } from "/static/gather.js";
import { News, Since, entryLine, entryList } from "/static/news.js";
import { actionPanel } from "/static/panel.js";
import { showManual } from "/static/scene.js";
import { t } from "/static/texts.js";
import { $, announce, h, headline, link, paint } from "/static/ui.js";
import { onBoard, Wand } from "/static/wand.js";
import { showHunts } from "./hunt.js";
import { showPieces, standing } from "./pieces.js";
import { nameOf, players, turnName, verdict } from "./players.js";
import { Recent } from "./recent.js";
import { choosing } from "./setup.js";
import { turnOf } from "./turn.js";

const narrow = matchMedia("(max-width: 639px), (max-height: 560px)");
const FEW = 3;
const page = { picture: null, words: null, draft: {} };
const news = new News();
const recent = new Recent();

let map, seat, keep, since, wand;

export function screen(shell) {
  ({ map, seat, keep } = shell);
  $("#drawer").tabIndex = 0; // on wide screens it scrolls by itself
  since = new Since(seat.name);
  wand = new Wand(picked);
  return {
    receive,
    show,
    focus: places,
    laid: follow,
    plan: redraft,
    read: (words) => (page.words = words),
    tap: (space) => playing() && part().tap?.(space),
    carries: (space) => (playing() && seat.ready && part().carries?.(space)) || null,
    lift: (id) => redraft({ marker: id.split("-")[0] }),
    drop: (id, space) => part().drop(id, space),
  };
}

function receive(picture) {
  const moved = page.picture?.revision !== picture.revision;
  if (moved) page.draft = {};
  page.picture = picture;
  news.hear(picture.log);
  if (picture.view) since.hear(picture, acting());
  show();
  wand.hear(picture.picked ?? []);
  if (moved) follow();
}

const acting = () => playing() && page.picture.view.turn === seat.name;
const playing = () =>
  Boolean(page.picture?.view) &&
  page.picture.stage === "playing" &&
  page.picture.paused === null &&
  page.picture.view.over === null;

// --- one picture, all parts -------------------------------------------------------------------------------------

// What the page shows now: the panel, and what can be chosen on the map.
function part() {
  const { picture } = page;
  if (!picture.view) return { dock: () => beforeGame(picture) };
  if (picture.stage === "over" || picture.view.over) return { dock: ending };
  if (picture.paused !== null) return timeOut(picture);
  if (!acting()) return { dock: waiting };
  const context = { ...page, seat, redraft, news: report, race };
  return picture.view.setup ? choosing(context) : turnOf(context);
}

function show() {
  const { picture, words } = page;
  if (!picture) return;
  const { view, stage, paused, seats, revision } = picture;
  const shown = part();
  const facts = [revision, stage, paused, Boolean(words), seats];
  paint($("#hud"), facts, hud);
  paint($("#strip"), [picture.board, stage, seats], () => [
    view && stage !== "over" && boardStrip(picture.board, true),
    botFailures(seats),
  ]);
  paint($("#dock"), [facts, page.draft, seat.ready, picture.finished], shown.dock);
  drawer.paint(Boolean(view), facts);
  if (map.ready) draw(shown);
}

function hud() {
  const { view } = page.picture;
  const left = view?.turns_to_go?.[seat.name];
  const round =
    view &&
    view.setup === null &&
    h("span", {}, [
      t("sa.round", { round: view.round }),
      left !== undefined && !view.over && ` · ${t("sa.past.to-go", { number: left })}`,
    ]);
  return head(seat.name, acting(), turnName(page.picture, seat.name), round, () => page.picture);
}

// What happened since the player's last turn.
const report = () => since.card();

// Shown where there is room below the choices, and the drawer with the same cards is closed.
const race = () => players(page.picture, page.words, { own: seat.name, brief: true });

function waiting() {
  const { view, seats, log, undo, take_back: back } = page.picture;
  const last = log.filter(({ type }) => !type.startsWith("turn-")).slice(-2);
  const told = last.length > 0 && h("div", { class: "outlook-list", testid: "latest" }, last.map(entryLine));
  const foot = (undo || back) && actionButton(seat, t("sa.take-back"), "take-back", { type: "take-back" });
  return actionPanel([headline(t("sa.wait", { player: nameOf(seats, view.turn) })), told, race()], { foot });
}

const ending = () => [
  page.picture.view.over && h("p", { class: "verdict", testid: "over" }, verdict(page.picture, seat.name)),
  page.picture.finished !== null && link(t("over.look"), "look", `/games/${page.picture.finished}`),
  afterGame(page.picture),
];

function redraft(draft) {
  page.draft = draft;
  keep(draft);
  if (narrow.matches && Object.keys(draft).length) drawer.open = null;
  show();
  follow();
}

// --- the map ----------------------------------------------------------------------------------------------------

function draw(shown) {
  const { view, board } = page.picture;
  showManual(map, board.manual);
  if (!view) return clear();
  showPieces(map, view, seat.name);
  showHunts(map, view, seat.name);
  page.fresh = recent.show(map, page.picture.log, view);
  const offers = seat.ready ? (shown.offers?.() ?? []) : [];
  map.offer(offers);
  wand.show(page.picture.revision, onBoard(page.picture.board.heeded ? offers : []));
  if (shown.draw) return shown.draw(map);
  map.draw("lines", [], () => []);
}

// Takes everything of an earlier game off the map.
function clear() {
  map.offer([]);
  map.stand(new Map());
  recent.clear(map);
  for (const layer of ["possible", "lines", "under"]) map.draw(layer, [], () => []);
}

// Keeps what matters in view: the choices of one's own turn, or else what has just happened.
function follow() {
  if (!map.ready || !page.picture?.view) return;
  const { players: all, over } = page.picture.view;
  const ending = over?.winner && [all[over.winner].assassin];
  // Of a board for many, all pieces at once are too small.
  const news = Object.keys(all).length > FEW ? page.fresh : [...standing(page.picture.view).values()];
  const spaces = acting() ? part().places() : (ending ?? news);
  if (spaces?.length) map.reveal(spaces);
}

function places() {
  const view = page.picture?.view;
  if (!view) return [];
  const own = acting() ? (part().places?.() ?? []) : [];
  return own.length ? own : [...standing(view).values()];
}

// Someone picked a space on the board. It is chosen here, but nothing is done yet.
function picked(space) {
  if (!acting()) return;
  announce(t("sa.picked", { space }));
  const found = turnOf({ ...page, seat, redraft, news: report });
  found.tap(space);
}

// --- the drawer -------------------------------------------------------------------------------------------------

const drawer = new Drawer({ players: ["sa.players", cards], log: ["sa.log", log] }, show);

function cards() {
  return [lastActor(page.picture.seats[seat.name]?.acted), players(page.picture, page.words, { own: seat.name })];
}

function log() {
  return entryList(page.picture.log);
}
