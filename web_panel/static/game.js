// A finished game, step by step: a slider over two maps, one viewer's knowledge next to the truth. The board and the
// table view can show the same step. The game provides the contents: see `past` in web_panel/README.md.

import { GameMap } from "./map.js";
import { PictureStream, padded } from "./net.js";
import { showConnection, request } from "./frame.js";
import { capital, list, namePlayers, t, tOf } from "./texts.js";
import { $, $$, announce, button, chips, dialog, h, icon, link, paint, quiet, select, toast } from "./ui.js";
import { adviceOn, followAnalysis, markSign, mistakes, notable, showAnalysis, truthOn } from "./analysis.js";
import { askEnding, askPast, dateText, lengthText, outcomeText, playerLines, seated } from "./past.js";

// The game's part of this page; empty if it has none.
const { module } = document.body.dataset;
const gameModule = module ? await import(module) : {};

const NUMBER = Number(document.body.dataset.game);
const SIDES = ["known", "truth"];
const SPEEDS = [1, 2, 4];
const STEP_MS = 2400;
// The length of a swipe, in pixels.
const SWIPE = 45;
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

const own = gameModule.past ?? {};
const page = {
  game: null,
  viewer: null,
  titles: null,
  stage: null,
  players: [],
  outcome: null,
  route: [],
  setbacks: [],
  turns: [],
  moments: [],
  named: false,
  at: 0,
  speed: 1,
  playing: 0,
  side: "known",
  onBoard: false,
  boardUsed: false,
  followed: false,
  looked: "",
  more: false,
  // A link may open the analysis at once.
  analysed: new URLSearchParams(location.search).has("analysis"),
};
const maps = Object.fromEntries(SIDES.map((side) => [side, new GameMap($(`#${side}`), { focus: () => places(side) })]));
const stream = new PictureStream("table", { onPicture: receive, onState: showConnection });

const lastStep = () => page.game.steps.length - 1;
const stepHere = () => page.game.steps[page.at];

const places = (side) => (page.game && own.places?.(side, stepHere())) || [];
// Log entries of a step: the public ones if `all`, else those for some viewers only.
const toldIn = ({ told: entries }, all) => entries.filter(({ to }) => (to === null) === all);

// The last device that asked decides what the table shows.
function receive({ stage, replay, board }) {
  page.stage = stage;
  page.boardUsed = board.open;
  const ours = replay !== null && replay.game === NUMBER;
  // Someone else has changed what the table view shows.
  if (page.followed && !ours && !sending.busy) page.onBoard = false;
  page.followed = page.onBoard && ours;
  if (page.game) show();
}

async function fetchGame() {
  // The table sends a game in pages.
  const steps = [];
  let game = { next: 0 };
  while (game.next !== null) {
    const { status, body } = await askPast(`/api/games/${NUMBER}/steps/${steps.length}`);
    if (status !== 200) return void paint($("#deck"), [body], () => h("p", { class: "fault" }, body.error.sentence));
    steps.push(...body.steps);
    game = body;
    if (game.next !== null) showLoading(Math.floor((100 * steps.length) / game.count));
  }
  page.game = { ...game, steps };
  page.analysed &&= game.judged;
  showKnowledgeOf(own.viewer ?? game.known);
  // A game's own page may draw something in place of a map.
  document.body.classList.toggle("no-map", !game.map && module.includes("/static/generic/"));
  for (const map of Object.values(maps)) map.load(game.map).then(() => fitMap(map));
  page.at = Math.min(Number(location.hash.slice(1)) || 0, lastStep());
  show();
  if (page.analysed && !location.hash) $("#study").scrollIntoView();
}

async function fetchPlayers() {
  const ending = await askEnding(NUMBER);
  if (!ending) return; // the game is shown without them
  page.players = ending.seated;
  page.route = ending.route;
  page.outcome = ending.outcome;
  page.setbacks = ending.setbacks;
  if (page.game) showKnowledgeOf(page.viewer);
  show();
}

