// A puzzle: a question about a position, which is drawn like a step of a finished game. The answer is one of several
// choices, or spaces marked on the map.

import { nameField, remember, remembered } from "./person.js";
import { request } from "./frame.js";
import { GameMap } from "./map.js";
import { askUntilAnswered, pause, post } from "./net.js";
import { entryLine } from "./news.js";
import { reportLine } from "./panel.js";
import { seated } from "./past.js";
import { way } from "./scene.js";
import { capital, list, t, tOf } from "./texts.js";
import { $, button, confirmed, h, link, paint, quiet, select, terms, toast } from "./ui.js";

const { module, game, kinds } = document.body.dataset;
// The game's part of the page of finished games draws the position.
const own = (module ? (await import(module)).past : null) ?? {};

const AGAIN_MS = 1500;
// Drawings of a game for one side only stay until the next puzzle.
const LAYERS = ["possible", "marks", "under", "trail", "lines", "over"];
// `tried` is the answer that the table judged last (`result`), `former` the person's rating before it, if it counted.
const FRESH = { given: [], tried: null, result: null, former: null, closed: false, fault: null };
const page = { puzzle: null, solver: null, kind: "", stage: null, ...FRESH };
// The puzzles that this page has shown, so that a person without a name gets different ones, too.
const seen = new Set();

const map = new GameMap($("#map"), { onTap: tap, focus: places });

const name = () => remembered().name ?? "";
const step = () => page.puzzle.step;

function places() {
  const { puzzle } = page;
  if (!puzzle) return [];
  return puzzle.path.length ? puzzle.path : (own.places?.(puzzle.side, step()) ?? []);
}

// --- asking -------------------------------------------------------------------------------------------------------

function next() {
  const { kind, solver } = page;
  return open({ kind, rating: solver?.rating ?? 1000, seen: [...seen, ...(solver?.seen ?? [])] });
}

// Opens the puzzle that the address names, if it does.
function follow() {
  const puzzle = location.hash.slice(1);
  if (!puzzle) return next();
  if (puzzle !== page.puzzle?.id) return open({ puzzle });
}

async function open(wanted) {
  const answer = await post("/api/puzzle", { game, ...wanted });
  if (!answer.ok && !answer.id) {
    if (wanted.puzzle && answer.error?.code === "not-found") return next();
    page.fault = answer.error?.sentence ?? t("net.away");
    show();
    if (page.puzzle) return toast(page.fault, "bad");
    // Without a puzzle, there is no button to ask again.
    return answer.error?.code === "not-found" ? undefined : pause(AGAIN_MS).then(() => open(wanted));
  }
  seen.add(answer.id);
  // For a link to it; the Back button doesn't go through the puzzles.
  history.replaceState(null, "", `#${answer.id}`);
  Object.assign(answer.step, { viewer: "table", route: [], seats: seated(answer.seats, []) });
  Object.assign(page, FRESH, { puzzle: answer });
  document.body.classList.toggle("no-map", !answer.map);
  show();
  await map.load(answer.map);
  if (map.ready && page.puzzle === answer) {
    for (const layer of LAYERS) map.draw(layer, null, () => []);
    map.frame();
  }
  show();
}

async function check() {
  const { puzzle, given } = page;
  const sent = { game, puzzle: puzzle.id, answer: given, name: name() };
  const answer = await post("/api/puzzle/answer", sent);
  if (page.puzzle !== puzzle) return;
  if (!answer.answers) return toast(answer.error?.sentence ?? t("net.away"), "bad");
  const counted = answer.solver && page.solver && answer.solver.tried > page.solver.tried;
  const former = counted ? page.solver.rating : null;
  Object.assign(page, { result: answer, tried: given, former, closed: answer.score === 1 });
  page.solver = answer.solver ?? page.solver;
  if (answer.unrated) toast(t("puzzle.unrated", { why: answer.unrated }));
  judged();
}

// Shows the right answer to a person who doesn't want to try again.
function solve() {
  Object.assign(page, { given: page.tried, closed: true });
  judged();
}

function judged() {
  show();
  // The list of choices, which can be longer than a screen, is gone.
  for (const part of ["#answer", "#ask"]) $(part).scrollIntoView({ block: "nearest" });
  // The button that was pressed is gone.
  $("#answer").focus({ preventScroll: true });
  if (page.closed && map.ready && !page.puzzle.choices.length) map.reveal([...nearest(), ...page.given]);
}

function tap(space) {
  const { puzzle, given } = page;
  if (!puzzle || page.closed || puzzle.choices.length || !map.offered.has(space)) return;
  page.given = given.includes(space) ? given.filter((it) => it !== space) : [...given, space];
  show();
}

// --- showing ------------------------------------------------------------------------------------------------------

