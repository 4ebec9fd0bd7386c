// The sniper's phone in the solo game. The picture says what an action costs. Route, shots and cards work as in the
// multiplayer game.

import { bag, logList, doneObjectives, NewsReader, wounds } from "/games/sniper-elite/static/parts.js";
import {
  cameraTo,
  closeForDecision,
  dockDraft,
  drawPlan,
  missionOf,
  plannedPlaces,
} from "/games/sniper-elite/static/sniper-parts.js";
import { badge } from "/games/sniper-elite/static/pieces.js";
import { turnPart } from "/games/sniper-elite/static/sniper-turn.js";
import { choicePart } from "/games/sniper-elite/static/sniper-choices.js";
import { SeatScreen } from "/static/drawer.js";
import { afterGame, routeOf } from "/static/on-demand.js";
import { t } from "/static/texts.js";
import { h, quiet } from "/static/ui.js";
import { costList, returnPart, rewardPart } from "./choices.js";
import { dossier } from "./dossier.js";
import { ending, slotList, status } from "./parts.js";
import { carryArrows, showMoves, showPieces, showWay } from "./pieces.js";
import { Recap } from "./recap.js";

const narrow = matchMedia("(max-width: 639px), (max-height: 560px)");
// So many buttons fit below the status of the sniper.
const MOST_BUTTONS = 4;
const herald = new NewsReader();
let page, map, seat, recap, look, retold;

export function screen(shell) {
  ({ map, seat } = shell);
  look = cameraTo(map, places, () => page.picture.stage === "over");
  // On a phone an open section would hide the step on the map.
  recap = new Recap(() => {
    if (recap.at !== null && narrow.matches) page.drawer.open = null;
    tell();
    page.show();
  });
  page = new SeatScreen(shell, {
    hear,
    part,
    strip,
    draw,
    places,
    look,
    badge,
    mission: () => missionOf(map, page.picture),
    acting: () => recap.at === null,
    title: () => t(recap.at === null ? "hud.turn.mine" : "hud.turn.defenders"),
    head,
    over: () => ({ dock: () => [...ending(page.picture.view, map, true), afterGame(page.picture)] }),
    quiet: () => recap.at !== null && page.picture.board.hint?.kind === "orders",
    facts: () => [recap.at, recap.led],
    // The recap is part of the dock, but leaves no other trace in the draft.
    drafted: () => [dockDraft(page), recap.at],
    sections: {
      dossier: ["sniper.dossier", () => dossier(makeContext())],
      cards: ["solo.slots", defenderCards],
      bag: ["bag.title", () => bag(page.picture.view.bag, page.picture.view.supply)],
      recap: ["solo.recap", () => recap.paper()],
      log: ["log.title", () => logList(map, page.picture.log)],
    },
  });
  return page;
}

function hear(picture, before) {
  closeForDecision(page, picture, before);
  if (picture.view) recap.hear(picture);
  tell(picture);
}

// A hit or a wound is news when the defenders' turn has come to it.
const tell = ({ log } = page.picture) => herald.hearOf(map, recap.told(log));

function showAgain() {
  page.show();
  look();
}

function places() {
  const { view, finished } = page.picture;
  if (recap.at !== null) return recap.spaces(view.units);
  if (view.over) return routeOf(finished, showAgain).flat();
  return [view.sniper.space, ...(view.pending?.spaces ?? []), ...plannedPlaces(page)].filter(Boolean);
}

// --- one picture, all parts -------------------------------------------------------------------------------------

function head() {
  const { view } = page.picture;
  return [
    h("span", { testid: "round" }, t("hud.round", { round: view.round })),
    h("div", { class: "tokens" }, doneObjectives(view), wounds(view.sniper.wounds - recap.ahead("wounded"))),
  ];
}

const strip = () => [
  page.picture.stage !== "over" && recap.at === null && status(page.picture.view, () => page.drawer.toggle("dossier")),
  recap.line(),
];

// The context of a decision in the form that the multiplayer game's modules expect.
function makeContext() {
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
    redraft: (draft) => {
      recap.stop();
      page.plan(draft);
    },
    map,
    papers: () => page.drawer.toggle("dossier"),
    report: () => recap.offer(),
    mostButtons: MOST_BUTTONS,
  };
}

// While the defenders' turn is shown, the sniper's own waits: its targets would give away how the turn ends. A button,
// or a tap on the map, leads there.
const part = () => (recap.at === null ? decisionPart() : { dock: () => recap.way(), tap: () => recap.close() });

function decisionPart() {
  const context = makeContext();
  const { pending } = context.picture.view;
  if (pending?.for === "after-hit") return rewardPart(context);
  if (pending?.for === "place-return") return returnPart(context);
  if (pending || context.picture.legal.some(({ type }) => type === "choose-entry")) return choicePart(context);
  return turnPart({ ...context, aside: () => costList(context) });
}

// --- the map ----------------------------------------------------------------------------------------------------

function draw(part) {
  const { view, finished, board } = page.picture;
  const told = recap.spaces(view.units);
  showPieces(map, view, recap.units(view.units));
  showMoves(map, view.over || view.sniper.moved ? [] : recap.moves);
  if (view.over && recap.at === null) showWay(map, view, finished, showAgain);
  else
    drawPlan(
      map,
      view,
      { ...part.lines?.(), target: null },
      {
        facts: [told, recap.at === null && board.hint],
        lines: recap.at === null ? carryArrows(map, board) : [],
        over: told.map((space) => map.outline(space, "recap-space")),
      },
    );
  if (recap.at !== null || retold) look();
  retold = recap.at !== null;
}

// --- the drawer -------------------------------------------------------------------------------------------------

function defenderCards() {
  const { view, foresight } = page.picture;
  return [
    quiet(t("solo.slots.how")),
    slotList(view, page.words, foresight?.cards),
    quiet(t("solo.counts", view.counts)),
  ];
}
