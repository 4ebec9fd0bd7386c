// The analysis of a finished game: its progress, its results, and its advice on one step.

import { graph, graphTable, pointTo } from "./analysis-graphs.js";
import { request } from "./frame.js";
import { PASSING } from "./past.js";
import { poll } from "./polling.js";
import { capital, t, tOf } from "./texts.js";
import { button, h, paint, quiet } from "./ui.js";

const SIGNS = { best: "★", good: "✓", inaccuracy: "?!", mistake: "?", blunder: "??" };
const MARKS = Object.keys(SIGNS);
const POOR = ["mistake", "blunder"];
const UNDERWAY = ["waiting", "running"];
const AGAIN_MS = 2500;
const HIDDEN_MS = 20000;
const NOTHING = { state: "none", why: null, done: 0, of: 0, sides: [], steps: [], chances: [], possible: [], luck: [] };
// The styles of lines; more sides share them.
const LINES = 6;

let found = NOTHING;
let judged = new Map();
let ask = async () => false;

// Follows the analysis of a game; calls `changed` when there is more to show.
export function followAnalysis(number, changed) {
  const take = (facts, error) => {
    if (error && PASSING.includes(error.code)) return; // `pause` asks again
    found = facts ?? { ...NOTHING, state: "impossible", why: error.sentence };
    judged = new Map(found.steps.map((it) => [it.step, it]));
    changed();
  };
  const waits = () => found === NOTHING || UNDERWAY.includes(found.state);
  ask = poll(`/api/games/${number}/analysis`, take, (hidden) => waits() && (hidden ? HIDDEN_MS : AGAIN_MS));
}

export async function analyse(number, what) {
  await request(`/api/games/${number}/analyse`, { do: what });
  await ask();
}

// --- one step ---------------------------------------------------------------------------------------------------

const percent = (chance) => t("bag.share", { percent: Math.round(chance * 100) });

const fromTo = (before, after) => (before === after ? percent(after) : `${percent(before)} → ${percent(after)}`);

// The marks of a step in the table of moments and on the track: poor acts, and the key moments of the analysis.
export const notable = (step) => {
  const it = judged.get(step);
  return it && (it.key || POOR.includes(it.mark)) ? { mark: it.mark, sentence: it.played.caption } : null;
};

// The steps with a mistake or a blunder.
export const mistakes = () => found.steps.filter(({ mark }) => POOR.includes(mark)).map(({ step }) => step);

export const markSign = (mark) =>
  mark &&
  h("b", { class: `mark ${mark}` }, h("i", { "aria-hidden": "true" }, SIGNS[mark]), ` ${tOf("analysis.mark", mark)}`);

// The verdict on the act of a step by what its player knew; nothing if there is no verdict, or if there was no choice.
export function adviceOn(step) {
  const { before, after, best, mark } = judged.get(step) ?? {};
  if (best && after === null)
    return h("p", { class: "advice", testid: "advice" }, t("analysis.instead", { act: best.caption }));
  if (!mark) return null;
  const chance = mark === "best" ? percent(after) : fromTo(before, after);
  return h("div", { class: "advice", testid: "advice" }, [
    h("p", {}, markSign(mark), ` ${t("analysis.chance", { chance })}`),
    best && mark !== "best" && h("p", {}, betterOf(best)),
  ]);
}

// The same, calculated with all hidden information.
export function truthOn(step) {
  const chance = judged.get(step)?.truth ?? null;
  return chance !== null && h("p", { class: "advice" }, t("analysis.truth", { chance: percent(chance) }));
}

const betterOf = ({ caption, line }) => [
  t("analysis.better", { act: caption }),
  line.length > 0 && ` ${t("analysis.line", { acts: line.join("; ") })}`,
];

// --- all of it --------------------------------------------------------------------------------------------------

/**
 * Fills the panel. `course` has the facts of the game: its `number` and `last` step, its `players`, `turnAt(step)`,
 * `go(step)`, and `share()`.
 */
