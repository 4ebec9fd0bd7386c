// A seat's screen for a game without its own: whose turn it is, the map, all legal actions, the log, the result.

import { botFailures } from "/static/bots.js";
import { Drawer, head } from "/static/drawer.js";
import { actionButton, boardStrip, lastActor, timeOut } from "/static/frame.js";
import { afterGame, beforeGame } from "/static/gather.js";
import { News, Since, entryLine, entryList } from "/static/news.js";
import { actionPanel, reportLine } from "/static/panel.js";
import { Lamps, showManual } from "/static/scene.js";
import { t } from "/static/texts.js";
import { $, announce, button, h, headline, paint } from "/static/ui.js";
import { Wand } from "/static/wand.js";
import { actButton, actsOf, barredLines, byType, typeGroup } from "./acts.js";
import { ending, knowledge, latest, showMarks, showPieces, showPossible, turnName } from "./parts.js";

const narrow = matchMedia("(max-width: 639px), (max-height: 560px)");
const page = { picture: null, space: null, laid: null, folds: new Set() };
const news = new News();
// Boards with up to this many spaces are shown whole even on a phone.
const SMALL = 40;

let map, seat, lamps, wand, since;
let lit = false;

export function screen(shell) {
  ({ map, seat } = shell);
  $("#drawer").tabIndex = 0; // on wide screens it scrolls by itself
  lamps = new Lamps(map);
  since = new Since(seat.name);
  wand = new Wand(picked);
  return { receive, show, tap, focus, laid };
}

function receive(picture) {
  if (!page.picture || page.picture.revision !== picture.revision) page.space = null;
  page.picture = picture;
  news.hear(picture.log);
  if (picture.generic) since.hear(picture, acting());
  wand.hear(picture.picked ?? []);
  const { generic } = picture;
  const onMap = Boolean(generic?.map);
  document.body.classList.toggle("no-map", generic ? !onMap : !picture.map);
  if (onMap && !lit && !generic.lamps) {
    lit = true;
    seat.line.add("board", ({ lamps: shown }) => lamps.show(shown));
  }
  show();
}

// Shows a small board whole; a large one is shown where there is something to do.
function laid() {
  if (page.laid === map.view || !map.ready) return;
  page.laid = map.view;
  if (map.spaces.size <= SMALL) map.fit();
}

const playing = () => page.picture.generic && page.picture.stage === "playing" && page.picture.paused === null;
const acting = () => playing() && page.picture.generic.to_act.some((it) => it.seat === seat.name);
const acts = () => (playing() ? actsOf(page.picture, onMap() ? map.spaces : new Map()) : []);
const onMap = () => Boolean(page.picture.generic?.map && map.ready);
const at = (space) => acts().filter(({ place }) => place === space);

// Returns the spaces with actions, or else those with pieces.
function focus() {
  if (!page.picture?.generic) return [];
  const places = [...new Set(acts().map(({ place }) => place))].filter(Boolean);
  return places.length ? places : page.picture.generic.pieces.map(({ space }) => space);
}

// --- one picture, all parts -------------------------------------------------------------------------------------

function show() {
  const { picture } = page;
  if (!picture) return;
  const { stage, paused, generic, board } = picture;
  paint($("#hud"), [stage, paused, generic?.to_act, generic?.outcome, picture.seats], hud);
  paint($("#strip"), [board, stage, picture.seats], () => [
    generic && stage !== "over" && boardStrip(board, true),
    botFailures(picture.seats),
  ]);
  const places = acts().map(({ place }) => place);
  paint($("#dock"), [stage, paused, picture.revision, page.space, seat.ready, places, picture.finished], dock);
  drawer.paint(Boolean(generic), picture.revision);
  if (map.ready) draw();
}

function hud() {
  const { picture } = page;
  const others = picture.generic && !acting() && playing() && picture.generic.to_act.length > 0;
  const more = others && h("span", {}, t("generic.turn.plays", { number: picture.generic.to_act.length }));
  return head(seat.name, acting(), turnName(picture, seat.name), more, () => page.picture);
}

function dock() {
  const { picture } = page;
  if (!picture.generic) return beforeGame(picture);
  if (picture.stage === "over" || picture.generic.outcome)
    return [picture.generic.outcome ? ending(picture.generic, picture.finished) : [], afterGame(picture)];
  if (picture.paused !== null) return timeOut(picture).dock();
  if (!acting()) return actionPanel([headline(t("generic.wait"))], { report: telegram(3), foot: takeBack() });
  return page.space ? there() : choosing();
}

