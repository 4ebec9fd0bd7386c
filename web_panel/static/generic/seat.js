// A seat's screen for a game without its own: whose turn it is, the map, all legal actions, the log, the result.

import { SeatScreen } from "/static/drawer.js";
import { actionButton, lastActor } from "/static/frame.js";
import { afterGame } from "/static/on-demand.js";
import { News, Since, entryList, newestFirst } from "/static/news.js";
import { actionPanel, reportLine } from "/static/panel.js";
import { choiceLight, Lamps, showManual } from "/static/scene.js";
import { seatName, t } from "/static/texts.js";
import { announce, button, h, headline } from "/static/ui.js";
import { Wand } from "/static/wand.js";
import { actButton, actsOf, barredLines, groupByType, typeGroup } from "./acts.js";
import { ending, knownFacts, LATEST, seatDot, showAll, turnName } from "./parts.js";

const RECENT = 12;

// This seat's private messages are news, too.
const RECAP = { among: () => true, lineOf: reported };

const news = new News();
const folds = new Set();

let page, map, seat, lamps, since;
let lit = false;

// The draft is the selected `space`.
export function screen(shell) {
  ({ map, seat } = shell);
  lamps = new Lamps(map);
  since = new Since(seat.name);
  page = new SeatScreen(shell, {
    hear,
    acting,
    head,
    draw,
    over,
    places: focus,
    wand: new Wand(pick),
    ended: ({ stage, generic }) => stage === "over" || Boolean(generic.outcome),
    title: () => turnName(page.picture, seat.name),
    part: () => ({ dock, offers, tap }),
    drafted: () => [page.draft, acts().map(({ place }) => place)],
    sections: { known: ["generic.known", known], log: ["generic.log", () => entryList(page.picture.log, secretLine)] },
  });
  return page;
}

function hear(picture) {
  news.hear(picture.log);
  if (picture.generic) since.hear(picture, acting());
  const { generic } = picture;
  const onMap = Boolean(generic?.map);
  document.body.classList.toggle("no-map", generic ? !onMap : !picture.map);
  if (onMap && !lit && !generic.lamps) {
    lit = true;
    seat.stream.add("board", ({ lamps: shown }) => lamps.show(shown));
  }
}

const acting = () => page.rest === null && page.picture.generic.to_act.some((it) => it.seat === seat.name);
const acts = () => (page.rest === null ? actsOf(page.picture, onMap() ? map.spaces : new Map()) : []);
const onMap = () => Boolean(page.picture.generic.map && map.ready);
const actsOn = (space) => acts().filter(({ place }) => place === space);

// Returns the spaces with actions, or else those with pieces.
function focus() {
  const places = [...new Set(acts().map(({ place }) => place))].filter(Boolean);
  return places.length ? places : page.picture.generic.pieces.map(({ space }) => space);
}

// What the others are doing, and which seat this is.
function head() {
  const { generic, seats } = page.picture;
  const others = page.rest === null && !acting() && generic.to_act.length;
  const mine = Object.keys(seats).length > 1 && t("generic.you", { seat: seatName(seats, seat.name) });
  const plays = others && t("generic.turn.plays", { number: others });
  const dot = mine && seatDot(generic, seat.name);
  return [h("span", { testid: "own-seat" }, plays || null, plays && mine ? " · " : null, dot, mine)];
}

const over = () => ({
  dock: () => [page.picture.generic.outcome && ending(page.picture.generic), afterGame(page.picture)],
});

function dock() {
  if (!acting()) return waitDock();
  return page.draft.space ? spaceDock() : typesDock();
}

// While others play, the panel has room for what happened and for what this seat knows.
function waitDock() {
  const title = headline(t("generic.wait", { number: page.picture.generic.to_act.length }));
  return actionPanel([title, knownHere()], { report: lastReport({ open: true }), foot: takeBackButton() });
}

