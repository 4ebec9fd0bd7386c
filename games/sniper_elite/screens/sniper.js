// The sniper's phone: shows what the sniper may know, and takes every act of the sniper's. Nothing secret is spoken,
// put into a title, or kept beyond the page.

import { troubles } from "/static/bots.js";
import { showDraw } from "./draw.js";
import { knownLine } from "./known.js";
import { boardStrip, menu, resting } from "/static/frame.js";
import { myself } from "./nest.js";
import { bag, cardsOut, dispatches, Herald, telegram, telling } from "./parts.js";
import { gathering } from "/static/gather.js";
import { over, paper, showHead, tab } from "./papers.js";
import { ears, marker, showPieces } from "./pieces.js";
import { drawTrail } from "./recap.js";
import { Possible } from "./possible.js";
import { far, line, way } from "/static/scene.js";
import { heldCard } from "./sniper-cards.js";
import { acting } from "./sniper-turn.js";
import { choosing } from "./sniper-choices.js";
import { list, t, tOf } from "/static/texts.js";
import { $, h, paint, svg } from "/static/ui.js";

const page = { picture: null, words: null, open: null, draft: {}, shown: Infinity };

const herald = new Herald();
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
  // A paper over the map that was looked into for a choice is put away with it.
  if (JSON.stringify(page.picture?.view?.pending) !== JSON.stringify(picture.view?.pending)) page.open = null;
  page.picture = picture;
  showDraw(herald.hear(picture.log, picture.sealed?.promise), picture.log);
}

// The camera follows the sniper, and leaves alone whoever looks around meanwhile.
function look() {
  const key = JSON.stringify(places());
  if (!map.ready || page.looked === key) return;
  if (page.looked === undefined) map.frame();
  map.reveal(places());
  page.looked = key;
}

function places() {
  const view = page.picture && page.picture.view;
  if (!view) return [];
  const { target, unit, to, path = [] } = page.draft;
  const here = view.sniper.space || (map.ready && map.entries.get(view.entry));
  const arrows = page.picture.legal.filter(({ type }) => type === "choose-entry");
  const entries = arrows.map(({ sector }) => map.ready && map.entries.get(sector));
  // How far it is from an arrow to the objectives is what somebody chooses by.
  const goals = arrows.length && map.ready ? mission().spaces : [];
  const moves = path.length ? [] : page.picture.foresight?.moves || [];
  const beside = [...new Set(moves.map((move) => move.path[0]))];
  const way = page.picture.stage === "over" ? (view.opened?.log || []).map(([, space]) => space) : [];
  return [here, ...way, ...entries, ...goals, ...beside, view.units[target || unit], to, ...path].filter(Boolean);
}

// --- one picture, all parts -------------------------------------------------------------------------------------

function show() {
  const { picture } = page;
  if (!picture) return;
  const { view } = picture;
  showHead(picture, "sniper", () => menu("sniper", page.picture));
  const part = panel();
  const draft = { ...page.draft, draw: null, second: null, third: null };
  if (map.drawing) return draw(part);
  paint($("#strip"), [picture.board, picture.stage, picture.seats, picture.revision, page.open], () =>
    view
      ? [
          boardStrip(picture.board, false),
          picture.stage === "playing" && knownLine(view, picture.log, page.open === "known", () => open("known")),
          troubles(picture.seats),
        ]
      : [],
  );
  paint($("#dock"), [picture.stage, picture.paused, picture.revision, draft, seat.ready, Boolean(page.words)], () => part.dock());
  paint($("#tabs"), [page.open, Boolean(view)], () => (view ? tabs() : []));
  paint($("#drawer"), [picture.revision, page.open, seat.ready, Boolean(page.words), map.ready, possible.shown], () =>
    view ? drawer() : [],
  );
  document.body.classList.toggle("drawer-open", Boolean(page.open && view));
  if (map.ready) draw(part);
}

function panel() {
  const { picture } = page;
  if (!picture.view) return { dock: () => gathering(picture) };
  if (picture.stage === "over") return over(page, map);
  if (picture.paused !== null) return resting(picture);
  const context = deciding();
  if (!picture.view.to_act.includes("sniper")) return others();
  return picture.view.pending || picture.legal.some((it) => it.type === "choose-entry")
    ? choosing(context)
    : acting(context);
}

const deciding = () => ({ picture: page.picture, words: page.words, draft: page.draft, seat, redraft, map });

