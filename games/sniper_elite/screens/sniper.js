// The sniper's phone: shows what the sniper may know and takes every action of the sniper. Nothing secret is read out,
// put into a title or kept after the page closes.

import { botFailures } from "/static/bots.js";
import { showDraw } from "./draw.js";
import { knownLine } from "./known.js";
import { Drawer } from "/static/drawer.js";
import { boardStrip, timeOut } from "/static/frame.js";
import { ownCard } from "./nest.js";
import { bag, cardsOut, logList, NewsReader, notable, result, telegram } from "./parts.js";
import { beforeGame } from "/static/gather.js";
import { over, showHead } from "./papers.js";
import { ears, marker, showPieces } from "./pieces.js";
import { drawTrail } from "./recap.js";
import { Possible } from "./possible.js";
import { far, line, way } from "/static/scene.js";
import { actionPanel } from "/static/panel.js";
import { heldCard } from "./sniper-cards.js";
import { acting } from "./sniper-turn.js";
import { choosing } from "./sniper-choices.js";
import { list, t, tOf } from "/static/texts.js";
import { $, h, headline, paint, quiet, svg } from "/static/ui.js";

const page = { picture: null, words: null, draft: {}, shown: Infinity, looked: undefined };

const herald = new NewsReader();
let map, seat, keep, possible;

export function screen(shell) {
  ({ map, seat, keep } = shell);
  possible = new Possible("sniper", false, show);
  return {
    receive,
    show,
    tap,
    focus: places,
    laid: look,
    plan: redraft,
    mission,
    begins: (space) => usable()?.begins?.(space),
    step: (space) => usable()?.step?.(space),
    read: (words) => (page.words = words),
  };
}

function receive(picture) {
  if (!page.picture || page.picture.revision !== picture.revision) page.draft = {};
  // The drawer closes when a new decision is pending.
  if (JSON.stringify(page.picture?.view?.pending) !== JSON.stringify(picture.view?.pending)) drawer.open = null;
  page.picture = picture;
  showDraw(herald.hearOf(picture.log, picture.sealed?.promise), picture.log);
}

// The camera follows the sniper, but doesn't move while the player looks around.
function look() {
  const key = JSON.stringify([page.picture?.stage, places()]);
  if (!map.ready || page.looked === key) return;
  if (page.looked === undefined) map.frame();
  // After the game the whole route is shown.
  if (page.picture.stage === "over") map.fit();
  else map.reveal(places());
  page.looked = key;
}

function places() {
  const view = page.picture && page.picture.view;
  if (!view) return [];
  const { target, unit, to, path = [] } = page.draft;
  const here = view.sniper.space || (map.ready && map.entries.get(view.entry));
  const arrows = page.picture.legal.filter(({ type }) => type === "choose-entry");
  const entries = arrows.map(({ sector }) => map.ready && map.entries.get(sector));
  // The objectives help to choose an entry arrow by distance.
  const goals = arrows.length && map.ready ? mission().spaces : [];
  const moves = path.length ? [] : page.picture.foresight?.moves || [];
  const beside = [...new Set(moves.flatMap((move) => move.path))];
  return [here, ...entries, ...goals, ...beside, view.units[target || unit], to, ...path].filter(Boolean);
}

// --- one picture, all parts -------------------------------------------------------------------------------------

function show() {
  const { picture } = page;
  if (!picture) return;
  const { view } = picture;
  showHead(picture, "sniper", () => page.picture);
  const part = panel();
  const draft = { ...page.draft, draw: null, second: null, third: null };
  if (map.drawing) return draw(part);
  paint($("#strip"), [picture.board, picture.stage, picture.seats, picture.revision, drawer.open], () =>
    view
      ? [
          picture.stage !== "over" && boardStrip(picture.board, false),
          picture.stage === "playing" &&
            knownLine(view, picture.log, drawer.open === "known", () => drawer.toggle("known")),
          botFailures(picture.seats),
        ]
      : [],
  );
  paint($("#dock"), [picture.stage, picture.paused, picture.revision, draft, seat.ready, Boolean(page.words)], () =>
    part.dock(),
  );
  drawer.paint(Boolean(view), [picture.revision, seat.ready, Boolean(page.words), map.ready, possible.shown]);
  if (map.ready) draw(part);
}

function panel() {
  const { picture } = page;
  if (!picture.view) return { dock: () => beforeGame(picture) };
  if (picture.stage === "over") return over(page, map);
  if (picture.paused !== null) return timeOut(picture);
  const context = deciding();
  if (!picture.view.to_act.includes("sniper")) return others();
  return picture.view.pending || picture.legal.some((it) => it.type === "choose-entry")
    ? choosing(context)
    : acting(context);
}

const deciding = () => ({
  picture: page.picture,
  words: page.words,
  draft: page.draft,
  seat,
  redraft,
  map,
  papers: () => drawer.toggle("dossier"),
});

// A card chosen in the drawer continues on the map.
function redraft(draft) {
  page.draft = draft;
  keep(draft);
  if (draft.card || draft.target || draft.path?.length) drawer.open = null;
  show();
  look();
}

const WAITING = { "choose-specialists": () => t("sniper.specialists"), save: () => t("sniper.save") };

function others() {
  const { view, log } = page.picture;
  const waited = view.pending && WAITING[view.pending.for];
  return {
    dock: () =>
      actionPanel(
        [result(log), headline(waited ? waited() : t("sniper.wait")), !waited && h("p", {}, t("sniper.wait.more"))],
        { report: telegram(log) },
      ),
  };
}

// --- the map ----------------------------------------------------------------------------------------------------

