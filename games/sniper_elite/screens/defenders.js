// The defenders' screen: public facts and every action of the squads. A device that leads some squads acts for those
// only.

import { leaderOf } from "/static/leading.js";
import { SeatScreen } from "/static/drawer.js";
import { lastActor } from "/static/frame.js";
import { allyCard } from "./nest.js";
import { bag, cardsOut, logList, FILTERS, NewsReader, headNumbers, turnName } from "./parts.js";
import { drawTrail } from "./recap.js";
import { EYE, Possible } from "./possible.js";
import { squadCards, squadsPart } from "./squads.js";
import { showManual } from "/static/scene.js";
import { showPieces } from "./pieces.js";
import { t } from "/static/texts.js";
import { announce, button, chips, h, headline, icon } from "/static/ui.js";
import { Wand } from "/static/wand.js";

const SEAT = "defenders";
const herald = new NewsReader();
const log = { filter: "all" };
// `number` is this device's number among those that lead the squads.
let page, map, seat, number, possible, marking, looked;

export function screen(shell) {
  ({ map, seat, number } = shell);
  possible = new Possible(SEAT, true, () => page.show());
  page = new SeatScreen(shell, {
    kept,
    hear,
    part,
    draw,
    look,
    places,
    tabs: marksTab,
    wand: new Wand(pick),
    acting: () => page.picture.view?.to_act.includes(SEAT),
    title: () => turnName(page.picture, SEAT),
    head: () => headNumbers(page.picture, SEAT),
    over: () =>
      page.later(
        "end",
        () => import("./papers.js"),
        ({ overPart }) => overPart(page),
      ),
    strip: () => [page.picture.possible && possible.button(page.picture.possible), lastSeen()],
    facts: () => [page.draft, marking, log.filter, possible.shown, page.picture.possible],
    drafted: () => [page.draft, marking],
    lift: (unit) => page.plan({ unit }),
    sections: { squads: ["defenders.squads", squads], log: ["log.title", news], bag: ["bag.title", papers] },
  });
  return page;
}

const hear = ({ log, sealed }) => herald.hearOf(map, log, sealed?.promise);

// Shows what the player has chosen, or else what gave the sniper away last and which units the medic can save, the whole
// map when a turn begins without such news, and after the game the whole route.
function look(planned) {
  if (planned) return map.reveal(page.part.places?.() ?? []);
  const { view, legal } = page.picture;
  const hit = legal.filter(({ type }) => type === "save").map(({ unit }) => view.units[unit]);
  const spaces = [view.sniper.miniature, ...hit].filter(Boolean);
  const key = view.over ? "over" : spaces.join();
  const turn = view.to_act.includes(SEAT) ? view.round : looked?.turn;
  if (looked?.key === key) {
    if (looked.turn !== turn) map.frame();
  } else if (view.over) map.fit();
  else if (looked || hit.length) map.reveal(spaces);
  looked = { key, turn };
}

// The chosen unit stays selected after its own actions, as long as it is our turn.
function kept({ view }) {
  const { unit, specialists } = page.draft;
  if (view?.pending) return { specialists };
  return view?.to_act.includes(SEAT) && unit ? { unit } : {};
}

function places() {
  const { units } = page.picture.view;
  const unit = units[page.draft.unit];
  return unit ? [unit] : Object.values(units).filter(Boolean);
}

// Where the sniper was last seen in an earlier turn, and when; a tap shows the space. The actions of a unit need the room.
function lastSeen() {
  const { view, log, stage } = page.picture;
  if (page.draft.unit) return null;
  const at = log.findLastIndex(({ type }) => type === "revealed");
  const ended = at < 0 ? [] : log.slice(at).filter(({ type }) => type === "turn-ended");
  if (!ended.length || stage !== "playing") return null;
  const { space } = log[at].what;
  const round = view.round - ended.filter(({ what }) => what?.seat === SEAT).length;
  const show = () => {
    const { x, y } = map.spaces.get(space);
    map.camera.glide(x, y, map.camera.whole * 0.4);
  };
  const here = view.sniper.miniature === space ? "here" : "";
  return h("button", { class: `known-line last ${here}`, testid: "last-seen", onclick: show }, [
    icon(EYE),
    h("span", {}, t("known.last", { space, round })),
  ]);
}

const leader = (squad) => leaderOf(page.picture, squad, number);

// --- one picture, all parts -------------------------------------------------------------------------------------

function makeContext() {
  const { picture, words, draft, plan: redraft } = page;
  return { picture, words, draft, seat, redraft, leader, number, later: page.later.bind(page) };
}

function part() {
  const context = makeContext();
  if (marking) return marksPart();
  const { pending, to_act: acting } = page.picture.view;
  if (!pending || !acting.includes(SEAT)) return squadsPart(context);
  return pending.for === "save"
    ? page.later(
        "abilities",
        () => import("./abilities.js"),
        ({ savePart }) => savePart(context),
      )
    : page.later(
        "specialists",
        () => import("./specialists.js"),
        ({ specialistsPart }) => specialistsPart(context),
      );
}

// --- tracking cubes ---------------------------------------------------------------------------------------------

function marksPart() {
  const { foresight, legal } = page.picture;
  const offers = legal.filter(({ type }) => type === "mark" || type === "unmark");
  return {
    dock: () => [
      headline(t("defenders.marks.left", { number: foresight.marks })),
      h("p", {}, t("defenders.marks.on")),
      button(t("defenders.marks.done"), "marks-done", () => setMarking(false), { class: "main" }),
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

function setMarking(on) {
  marking = on;
  page.drawer.open = null;
  document.body.classList.toggle("marking", on);
  page.show();
}

// --- the map ----------------------------------------------------------------------------------------------------

function draw(part) {
  const { view, board, log, possible: spaces } = page.picture;
  showManual(map, board.manual);
  possible.draw(map, spaces);
  showPieces(map, view);
  drawTrail(map, view.over ? null : view, log);
  if (part.draw) return void part.draw();
  const chosen = view.units[page.draft.unit];
  map.draw("over", [chosen, page.draft.unit], () => [chosen && map.outline(chosen, "chosen-space")]);
  map.draw("lines", [], () => []);
}

// Someone picked a space on the board, with a wand or by lifting a miniature. It is selected here, but nothing is done
// yet.
function pick(space) {
  if (page.rest !== null || !page.part.pick) return;
  page.part.pick(space);
  announce(t("defenders.picked", { space }));
}

// --- the drawer -------------------------------------------------------------------------------------------------

const marksTab = () =>
  h("button", { "aria-pressed": Boolean(marking), testid: "marks", onclick: () => setMarking(!marking) }, [
    t("defenders.marks"),
  ]);

const squads = () => [lastActor(page.picture.seats.defenders), squadCards(makeContext())];

function papers() {
  const { view } = page.picture;
  return [allyCard(view, page.words), bag(view.bag, view.supply), cardsOut(view, page.words)];
}

const FILTER_NAMES = { all: "log.all", answers: "log.answers", noise: "log.noise", moves: "log.moves" };

function news() {
  const filters = Object.entries(FILTER_NAMES).map(([name, title]) => [name, `filter-${name}`, t(title)]);
  const choose = (name) => {
    log.filter = name;
    page.show();
  };
  return [
    chips(t("log.filter"), filters, log.filter, choose),
    logList(
      map,
      page.picture.log.filter(({ type }) => FILTERS[log.filter](type)),
    ),
  ];
}
