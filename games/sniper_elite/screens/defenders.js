// The defenders' screen: public facts and every action of the squads. A device that leads some squads acts for those
// only.

import { saving } from "./abilities.js";
import { botFailures } from "/static/bots.js";
import { showDraw } from "./draw.js";
import { leaderOf } from "/static/leading.js";
import { Drawer } from "/static/drawer.js";
import { boardStrip, lastActor, timeOut } from "/static/frame.js";
import { allyCard } from "./nest.js";
import { bag, cardsOut, logList, FILTERS, NewsReader } from "./parts.js";
import { beforeGame } from "/static/gather.js";
import { over, showHead } from "./papers.js";
import { drawTrail } from "./recap.js";
import { Possible } from "./possible.js";
import { commanding } from "./squads.js";
import { assigning } from "./specialists.js";
import { showManual } from "/static/scene.js";
import { showPieces } from "./pieces.js";
import { t } from "/static/texts.js";
import { $, announce, button, chips, h, headline, paint } from "/static/ui.js";
import { onBoard, Wand } from "/static/wand.js";

const narrow = matchMedia("(max-width: 639px), (max-height: 560px)");
const page = {
  picture: null,
  words: null,
  draft: {},
  filter: "all",
  marking: false,
  shown: Infinity,
  looked: undefined,
};

const herald = new NewsReader();
// `number` is this device's number among those that lead the squads.
let map, seat, number, keep, possible, wand;

export function screen(shell) {
  ({ map, seat, number, keep } = shell);
  possible = new Possible("defenders", true, show);
  wand = new Wand(pick);
  return {
    receive,
    show,
    tap,
    focus: places,
    laid: look,
    plan: redraft,
    carries,
    lift,
    drop,
    read: (words) => (page.words = words),
  };
}

function receive(picture) {
  if (!page.picture || page.picture.revision !== picture.revision) page.draft = kept(picture);
  page.picture = picture;
  showDraw(herald.hearOf(picture.log, picture.sealed?.promise), picture.log);
  show();
  wand.hear(picture.picked);
}

// Shows what gave the sniper away last and which units the medic can save, and after the game the whole route.
function look() {
  const { view, legal } = page.picture;
  const hit = legal.filter(({ type }) => type === "save").map(({ unit }) => view.units[unit]);
  const spaces = [view?.sniper.miniature, ...hit].filter(Boolean);
  const key = view?.over ? "over" : spaces.join();
  if (page.looked === key) return;
  if (view?.over) map.fit();
  else if (page.looked !== undefined || hit.length) map.reveal(spaces);
  page.looked = key;
}

// The chosen unit stays selected after its own actions, as long as it is our turn.
function kept(picture) {
  const { unit, specialists } = page.draft;
  if (picture.view && picture.view.pending) return { specialists };
  return picture.view && picture.view.to_act.includes("defenders") && unit ? { unit } : {};
}

function places() {
  const view = page.picture && page.picture.view;
  if (!view) return [];
  const unit = page.draft.unit && view.units[page.draft.unit];
  return unit ? [unit] : Object.values(view.units).filter(Boolean);
}

const leader = (squad) => leaderOf(page.picture, squad, number);

// --- one picture, all parts -------------------------------------------------------------------------------------

function show() {
  const { picture } = page;
  if (!picture) return;
  const { view } = picture;
  showHead(picture, "defenders", () => page.picture);
  const part = panel();
  const { stage, paused, revision, seats } = picture;
  const facts = [stage, paused, revision, page.draft, page.marking, seat.ready, Boolean(page.words), seats];
  paint($("#strip"), [picture.board, picture.stage, picture.seats, picture.possible, possible.shown], () => [
    view && stage !== "over" && boardStrip(picture.board, true),
    botFailures(picture.seats),
    view && picture.possible && possible.button(picture.possible),
  ]);
  paint($("#dock"), facts, () => part.dock());
  drawer.paint(Boolean(view), [facts, page.filter], { more: marksTab, tabFacts: [page.marking] });
  document.body.classList.toggle("marking", page.marking);
  wand.show(picture.revision, onBoard(view ? (part.offers?.() ?? []) : []));
  if (map.ready) draw(part);
}

