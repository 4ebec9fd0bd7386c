// The table view for a TV: public facts in big letters, the lamps as the board shows them. Runs unattended for hours.

import { awakeWhilePlaying } from "./awake.js";
import { deviceButton } from "./device.js";
import { showDraw } from "./draw.js";
import "./leading.js";
import { GameMap } from "./map.js";
import { Line } from "./net.js";
import {
  bag,
  boardStrip,
  calledBy,
  cardsOut,
  countdown,
  doneObjectives,
  ending,
  glossary,
  Herald,
  lastDeed,
  seatLines,
  showLine,
  SQUADS,
  telling,
  tone,
  turnName,
  wounds,
} from "./parts.js";
import { Kiosk } from "./kiosk.js";
import { drawPossible, Possible } from "./possible.js";
import { bookLink } from "./reasons.js";
import { Lamps, showManual, showOpened, showPieces } from "./scene.js";
import { drawTruth, told } from "./steps.js";
import { sealedLine } from "./sealed.js";
import { list, t, tOf } from "./texts.js";
import { $, h, paint } from "./ui.js";

const NEWS = 4;
const page = { picture: null, words: null };

const map = new GameMap($("#map"), {
  focus: () => (page.picture && page.picture.view ? Object.values(page.picture.view.units) : []),
});
const lamps = new Lamps(map);
const possible = new Possible("table", true, () => show());
const herald = new Herald();

const kiosk = document.body.dataset.kiosk === "yes" ? new Kiosk(() => page.picture?.stage === "playing") : null;
if (!kiosk) awakeWhilePlaying();
const wire = new Line("table", { onPicture: receive, onState: state });
const lights = new Line("board", { onPicture: ({ lamps: shown }) => lamps.show(shown) });

function state(live) {
  showLine(live);
  kiosk?.hear(live);
}

function receive(picture) {
  page.picture = picture;
  map.load(picture.map).then(show);
  showDraw(herald.hear(picture.log), picture.log);
  show();
}

function show() {
  const { picture } = page;
  if (!picture) return;
  document.body.dataset.revision = picture.revision;
  // A past game that is looked through on the board is looked through here too.
  const { replay } = picture;
  const view = replay ? replay.known : picture.view;
  const free = Object.keys(picture.seats).filter((seat) => !picture.seats[seat].taken);
  paint($("#hud"), [picture.stage, picture.paused, view, picture.sealed, Boolean(replay)], () => hud(picture, view));
  const around = [picture.seats, Boolean(replay), picture.board, picture.possible, possible.shown, Boolean(page.words)];
  paint($("#side"), [picture.stage, view, ...around], () => side(picture, view, free));
  paint($("#ticker"), [picture.stage, picture.paused, picture.log, replay, free.length], () => ticker(picture));
  document.body.dataset.paused = picture.paused === null ? "no" : "yes";
  if (!map.ready) return;
  if (replay) return void (drawTruth(map, replay), drawPossible(map, replay.possible || []));
  possible.draw(map, picture.possible);
  showManual(map, picture.board.manual);
  if (!view) return clear();
  showPieces(map, view);
  if (view.opened) showOpened(map, view.opened, Infinity);
  else for (const layer of ["lines", "over"]) map.draw(layer, [], () => []);
}

function clear() {
  map.stand(new Map());
  for (const layer of ["under", "lines", "over"]) map.draw(layer, [], () => []);
}

function hud(picture, view) {
  return [
    h(
      "div",
      { class: "whose" },
      h("strong", { "data-testid": "turn" }, picture.replay ? t("tv.replay") : turnName(picture)),
      view && h("span", {}, t("hud.round", { round: view.round })),
      !picture.replay && sealedLine(picture.sealed),
    ),
    view && countdown(view.countdown),
    view && h("div", { class: "tokens" }, doneObjectives(view), wounds(view.sniper.wounds)),
  ];
}

function side(picture, view, free) {
  return [
    view && boardStrip(picture.board, false),
    picture.possible && h("div", { class: "possible-line" }, possible.button(picture.possible)),
    free.length > 0 && !picture.replay && join(free),
    view && h("section", { class: "panel" }, h("h2", {}, t("bag.title")), bag(view.bag, view.supply)),
    view && h("section", { class: "panel" }, cardsOut(view, page.words)),
    view && h("section", { class: "panel" }, h("h2", {}, t("tv.specialists")), specialists(view)),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, t("tv.seats")),
      h("ul", { class: "seat-lines", "data-testid": "seats" }, seatLines(picture.seats)),
      h("p", { class: "quiet" }, bookLink("link-rules")),
      deviceButton("device"),
    ),
  ];
}

function join(free) {
  return h(
    "section",
    { class: "panel join" },
    h("img", { class: "qr", src: "/qr.svg", alt: t("lobby.qr"), width: 240, height: 240, "data-testid": "qr" }),
    h(
      "div",
      {},
      h("h2", {}, t("tv.join")),
      h("p", { class: "address" }, page.words ? page.words.addresses[0] : location.origin),
      h("p", {}, t("tv.free", { seats: list(free.map((seat) => tOf("seat", seat))) })),
    ),
  );
}

function specialists(view) {
  if (!Object.keys(view.specialists).length) return h("p", { class: "quiet" }, t("tv.none"));
  return h(
    "ul",
    { class: "special-lines" },
    SQUADS.map((squad) => {
      const { card, uses } = view.specialists[squad];
      const words = page.words && page.words.specialists[card];
      return h(
        "li",
        { class: squad },
        h("b", {}, words ? words.title : card),
        h("span", {}, tOf("squad", squad)),
        h("small", {}, tOf("defenders.uses", uses)),
      );
    }),
  );
}

function lookingBack(replay) {
  const { space } = replay.truth.sniper;
  const deed = telling(told(replay, true));
  return [
    h(
      "div",
      { class: "big", "data-testid": "replay" },
      h("p", {}, space ? t("game.at", { space }) : t("game.outside")),
      deed.slice(-2).map((entry) => h("p", { class: tone(entry.type), "data-type": entry.type }, entry.sentence)),
    ),
    h("div", { class: "earlier" }, h("p", {}, t("game.step", { step: replay.step, of: replay.steps - 1 }))),
  ];
}

function ticker(picture) {
  const { view, log, paused, replay } = picture;
  if (replay) return lookingBack(replay);
  if (paused !== null) return [h("p", { class: "big", "data-testid": "time-out" }, calledBy(paused))];
  if (!view && Object.values(picture.seats).every(({ taken }) => taken))
    return [h("p", { class: "big", "data-testid": "waiting" }, t("tv.ready")), h("p", {}, t("tv.ready.more"))];
  if (!view) return [h("p", { class: "big", "data-testid": "waiting" }, t("tv.waiting")), h("p", {}, t("tv.waiting.more"))];
  if (view.over) return ending(view);
  const deed = lastDeed(log);
  const earlier = telling(log).filter(({ n }) => deed.length && n < deed[0].n);
  return [
    h(
      "div",
      { class: "big", "data-testid": "latest" },
      deed.map((entry) => h("p", { class: tone(entry.type), "data-type": entry.type }, entry.sentence)),
    ),
    h(
      "div",
      { class: "earlier" },
      earlier
        .slice(-NEWS)
        .reverse()
        .map((entry) => h("p", {}, entry.sentence)),
    ),
  ];
}

glossary().then((words) => {
  page.words = words;
  show();
});
wire.open();
lights.open();
