// A game that is over, step by step: a scrubber over two maps, what a viewer knew beside what was true. The board and
// the table view can follow it. How a step looks and what is told of it is the game's: see `past` in
// web_panel/README.md.

import { GameMap } from "./map.js";
import { Line, padded } from "./net.js";
import { glossary, showLine, tell } from "./frame.js";
import { t, tOf } from "./texts.js";
import { $, announce, button, h, icon, paint } from "./ui.js";
import { askPast, day, lasting, outcome } from "./past.js";

// The half of this page that its game brings; nothing where it has none.
const { module } = document.body.dataset;
const half = module ? await import(module) : {};

const NUMBER = Number(document.body.dataset.game);
const SIDES = ["known", "truth"];
const SPEEDS = [1, 2, 4];
const STEP_MS = 2400;
const FORWARD = "M7 5v14l11-7zM19 5v14";
const BACK = "M17 5v14L6 12zM5 5v14";
const ICONS = {
  "turn-back": [BACK, "M1 5v14"],
  back: BACK,
  play: "M7 4v16l13-8z",
  stop: "M8 5v14M16 5v14",
  on: FORWARD,
  "turn-on": [FORWARD, "M23 5v14"],
};

const own = half.past ?? {};
const page = { game: null, words: null, at: 0, speed: 1, playing: 0, side: "known", viewer: null, onBoard: false, followed: false, stage: null };
const maps = Object.fromEntries(
  SIDES.map((side) => [side, new GameMap($(`#${side}`), { focus: () => places(side) })]),
);
const wire = new Line("table", { onPicture: hear, onState: showLine });

const last = () => page.game.steps.length - 1;
const here = () => page.game.steps[page.at];

const places = (side) => (page.game && own.places?.(side, here())) || [];
// What a step told everybody, and what it told only some.
const told = ({ told: entries }, all) => entries.filter(({ to }) => (to === null) === all);

// What the table shows belongs to whoever asked for it last.
function hear({ stage, replay }) {
  page.stage = stage;
  const ours = replay !== null && replay.game === NUMBER;
  if (page.followed && !ours && !sending.busy) page.onBoard = false;
  page.followed = page.onBoard && ours;
  if (page.game) show();
}

// The steps that have arrived: the table tells a game in pages.
const arrived = [];

async function fetchGame() {
  try {
    let game = { next: 0 };
    while (game.next !== null) {
      const { status, body } = await askPast(`/api/games/${NUMBER}/steps/${arrived.length}`);
      if (status !== 200) return void paint($("#deck"), [body], () => h("p", { class: "fault" }, body.error.sentence));
      arrived.push(...body.steps);
      game = body;
      if (game.next !== null) loading(Math.floor((100 * arrived.length) / game.count));
    }
    page.game = { ...game, steps: arrived };
    see(own.viewer ?? game.known);
    page.turns = turnsOf(arrived);
    for (const map of Object.values(maps)) map.load(game.map).then(() => framed(map));
    page.at = Math.min(Number(location.hash.slice(1)) || 0, last());
    show();
  } catch {
    setTimeout(fetchGame, STEP_MS);
  }
}

const loading = (percent) =>
  paint($("#deck"), ["loading", percent], () => h("p", { class: "quiet", role: "status" }, t("game.loading", { percent })));

// Whose picture stands beside the truth.
function see(viewer) {
  page.viewer = viewer;
  const all = [page.game.known, "table"].includes(viewer);
  page.titles ??= $("#known-title").textContent;
  $("#known-title").textContent = all ? page.titles : viewers().find(([name]) => name === viewer)[1];
  for (const step of page.game.steps) Object.assign(step, { viewer, known: step.views[viewer], truth: step.views.referee });
}

// Every seat, and who looks on.
const viewers = () => [...page.game.seats.map(({ name, title }) => [name, begun(title)]), ["table", t("game.viewer.table")]];
const begun = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// Side by side both maps are seen whole; one alone on a small screen follows what happens.
const beside = matchMedia("(min-width: 900px)");

function framed(map) {
  if (beside.matches) map.fit();
  show();
}

const NO_TURN = { kind: "", mark: "", name: "", round: "", over: false };
const turnOf = (step) => own.turn?.(step.known, step) ?? NO_TURN;

// The steps at which a turn begins.
function turnsOf(steps) {
  const found = [];
  steps.forEach((step, i) => {
    // The act that ends a turn still belongs to it.
    const turn = turnOf(i ? steps[i - 1] : step);
    const latest = found.at(-1);
    if (!latest || latest.kind !== turn.kind || latest.round !== turn.round)
      found.push({ ...turn, first: i, over: false });
    if (turnOf(step).over) found.at(-1).over = true;
  });
  return found;
}

