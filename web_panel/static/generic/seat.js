// A seat's screen for a game that brings none: whose turn it is, the map, every legal act, what was told, the end.

import { troubles } from "/static/bots.js";
import { boardStrip, lastActor, menu, resting } from "/static/frame.js";
import { afterGame, gathering } from "/static/gather.js";
import { Line } from "/static/net.js";
import { Lamps, showManual } from "/static/scene.js";
import { Since } from "/static/since.js";
import { t } from "/static/texts.js";
import { $, announce, button, h, icon, paint } from "/static/ui.js";
import { Wand } from "/static/wand.js";
import { actButton, actsOf, barredLines, byType, typeGroup } from "./acts.js";
import { ending, knowledge, latest, log, News, showPieces, showPossible, turnName } from "./parts.js";

const narrow = matchMedia("(max-width: 639px), (max-height: 560px)");
const page = { picture: null, space: null, open: null, folds: new Set() };
const news = new News();
// Spaces of a board that even a telephone shows whole.
const SMALL = 40;

let map, seat, lamps, lights, wand, since;

export function screen(shell) {
  ({ map, seat } = shell);
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
  const onMap = Boolean(picture.generic?.map);
  document.body.classList.toggle("no-map", Boolean(picture.generic) && !onMap);
  if (onMap && !lights) {
    lights = new Line("board", { onPicture: ({ lamps: shown }) => lamps.show(shown) });
    lights.open();
  }
  show();
}

// A small board is seen whole, once it lies there; a large one where there is something to do.
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

// Where there is something to do, else where the pieces stand.
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
  paint($("#hud"), [stage, paused, generic?.to_act, generic?.outcome], head);
  paint($("#strip"), [board, stage, picture.seats], () => [generic && boardStrip(board, true), troubles(picture.seats)]);
  const facts = [stage, paused, picture.revision, page.space, seat.ready, acts().map(({ place }) => place), picture.finished];
  paint($("#dock"), facts, dock);
  paint($("#tabs"), [page.open, Boolean(generic)], () => (generic ? tabs() : []));
  paint($("#drawer"), [picture.revision, page.open, Boolean(generic)], () => (generic ? papers() : []));
  document.body.classList.toggle("drawer-open", Boolean(page.open && generic));
  if (map.ready) draw();
}

function head() {
  const { picture } = page;
  const others = picture.generic && !acting() && playing() && picture.generic.to_act.length > 0;
  return [
    h(
      "div",
      { class: acting() ? "whose mine" : "whose" },
      h("strong", { "data-testid": "turn" }, turnName(picture, seat.name)),
      others && h("span", {}, t("generic.turn.plays")),
    ),
    h(
      "button",
      { type: "button", class: "round", "aria-label": t("menu.title"), "data-testid": "menu", onclick: () => menu(seat.name, page.picture) },
      icon("M4 7h16M4 12h16M4 17h16"),
    ),
  ];
}

function dock() {
  const { picture } = page;
  if (!picture.generic) return gathering(picture);
  if (picture.stage === "over" || picture.generic.outcome)
    return [
      picture.generic.outcome ? ending(picture.generic, picture.finished) : [],
      afterGame(picture),
    ];
  if (picture.paused !== null) return resting(picture).dock();
  if (!acting()) return [telegram(3), headline(t("generic.wait")), takeBack()];
  return page.space ? there() : choosing();
}

const headline = (words) => h("p", { class: "headline", "data-testid": "headline" }, words);

function telegram(most) {
  const entries = latest(page.picture.log).slice(-most);
  return (
    entries.length > 0 &&
    h("div", { class: "latest", "data-testid": "latest" }, entries.map(({ sentence, type }) => h("p", { "data-type": type }, sentence)))
  );
}

// --- acts -------------------------------------------------------------------------------------------------------

function choosing() {
  const { picture } = page;
  const types = byType(acts());
  const plain = [...types].filter(([, all]) => all.every(({ place }) => !place));
  const placed = [...types].filter(([, all]) => all.some(({ place }) => place));
  const group = ([type, all]) => typeGroup(type, all, { seat, page, foresight: picture.foresight });
  return [
    since.card() || telegram(1),
    headline(placed.length ? t("generic.choose.map") : t("generic.choose")),
    h("div", { class: "act-types", "data-testid": "acts" }, plain.map(group), placed.map(group)),
    barredLines(picture.foresight, types),
    takeBack(),
  ];
}

// The acts of the space that is chosen on the map.
function there() {
  const found = at(page.space);
  return [
    headline(t("generic.at", { space: spaceName(page.space) })),
    h("div", { class: "act-list" }, found.map((act) => actButton(act, seat, "main"))),
    h("div", { class: "row" }, button(t("generic.back"), "act-back", () => choose(null))),
  ];
}

function spaceName(space) {
  const name = map.spot(space)?.name;
  return name ? `${space}, ${name}` : space;
}

function takeBack() {
  const { picture } = page;
  const back = picture.undo || picture.take_back;
  return (
    Boolean(back) &&
    h("div", { class: "row" }, button(t("generic.take-back"), "take-back", () => seat.act({ type: "take-back" }), { disabled: !seat.ready }))
  );
}

function choose(space) {
  page.space = space;
  if (narrow.matches && space) page.open = null;
  show();
}

// A tap on a lit space shows what can be done there; the only act there is done by a second tap.
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
  showPieces(map, generic?.pieces ?? []);
  showPossible(map, picture.possible ?? []);
  map.offer(seat.ready && acting() ? offers() : []);
  if (generic?.map) wand.show(picture.revision, onTheBoard());
}

// The same choices on the board, for a wand: only of a seat that acts there, and only once a space is to be chosen.
function onTheBoard() {
  const { picture } = page;
  const offered = seat.ready && acting() && picture.board.heeded && picture.picked;
  const choices = offered ? [...new Set(acts().map(({ place }) => place))].filter((place) => place && place !== page.space) : [];
  return { units: [], choices, chosen: offered && page.space ? [page.space] : [] };
}

// Somebody has picked a space on the board: chosen, not yet done.
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

const SECTIONS = { known: "generic.known", log: "generic.log" };

function tabs() {
  return Object.entries(SECTIONS).map(([name, title]) =>
    h(
      "button",
      {
        type: "button",
        "aria-expanded": String(page.open === name),
        "data-testid": `tab-${name}`,
        onclick: () => {
          page.open = page.open === name ? null : name;
          show();
        },
      },
      t(title),
    ),
  );
}

function papers() {
  const { picture } = page;
  const fills = {
    known: () => [lastActor(picture.seats[seat.name]?.acted), knowledge(picture.generic, picture.view)],
    log: () => log(picture.log),
  };
  return Object.entries(SECTIONS).map(([name, title]) =>
    h(
      "section",
      { class: `panel ${name}`, "data-open": String(page.open === name), "data-testid": `panel-${name}` },
      h("h2", {}, t(title)),
      fills[name](),
    ),
  );
}