// What is chosen from the papers goes on over the map.
function redraft(draft) {
  page.draft = draft;
  keep(draft);
  if (draft.card) page.open = null;
  show();
  look();
}

const WAITING = { "choose-specialists": () => t("sniper.specialists"), save: () => t("sniper.save") };

function others() {
  const { view, log } = page.picture;
  const waited = view.pending && WAITING[view.pending.for];
  return {
    dock: () => [
      h("p", { class: "headline", "data-testid": "headline" }, waited ? waited() : t("sniper.wait")),
      !waited && h("p", {}, t("sniper.wait.more")),
      telegram(log),
    ],
  };
}

// --- the map ----------------------------------------------------------------------------------------------------

function draw(part) {
  const { view } = page.picture;
  if (!view) return void (map.offer([]), possible.draw(map, null));
  const me = new Map();
  if (view.sniper.space && page.picture.stage !== "over")
    marker(me, view, "me", view.sniper.space);
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
        svg(
          "g",
          { class: "aimed" },
          svg("path", { d: "M-190 -90V-190H-90M90 -190H190V-90M190 90V190H90M-90 190H-190V90" }),
        ),
      ),
  ]);
}

// A planned way; with gear each of its steps in the light of what it is.
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

// What the map may be used for now; nothing while there is no line.
function usable() {
  return page.picture && page.picture.view && seat.ready ? panel() : null;
}

function tap(space) {
  usable()?.tap?.(space);
}

// --- the drawer -------------------------------------------------------------------------------------------------

const SECTIONS = {
  dossier: ["sniper.dossier", dossier],
  known: ["sniper.known", known],
  bag: ["bag.title", () => bag(page.picture.view.bag, page.picture.view.supply)],
  log: ["log.title", () => dispatches(page.picture.log)],
};

function open(name) {
  page.open = page.open === name ? null : name;
  show();
}

function tabs() {
  return Object.entries(SECTIONS).map(([name, [title]]) => tab(page, name, title, () => open(name)));
}

function drawer() {
  return Object.entries(SECTIONS).map(([name, [title, fill]]) => paper(page, name, title, fill()));
}

function known() {
  const { view, log, possible: spaces } = page.picture;
  const seen = view.sniper.miniature;
  return [
    h("p", { class: seen ? "seen" : "" }, seen ? t("sniper.known.seen", { space: seen }) : t("sniper.known.not")),
    spaces && possible.button(spaces),
    h("p", { class: "quiet" }, t("sniper.known.cards", view.counts)),
    cardsOut(view, page.words),
    dispatches(telling(log.filter((entry) => entry.public)), 6),
  ];
}

function dossier() {
  const { view } = page.picture;
  return [
    h(
      "p",
      { class: "where", "data-testid": "where" },
      view.sniper.space ? t("sniper.you", { space: view.sniper.space }) : t("sniper.away"),
    ),
    myself(view, page.words, page.picture.log),
    h("h3", {}, t("sniper.objectives")),
    h(
      "ul",
      { class: "goals" },
      (view.sniper.objectives || []).map((number) => goal(view, number)),
    ),
    h("h3", {}, t("sniper.hand")),
    view.sniper.hand && view.sniper.hand.length
      ? h("ul", { class: "cards" }, inHand(view.sniper.hand))
      : h("p", { class: "quiet" }, t("sniper.hand.none")),
    (view.sniper.mines || []).length > 0 &&
      h("p", { "data-testid": "mines" }, t("sniper.mines", { spaces: list(view.sniper.mines) })),
    (view.sniper.face_down || []).length > 0 && h("p", { class: "quiet" }, t("sniper.face-down", laid(view))),
  ];
}

const laid = (view) => ({
  cards: list(view.sniper.face_down.map((card) => (page.words ? page.words.cards[card].title : card))),
});

const inHand = (hand) =>
  [...new Set(hand)].map((card) => heldCard(deciding(), card, hand.filter((it) => it === card).length));

// What the briefing says of this sniper's own task.
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
    page.open = null;
    show();
    map.camera.glide(x, y, map.camera.whole * 0.4);
  };
  return h(
    "li",
    { class: done ? "goal done" : "goal", "data-testid": `objective-${number}` },
    h("b", {}, String(number)),
    h("span", {}, where, done && h("em", {}, ` ${t("sniper.objective.done")}`)),
    space && h("button", { type: "button", class: "small", onclick: look }, t("sniper.objective.show")),
  );
}
