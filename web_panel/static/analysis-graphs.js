// Line graphs by turn, each with a table of the same numbers. Once built, they work without scripts.

import { t } from "./texts.js";
import { h, svg } from "./ui.js";

const WIDTH = 360;
const HEIGHT = 150;
const LEFT = 40;
const RIGHT = WIDTH - 8;
const TOP = 8;
const BOTTOM = HEIGHT - 20;
// The least distance of two marks on the x axis.
const APART = 16;

const across = (i, count) => LEFT + ((RIGHT - LEFT) * i) / Math.max(1, count - 1);

/**
 * Returns a figure. `turns` are the points on the x axis, each with its `step` and `mark`; each of `lines` has a
 * `name`, a `kind` and a value for each turn, null where it has none. `most` is the top of the y axis, `label(value)` a
 * value in words. Turns that are `notable(i)` have large dots. A tap calls `go(step)`; without `go` the figure is
 * read-only.
 */
export function graph({ name, title, turns, lines, most, label, notable = (_) => false, table, go }) {
  const { length } = turns;
  const height = (value) => BOTTOM - ((BOTTOM - TOP) * value) / most;
  const points = ({ values }) =>
    values.flatMap((value, i) => (value === null ? [] : [[across(i, length), height(value), i]]));
  const drawn = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", class: go ? "live" : "" }, [
    [0, 0.5, 1].map((share) => level(height(share * most), label(share * most))),
    ticks(turns).map(([x, mark]) => svg("text", { class: "tick", x, y: HEIGHT - 5 }, mark)),
    go && svg("path", { class: "cursor", d: `M0 ${TOP}V${BOTTOM}` }),
    lines.map((line) => [
      polyline(
        line.kind,
        points(line)
          .map(([x, y]) => `${x},${y}`)
          .join(" "),
      ),
      points(line).map(([cx, cy, i]) => svg("circle", { class: line.kind, cx, cy, r: notable(i) ? 5 : 2.5 })),
    ]),
  ]);
  if (go) drawn.addEventListener("click", (event) => go(turns[turnUnder(event, length)].step));
  return h(
    "figure",
    { class: "graph", testid: `graph-${name}` },
    h("figcaption", {}, title),
    keysOf(lines),
    drawn,
    go && h("p", { class: "note" }),
    table,
  );
}

// The marks of the turns on the x axis with their positions: each new mark that has room.
function ticks(turns) {
  const found = [];
  let last = "";
  turns.forEach(({ mark }, i) => {
    const x = across(i, turns.length);
    if (mark && mark !== last && x >= (found.at(-1)?.[0] ?? 0) + APART) found.push([x, mark]);
    last = mark || last;
  });
  return found;
}

const polyline = (kind, points) => svg("polyline", { class: kind, points });

function turnUnder({ currentTarget, clientX }, count) {
  const { left, width } = currentTarget.getBoundingClientRect();
  const share = (((clientX - left) * WIDTH) / width - LEFT) / (RIGHT - LEFT);
  return Math.max(0, Math.min(count - 1, Math.round(share * (count - 1))));
}

const level = (y, words) => [
  svg("path", { class: "level", d: `M${LEFT} ${y}H${RIGHT}` }),
  svg("text", { class: "scale", x: LEFT - 5, y: y + 4 }, words),
];

const keysOf = (lines) =>
  lines.length > 1 &&
  h("ul", { class: "graph-keys" }, [
    lines.map(({ name, kind }) =>
      h("li", {}, svg("svg", { viewBox: "0 0 28 10", "aria-hidden": "true" }, polyline(kind, "0,5 28,5")), name),
    ),
  ]);

// Moves the line of a figure to a turn, one of `count`, and shows a note on it; -1 hides the line.
export function pointTo(figure, turn, count, note) {
  const cursor = figure.querySelector(".cursor");
  cursor.setAttribute("transform", `translate(${across(turn, count)} 0)`);
  cursor.setAttribute("visibility", turn < 0 ? "hidden" : "visible");
  figure.querySelector(".note").textContent = note;
}

// The numbers of a graph as a folded table. Its first column links to the steps. `unfolded` stores which tables are
// open.
export function graphTable({ name, heads, turns, row, go, unfolded }) {
  const title = (turn) => [turn.name, turn.round].filter(Boolean).join(" · ");
  const first = (turn) =>
    go ? h("button", { testid: `row-${name}-${turn.step}`, onclick: () => go(turn.step) }, title(turn)) : title(turn);
  const ontoggle = ({ target }) => (unfolded[name] = target.open);
  return h("details", { open: Boolean(unfolded?.[name]), ontoggle, testid: `table-${name}` }, [
    h("summary", {}, t("analysis.table")),
    h("table", {}, [
      h("thead", {}, h("tr", {}, [heads.map((words) => h("th", { scope: "col" }, words))])),
      h("tbody", {}, [
        turns.map((turn, i) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, first(turn)),
            row(i).map((words) => h("td", {}, words)),
          ),
        ),
      ]),
    ]),
  ]);
}