function panel() {
  const { picture } = page;
  const context = { picture, words: page.words, draft: page.draft, seat, redraft, leader, number };
  if (!picture.view) return { dock: () => beforeGame(picture) };
  if (picture.stage === "over") return over(page, map);
  if (picture.paused !== null) return timeOut(picture);
  if (page.marking) return marking();
  if (!picture.view.pending || !picture.view.to_act.includes("defenders")) return commanding(context);
  const { squads } = commanding(context);
  return picture.view.pending.for === "save" ? { squads, ...saving(context) } : assigning(context);
}

// On a small screen the drawer closes as soon as something is chosen in it, so that the map has room.
function redraft(draft) {
  page.draft = draft;
  keep(draft);
  if (narrow.matches && (draft.unit || draft.squad || draft.special)) drawer.open = null;
  show();
  const part = panel();
  if (map.ready && part.places) map.reveal(part.places());
}

// --- tracking cubes ---------------------------------------------------------------------------------------------

function marking() {
  const { foresight, legal } = page.picture;
  const offers = legal.filter(({ type }) => type === "mark" || type === "unmark");
  return {
    dock: () => [
      headline(t("defenders.marks.left", { number: foresight.marks })),
      h("p", {}, t("defenders.marks.on")),
      button(t("defenders.marks.done"), "marks-done", () => mark(false), { class: "main" }),
    ],
    offers: () =>
      offers.map(({ type, space }) => ({
        space,
        kind: `mark ${type}`,
        label: type === "mark" ? t("defenders.light.mark") : t("defenders.light.unmark"),
      })),
    tap: (space) => {
      const action = offers.find((it) => it.space === space);
      if (action) seat.act(action);
    },
  };
}

function mark(on) {
  page.marking = on;
  if (narrow.matches) drawer.open = null;
  show();
}

// --- the map ----------------------------------------------------------------------------------------------------

function draw(part) {
  const { view, board } = page.picture;
  showManual(map, board.manual);
  if (!view) return void (map.offer([]), possible.draw(map, null));
  showPieces(map, view);
  drawTrail(map, view.over ? null : view, page.picture.log);
  possible.draw(map, page.picture.possible);
  const chosen = page.draft.unit && view.units[page.draft.unit];
  map.offer(seat.ready && part.offers ? part.offers() : []);
  if (part.draw) return void part.draw();
  map.draw("over", [chosen, page.draft.unit], () => [chosen && map.outline(chosen, "chosen-space")]);
  map.draw("lines", [], () => []);
}

function tap(space) {
  if (!page.picture || !page.picture.view) return;
  const part = panel();
  if (part.tap) part.tap(space);
}

// Returns the miniature that may be dragged away from a space now; null for none.
function carries(space) {
  return (page.picture?.view && seat.ready && panel().carries?.(space)) || null;
}

function lift(unit) {
  redraft({ unit });
}

const drop = (unit, space) => panel().drop?.(unit, space);

// Someone picked a space on the board, with a wand or by lifting a miniature. It is selected here, but nothing is done
// yet.
function pick(space) {
  const part = panel();
  if (!part.pick) return;
  part.pick(space);
  announce(t("defenders.picked", { space }));
}

// --- the drawer -------------------------------------------------------------------------------------------------

const drawer = new Drawer(
  { squads: ["defenders.squads", squads], log: ["log.title", news], bag: ["bag.title", papers] },
  show,
);

const marksTab = () =>
  h(
    "button",
    { "aria-pressed": page.marking, testid: "marks", onclick: () => mark(!page.marking) },
    t("defenders.marks"),
  );

function squads() {
  return [lastActor(page.picture.seats.defenders.acted), panel().squads?.()];
}

function papers() {
  const { view } = page.picture;
  return [allyCard(view, page.words), bag(view.bag, view.supply), cardsOut(view, page.words)];
}

const FILTER_NAMES = { all: "log.all", answers: "log.answers", noise: "log.noise", moves: "log.moves" };

function news() {
  const filters = Object.entries(FILTER_NAMES).map(([name, title]) => [name, `filter-${name}`, t(title)]);
  const choose = (name) => {
    page.filter = name;
    show();
  };
  return [
    chips(t("log.filter"), filters, page.filter, choose),
    logList(page.picture.log.filter(({ type }) => FILTERS[page.filter](type))),
  ];
}