function show() {
  const { puzzle, given, tried, closed, fault, solver, stage } = page;
  paint($("#kinds"), [page.kind], chooser);
  paint($("#ask"), [puzzle?.id, fault], () => (puzzle ? asking() : quiet(fault ?? "")));
  paint($("#answer"), [puzzle?.id, given, given === tried, closed], () => (puzzle ? answering() : []));
  paint($("#more"), [puzzle?.id, stage], () => (puzzle ? more() : []));
  paint($("#solver"), [solver, name() !== ""], rating);
  document.body.dataset.puzzle = puzzle ? `${puzzle.kind} ${puzzle.id}` : "";
  if (puzzle && map.ready) draw();
}

function draw() {
  const { puzzle, given, closed } = page;
  own.draw?.(puzzle.side, map, step());
  own.trail?.(map, step(), log());
  map.draw("manual", puzzle.path, () => way(map, puzzle.path, "way noisy"));
  const free = puzzle.offered.length ? puzzle.offered : [...map.spaces.keys()];
  const few = puzzle.offered.length <= 12;
  const light = (space) =>
    given.includes(space)
      ? { space, kind: "picked", label: t("puzzle.unmark") }
      : { space, kind: few ? "choice" : "free", label: t("puzzle.mark") };
  map.offer(closed || puzzle.choices.length ? [] : free.map(light));
  map.draw("coach", [puzzle.id, closed], () => (closed && !puzzle.choices.length ? outlines() : []));
}

// The accepted answer closest to the given one.
function nearest() {
  const shared = (answer) => answer.filter((it) => page.given.includes(it)).length / answer.length;
  return [...page.result.answers].sort((one, other) => shared(other) - shared(one))[0];
}

function outlines() {
  const right = nearest();
  const kind = (space) => (right.includes(space) ? (page.given.includes(space) ? "hit" : "missed") : "extra");
  const all = [...new Set([...right, ...page.given])];
  return all.map((space) => map.outline(space, `puzzle-space ${kind(space)}`));
}

function chooser() {
  const options = [["", t("puzzle.kind.all")], ...kinds.split(" ").map((it) => [it, tOf("puzzle.kind", it)])];
  const choose = (value) => {
    page.kind = value;
    next();
  };
  return (
    options.length > 2 &&
    h("label", { class: "puzzle-kinds" }, h("span", {}, t("puzzle.kinds")), select("kind", options, page.kind, choose))
  );
}

function asking() {
  const { puzzle } = page;
  return [
    quiet(t("puzzle.seat", { seat: puzzle.seat }), " · ", t("puzzle.grade", { grade: puzzle.grade })),
    told(),
    h("p", { class: "question", testid: "question" }, puzzle.question),
  ];
}

// What happened before, as the log of a game.
const log = () => step().told.map((it, n) => ({ ...it, ...it.details, n, public: true }));

// The same in words, as at the start of a turn. On a phone it is folded, so that the map stays on the same screen.
function told() {
  const open = matchMedia("(min-width: 48rem)").matches;
  const lines = log();
  return (
    lines.length > 0 &&
    reportLine(t("puzzle.news"), lines.map(entryLine), { testid: "story", open, gist: gistOf(lines) })
  );
}

// The last event, and how many more there are to unfold.
const gistOf = (lines) => [
  lines.at(-1).sentence,
  lines.length > 1 && h("span", { class: "earlier" }, ` ${t("puzzle.earlier", { number: lines.length - 1 })}`),
];

function answering() {
  const { puzzle, given, tried, closed, result } = page;
  const short = puzzle.choices.every(({ label }) => label.length < 4) ? "short" : "";
  if (closed) return [outcome(), button(t("puzzle.next"), "next", next, { class: "main" })];
  return [
    puzzle.choices.length > 0
      ? h("div", { class: `puzzle-choices ${short}` }, puzzle.choices.map(choice))
      : quiet(t("puzzle.marked", { number: given.length })),
    given === tried && verdict(t("puzzle.again")),
    h("div", { class: "row" }, [
      given !== tried && button(t("puzzle.check"), "check", check, { class: "main", disabled: !given.length }),
      given.length > 0 && !puzzle.choices.length && button(t("puzzle.clear"), "clear", clear),
      result ? button(t("puzzle.solution"), "solution", solve) : button(t("puzzle.skip"), "skip", next),
    ]),
  ];
}

function choice({ key, label }) {
  const pick = () => {
    page.given = [key];
    show();
  };
  return button(capital(label), `choice-${key}`, pick, { "aria-pressed": page.given[0] === key });
}

function clear() {
  page.given = [];
  show();
}