function telegram(most) {
  const entries = latest(page.picture.log).slice(-most);
  return entries.length > 0 && reportLine(t("since.latest"), entries.map(entryLine), { testid: "latest" });
}

// --- acts -------------------------------------------------------------------------------------------------------

function choosing() {
  const { picture } = page;
  const types = byType(acts());
  const plain = [...types].filter(([, all]) => all.every(({ place }) => !place));
  const placed = [...types].filter(([, all]) => all.some(({ place }) => place));
  const shared = { seat, page, foresight: picture.foresight, alone: types.size === 1 };
  const group = ([type, all]) => typeGroup(type, all, shared);
  return actionPanel(
    [
      headline(placed.length ? t("generic.choose.map") : t("generic.choose")),
      h("div", { class: "act-types", testid: "acts" }, plain.map(group), placed.map(group)),
      barredLines(picture.foresight, types),
    ],
    { report: since.card() || telegram(1), foot: takeBack() },
  );
}

// The actions of the selected space.
function there() {
  const found = at(page.space);
  return actionPanel(
    [
      headline(t("generic.at", { space: spaceName(page.space) })),
      h("div", { class: "act-list" }, [found.map((act) => actButton(act, seat, "main"))]),
    ],
    { foot: button(t("generic.back"), "act-back", () => choose(null)) },
  );
}

function spaceName(space) {
  const name = map.spot(space)?.name;
  return name ? `${space}, ${name}` : space;
}

function takeBack() {
  const { picture } = page;
  const back = picture.undo || picture.take_back;
  return Boolean(back) && actionButton(seat, t("generic.take-back"), "take-back", { type: "take-back" });
}

function choose(space) {
  page.space = space;
  if (narrow.matches && space) drawer.open = null;
  show();
}

// A tap on a lit space shows its actions; if there is only one, a second tap does it.
function tap(space) {
  if (!page.picture?.generic) return;
  const found = at(space);
  if (page.space === space && found.length === 1) seat.act(found[0].action);
  else choose(found.length ? space : null);
}

// --- the map ----------------------------------------------------------------------------------------------------

function draw() {
  const { picture } = page;
  const { generic } = picture;
  showManual(map, picture.board.manual);
  if (generic?.lamps) lamps.show(generic.lamps); // a lesson's own lamps: the table's lamps show another game
  showPieces(map, generic?.pieces ?? []);
  showMarks(map, generic?.marks ?? []);
  showPossible(map, picture.possible ?? []);
  map.offer(seat.ready && acting() ? offers() : []);
  if (generic?.map) wand.show(picture.revision, onTheBoard());
}

// The same choices for the wand on the board: only for a seat that plays there, and only when there is a space to
// choose.
function onTheBoard() {
  const { picture } = page;
  const offered = seat.ready && acting() && picture.board.heeded && picture.picked;
  const choices = offered
    ? [...new Set(acts().map(({ place }) => place))].filter((place) => place && place !== page.space)
    : [];
  return { units: [], choices, chosen: offered && page.space ? [page.space] : [] };
}

// Someone picked a space on the board. It is selected, but nothing is done yet.
function picked(space) {
  if (!at(space).length) return;
  announce(t("generic.at", { space: spaceName(space) }));
  choose(space);
}

function offers() {
  const places = new Map();
  for (const { place, caption } of acts()) if (place) places.set(place, [...(places.get(place) ?? []), caption]);
  return [...places].map(([space, captions]) => ({
    space,
    kind: space === page.space ? "choice picked" : "choice",
    label: captions.length > 1 ? t("generic.choices", { number: captions.length }) : captions[0],
  }));
}

// --- the drawer -------------------------------------------------------------------------------------------------

const drawer = new Drawer(
  { known: ["generic.known", known], log: ["generic.log", () => entryList(page.picture.log, secretLine)] },
  show,
);

function known() {
  return [lastActor(page.picture.seats[seat.name]?.acted), knowledge(page.picture.generic, page.picture.view)];
}

const secretLine = (entry) => (entry.public ? [""] : ["secret", h("em", {}, t("generic.secret"))]);