export function showAnalysis(place, course, at) {
  paint(place, [found, course.players], () => [
    h("h2", { id: "study-title", tabindex: "-1" }, t("analysis.title")),
    status(course),
    findings(course),
    keyMoments().length > 0 && [h("h3", {}, t("replay.moments")), h("ol", { class: "moments" }, momentButtons(course))],
  ]);
  for (const [name, rows] of Object.entries({ chances: chanceRows(course), possible: found.possible })) {
    const turn = rows.findIndex(({ step }) => step >= at);
    const figure = place.querySelector(`[data-testid=graph-${name}]`);
    if (figure) pointTo(figure, turn, rows.length, rows[turn] ? noteOn(rows[turn]) : "");
  }
}

function status({ number, share }) {
  const { state, why, done, of } = found;
  const does = (label, what, props = {}) => button(label, `analysis-${what}`, () => analyse(number, what), props);
  const main = { class: "main" };
  const sofar = [
    h("progress", { value: done, max: Math.max(1, of), "aria-label": t("analysis.title") }),
    h("p", { testid: "analysis-progress" }, t("analysis.done", { done, of })),
  ];
  const stop = does(t("analysis.stop"), "stop");
  const parts = {
    none: [quiet(t("analysis.about")), does(t("analysis.start"), "start", main)],
    waiting: [quiet(t("analysis.waiting")), stop],
    running: [sofar, stop],
    stopped: [sofar, why && h("p", { class: "fault" }, why), does(t("analysis.on"), "start", main)],
    done: [quiet(t("analysis.about")), button(t("analysis.share"), "analysis-share", share, main)],
    impossible: h("p", { class: "fault" }, why),
  };
  return h("div", { class: "study-state", testid: "analysis-state", "data-state": state }, parts[state]);
}

// The numbers and graphs; without `go` of the course they are read-only.
export const findings = (course) => [
  found.sides.some(({ accuracy }) => accuracy !== null) && sidesTable(course),
  chanceRows(course).length > 1 && chancesGraph(course),
  found.possible.length > 1 && possibleGraph(course),
  found.luck.length > 0 && [
    h("h3", {}, t("analysis.luck")),
    h("ul", { class: "plain", testid: "luck" }, [found.luck.map(({ sentence }) => h("li", {}, capital(sentence)))]),
  ],
];

export const keyMoments = () => found.steps.filter(({ key }) => key);

const sideTitle = (side) => capital(found.sides.find((it) => it.side === side)?.title ?? side);

export const momentTitle = ({ step, side }, last) => `${t("past.step", { step, of: last })} · ${sideTitle(side)}`;

function sidesTable({ players }) {
  const people = (side) =>
    players
      .filter(({ seat }) => seat === side)
      .map(({ name, bot }) => (bot ? t("seats.bot", { bot: name }) : name))
      .filter(Boolean);
  const head = (words, sign = null) =>
    h(
      "th",
      { scope: "col" },
      sign && h("i", { "aria-hidden": "true" }, sign),
      h("span", { class: sign && "unseen" }, words),
    );
  const row = ({ side, accuracy, marks }) =>
    h("tr", {}, [
      h(
        "th",
        { scope: "row" },
        sideTitle(side),
        people(side).map((name) => h("small", {}, name)),
      ),
      h("td", {}, accuracy === null ? "–" : percent(accuracy / 100)),
      MARKS.map((mark) => h("td", {}, String(marks[mark]))),
    ]);
  return [
    h("table", { class: "sides", testid: "analysis-sides" }, [
      h("thead", {}, [
        h("tr", {}, [
          head(t("analysis.player")),
          head(t("analysis.accuracy")),
          MARKS.map((mark) => head(tOf("analysis.mark", mark), SIGNS[mark])),
        ]),
      ]),
      h("tbody", {}, found.sides.map(row)),
    ]),
    h("p", { class: "mark-keys", "aria-hidden": "true" }, MARKS.map(markSign)),
  ];
}