function outcome() {
  const { puzzle, given, result } = page;
  const wanted = nearest();
  const labels = new Map(puzzle.choices.map(({ key, label }) => [key, label]));
  const named = (keys) => either(keys.map((key) => labels.get(key)));
  const missed = wanted.filter((it) => !given.includes(it));
  const extra = given.filter((it) => !wanted.includes(it));
  const marks = [
    missed.length > 0 && t("puzzle.missed", { spaces: list(missed) }),
    extra.length > 0 && t("puzzle.extra", { spaces: list(extra) }),
  ];
  const choices = [
    t("puzzle.given", { answer: named(given) }),
    result.score < 1 && t("puzzle.answer", { answer: named(result.answers.flat()) }),
  ];
  return verdict(
    "",
    h("p", {}, (puzzle.choices.length ? choices : marks).filter(Boolean).join(" ")),
    h("p", {}, result.why),
  );
}

// `more` is on the same line, which keeps the choices and the map on the screen.
function verdict(more, ...parts) {
  const { score } = page.result;
  const head = score === 1 ? t("puzzle.right") : partly(Math.round(100 * score));
  return h("div", { class: `puzzle-result ${score === 1 ? "right" : ""}`, role: "status", testid: "result" }, [
    h("p", {}, h("b", {}, head), ` ${more}`),
    parts,
    page.former !== null && h("p", { testid: "rating-change" }, ratingChange()),
  ]);
}

function ratingChange() {
  const { rating, streak } = page.solver;
  const change = `${t("puzzle.rating")}: ${page.former} → ${rating}.`;
  return streak > 1 ? `${change} ${t("puzzle.streak")}: ${streak}.` : change;
}

const partly = (percent) => (percent ? t("puzzle.part", { percent }) : t("puzzle.wrong"));

const either = (all) => all.reduce((first, other) => t("puzzle.or", { first, other }));

// The game's own lines about the position, its rules, and the button for the board.
function more() {
  const { puzzle } = page;
  return [
    // Without a map, the game's lines show the position.
    !puzzle.map && own.lines?.(puzzle.side, step(), puzzle.words),
    h("div", { class: "row" }, [
      document.documentElement.dataset.papers.includes("rules") &&
        link(t("rules.title"), "link-rules", `/rules/${game}`, { class: "small", target: "_blank", rel: "noopener" }),
      page.stage !== "playing" && button(t("puzzle.show"), "show", showOnBoard, { class: "small" }),
    ]),
  ];
}

// --- the person ---------------------------------------------------------------------------------------------------

function rating() {
  const { solver } = page;
  const [, field] = nameField("solver-name", { onchange: rename });
  const facts = (it) => [
    [t("puzzle.rating"), String(it.rating)],
    [t("puzzle.solved"), t("puzzle.solved.of", it)],
    [t("puzzle.streak"), String(it.streak)],
    [t("puzzle.best"), String(it.best)],
  ];
  return [
    h("h2", {}, t("puzzle.you")),
    solver && [terms({ testid: "rating" }, facts(solver)), quiet(t("puzzle.first"))],
    field,
    solver?.last.length > 0 && lastOnes(solver),
    solver?.tried > 0 && button(t("puzzle.forget"), "forget", forget, { class: "small" }),
  ];
}

// The puzzles answered last, to look at them again.
function lastOnes({ last }) {
  const one = ({ game: of, title, kind, id, right }) =>
    h("a", { href: `/puzzles/${of}#${id}`, class: right ? "right" : "", testid: `last-${id}` }, [
      h("b", {}, h("i", { "aria-hidden": "true" }, right ? "✓ " : "✗ "), tOf("puzzle.last", right ? "right" : "wrong")),
      ` ${tOf("puzzle.kind", kind)}${of === game ? "" : ` · ${title}`}`,
    ]);
  return [h("h2", {}, t("puzzle.last")), h("ol", { class: "puzzle-last" }, [last.map((it) => h("li", {}, one(it)))])];
}

async function rename({ target }) {
  remember({ name: target.value.trim() });
  await identify();
}

async function identify() {
  const found = name() ? await post("/api/puzzle/solver", { name: name() }) : null;
  page.solver = found?.name ? found : null;
  show();
}

async function forget() {
  const sure = t("puzzle.forget.sure", { name: name() });
  if ((await confirmed(t("puzzle.forget"), sure)) && (await request("/api/puzzle/forget", { name: name() })))
    await identify();
}

async function showOnBoard() {
  if (await request("/api/puzzle/show", { game, puzzle: page.puzzle.id })) toast(t("puzzle.shown"));
}

// Whether a game is running, which uses the board.
async function watchStage() {
  page.stage = (await askUntilAnswered("/api/lobby")).stage;
  show();
}

watchStage();
await identify();
window.addEventListener("hashchange", () => {
  window.scrollTo(0, 0);
  follow();
});
follow();