function knownHere() {
  const { generic, view } = page.picture;
  return generic.map && h("div", { class: "known-here", testid: "known-here" }, knownFacts(generic, view));
}

// The newest entries, the newest first, and the last private message to this seat, such as an answer, even if others
// have acted since.
function lastReport(props = {}) {
  const recent = page.picture.log.slice(-RECENT);
  const own = recent.findLast((entry) => !entry.public);
  const entries = recent.filter((entry, at) => entry === own || at >= recent.length - LATEST);
  const more = { testid: "latest", gist: newestFirst(entries), ...props };
  return entries.length > 0 && reportLine(t("since.latest"), entries.reverse().map(reported), more);
}

function reported(entry) {
  const [name, more] = secretLine(entry);
  return h("p", { class: name, "data-type": entry.type }, entry.sentence, " ", more);
}

// --- acts -------------------------------------------------------------------------------------------------------

function typesDock() {
  const { picture } = page;
  const types = groupByType(acts());
  const plain = [...types].filter(([, all]) => all.every(({ place }) => !place));
  const placed = [...types].filter(([, all]) => all.some(({ place }) => place));
  const shared = { seat, folds, foresight: picture.foresight, alone: types.size === 1 };
  const group = ([type, all]) => typeGroup(type, all, shared);
  return actionPanel(
    [
      headline(placed.length ? t("generic.choose.map") : t("generic.choose")),
      h("div", { class: "act-types", testid: "acts" }, plain.map(group), placed.map(group)),
      barredLines(picture.foresight, types),
      knownHere(),
    ],
    { report: since.card(RECAP) || lastReport(), foot: takeBackButton() },
  );
}

// The actions of the selected space.
function spaceDock() {
  const { space } = page.draft;
  const found = actsOn(space);
  return actionPanel(
    [
      headline(t("generic.at", { space: spaceName(space) })),
      h("div", { class: "act-list" }, [found.map((act) => actButton(act, seat, "main"))]),
      knownHere(),
    ],
    { foot: button(t("generic.back"), "act-back", () => choose(null)) },
  );
}

function spaceName(space) {
  const name = map.spot(space)?.name;
  return name ? `${space}, ${name}` : space;
}

function takeBackButton() {
  const { picture } = page;
  const back = picture.undo || picture.take_back;
  return Boolean(back) && actionButton(seat, t("generic.take-back"), "take-back", { type: "take-back" });
}

const choose = (space) => page.plan(space ? { space } : {});

// A tap on a lit space shows its actions; if there is only one, a second tap sends it.
function tap(space) {
  const found = actsOn(space);
  if (page.draft.space === space && found.length === 1) seat.act(found[0].action);
  else choose(found.length ? space : null);
}

// --- the map ----------------------------------------------------------------------------------------------------

function draw() {
  const { generic, board, possible } = page.picture;
  showManual(map, board.manual);
  if (generic?.lamps) lamps.show(generic.lamps); // a lesson's own lamps: the table's lamps show another game
  showAll(map, generic, possible);
}

// Someone picked a space on the board. It is selected, but nothing is done yet.
function pick(space) {
  if (page.rest !== null || !actsOn(space).length) return;
  announce(t("generic.at", { space: spaceName(space) }));
  choose(space);
}

function offers() {
  if (!acting()) return [];
  const places = new Map();
  for (const { place, caption } of acts()) if (place) places.set(place, [...(places.get(place) ?? []), caption]);
  return [...places].map(([space, captions]) =>
    choiceLight(
      space,
      space === page.draft.space,
      captions.length > 1 ? t("generic.choices", { number: captions.length }) : captions[0],
    ),
  );
}

// --- the drawer -------------------------------------------------------------------------------------------------

function known() {
  return [lastActor(page.picture.seats[seat.name]), knownFacts(page.picture.generic, page.picture.view)];
}

const secretLine = (entry) => (entry.public ? [""] : ["secret", h("em", {}, t("generic.secret"))]);