const turnAt = (step) => page.turns.findLast(({ first }) => first <= step);

// --- going through it -------------------------------------------------------------------------------------------

function go(step, { byHand = true } = {}) {
  const to = Math.max(0, Math.min(last(), step));
  if (byHand) stop();
  if (to === page.at) return;
  page.at = to;
  history.replaceState(null, "", `#${to}`);
  show();
  if (page.onBoard) send();
}

const moves = {
  "turn-back": () => {
    const { first } = turnAt(page.at);
    go(first < page.at ? first : (page.turns.findLast((turn) => turn.first < first) || { first: 0 }).first);
  },
  back: () => go(page.at - 1),
  on: () => go(page.at + 1),
  "turn-on": () => go((page.turns.find(({ first }) => first > page.at) || { first: last() }).first),
};

function play() {
  if (page.playing) return stop();
  if (page.at === last()) go(0);
  const step = () => {
    go(page.at + 1, { byHand: false });
    announce(spoken());
    if (page.at === last()) stop();
    else page.playing = setTimeout(step, STEP_MS / page.speed);
  };
  page.playing = setTimeout(step, 300);
  show();
}

function stop() {
  clearTimeout(page.playing);
  if (!page.playing) return;
  page.playing = 0;
  show();
}

// --- on the board -----------------------------------------------------------------------------------------------

// The newest step goes out as soon as the one before has arrived; what lies between is left out.
const sending = { busy: false, again: false };

async function send() {
  if (sending.busy) return void (sending.again = true);
  sending.busy = true;
  const body = page.onBoard ? { game: NUMBER, step: page.at } : { game: null };
  if (!(await tell("/api/replay", body))) page.onBoard = false;
  sending.busy = false;
  if (sending.again) {
    sending.again = false;
    send();
  } else show();
}

function turnBoard() {
  page.onBoard = !page.onBoard;
  show();
  send();
}

window.addEventListener("pagehide", () => {
  if (!page.onBoard) return;
  const headers = { "Content-Type": "application/json" };
  fetch("/api/replay", { method: "POST", headers, body: padded({ game: null }), keepalive: true });
});

// --- one step, all parts ----------------------------------------------------------------------------------------

function show() {
  const { game, at } = page;
  if (!game) return;
  const step = here();
  paint($("#hud"), [game.number, at, page.viewer], hud);
  paint($("#known-told"), [at, page.viewer], () => [lines("known"), sentences(told(step, true), t("game.nothing"))]);
  paint($("#truth-told"), [at, Boolean(page.words)], () => [
    lines("truth"),
    told(step, false).length > 0 && h("p", { class: "quiet" }, t("game.secretly")),
    sentences(told(step, false), t("game.nothing.secret")),
  ]);
  document.body.dataset.side = page.side;
  deck();
  for (const side of SIDES) if (maps[side].ready) own.draw?.(side, maps[side], step);
  const looked = `${at} ${page.side} ${page.viewer} ${maps.known.ready && maps.truth.ready}`;
  if (page.looked === looked || beside.matches) return;
  page.looked = looked;
  for (const side of SIDES) if (maps[side].ready) maps[side].reveal(own.news?.(side, step) ?? []);
}

const lines = (side) => own.lines?.(side, here(), page.words);

const sentences = (entries, none) =>
  entries.length
    ? h(
        "ol",
        { class: "dispatches" },
        entries.map(({ sentence, type }) => h("li", { class: own.tone?.(type) ?? "", "data-type": type }, sentence)),
      )
    : h("p", { class: "quiet" }, none);

function hud() {
  const { game } = page;
  const { known } = here();
  return [
    h(
      "div",
      { class: "whose" },
      h("h1", { "data-testid": "game-title" }, t("game.title", { map: game.name, day: day(game.started) })),
      h("span", {}, `${outcome(game)} ${lasting(game)}`),
    ),
    own.head?.(known),
  ];
}

function deck() {
  paint($("#deck"), [page.game.number], build);
  const scrubber = $("[data-testid=scrubber]");
  scrubber.value = page.at;
  $("#when").replaceChildren(when());
  scrubber.setAttribute("aria-valuetext", spoken());
  for (const part of document.querySelectorAll(".turns i"))
    part.classList.toggle("now", turnAt(page.at) === page.turns[part.dataset.turn]);
  paint($("#keys"), [page.playing > 0, page.speed, page.side, page.viewer, page.onBoard, page.stage], keys);
}

