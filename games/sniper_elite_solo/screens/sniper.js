// The sniper's phone in the solo game. The picture says what an action costs. Route, shots and cards work as in the
// multiplayer game.

import { showDraw } from "/games/sniper-elite/static/draw.js";
import { bag, logList, doneObjectives, NewsReader, wounds } from "/games/sniper-elite/static/parts.js";
import { acting } from "/games/sniper-elite/static/sniper-turn.js";
import { choosing } from "/games/sniper-elite/static/sniper-choices.js";
import { secondShot } from "/games/sniper-elite/static/sniper-shot.js";
import { botFailures } from "/static/bots.js";
import { Drawer, head } from "/static/drawer.js";
import { boardStrip, timeOut } from "/static/frame.js";
import { afterGame, beforeGame } from "/static/gather.js";
import { routeOf } from "/static/on-demand.js";
import { far, line, way } from "/static/scene.js";
import { t } from "/static/texts.js";
import { $, h, paint, quiet } from "/static/ui.js";
import { costs, returning, rewards } from "./choices.js";
import { dossier } from "./dossier.js";
import { ending, slots, status, turnName } from "./parts.js";
import { carries, goals, showPieces, showWay } from "./pieces.js";
import { Recap } from "./recap.js";

const narrow = matchMedia("(max-width: 639px), (max-height: 560px)");
const page = { picture: null, words: null, draft: {}, looked: undefined, retold: false };
const herald = new NewsReader();
let map, seat, keep, recap;

export function screen(shell) {
  ({ map, seat, keep } = shell);
  // On a phone an open section would hide the step on the map.
  recap = new Recap(() => {
    if (recap.at !== null && narrow.matches) drawer.open = null;
    show();
  });
  return {
    receive,
    show,
    tap: (space) => usable()?.tap?.(space),
    focus: places,
    laid: look,
    plan: redraft,
    begins: (space) => usable()?.begins?.(space),
    step: (space) => usable()?.step?.(space),
    read: (words) => (page.words = words),
  };
}

function receive(picture) {
  if (!page.picture || page.picture.revision !== picture.revision) page.draft = {};
  if (JSON.stringify(page.picture?.view?.pending) !== JSON.stringify(picture.view?.pending)) drawer.open = null;
  page.picture = picture;
  showDraw(herald.hearOf(picture.log), picture.log);
  if (picture.view) recap.hear(picture);
}

// The camera follows the sniper and the recap, but doesn't move while the player looks around.
function look() {
  const key = JSON.stringify(places());
  if (!map.ready || page.looked === key) return;
  if (page.looked === undefined) map.frame();
  map.reveal(places());
  page.looked = key;
}

function showAgain() {
  show();
  look();
}

function places() {
  const view = page.picture?.view;
  if (!view) return [];
  if (recap.at !== null) return recap.spaces(view.units);
  if (view.over) return routeOf(page.picture.finished, showAgain).flat();
  const { target, unit, to, path = [] } = page.draft;
  const entries = page.picture.legal
    .filter(({ type }) => type === "choose-entry")
    .map(({ sector }) => map.ready && map.entries.get(sector));
  const beside = path.length ? [] : [...new Set((page.picture.foresight?.moves ?? []).flatMap((move) => move.path))];
  return [
    view.sniper.space,
    ...entries,
    ...beside,
    ...(view.pending?.spaces ?? []),
    view.units[target || unit],
    to,
    ...path,
  ].filter(Boolean);
}

// --- one picture, all parts -------------------------------------------------------------------------------------

function show() {
  const { picture } = page;
  if (!picture) return;
  const { view, stage, revision } = picture;
  paint($("#hud"), [stage, picture.paused, view?.round, view?.sniper.wounds, view?.sniper.completed], hud);
  const part = panel();
  if (map.drawing) return draw(part);
  paint($("#strip"), [picture.board, stage, picture.seats, revision, recap.at], () =>
    view
      ? [
          stage !== "over" && [
            (recap.at === null || picture.board.hint?.kind !== "orders") && boardStrip(picture.board, true),
            recap.at === null && status(view, () => drawer.toggle("dossier")),
          ],
          recap.line(),
          botFailures(picture.seats),
        ]
      : [],
  );
  const draft = { ...page.draft, draw: null, second: null, third: null };
  const facts = [revision, seat.ready, Boolean(page.words), map.ready];
  paint($("#dock"), [facts, stage, picture.paused, draft, picture.finished], () => part.dock());
  drawer.paint(Boolean(view), [facts, recap.at, recap.led]);
  document.body.classList.toggle("planning", Boolean(page.draft.target || page.draft.path?.length));
  if (map.ready) {
    draw(part);
    if (recap.at !== null || page.retold) look();
    page.retold = recap.at !== null;
  }
}

