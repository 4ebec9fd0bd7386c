// The sniper's phone: shows what the sniper may know and takes every action of the sniper. Nothing secret is read out,
// put into a title or kept after the page closes.

import { SeatScreen } from "/static/drawer.js";
import { miniWord } from "/static/frame.js";
import { ownCard, titleOf } from "./nest.js";
import {
  bag,
  cardsOut,
  logList,
  NewsReader,
  notableOf,
  headNumbers,
  resultLine,
  lastReport,
  turnName,
} from "./parts.js";
import { addSniper, showPieces } from "./pieces.js";
import { drawTrail } from "./recap.js";
import { EYE, Possible } from "./possible.js";
import { actionPanel } from "/static/panel.js";
import { turnPart } from "./sniper-turn.js";
import { choicePart } from "./sniper-choices.js";
import {
  cameraTo,
  closeForDecision,
  dockDraft,
  drawPlan,
  handList,
  missionOf,
  objectiveList,
  plannedPlaces,
  showSite,
  whereLine,
} from "./sniper-parts.js";
import { list, t } from "/static/texts.js";
import { h, headline, icon, quiet } from "/static/ui.js";

const SEAT = "sniper";
const herald = new NewsReader();
let page, map, seat, possible;

export function screen(shell) {
  ({ map, seat } = shell);
  possible = new Possible(SEAT, false, () => page.show());
  page = new SeatScreen(shell, {
    hear,
    part,
    strip,
    draw,
    places,
    mission,
    look: cameraTo(map, places, hasEnded),
    answers: false,
    acting: () => page.picture.view?.to_act.includes(SEAT),
    title: () => turnName(page.picture, SEAT),
    head: () => headNumbers(page.picture, SEAT),
    over: () =>
      page.later(
        "end",
        () => import("./papers.js"),
        ({ overPart }) => overPart(page),
      ),
    facts: () => possible.shown,
    drafted: () => dockDraft(page),
    sections: {
      dossier: ["sniper.dossier", dossier],
      known: ["sniper.known", known],
      bag: ["bag.title", () => bag(page.picture.view.bag, page.picture.view.supply)],
      log: ["log.title", () => logList(map, page.picture.log)],
    },
  });
  return page;
}

const hasEnded = () => page.picture.stage === "over";

function hear(picture, before) {
  closeForDecision(page, picture, before);
  herald.hearOf(map, picture.log, picture.sealed?.promise);
}

function places() {
  const { view, legal } = page.picture;
  // The objectives help to choose an entry arrow by distance.
  const goals = legal.some(({ type }) => type === "choose-entry") ? mission().spaces : [];
  const here = view.sniper.space || map.entries.get(view.entry);
  return [here, ...goals, ...plannedPlaces(page)].filter(Boolean);
}

// --- what the defenders know ------------------------------------------------------------------------------------

// A line that is always visible on the sniper's phone. With it next to a plan, the sniper gives nothing away by mistake.

// Log entries, besides sightings, that tell something about the sniper's position.
const CLUES = new Set(
  "alerted barked intel attacked spotted swept looted shot-declared distracted objective-completed".split(" "),
);
const SEEN = "revealed";

function knownFacts(view, log) {
  const { miniature, space } = view.sniper;
  const told = log.filter((entry) => entry.public);
  const last = told.findLastIndex(({ type }) => type === SEEN);
  const clues = told.slice(last + 1).filter(({ type }) => CLUES.has(type)).length;
  // The miniature is removed when the sniper's turn begins, but everyone remembers where it stood.
  const seen = miniature ?? told[last]?.what?.space;
  const here = Boolean(seen) && seen === space;
  const beside = Object.keys(view.units).filter((unit) => space && view.units[unit] === space);
  const place = t(here ? "known.here" : seen ? "known.seen" : "known.nowhere", { space: seen });
  // A unit on the sniper's space changes nothing for the defenders, but the sniper has to know.
  const met = beside.length > 0 && !here && t("known.met", { units: list(beside.map(miniWord)) });
  return { place, seen, clues, here, met, nothing: !seen && !clues && !met };
}

function knownLine(view, log, open, onclick) {
  const { place, seen, clues, here, met, nothing } = knownFacts(view, log);
  const look = `known-line ${here || met ? "here" : ""} ${nothing ? "nothing" : ""}`;
  return h("button", { class: look, "aria-expanded": open, testid: "known-line", onclick }, [
    icon(EYE),
    h("span", {}, [
      met ? h("b", { testid: "met" }, met, " ") : place,
      clues > 0 && h("small", {}, ` ${t(seen ? "known.clues" : "known.hints", { number: clues })}`),
    ]),
  ]);
}

// --- one picture, all parts -------------------------------------------------------------------------------------

function strip() {
  const { picture, drawer } = page;
  if (picture.stage !== "playing") return null;
  return knownLine(picture.view, picture.log, drawer.open === "known", () => drawer.toggle("known"));
}

function part() {
  const { view, legal } = page.picture;
  if (!view.to_act.includes(SEAT)) return waitPart();
  const decides = view.pending || legal.some((it) => it.type === "choose-entry");
  return decides ? choicePart(makeContext()) : turnPart(makeContext());
}

const makeContext = () => ({
  picture: page.picture,
  words: page.words,
  draft: page.draft,
  seat,
  redraft: page.plan,
  map,
  papers: () => page.drawer.toggle("dossier"),
});

const WAITING = { "choose-specialists": () => t("sniper.specialists"), save: () => t("sniper.save") };

function waitPart() {
  const { view, log } = page.picture;
  const waited = view.pending && WAITING[view.pending.for];
  return {
    dock: () =>
      actionPanel(
        [resultLine(log), headline(waited ? waited() : t("sniper.wait")), !waited && h("p", {}, t("sniper.wait.more"))],
        { report: lastReport(log) },
      ),
  };
}

// --- the map ----------------------------------------------------------------------------------------------------

function draw(part) {
  const { view, stage, log, possible: spaces } = page.picture;
  possible.draw(map, spaces);
  const me = new Map();
  if (view.sniper.space && stage !== "over") addSniper(me, view, "me", view.sniper.space);
  showPieces(map, view, me);
  drawTrail(map, view.over ? null : view, log);
  if (part.draw) return void part.draw();
  drawPlan(map, view, part.lines?.() ?? {});
}

// --- the drawer -------------------------------------------------------------------------------------------------

function known() {
  const { view, log, possible: spaces } = page.picture;
  const { place, seen } = knownFacts(view, log);
  return [
    h("p", { class: seen ? "seen" : "" }, place),
    spaces && possible.button(spaces),
    quiet(t("sniper.known.cards", view.counts)),
    cardsOut(view, page.words),
    logList(map, notableOf(log.filter((entry) => entry.public)), 6),
  ];
}

function dossier() {
  const { view, log } = page.picture;
  const { space, hand, mines, face_down: laid } = view.sniper;
  return [
    whereLine(space),
    ownCard(view, page.words, log),
    objectiveList(map, view.sniper, showObjective),
    handList(makeContext(), hand),
    mines?.length > 0 && h("p", { testid: "mines" }, t("sniper.mines", { spaces: list(mines) })),
    laid?.length > 0 && quiet(t("sniper.face-down", { cards: list(laid.map((card) => titleOf(page.words, card))) })),
  ];
}

// Shows an objective on the map.
function showObjective(space) {
  page.drawer.open = null;
  page.show();
  showSite(map, space);
}

const mission = () => missionOf(map, page.picture);
