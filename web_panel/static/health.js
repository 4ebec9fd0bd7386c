// The sensors: messages of the hardware, doubtful sensors first, then a sortable table of all spaces. Any space can be
// set to manual. Refreshes every few seconds while the page is visible.

import { ask, PictureStream } from "./net.js";
import { boardStrip, showConnection, request } from "./frame.js";
import { t, tOf } from "./texts.js";
import { $, h, icon, lever, paint, problems } from "./ui.js";

const AGAIN_MS = 3000;
// The worst first. A state has an icon and a word, never only a colour.
const STATES = {
  chattering: "M2 12l3-6 4 13 4-14 4 13 3-6h2",
  silent: "M4 12h16",
  bouncing: "M3 19c1-17 7-17 8 0 1-9 5-9 6 0 1-5 3-5 4 0",
  manual: "M7 3h10v18H7zM11 17.5h2",
  new: "M12 5a7 7 0 1 0 .01 0",
  good: "M4 13l5 5L20 6",
};
const RANK = Object.keys(STATES);
const DOUBTFUL = new Set(["chattering", "silent", "bouncing"]);
const NUMBERS = ["changes", "bounce_ms", "dwell_s", "around"];
const COLUMNS = ["space", "state", "manual", ...NUMBERS];
const WORTH = {
  space: (line) => page.lines.indexOf(line),
  state: ({ state }) => RANK.indexOf(state),
  ...Object.fromEntries(NUMBERS.map((name) => [name, (line) => line[name]])),
};

const page = { board: null, cares: [], lines: [], sort: "space", falling: false };
const stream = new PictureStream("table", { onPicture: receive, onState });
let alarm = 0;

function receive({ board, halted, cares }) {
  const stirred = JSON.stringify([page.board?.manual, page.board?.hint]) !== JSON.stringify([board.manual, board.hint]);
  page.board = board;
  page.cares = [halted, ...cares].filter(Boolean);
  show();
  if (stirred) refresh();
}

// Nothing is requested while the page is hidden.
function onState(live) {
  showConnection(live);
  if (live) refresh();
}

async function refresh() {
  clearTimeout(alarm);
  if (!stream.live) return;
  try {
    const { status, body } = await ask("/api/health");
    if (status === 200) page.lines = body.sensors;
  } catch {
    // The stream notices it, and reports when it is back.
  }
  clearTimeout(alarm);
  alarm = setTimeout(refresh, AGAIN_MS);
  show();
}

function show() {
  const { board, lines, sort, falling } = page;
  if (board) paint($("#hardware"), [board, page.cares], hardwareText);
  if (!lines.length) return;
  const doubtful = lines.filter((line) => DOUBTFUL.has(line.state)).sort(compareBy("state"));
  const manual = lines.filter((line) => line.state === "manual");
  const words = doubtful.length ? t("health.doubts", { number: doubtful.length }) : t("health.doubts.none");
  if ($("#tally").textContent !== words) $("#tally").textContent = words;
  paint($("#doubts"), [doubtful, manual], () => [
    doubtful.length > 0 && h("ul", { class: "doubts" }, doubtful.map(doubtLine)),
    manual.length > 0 && h("h3", {}, t("health.manual")),
    manual.length > 0 && h("ul", { class: "doubts" }, manual.map(doubtLine)),
  ]);
  paint($("#spaces"), [lines, sort, falling], table);
}

const hardwareText = () => [
  boardStrip({ ...page.board, ills: [] }, true),
  problems([...page.cares, ...page.board.ills], t("health.well")),
];

const conditionText = ({ state: name }) =>
  h("span", { class: `condition ${name}`, "data-state": name }, icon(STATES[name]), tOf("health.state", name));

function doubtLine(line) {
  const word = line.sensor !== null && h("span", { "aria-hidden": "true" }, t("health.column.manual"));
  return h("li", { class: line.state, testid: `doubt-${line.space}` }, [
    conditionText(line),
    h("p", {}, line.sentence),
    h("span", { class: "lever-line" }, manualLever(line, `doubt-manual-${line.space}`), word),
  ]);
}

// A switch between the sensor and the screens; spaces without a sensor have none.
function manualLever({ space, sensor, state: name }, testid) {
  if (sensor === null) return h("span", { class: "quiet" }, t("health.no-sensor"));
  const on = name === "manual";
  return lever(testid, on, () => setManual(space, !on), { "aria-label": t("health.lever", { space }) });
}

async function setManual(space, manual) {
  if (await request("/api/manual", { space, manual })) refresh();
}

// --- every space ------------------------------------------------------------------------------------------------

// Spaces with equal values stay in the map's order.
function compareBy(name, falling = false) {
  const worth = WORTH[name];
  return (one, other) =>
    (falling ? worth(other) - worth(one) : worth(one) - worth(other)) || WORTH.space(one) - WORTH.space(other);
}

function table() {
  const { lines, sort, falling } = page;
  const rows = [...lines].sort(compareBy(sort, falling));
  return h("table", { testid: "sensors" }, [
    h("caption", { class: "unseen" }, t("health.caption")),
    h("thead", {}, h("tr", {}, COLUMNS.map(headCell))),
    h("tbody", {}, rows.map(tableRow)),
  ]);
}

function headCell(name) {
  const label = tOf("health.column", name);
  if (!WORTH[name]) return h("th", { scope: "col" }, label);
  const chosen = page.sort === name;
  const order = page.falling ? "descending" : "ascending";
  return h("th", { scope: "col", class: name, "aria-sort": chosen ? order : null }, [
    h("button", { testid: `sort-${name}`, onclick: () => sortBy(name) }, label, arrow(chosen)),
  ]);
}

const arrow = (chosen) => chosen && icon(page.falling ? "M12 4v15M6 13l6 6 6-6" : "M12 20V5M6 11l6-6 6 6");

// Numbers are sorted with the highest first.
function sortBy(name) {
  page.falling = page.sort === name ? !page.falling : NUMBERS.includes(name);
  page.sort = name;
  show();
}

function tableRow(line) {
  return h("tr", { testid: `sensor-${line.space}` }, [
    h("th", { scope: "row" }, line.space),
    h("td", {}, conditionText(line)),
    h("td", {}, manualLever(line, `manual-${line.space}`)),
    NUMBERS.map((name) => h("td", { class: "number" }, line.sensor === null ? "" : String(line[name]))),
  ]);
}

stream.open();