function hud() {
  const { view } = page.picture;
  const round = view && h("span", { testid: "round" }, t("hud.round", { round: view.round }));
  const done = view && h("div", { class: "tokens" }, doneObjectives(view), wounds(view.sniper.wounds));
  return head("sniper", true, turnName(page.picture, true), round, () => page.picture, done);
}

const over = () => ({
  dock: () => [...ending(page.picture.view, page.picture.finished, true), afterGame(page.picture)],
});

// The context of a decision in the form that the multiplayer game's modules expect.
function deciding() {
  const { picture } = page;
  const foresight = {
    ...picture.foresight,
    moves: picture.foresight.moves.map((move) => ({ ...move, alerts: [], barks: [] })),
    cards: picture.foresight.loadout,
  };
  const cards = Object.fromEntries(
    Object.entries(page.words?.cards ?? {}).map(([id, card]) => [id, { gives: "", ...card }]),
  );
  const pending = picture.view.pending?.draws
    ? { ...picture.view.pending, draw: picture.view.pending.draws[0] }
    : picture.view.pending;
  const view = { ...picture.view, pending };
  return {
    picture: { ...picture, foresight, view, undo: picture.undo || Boolean(picture.take_back) },
    words: page.words && { ...page.words, cards },
    draft: page.draft,
    seat,
    redraft,
    map,
    papers: () => drawer.toggle("dossier"),
    report: () => recap.offer(),
  };
}

function panel() {
  const { picture } = page;
  if (!picture.view) return { dock: () => beforeGame(picture) };
  if (picture.stage === "over" || picture.view.over) return over();
  if (picture.paused !== null) return timeOut(picture);
  const context = deciding();
  const { pending } = context.picture.view;
  if (pending?.for === "after-hit") return rewards(context);
  if (pending?.for === "place-return") return returning(context);
  if (pending?.for === "shoot-second") return secondShot(context);
  if (pending || picture.legal.some(({ type }) => type === "choose-entry")) return choosing(context);
  return acting({ ...context, aside: () => costs(context) });
}

// A card chosen in the drawer continues on the map.
function redraft(draft) {
  page.draft = draft;
  keep(draft);
  if (draft.card || draft.target || draft.path?.length) drawer.open = null;
  if (recap.at !== null) recap.stop();
  show();
  look();
}

// The part of the screen that reacts to the map now; null without a connection.
const usable = () => (page.picture?.view && seat.ready && recap.at === null ? panel() : null);

// --- the map ----------------------------------------------------------------------------------------------------

function draw(part) {
  const { view } = page.picture;
  if (!view) return void map.offer([]);
  showPieces(map, view, recap.units(view.units));
  map.offer(seat.ready && part.offers && recap.at === null ? part.offers() : []);
  if (view.over && recap.at === null) return void showWay(map, view, page.picture.finished, showAgain);
  const lines = part.lines && recap.at === null ? part.lines() : {};
  map.draw(
    "lines",
    [lines.path, lines.noisy, lines.shot, lines.aims, recap.at === null && page.picture.board.hint],
    () => [
      ...(lines.aims || []).map((shot) => line("sight faint", shot.line)),
      lines.path && way(map, lines.path, lines.noisy ? "way noisy" : "way quiet"),
      ...(recap.at === null ? carries(map, page.picture.board) : []),
      lines.shot && line("sight", lines.shot),
    ],
  );
  const told = recap.spaces(view.units);
  map.draw("over", [lines, told, view.sniper.objectives, view.sniper.completed], () => [
    ...goals(map, view),
    ...told.map((space) => map.outline(space, "recap-space")),
    ...(lines.blast || []).map((unit) => map.outline(view.units[unit], "blast-space")),
    ...(lines.aims || []).map(({ space, distance }) => far(map, space, distance)),
  ]);
}

// --- the drawer -------------------------------------------------------------------------------------------------

const drawer = new Drawer(
  {
    dossier: ["sniper.dossier", () => dossier(deciding())],
    cards: ["solo.slots", defenders],
    bag: ["bag.title", () => bag(page.picture.view.bag, page.picture.view.supply)],
    recap: ["solo.recap", () => recap.paper()],
    log: ["log.title", () => logList(page.picture.log)],
  },
  show,
);

function defenders() {
  const { view, foresight } = page.picture;
  return [quiet(t("solo.slots.how")), slots(view, page.words, foresight?.cards), quiet(t("solo.counts", view.counts))];
}
