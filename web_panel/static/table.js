// The table view for a TV: public facts in large letters, and the lamps of the board. It runs unattended for hours. The
// game provides the contents: see `table` in web_panel/README.md.

import { awakeWhilePlaying } from "./awake.js";
import { speak } from "./device.js";
import { deviceButton } from "./device-dialog.js";
import { boardStrip, pauseText, glossary, seatLines, showConnection } from "./frame.js";
import { Kiosk } from "./kiosk.js";
import "./leading.js";
import { GameMap } from "./map.js";
import { PictureStream, isCurrentGame } from "./net.js";
import { endFacts } from "./on-demand.js";
import { bookLink, legendLink } from "./reasons.js";
import { Lamps, showManual } from "./scene.js";
import { sealedBox } from "./sealed.js";
import { list, seatName, t } from "./texts.js";
import { $, h, paint } from "./ui.js";

// The game's part of this page; empty if it has none.
const { module } = document.body.dataset;
const gameModule = module ? await import(module) : {};

const page = { picture: null, words: null, turn: undefined };

const map = new GameMap($("#map"), { focus: () => (page.picture?.view && own.focus?.(page.picture.view)) || [] });
const lamps = new Lamps(map);
const own = gameModule.table?.({ map, show: () => show() }) ?? {};

const kiosk = document.body.dataset.kiosk === "yes" ? new Kiosk(() => page.picture?.stage === "playing") : null;
if (kiosk) $("#side").removeAttribute("tabindex");
else awakeWhilePlaying();
const stream = new PictureStream("table", {
  onPicture: receive,
  onState,
  more: { board: ({ lamps: shown }) => lamps.show(shown) },
});

function onState(live) {
  showConnection(live);
  kiosk?.hear(live);
}

function receive(picture) {
  if (!isCurrentGame(picture)) return;
  // A replay may be of another game than the table's, with other seats.
  if (picture.replay) picture.seats = picture.replay.seats;
  page.picture = picture;
  map.load(picture.map).then(show);
  own.hear?.(picture);
  show();
}

function show() {
  const { words } = page;
  const picture = own.shown?.() ?? page.picture;
  if (!picture) return;
  speakTurn(picture);
  document.body.dataset.revision = picture.revision;
  // Shows a past game that is being replayed on the board.
  const { replay } = picture;
  const view = replay ? replay.known : picture.view;
  const free = Object.keys(picture.seats).filter((seat) => !picture.seats[seat].taken);
  paint($("#hud"), [picture.stage, picture.paused, view, picture.seats, Boolean(replay)], () =>
    hudLines(picture, view),
  );
  const around = [picture.seats, picture.sealed, Boolean(replay), picture.board, own.facts?.(picture), Boolean(words)];
  paint($("#side"), [picture.stage, view, ...around], () => sidePanels(picture, view, free));
  paint($("#ticker"), [picture.stage, picture.paused, picture.log, replay, free.length, map.ready], () =>
    tickerLines(picture),
  );
  document.body.dataset.paused = picture.paused === null ? "no" : "yes";
  document.body.dataset.board = picture.board.open ? "open" : "closed";
  if (!map.ready) return;
  if (replay) return void own.drawReplay?.(replay);
  showManual(map, picture.board.manual);
  if (!view) map.clear();
  own.draw?.(picture);
}

// Speaks whose turn it is when that changes.
function speakTurn(picture) {
  const now = picture.stage === "lobby" ? "" : title(picture);
  if (page.turn !== undefined && now && page.turn !== now) speak(now);
  page.turn = now;
}

// Nobody scrolls on a TV: old news that don't fit are left out, and other texts become smaller. If two headlines would
// become tiny, only the newer one is shown; if the facts about the end would, its story is left out.
const SCALES = [1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58];
const READABLE = 0.7;
const fits = (box) => box.scrollHeight <= box.clientHeight + 1;