function build() {
  const scrubber = h("input", {
    type: "range",
    id: "scrubber",
    min: 0,
    max: last(),
    step: 1,
    "aria-label": t("game.scrubber"),
    "data-testid": "scrubber",
    oninput: (event) => go(Number(event.target.value)),
  });
  return [
    h("p", { id: "when", class: "when", "data-testid": "step" }),
    h("div", { class: "track" }, turns(), scrubber),
    h("div", { id: "keys", class: "keys" }),
  ];
}

// One piece of the track for each turn, as long as it took steps.
function turns() {
  const ends = [...page.turns.slice(1).map(({ first }) => first), last() + 1];
  return h(
    "div",
    { class: "turns", "aria-hidden": "true" },
    page.turns.map(({ kind, mark, first }, i) =>
      h(
        "i",
        { class: kind, "data-turn": i, style: { "flex-grow": String(ends[i] - first) }, onclick: () => go(first) },
        mark,
      ),
    ),
  );
}

function keys() {
  const key = (name, shape = name) =>
    h(
      "button",
      { type: "button", class: "round", "aria-label": tOf("game.key", shape), "data-testid": `key-${name}`, onclick: moves[name] || play },
      icon(ICONS[shape]),
    );
  const playing = page.playing > 0;
  return [
    h(
      "div",
      { class: "transport" },
      key("turn-back"),
      key("back"),
      key("play", playing ? "stop" : "play"),
      key("on"),
      key("turn-on"),
    ),
    chips(t("game.speed"), SPEEDS, page.speed, (speed) => `speed-${speed}`, (speed) => t("game.speed.times", { speed }), (speed) => {
      page.speed = speed;
      show();
    }),
    chips(t("game.side"), SIDES, page.side, (side) => `side-${side}`, (side) => tOf("game.side", side), (side) => {
      page.side = side;
      show();
    }),
    seenBy(),
    h(
      "div",
      { class: "row" },
      page.stage !== "playing" &&
        button(page.onBoard ? t("game.board.off") : t("game.board"), "on-board", turnBoard, {
          class: page.onBoard ? "small main" : "small",
          "aria-pressed": String(page.onBoard),
        }),
      h("a", { class: "button small", href: `/api/games/${NUMBER}/record`, download: "", "data-testid": "save" }, t("game.save")),
      h("a", { class: "button small", href: "/games", "data-testid": "to-games" }, t("game.all")),
    ),
  ];
}

function seenBy() {
  const choose = (event) => {
    see(event.target.value);
    page.side = "known";
    show();
  };
  return h(
    "label",
    { class: "seen-by" },
    t("game.viewer"),
    h(
      "select",
      { "data-testid": "viewer", onchange: choose },
      viewers().map(([name, title]) => h("option", { value: name, selected: name === page.viewer }, title)),
    ),
  );
}

const chips = (label, values, chosen, handle, word, choose) =>
  h(
    "div",
    { class: "chips", role: "group", "aria-label": label },
    values.map((value) =>
      h(
        "button",
        { type: "button", "aria-pressed": String(value === chosen), "data-testid": handle(value), onclick: () => choose(value) },
        word(value),
      ),
    ),
  );

function when() {
  const { name, round, over } = turnAt(page.at);
  const minutes = Math.floor(here().at / 60);
  return h(
    "span",
    {},
    h("b", {}, over && page.at === last() ? t("hud.over") : name),
    ` ${round} · ${t("game.step", { step: page.at, of: last() })}`,
    h("span", { class: "late" }, ` · ${t("game.minutes", { minutes })}`),
  );
}

// The step in words: where we are, and all that it told.
const spoken = () => [$("#when")?.textContent || "", ...here().told.map(({ sentence }) => sentence)].join(" ");

// --- keys -------------------------------------------------------------------------------------------------------

const PRESSES = {
  ArrowRight: moves.on,
  ArrowLeft: moves.back,
  PageDown: moves["turn-on"],
  PageUp: moves["turn-back"],
  Home: () => go(0),
  End: () => go(last()),
  " ": play,
};

window.addEventListener("keydown", (event) => {
  if (!page.game || event.altKey || event.ctrlKey || event.metaKey) return;
  const own = event.target.closest("input, button, a, dialog");
  const press = PRESSES[event.key];
  if (!press || (own && (event.key === " " || own.matches("dialog")))) return;
  event.preventDefault();
  press();
});

glossary().then((words) => {
  page.words = words;
  show();
});
fetchGame();
wire.open();