const showLoading = (percent) =>
  paint($("#deck"), ["loading", percent], () =>
    h("p", { class: "quiet", role: "status" }, t("replay.loading", { percent })),
  );

// Chooses the viewer whose picture is shown next to the truth.
function showKnowledgeOf(viewer) {
  page.viewer = viewer;
  const all = [page.game.known, "table"].includes(viewer);
  page.titles ??= $("#known-title").textContent;
  $("#known-title").textContent = all ? page.titles : viewers().find(([name]) => name === viewer)[1];
  const common = { viewer, route: page.route, seats: seated(page.game.seats, page.players) };
  for (const step of page.game.steps) {
    Object.assign(step, { ...common, known: step.views[viewer], truth: step.views.referee });
    if (page.players.length && !page.named) namePlayers({ seats: common.seats, log: step.told });
  }
  page.named = page.players.length > 0;
  page.turns = turnsOf(page.game.steps);
}

// Every seat, and the table view.
const viewers = () => [
  ...page.game.seats.map(({ name, title }) => [name, capital(title)]),
  ["table", t("replay.viewer.table")],
];

// Side by side both maps show everything; alone on a small screen, one follows the action.
const beside = matchMedia("(min-width: 900px)");
const narrow = matchMedia("(max-width: 639px)");

function fitMap(map) {
  if (beside.matches) map.fit();
  show();
}

const NO_TURN = { kind: "", mark: "", name: "", round: "", over: false };
const turnOf = (step) => own.turn?.(step.known, step) ?? NO_TURN;

// Returns the turns with their first steps.
function turnsOf(steps) {
  const found = [];
  steps.forEach((step, i) => {
    // The action that ends a turn still belongs to it.
    const turn = turnOf(i ? steps[i - 1] : step);
    const latest = found.at(-1);
    if (!latest || latest.kind !== turn.kind || latest.round !== turn.round)
      found.push({ ...turn, first: i, number: String(found.length + 1), over: false });
    if (turnOf(step).over) found.at(-1).over = true;
  });
  return found;
}

// Returns the key moments: each a step with its sentence, and with its mark if the game has been analysed.
const momentsOf = (steps) =>
  steps.flatMap(({ told: entries }, step) => {
    const found = entries.filter(({ highlight }) => highlight);
    const judged = notable(step);
    if (!found.length && !judged) return [];
    const sentence = found.map(({ sentence }) => sentence).join(" ") || judged.sentence;
    return [{ step, sentence, mark: judged?.mark }];
  });

const turnAt = (step) => page.turns.findLast(({ first }) => first <= step);

// --- going through it -------------------------------------------------------------------------------------------

function goTo(step, { byHand = true } = {}) {
  const to = Math.max(0, Math.min(lastStep(), step));
  if (byHand) stop();
  if (to === page.at) return;
  page.at = to;
  // Replaced, not added: otherwise the Back button would go through the steps.
  history.replaceState(null, "", `#${to}`);
  show();
  if (page.onBoard) showOnTable();
}

const moves = {
  "turn-back": () => {
    const { first } = turnAt(page.at);
    goTo(first < page.at ? first : (page.turns.findLast((turn) => turn.first < first) || { first: 0 }).first);
  },
  back: () => goTo(page.at - 1),
  on: () => goTo(page.at + 1),
  "turn-on": () => goTo((page.turns.find(({ first }) => first > page.at) || { first: lastStep() }).first),
  "mistake-back": () => goTo(mistakeBefore() ?? page.at),
  "mistake-on": () => goTo(mistakeAfter() ?? page.at),
};

const momentBefore = () => page.moments.findLast(({ step }) => step < page.at);
const momentAfter = () => page.moments.find(({ step }) => step > page.at);

const mistakeBefore = () => mistakes().findLast((step) => step < page.at);
const mistakeAfter = () => mistakes().find((step) => step > page.at);

