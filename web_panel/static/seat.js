// A seat's page: the line to the table, the acts, the map, the words. What is shown on it is its game's: see
// `screen` in web_panel/README.md. On the page of a lesson the lesson stands in for the table.

import { note, offered, showBriefing } from "./briefing.js";
import { awakeWhilePlaying } from "./awake.js";
import { glossary, showGone, showLine, tell } from "./frame.js";
import "./leading.js";
import { GameMap } from "./map.js";
import { follows } from "./gather.js";
import { ask, Line, ofThisGame, post, Seat } from "./net.js";
import { refused } from "./reasons.js";
import { t } from "./texts.js";
import "./turn.js";
import { $, button, h, paint } from "./ui.js";

const KEEP_MS = 200;

const { module, screen: name, number, secret, lesson } = document.body.dataset;
const half = await import(module);
const other = lesson ? await import("./lesson.js") : { Line, Seat, words: glossary };

const map = new GameMap($("#map"), {
  onTap: (space) => own.tap?.(space),
  focus: () => own.focus?.() ?? [],
  begins: (space) => Boolean(own.begins?.(space)),
  onStep: (space) => own.step?.(space),
  onDrawn: () => own.show(),
  carries: (space) => own.carries?.(space),
  onLift: (piece) => own.lift(piece),
  onDrop: (piece, space) => own.drop(piece, space),
});
const wire = new other.Line(name, { onPicture: receive, onState: state, onGone: async () => (await follows().catch(() => false)) || showGone() });
const seat = new other.Seat(name, wire, { onChange: () => own.show(), onRefused: refused });
const own = half.screen({ name, number: Number(number), map, seat, keep });
awakeWhilePlaying();

// What is planned here is kept by the table, for it is secret: a page that is loaded anew goes on with it. It belongs to
// a moment of the game, which is the same after the table was started anew.
let keeping = 0;
let planned = lesson ? null : ask(`/api/draft/${name}`).catch(() => ({}));
let drafted = null;
let moment = "";

function keep(draft) {
  drafted = draft;
  // On a telephone a plan needs the room, and whoever has planned something has begun.
  document.body.classList.add("begun");
  document.body.classList.toggle("planning", Object.values(draft).some((part) => part && part.length !== 0));
  clearTimeout(keeping);
  const plan = { seat: name, moment, draft };
  if (!lesson) keeping = setTimeout(() => post("/api/draft", plan), KEEP_MS);
}

async function goOn() {
  const { body } = await planned;
  planned = null;
  if (body?.moment === moment) own.plan?.(body.draft);
}

// Whether a new picture changes nothing of the game, such as one after a wrong PIN or after the table began anew: then
// what is planned stays planned.
function passes({ view, legal, log }) {
  const before = moment;
  moment = digest(JSON.stringify([view, legal, log?.length]));
  if (moment !== before) {
    drafted = null;
    document.body.classList.remove("planning");
  }
  return moment === before && !lesson;
}

// 64 bits of FNV-1a in two halves: `crypto.subtle` is not there over plain http.
function digest(text) {
  const halves = [0x811c9dc5, 0xcbf29ce4];
  for (let i = 0; i < text.length; i += 1)
    halves.forEach((half, at) => (halves[at] = Math.imul(half ^ text.charCodeAt(i), 0x01000193)));
  return halves.map((half) => (half >>> 0).toString(16)).join("-");
}

// A page that a browser puts aside, to show it again at a step back, shows nothing until the table has been asked anew.
if (secret === "yes") {
  window.addEventListener("pagehide", () => (document.body.hidden = true));
  window.addEventListener("pageshow", (event) => event.persisted && location.reload());
}

// How many wrong PINs were tried here, until somebody who sits here has seen it.
document.addEventListener("told", ({ detail: { viewer, wrong_pins: number } }) =>
  viewer === name && !lesson && paint($("#wrong-pins"), [number], () =>
    number > 0
      ? [
          h("p", { "data-testid": "wrong-pins" }, t("seat.wrong-pins", { number })),
          button(t("seat.wrong-pins.seen"), "wrong-pins-seen", () => tell("/api/wrong-pins", { seat: viewer, seen: number }), {
            class: "small",
          }),
        ]
      : [],
  ),
);

// What this seat is here to do, offered where a game goes on until somebody on this device has read it or waved it off.
// What it says of the map waits for the map.
let drawn = Promise.resolve();
const brief = async () => {
  await drawn;
  await showBriefing(name, own.mission?.(), (spaces) => map.reveal(spaces));
};
const offer = ({ stage }) =>
  !lesson && paint($("#briefing"), [stage, offered(name)], () =>
    stage === "playing" && offered(name)
      ? h(
          "div",
          { class: "briefing-offer" },
          button(t("briefing.offer"), "briefing", async () => (await brief(), offer({ stage }))),
          button("×", "briefing-not", () => (note(name), offer({ stage })), { class: "small plain", "aria-label": t("briefing.not") }),
        )
      : [],
  );
document.addEventListener("told", ({ detail }) => detail.viewer === name && offer(detail));
document.addEventListener("brief", brief);

function receive(picture) {
  if (!ofThisGame(picture)) return;
  document.body.dataset.revision = picture.revision;
  const stays = passes(picture);
  own.receive(picture);
  if (stays && drafted) own.plan?.(drafted);
  if (planned) goOn();
  const loaded = map.load(picture.map);
  drawn = Promise.all([drawn, loaded]);
  loaded.then(() => {
    own.show();
    own.laid?.();
    wire.laid?.(map);
  });
  own.show();
}

function state(live) {
  showLine(live);
  own.show();
}

other.words().then((words) => {
  own.read?.(words);
  own.show();
});
wire.open();