function draw(part) {
  const { view } = page.picture;
  if (!view) return void (map.offer([]), possible.draw(map, null));
  const me = new Map();
  if (view.sniper.space && page.picture.stage !== "over") marker(me, view, "me", view.sniper.space);
  showPieces(map, view, me);
  drawTrail(map, view.over ? null : view, page.picture.log);
  possible.draw(map, page.picture.possible);
  const lit = seat.ready && part.offers ? part.offers() : [];
  map.offer(lit);
  if (part.draw) return void part.draw();
  const lines = part.lines ? part.lines() : {};
  map.draw("lines", [lines.path, lines.noisy, lines.steps, lines.shot, lines.aims], () => [
    ...(lines.aims || []).map((shot) => line("sight faint", shot.line)),
    lines.path && route(lines),
    lines.shot && line("sight", lines.shot),
  ]);
  map.draw("over", [lines, view.sniper.objectives, view.sniper.completed], () => [
    ...objectives(view),
    ...(lines.heard || []).map((space) => ears(map, space)),
    ...(lines.blast || []).map((unit) => map.outline(view.units[unit], "blast-space")),
    ...(lines.aims || []).map(({ space, distance }) => far(map, space, distance)),
    lines.target &&
      map.on(
        view.units[lines.target],
        svg("g", { class: "aimed" }, [
          svg("path", { d: "M-190 -90V-190H-90M90 -190H190V-90M190 90V190H90M-90 190H-190V90" }),
        ]),
      ),
  ]);
}

// The planned route; steps that use gear have their own style.
function route({ path, noisy, steps }) {
  const name = noisy ? "way noisy" : "way quiet";
  if (!steps) return way(map, path, name);
  const from = path.length - steps.length;
  return steps.map((step, i) => from + i > 0 && way(map, path.slice(from + i - 1, from + i + 1), `${name} ${step}`));
}

function objectives(view) {
  const wanted = new Set((view.sniper.objectives || []).map(String));
  const done = new Set(view.sniper.completed.map(String));
  return [...map.spaces.values()]
    .filter((space) => wanted.has(space.objective))
    .map((space) => map.outline(space.id, done.has(space.objective) ? "goal-space done" : "goal-space"));
}

// The part of the screen that reacts to the map now; null without a connection.
function usable() {
  return page.picture && page.picture.view && seat.ready ? panel() : null;
}

function tap(space) {
  usable()?.tap?.(space);
}

// --- the drawer -------------------------------------------------------------------------------------------------

const drawer = new Drawer(
  {
    dossier: ["sniper.dossier", dossier],
    known: ["sniper.known", known],
    bag: ["bag.title", () => bag(page.picture.view.bag, page.picture.view.supply)],
    log: ["log.title", () => logList(page.picture.log)],
  },
  show,
);

function known() {
  const { view, log, possible: spaces } = page.picture;
  const seen = view.sniper.miniature;
  return [
    h("p", { class: seen ? "seen" : "" }, seen ? t("sniper.known.seen", { space: seen }) : t("sniper.known.not")),
    spaces && possible.button(spaces),
    quiet(t("sniper.known.cards", view.counts)),
    cardsOut(view, page.words),
    logList(notable(log.filter((entry) => entry.public)), 6),
  ];
}

function dossier() {
  const { view } = page.picture;
  return [
    h("p", { class: "where", testid: "where" }, [
      view.sniper.space ? t("sniper.you", { space: view.sniper.space }) : t("sniper.away"),
    ]),
    ownCard(view, page.words, page.picture.log),
    h("h3", {}, t("sniper.objectives")),
    h("ul", { class: "goals" }, [(view.sniper.objectives || []).map((number) => goal(view, number))]),
    h("h3", {}, t("sniper.hand")),
    view.sniper.hand && view.sniper.hand.length
      ? h("ul", { class: "cards" }, inHand(view.sniper.hand))
      : quiet(t("sniper.hand.none")),
    (view.sniper.mines || []).length > 0 &&
      h("p", { testid: "mines" }, t("sniper.mines", { spaces: list(view.sniper.mines) })),
    (view.sniper.face_down || []).length > 0 && quiet(t("sniper.face-down", laid(view))),
  ];
}

const laid = (view) => ({
  cards: list(view.sniper.face_down.map((card) => (page.words ? page.words.cards[card].title : card))),
});

const inHand = (hand) =>
  [...new Set(hand)].map((card) => heldCard(deciding(), card, hand.filter((it) => it === card).length));

// The sniper's own goals for the briefing.
function mission() {
  const sites = (page.picture?.view?.sniper.objectives ?? []).map(siteOf).filter(Boolean);
  return { goals: sites.map(whereIs), spaces: sites.map(({ id }) => id) };
}

const siteOf = (number) => [...map.spaces.values()].find((it) => it.objective === String(number));

const whereIs = ({ id, name, sector }) =>
  t("sniper.objective.at", { space: name ? `${id}, ${name}` : id, sector: tOf("sector", sector) });

function goal(view, number) {
  const space = siteOf(number);
  const done = view.sniper.completed.includes(number);
  const where = space ? whereIs(space) : "";
  const look = () => {
    const { x, y } = map.spot(space.id);
    drawer.open = null;
    show();
    map.camera.glide(x, y, map.camera.whole * 0.4);
  };
  return h("li", { class: done ? "goal done" : "goal", testid: `objective-${number}` }, [
    h("b", {}, String(number)),
    h("span", {}, where, done && h("em", {}, ` ${t("sniper.objective.done")}`)),
    space && h("button", { class: "small", onclick: look }, t("sniper.objective.show")),
  ]);
}
