// The workshop: maintaining the board from a phone. The table runs the jobs; this page shows them and sends taps. The
// board's lamps and buzzer signal the same results.

import { signalWorkshop } from "./device.js";
import { request } from "./frame.js";
import { GameMap } from "./map.js";
import { poll, showDoor } from "./polling.js";
import { remembered } from "./person.js";
import { healthLink } from "./reasons.js";
import { Lamps, occupiedMark } from "./scene.js";
import { list, t, tOf } from "./texts.js";
import { $, announce, button, chips, confirmed, h, icon, paint, problems, quiet, recall, store, svg } from "./ui.js";

// Refresh intervals in milliseconds: at work, before the workshop is open, and at work on a hidden page.
const AGAIN_MS = { work: 300, closed: 1500, hidden: 10000 };
const JOBS = ["scan", "lights", "calibrate", "selftest"];
const TONES = { good: "brass", bad: "red", "": "" };
const QUIET = "sniperboard.workshop-quiet";
// The command word that restarts a job.
const RESTART = "anew";
// A mark is a shape, never only a colour.
const MARKS = {
  known: "M-70 0 L-20 55 L75 -60",
  well: "M-70 0 L-20 55 L75 -60",
  skipped: "M-60 0 H60",
  wavers: "M-75 0 Q-40 -70 0 0 T75 0",
  dead: "M-60 -60 L60 60 M60 -60 L-60 60",
  stuck: "M-55 -55 H55 V55 H-55 Z",
};
const SHAPES = { good: "M4 13l5 5L20 6", bad: "M12 4v10M12 18v1", "": "M5 12h14" };

const page = {
  facts: null,
  told: 0,
  heard: false,
  quiet: recall(QUIET, /** @type {string} */ ("no")) === "yes",
  space: null,
};
const map = new GameMap($("#map"), {
  whole: true,
  onTap: sendSpace,
  focus: () => [page.facts?.job?.space].filter(Boolean),
});
const lamps = new Lamps(map);

// --- looking ----------------------------------------------------------------------------------------------------

const refresh = poll("/api/workshop", receive, (hidden) =>
  page.facts?.mine ? AGAIN_MS[hidden ? "hidden" : "work"] : hidden ? 0 : AGAIN_MS.closed,
);

function receive(facts, error) {
  page.facts = facts;
  showDoor(facts, error, refresh);
  show();
}

const send = async (path, body = {}) => {
  const done = await request(`/api/workshop/${path}`, body);
  await refresh();
  return done;
};

function show() {
  const { facts } = page;
  const open = Boolean(facts?.mine);
  document.body.dataset.open = open ? "yes" : "no";
  $("#gate").hidden = facts === null || open;
  $("#bench").hidden = !open;
  if (facts === null) return undefined;
  if (!open) {
    page.told = 0;
    page.heard = false;
    paint($("#hardware"), [facts.connected, facts.ills], hardwareLines);
    return paint($("#entrance"), [facts.device, facts.playing], entranceLines);
  }
  readResults();
  paint($("#bar"), [facts.connected, facts.ills, page.quiet], progressBar);
  paint($("#jobs"), [facts.job?.name, facts.has_sensors, facts.has_lamps], jobButtons);
  const { job } = facts;
  const asks = job ? job.asks : t("workshop.choose");
  if ($("#asks").textContent !== asks) $("#asks").textContent = asks;
  const shown = job && { ...job, asks: 0, spaces: 0, known: 0, marks: 0, step: 0 };
  const { down, standing_still: still, share, has_lamps: lit, restless } = facts;
  paint($("#facts"), [shown, down, still, share, lit, restless], description);
  paint($("#progress"), [job?.progress], () => job?.progress && progressText());
  paint($("#acts"), [job?.name, job?.words, job?.ended], wordButtons);
  paint($("#told"), [facts.news], () => facts.news.slice(-12).reverse().map(resultLine));
  map.load(facts.map).then(showBoard);
}

// --- before it is opened ------------------------------------------------------------------------------------------

const hardwareLines = () => [
  page.facts.connected.map((line) => h("p", {}, line)),
  problems(page.facts.ills, t("health.well")),
];

function entranceLines() {
  const { device } = page.facts;
  const [label, testid, act] = device
    ? [t("workshop.take"), "workshop-take", takeOver]
    : [t("workshop.open"), "workshop-open", open];
  return [
    device && h("p", { testid: "holder" }, t("workshop.taken", { device })),
    button(label, testid, act, { class: "main big" }),
    h("p", {}, healthLink("link-health", "button")),
  ];
}

const sendOpen = (more) => send("open", { device: remembered().name || t("workshop.device"), ...more });

async function open() {
  await refresh(); // a game may have started since the last refresh
  if (!page.facts) return;
  const sure = page.facts.playing;
  if (!sure || (await confirmed(t("workshop.open"), t("workshop.open.sure")))) sendOpen({ sure });
}

async function takeOver() {
  const { device } = page.facts;
  if (await confirmed(t("workshop.take"), t("workshop.take.sure", { device }))) sendOpen({ sure: true, instead: true });
}

// --- at work ------------------------------------------------------------------------------------------------------

const jobButtons = () => {
  const all = JOBS.filter(isPossible).map((name) => [name, `job-${name}`, tOf("workshop.job", name)]);
  return [...chips(null, all, page.facts.job?.name, (name) => send("job", { job: name })).children];
};

const isPossible = (name) => (name === "lights" ? page.facts.has_lamps : page.facts.has_sensors);