// Key moments stay longer, and steps without news are short.
function pauseHere() {
  const { told: entries } = stepHere();
  if (entries.some(({ highlight }) => highlight)) return STEP_MS * 1.5;
  return entries.length ? STEP_MS : STEP_MS / 3;
}

function play() {
  if (page.playing) return stop();
  if (page.at === lastStep()) goTo(0);
  const step = () => {
    goTo(page.at + 1, { byHand: false });
    announce(stepText());
    if (page.at === lastStep()) stop();
    else page.playing = setTimeout(step, pauseHere() / page.speed);
  };
  // The first step follows quickly, so that the button has a visible effect.
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

// A new step is sent when the previous one has arrived; steps in between are skipped.
const sending = { busy: false, again: false };

async function showOnTable() {
  if (sending.busy) return void (sending.again = true);
  sending.busy = true;
  const body = page.onBoard ? { game: NUMBER, step: page.at } : { game: null };
  if (!(await request("/api/replay", body))) page.onBoard = false;
  sending.busy = false;
  if (sending.again) {
    sending.again = false;
    showOnTable();
  } else show();
}

function turnBoard() {
  page.onBoard = !page.onBoard;
  show();
  showOnTable();
}

window.addEventListener("pagehide", () => {
  if (!page.onBoard) return;
  const headers = { "Content-Type": "application/json" };
  // Only a request with `keepalive` outlives its page.
  fetch("/api/replay", { method: "POST", headers, body: padded({ game: null }), keepalive: true });
});

// --- one step, all parts ----------------------------------------------------------------------------------------

function show() {
  const { game, at } = page;
  if (!game) return;
  const step = stepHere();
  page.moments = momentsOf(game.steps);
  const advice = adviceOn(at);
  paint($("#hud"), [game.number, at, page.viewer, page.players, narrow.matches], titleLines);
  // What happened comes first: on a phone the rest needs scrolling.
  paint($("#known-told"), [at, page.viewer, page.players, advice?.textContent, maps.known.ready], () => [
    sentences(toldIn(step, true), at > 0 && t("replay.nothing")),
    advice,
    lines("known"),
  ]);
  paint($("#truth-told"), [at, page.players, Boolean(advice), maps.truth.ready], () => [
    toldIn(step, false).length > 0 && quiet(t("replay.secretly")),
    sentences(toldIn(step, false), t("replay.nothing.secret")),
    h("div", { class: "alone" }, sentences(toldIn(step, true))),
    truthOn(at),
    lines("truth"),
  ]);
  document.body.dataset.side = page.side;
  showDeck();
  $("#study").hidden = !page.analysed;
  document.body.classList.toggle("analysed", page.analysed);
  if (page.analysed) showAnalysis($("#study"), gameFacts(), at);
  for (const side of SIDES) if (maps[side].ready) own.draw?.(side, maps[side], step);
  const looked = `${at} ${page.side} ${page.viewer} ${maps.known.ready && maps.truth.ready}`;
  if (page.looked === looked || beside.matches) return;
  page.looked = looked;
  for (const side of SIDES) if (maps[side].ready) maps[side].reveal(own.news?.(side, step) ?? []);
}

const lines = (side) => own.lines?.(side, stepHere(), page.game.words, maps[side]);

function sentences(entries, none) {
  if (!entries.length) return none && quiet(none);
  // Private messages address their seats as "you", so the seats' names are added.
  const line = ({ sentence, type, to, highlight }) =>
    h("li", { class: `${own.tone?.(type) ?? ""}${highlight ? " key" : ""}`, "data-type": type }, [
      to?.length > 0 && h("b", {}, `${list(viewers().flatMap(([name, title]) => (to.includes(name) ? title : [])))}: `),
      sentence,
    ]);
  return h("ol", { class: "dispatches" }, entries.map(line));
}

const gameTitle = () => [...new Set([page.game.title, page.game.name])].join(", ");

function endText() {
  const { game, outcome, players } = page;
  return `${outcomeText({ ...game, players, outcome: outcome ?? game.outcome })} ${lengthText(game)}`;
}

function titleLines() {
  const { game } = page;
  const { known } = stepHere();
  // On a phone, the map needs the room.
  const players = narrow.matches ? page.players.map((it) => ({ ...it, level: null, accuracy: null })) : page.players;
  return [
    h("div", { class: "whose" }, [
      h("h1", { testid: "game-title" }, gameTitle()),
      h("span", { class: "quiet" }, dateText(game.started)),
      h("span", {}, endText()),
      players.length > 0 && playerLines(players),
    ]),
    own.head?.(known),
  ];
}

function showDeck() {
  paint($("#deck"), [page.game.number], makeDeck);
  const scrubber = $("[data-testid=scrubber]");
  scrubber.value = page.at;
  $("#when").replaceChildren(whenLine());
  scrubber.setAttribute("aria-valuetext", stepText());
  for (const part of $$(".turns i")) part.classList.toggle("now", turnAt(page.at) === page.turns[part.dataset.turn]);
  paint($("#marks"), [page.moments], momentMarks);
  const { speed, side, viewer, onBoard, boardUsed, stage, more, analysed, moments } = page;
  const found = [moments, page.setbacks, momentBefore(), momentAfter(), mistakeBefore(), mistakeAfter()];
  paint($("#keys"), [page.playing > 0, speed, side, viewer, onBoard, boardUsed, stage, more, analysed, found], keyRow);
}

function makeDeck() {
  const range = { type: "range", id: "scrubber", min: 0, max: lastStep(), step: 1, "aria-label": t("replay.scrubber") };
  const oninput = ({ target }) => goTo(Number(target.value));
  return [
    h("p", { id: "when", class: "when", testid: "step" }),
    h(
      "div",
      { class: "track" },
      turnsTrack(),
      h("div", { id: "marks", class: "marks", "aria-hidden": "true" }),
      h("input", { ...range, testid: "scrubber", oninput }),
    ),
    h("div", { id: "keys", class: "keys" }),
  ];
}

// A section of the track for each turn; its length is the number of steps.
function turnsTrack() {
  const ends = [...page.turns.slice(1).map(({ first }) => first), lastStep() + 1];
  return h("div", { class: "turns", "aria-hidden": "true" }, [
    page.turns.map(({ kind, mark, first }, i) => {
      const style = { "flex-grow": String(ends[i] - first) };
      return h("i", { class: kind, "data-turn": i, style }, mark);
    }),
  ]);
}

const momentMarks = () =>
  page.moments.map(({ step, mark }) =>
    h("i", { class: mark, style: { left: `${(100 * step) / Math.max(1, lastStep())}%` } }),
  );

async function chooseMoment() {
  const step = await dialog(t("replay.moments"), "moments-dialog", (close) => [
    h("ol", { class: "moments" }, [
      page.moments.map(({ step, sentence, mark }) =>
        h("li", {}, [
          h("button", { testid: `moment-${step}`, onclick: () => close(step) }, [
            h("small", {}, t("past.step", { step, of: lastStep() })),
            ` ${sentence} `,
            markSign(mark),
          ]),
        ]),
      ),
    ]),
    button(t("menu.close"), "moments-close", () => close(null)),
  ]);
  if (step !== null) goTo(step);
}

// Copies the address of this step. Over plain http browsers don't allow that; then it is shown for copying by hand.
async function copyLink() {
  const address = `${location.origin}/games/${NUMBER}#${page.at}`;
  try {
    await navigator.clipboard.writeText(address);
    toast(t("replay.link.copied"));
  } catch {
    await dialog(t("replay.link"), "link-dialog", (close) => [
      h("input", {
        class: "address",
        readonly: true,
        value: address,
        "aria-label": t("replay.link"),
        testid: "address",
      }),
      button(t("menu.close"), "link-close", () => close(null)),
    ]);
  }
}

function keyRow() {
  const keyButton = (name, shape = name) => {
    const onclick = moves[name] || play;
    return h("button", { class: "round", "aria-label": tOf("replay.key", shape), testid: `key-${name}`, onclick }, [
      icon(ICONS[shape]),
    ]);
  };
  const setter = (name) => (value) => {
    page[name] = value;
    show();
  };
  const speeds = SPEEDS.map((speed) => [speed, `speed-${speed}`, t("replay.speed.times", { speed })]);
  const sides = SIDES.map((side) => [side, `side-${side}`, tOf("replay.side", side)]);
  const playing = keyButton("play", page.playing > 0 ? "stop" : "play");
  const analysis = {
    class: page.analysed ? "small main" : "small",
    "aria-expanded": page.analysed,
    "aria-controls": "study",
  };
  // On a phone, less used controls are folded, so that the map keeps its room.
  const more = { class: "small more", "aria-expanded": String(page.more), "aria-controls": "extras" };
  return [
    h(
      "div",
      { class: "transport" },
      keyButton("turn-back"),
      keyButton("back"),
      playing,
      keyButton("on"),
      keyButton("turn-on"),
    ),
    chips(t("replay.side"), sides, page.side, setter("side")),
    page.moments.length > 0 &&
      h("div", { class: "moment-keys" }, [
        momentKey("moment-back", momentBefore(), "M15 5l-7 7 7 7"),
        button(t("replay.moments"), "moments", chooseMoment, { class: "small" }),
        momentKey("moment-on", momentAfter(), "M9 5l7 7-7 7"),
      ]),
    page.game.judged && button(t("analysis.title"), "analysis", turnAnalysis, analysis),
    button(t("replay.more"), "more", () => setter("more")(!page.more), more),
    page.analysed &&
      mistakes().length > 0 &&
      h("div", { class: "row" }, [
        mistakeKey("mistake-back", mistakeBefore(), "ArrowLeft"),
        mistakeKey("mistake-on", mistakeAfter(), "ArrowRight"),
      ]),
    h("div", { id: "extras", class: page.more ? "extras open" : "extras" }, [
      chips(t("replay.speed"), speeds, page.speed, setter("speed")),
      h("label", { class: "seen-by" }, t("replay.viewer"), select("viewer", viewers(), page.viewer, chooseViewer)),
      extraButtons(),
    ]),
  ];
}

// Leads to the next key moment, or to the one before.
function momentKey(name, moment, shape) {
  const where = moment ? `: ${t("past.step", { step: moment.step, of: lastStep() })}` : "";
  const props = { "aria-label": t("replay.moments") + where, disabled: !moment, testid: `key-${name}` };
  return h("button", { class: "round", ...props, onclick: () => goTo(moment.step) }, icon(shape));
}

const mistakeKey = (name, step, key) =>
  button(tOf("replay.key", name), `key-${name}`, moves[name], {
    class: "small",
    disabled: step === undefined,
    "aria-keyshortcuts": `Shift+${key}`,
  });

function extraButtons() {
  const board = { class: page.onBoard ? "small main" : "small", "aria-pressed": page.onBoard };
  const [{ round, step } = {}] = page.setbacks;
  return h("div", { class: "row" }, [
    page.stage !== "playing" && button(boardLabel(), "on-board", turnBoard, board),
    // If there are several losers, each has a worst round.
    page.setbacks.length === 1 && button(t("past.setback", { round }), "setback", () => goTo(step), { class: "small" }),
    button(t("replay.link"), "copy-link", copyLink, { class: "small" }),
    link(t("replay.save"), "save", `/api/games/${NUMBER}/record`, { class: "small", download: "" }),
    link(t("replay.all"), "to-games", "/games", { class: "small" }),
  ]);
}

// Without a board, or a map, a game is shown on the table view only.
function boardLabel() {
  if (page.game.map && page.boardUsed) return page.onBoard ? t("replay.board.off") : t("replay.board");
  return page.onBoard ? t("replay.table.off") : t("replay.table");
}

// --- its analysis -----------------------------------------------------------------------------------------------

// The facts of the game for the analysis.
function gameFacts() {
  return { number: NUMBER, last: lastStep(), players: page.players, turnAt, go: goAndLook, share: saveFile };
}

function turnAnalysis() {
  page.analysed = !page.analysed;
  show();
  if (page.analysed) $("#study-title").focus({ preventScroll: true });
  $(page.analysed ? "#study" : ".replay").scrollIntoView();
}

// If the analysis is below the map, scroll to the map.
function goAndLook(step) {
  goTo(step);
  if (!beside.matches) $(".replay").scrollIntoView();
}

async function saveFile() {
  const { game } = page;
  const drawn = (step) => {
    if (!maps.truth.ready || !own.draw) return null;
    own.draw("truth", maps.truth, game.steps[step]);
    return maps.truth;
  };
  const facts = {
    title: gameTitle(),
    about: [dateText(game.started), endText()],
    drawn,
    told: (step) => sentences(game.steps[step].told, step > 0 && t("replay.nothing")),
  };
  await (await import("./analysis-file.js")).saveAnalysis({ ...gameFacts(), ...facts });
  show();
}

function chooseViewer(viewer) {
  showKnowledgeOf(viewer);
  page.side = "known";
  show();
}

function whenLine() {
  const { name, round, over } = turnAt(page.at);
  const minutes = Math.floor(stepHere().at / 60);
  return h("span", {}, [
    h("b", {}, over && page.at === lastStep() ? t("hud.over") : name),
    ` ${round} · ${t("past.step", { step: page.at, of: lastStep() })}`,
    h("span", { class: "late" }, ` · ${t("replay.minutes", { minutes })}`),
  ]);
}

// Returns the step in words: the position and everything that it told.
const stepText = () => [$("#when")?.textContent || "", ...stepHere().told.map(({ sentence }) => sentence)].join(" ");

// --- keys -------------------------------------------------------------------------------------------------------

const PRESSES = {
  ArrowRight: moves.on,
  ArrowLeft: moves.back,
  PageDown: moves["turn-on"],
  PageUp: moves["turn-back"],
  Home: () => goTo(0),
  End: () => goTo(lastStep()),
  " ": play,
  "Shift+ArrowRight": moves["mistake-on"],
  "Shift+ArrowLeft": moves["mistake-back"],
};

window.addEventListener("keydown", (/** @type {any} */ event) => {
  if (!page.game || event.altKey || event.ctrlKey || event.metaKey) return;
  const own = event.target.closest("input, button, summary, a, dialog");
  const press = PRESSES[event.shiftKey ? `Shift+${event.key}` : event.key];
  if (!press || (own && (event.key === " " || own.matches("dialog")))) return;
  event.preventDefault();
  press();
});

// A swipe over the sentences turns the page.
let touched = null;
function touch({ target, touches: [{ clientX: x, clientY: y }, second] }) {
  touched = !second && target.closest(".told") ? { x, y } : null;
}
$(".views").addEventListener("touchstart", touch, { passive: true });
$(".views").addEventListener("touchend", ({ changedTouches: [{ clientX, clientY }] }) => {
  const [x, y] = touched ? [clientX - touched.x, clientY - touched.y] : [0, 0];
  touched = null;
  if (page.game && Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) goTo(page.at - Math.sign(x));
});

// A link to another step of the game that is open.
window.addEventListener("hashchange", () => page.game && goTo(Number(location.hash.slice(1)) || 0));

fetchGame();
fetchPlayers();
followAnalysis(NUMBER, show);
stream.open();