function fit() {
  for (const box of [$("#side"), $("#ticker")]) {
    const old = [...box.querySelectorAll(".earlier p")];
    const headlines = [...box.querySelectorAll(".big p:not(:last-child), .story")];
    for (const line of [...old, ...headlines]) line.hidden = false;
    box.style.setProperty("--fit", "1");
    while (old.length && !fits(box)) old.pop().hidden = true;
    shrink(box, READABLE);
    while (headlines.length && !fits(box)) {
      headlines.shift().hidden = true;
      shrink(box, READABLE);
    }
    if (!fits(box)) shrink(box, 0);
  }
}

// Takes the largest scale at which everything in a box fits, at least `least`.
function shrink(box, least) {
  for (const scale of SCALES.filter((scale) => scale >= least)) {
    box.style.setProperty("--fit", String(scale));
    if (fits(box)) return;
  }
}
const repainted = new MutationObserver(fit);
for (const box of [$("#side"), $("#ticker")]) repainted.observe(box, { childList: true, subtree: true });
new ResizeObserver(fit).observe(document.body);
document.fonts?.addEventListener("loadingdone", fit);

function hudLines(picture, view) {
  return [
    h("div", { class: "whose" }, [
      h("strong", { testid: "turn" }, title(picture)),
      h("span", {}, view ? own.moment?.(view) : document.body.dataset.game),
    ]),
    view && own.head?.(view),
  ];
}

function title(picture) {
  if (picture.replay) return t(picture.replay.question ? "tv.puzzle" : "tv.replay");
  if (picture.stage === "lobby" || !picture.view) return t("hud.lobby");
  if (picture.stage === "over") return t("hud.over");
  return picture.paused === null ? own.title?.(picture) : t("pause.title");
}

function sidePanels(picture, view, free) {
  return [
    view && picture.stage !== "over" && boardStrip(picture.board, false, own.badge),
    own.above?.(picture),
    picture.stage === "over" && !picture.replay && endFacts(picture),
    free.length > 0 && joinPanel(free),
    view && own.papers?.(view, (picture.replay ?? page).words),
    picture.stage !== "over" && !picture.replay && seatsPanel(picture),
    !kiosk && toolsPanel(picture),
  ];
}

// At the end the figures say who played.
const seatsPanel = ({ seats, stage }) =>
  h("section", { class: "panel seats" }, [
    h("h2", {}, t("tv.seats")),
    h("ul", { class: "seat-lines", testid: "seats" }, seatLines(seats, stage === "playing")),
  ]);

// Controls that need input, so not shown in a kiosk.
const toolsPanel = ({ map: slug, replay, sealed }) =>
  h("section", { class: "panel tools" }, [
    bookLink("link-rules"),
    slug && legendLink("link-legend"),
    deviceButton("device"),
    !replay && sealedBox(sealed),
  ]);

function joinPanel(free) {
  return h("section", { class: "panel join" }, [
    h("img", { class: "qr", src: "/qr.svg", alt: t("lobby.qr"), width: 240, height: 240, testid: "qr" }),
    h("div", {}, [
      h("h2", {}, t("tv.join")),
      h("p", { class: "address" }, page.words ? page.words.addresses[0] : location.origin),
      h("p", {}, t("tv.free", { seats: list(free.map((seat) => seatName(page.picture.seats, seat))) })),
    ]),
  ]);
}

function replayLines(replay) {
  if (replay.question) return h("p", { class: "big", testid: "replay" }, replay.question);
  return [
    h("div", { class: "big", testid: "replay" }, own.replayed?.(replay)),
    h("div", { class: "earlier" }, h("p", {}, t("past.step", { step: replay.step, of: replay.steps - 1 }))),
  ];
}

function tickerLines(picture) {
  const { view, paused, replay } = picture;
  if (replay) return replayLines(replay);
  if (paused !== null) return [h("p", { class: "big", testid: "time-out" }, pauseText(picture))];
  if (!view && Object.values(picture.seats).every(({ taken }) => taken))
    return [h("p", { class: "big", testid: "waiting" }, t("tv.ready")), h("p", {}, t("tv.ready.more"))];
  if (!view) return [h("p", { class: "big", testid: "waiting" }, t("tv.waiting")), h("p", {}, t("tv.waiting.more"))];
  return own.news?.(picture);
}

glossary().then((words) => {
  page.words = words;
  show();
});
stream.open();