function progressBar() {
  const { connected, ills } = page.facts;
  const pressed = { "aria-pressed": !page.quiet, "aria-label": t("workshop.sound") };
  return [
    h("div", { class: ills.length ? "ill" : "", role: "status", testid: "board-is" }, [
      (ills.length ? ills : connected).map((words) => h("p", {}, words)),
    ]),
    h("button", { class: "round", ...pressed, testid: "workshop-sound", onclick: toggleSound }, [
      icon(["M4 10v4h4l5 4V6L8 10z", page.quiet ? "M17 10l4 4m0-4l-4 4" : "M17 9c2 2 2 4 0 6"]),
    ]),
    button(t("workshop.close"), "workshop-close", () => send("close"), { class: "small" }),
  ];
}

function progressText() {
  const [done, all] = page.facts.job.progress;
  const words = t("workshop.progress", { done, all });
  return [h("progress", { max: all, value: done, "aria-label": words }), h("span", { testid: "progress" }, words)];
}

function description() {
  const { job, down, standing_still: still, share, limit_ma: limit, has_lamps: lit, restless } = page.facts;
  if (!job)
    return [h("p", {}, t("workshop.about")), isSimulated(), h("p", {}, healthLink("link-health", "button small"))];
  const standing = down.filter((space) => space !== job.space);
  return [
    job.name === "scan" &&
      restless.length > 0 &&
      h("p", { testid: "restless" }, t("workshop.restless", { spaces: list(restless) })),
    still && h("p", { class: "fault", testid: "still" }, t("workshop.still")),
    job.name === "calibrate" && !job.ended && quiet(lit ? t("workshop.named") : t("workshop.named.dark")),
    job.name === "selftest" && lit && quiet(t("workshop.colours")),
    job.name === "lights" &&
      h("p", { class: "quiet", testid: "share" }, t("workshop.share", { percent: share, limit })),
    ["calibrate", "selftest"].includes(job.name) &&
      standing.length > 1 &&
      h("p", { testid: "standing" }, t("workshop.standing", { spaces: list(standing) })),
    job.name !== "lights" && isSimulated(),
  ];
}

const isSimulated = () =>
  document.body.dataset.simulated === "yes" &&
  quiet(
    `${t("workshop.simulated")} `,
    h("a", { href: "/board", target: "_blank", rel: "noopener", testid: "link-board" }, t("menu.board")),
  );

function wordButtons() {
  const { job } = page.facts;
  if (!job) return [];
  return job.words
    .filter((word) => !job.ended || word === RESTART)
    .map((word) => {
      const restarts = word === RESTART;
      const label = restarts ? t("workshop.word.restart") : tOf("workshop.word", word);
      return button(label, `word-${word}`, () => sendWord(word), { class: restarts ? "small" : "" });
    });
}

async function sendWord(word) {
  const restarts = word === RESTART && !page.facts.job.ended;
  if (restarts && !(await confirmed(t("workshop.word.restart"), t("workshop.restart.sure")))) return;
  send("tell", { step: page.facts.job?.step ?? 0, word });
}

// A tap on the map names a space.
function sendSpace(space) {
  const { job } = page.facts ?? {};
  if (job?.spaces.includes(space)) send("tell", { step: job.step, space });
}

const resultLine = ({ sentence, tone }) => h("li", { class: tone }, icon(SHAPES[tone]), sentence);

// --- what is heard ------------------------------------------------------------------------------------------------

function readResults() {
  const { news } = page.facts;
  const fresh = page.heard ? news.filter(({ n }) => n > page.told) : [];
  page.told = Math.max(page.told, ...news.map(({ n }) => n));
  page.heard = true;
  for (const { sentence } of fresh) announce(sentence);
  const loud = fresh.find(({ tone }) => tone === "bad") ?? fresh.at(-1);
  if (loud && !page.quiet) signalWorkshop(TONES[loud.tone]);
}

function toggleSound() {
  page.quiet = !page.quiet;
  store(QUIET, page.quiet ? "yes" : "no");
  if (!page.quiet) signalWorkshop("brass");
  show();
}

// --- the map ------------------------------------------------------------------------------------------------------

function showBoard() {
  if (!map.ready || !page.facts?.mine) return;
  const { job, down, lit, restless } = page.facts;
  const occupied = job?.name === "lights" ? [] : down;
  lamps.show(lit);
  map.draw("over", occupied, () => occupied.map((space) => occupiedMark(map, space)));
  const marks = [...markedSpaces(job), ...(job?.name === "scan" ? restless.map((space) => [space, "wavers"]) : [])];
  map.draw("under", [marks], () => marks.map(([space, mark]) => verdictText(space, mark)));
  const kind = (space) => (space === job.space ? "picked" : "bench");
  map.offer((job?.spaces ?? []).map((space) => ({ space, kind: kind(space), label: t("workshop.tap") })));
  if ((job?.space ?? null) === page.space) return;
  page.space = job?.space ?? null;
  if (page.space) map.reveal([page.space]);
  else map.fit();
}

const markedSpaces = (job) => [
  ...(job?.known ?? []).map((space) => [space, job.skipped.includes(space) ? "skipped" : "known"]),
  ...Object.entries(job?.marks ?? {}),
];

const verdictText = (space, mark) =>
  map.on(
    space,
    svg("g", { class: `verdict ${mark}`, "data-mark": mark, "data-of": space }, [
      svg("path", { class: "shade", d: MARKS[mark] }),
      svg("path", { d: MARKS[mark] }),
    ]),
  );