function momentButtons({ go, last }) {
  const one = (it) =>
    h("button", { testid: `key-moment-${it.step}`, onclick: () => go(it.step) }, [
      h("small", {}, momentTitle(it, last)),
      ` ${it.played.caption} `,
      markSign(it.mark),
      h("small", {}, changeIn(it)),
    ]);
  return keyMoments().map((it) => h("li", {}, one(it)));
}

// Why a step is a key moment: the loss of its act, or else the change of the truth since the seat's previous act.
function changeIn({ step, seat, mark, before, after, truth }) {
  if (POOR.includes(mark)) return t("analysis.chance", { chance: fromTo(before, after) });
  const last = found.steps.findLast((it) => it.step < step && it.seat === seat && it.truth !== null);
  return truth !== null && t("analysis.truth", { chance: fromTo(last?.truth ?? truth, truth) });
}

// --- graphs -----------------------------------------------------------------------------------------------------

// Which tables are unfolded.
const unfolded = {};

function figureOf(name, rows, { go, turnAt }, parts) {
  const turns = rows.map(({ step }) => {
    const turn = turnAt(step);
    return { step, ...turn, mark: turn.marksPlayer ? turn.number : turn.mark };
  });
  const table = graphTable({ ...parts, name, turns, go, unfolded });
  return graph({ ...parts, name, turns, table, go });
}

// The chances by turn. In a game for one player, no other seat has a turn, so these are the turns of the game itself.
function chanceRows({ turnAt }) {
  const { chances, sides, steps } = found;
  if (sides.length > 1) return chances;
  const lasts = steps.filter(({ step }, i) => turnAt(step) !== (steps[i + 1] && turnAt(steps[i + 1].step)));
  return lasts.map(({ step, side, after, truth }) => ({ step, truth, [side]: after }));
}

// The chance of the first side as each side saw it, and the true chance if it can differ. With more than two sides, one
// line each.
function chancesGraph(course) {
  const rows = chanceRows(course).map((it) => {
    const by = found.steps.findLast(({ step }) => step <= it.step).side;
    const side = found.sides.find((one) => one.side in it).side;
    return { ...it, by, side, chance: it[side] };
  });
  const sides = found.sides.map(({ side }) => side).filter((side) => rows.some(({ by }) => by === side));
  const single = rows.every(({ side }) => side === rows[0].side);
  const truth = { name: t("replay.side.truth"), kind: "line-truth", values: rows.map((it) => it.truth) };
  // Where nothing is hidden, everyone knows the truth, and the graph is one line.
  const open = single && document.body.classList.contains("all-public") && !truth.values.includes(null);
  const seen = sides.map((side, i) => ({
    name: single ? t("analysis.seen", { side: sideTitle(side) }) : sideTitle(side),
    kind: `line-${i % LINES}`,
    values: rows.map(({ by, chance }) => (by === side ? chance : null)),
  }));
  const lines = open ? [{ ...truth, kind: "line-0" }] : single ? [...seen, truth] : seen;
  return figureOf("chances", rows, course, {
    title: single ? t("analysis.chances", { side: sideTitle(rows[0].side) }) : t("analysis.chances.all"),
    lines,
    most: 1,
    label: percent,
    heads: [t("analysis.turn"), ...lines.map(({ name }) => name)],
    row: (i) => lines.map(({ values }) => (values[i] === null ? "" : percent(values[i]))),
  });
}

// What reduced the possible spaces in a turn; there is no number before the first turn.
const noteOn = ({ before, spaces, event }) =>
  event ? `${before === null ? "" : `${before} → `}${spaces}: ${event}` : "";

function possibleGraph(course) {
  const rows = found.possible;
  const values = rows.map(({ spaces }) => spaces);
  return figureOf("possible", rows, course, {
    title: t("analysis.possible"),
    lines: [{ name: t("analysis.possible"), kind: "line-possible", values }],
    most: Math.max(2, ...values),
    label: (value) => String(Math.round(value)),
    notable: (i) => rows[i].event !== null,
    heads: [t("analysis.turn"), t("analysis.spaces"), t("analysis.cut")],
    row: (i) => [String(rows[i].spaces), rows[i].event ?? ""],
  });
}
