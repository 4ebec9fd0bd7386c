// Reads outlines from an SVG that the browser lays out: where each shape is drawn, in tenths of a millimetre.

import { svg } from "../ui.js";
import { CUT } from "./inert.js";
import { distance, distanceToSide } from "./plane.js";

/** @typedef {[number, number]} Point */

// Tenths of a millimetre per pixel: SVG has 96 pixels per inch.
const TENTHS = 254 / 96;
const SHORTEST = 200;
const LONGEST = 100_000;
// How far the corners of a polygon may keep from its curve, in tenths of a millimetre.
const BEND = 0.5;
// How far the ends of a closed outline may be apart, in tenths of a millimetre.
const MEETS = 1;
const MOST_STEPS = 128;

// Calls `read` while the browser lays the drawing out, and returns its result. `read` gets the page size in tenths of a
// millimetre and whether the drawing was fitted: a drawing without a valid size is fitted into the `sheet`. Everything
// happens within one task, so that nothing is ever painted.
export function withLayout({ root, sheets }, sheet, read) {
  const host = document.body.appendChild(document.createElement("div"));
  // The styles of the page and those of the drawing must not meet.
  const shadow = host.attachShadow({ mode: "closed" });
  shadow.adoptedStyleSheets = sheets;
  shadow.append(root);
  Object.assign(host.style, { all: "initial", position: "fixed", left: "0", top: "0", fontSize: "16px" });
  try {
    const own = sizeOf(root, host);
    const size = own ?? sheet;
    // A drawing without a size must not be stretched to the proportions of the sheet.
    if (!own && /^\s*none/.test(root.getAttribute("preserveAspectRatio"))) root.removeAttribute("preserveAspectRatio");
    const [width, height] = size.map((side) => side / TENTHS);
    // Browsers round the box of an SVG in a page, but not that of an SVG in an SVG.
    shadow.append(svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` }, root));
    for (const [name, value] of Object.entries({ x: 0, y: 0, width, height })) {
      root.style.removeProperty(name);
      root.setAttribute(name, String(value));
    }
    return read(size, !own);
  } finally {
    host.remove();
  }
}

// Returns the size stated in the drawing; null if there is none, or if no board can have it.
function sizeOf(root, host) {
  // For an element that isn't displayed, the computed style contains the specified value, not the resulting length.
  host.style.display = "none";
  const asked = ["width", "height"].map((name) => getComputedStyle(root)[name]);
  host.style.display = "block";
  const view = root.viewBox.baseVal;
  const [width, height] = asked.map((it) => (it.endsWith("px") ? parseFloat(it) : 0));
  // One side is enough if the other one follows from the view box.
  const ratio = asked.includes("auto") && view?.height ? view.width / view.height : 0;
  const size = [width || height * ratio, height || width / ratio].map((side) => Math.round(side * TENTHS));
  return size.every((side) => side >= SHORTEST && side <= LONGEST) ? size : null;
}

export function isDrawn(shape) {
  // An element that is not drawn has no boxes, be it in a hidden group or left out by a switch. In Firefox it can have
  // empty ones, as a straight line has there, too.
  const boxes = [...shape.getClientRects()];
  const seen = shape.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  if (!boxes.length || !seen) return false;
  const { width, height } = shape.getBBox();
  return boxes.some((box) => box.width || box.height) || !width !== !height;
}

export const isCut = (shape) => Boolean(getComputedStyle(shape).getPropertyValue(CUT));

// Returns a function from units of a shape to tenths of a millimetre.
export function placeOf(shape) {
  const page = shape.getRootNode().firstElementChild;
  const { a, b, c, d, e, f } = page.getScreenCTM().inverse().multiply(shape.getScreenCTM());
  // Browsers calculate with seven digits; errors in the last ones must not affect how halves are rounded.
  const tidy = (value) => Math.round(value * TENTHS * 100) / 100;
  /** @type {(point: Point) => Point} */
  return ([x, y]) => [tidy(a * x + c * y + e), tidy(b * x + d * y + f)];
}

export function middleOf(shape) {
  const { x, y, width, height } = shape.getBBox();
  return placeOf(shape)([x + width / 2, y + height / 2]);
}

// Returns the closed outlines of a shape. An open one is closed if the browser fills it, or if its ends meet.
export function outlinesOf(shape) {
  const filled = getComputedStyle(shape).fill !== "none";
  const meets = (points) => points.length > 3 && distance(points[0], points.at(-1)) <= MEETS;
  return ringsOf(segmentsOf(shape), placeOf(shape))
    .filter(({ points, closed }) => closed || filled || meets(points))
    .map(({ points }) => points);
}

// Whether the browser returns the parsed segments of a path. Safari doesn't, and it also places and hides shapes
// wrongly.
export const readsPaths = () => "getPathData" in SVGPathElement.prototype || CSS.supports("d", 'path("M0 0")');

// Returns the segments of a shape as the browser parsed them: absolute, one by one, up to the first syntax error.
function segmentsOf(shape) {
  if (shape.localName !== "path") return shape.points ? polygon(shape) : rounded(shape);
  if (shape.getPathData) return shape.getPathData({ normalize: true });
  const [, data] = /^path\("(.*)"\)$/.exec(getComputedStyle(shape).d) ?? ["", ""];
  return [...data.matchAll(/([A-Z])([^A-Z]*)/g)].map(([, type, rest]) => ({
    type,
    values: (rest.match(/\S+/g) ?? []).map(Number),
  }));
}

function polygon(shape) {
  const corners = [...shape.points].map(({ x, y }, i) => ({ type: i ? "L" : "M", values: [x, y] }));
  return shape.localName === "polygon" && corners.length ? [...corners, { type: "Z", values: [] }] : corners;
}

// Returns a rectangle, circle or ellipse, from its bounding box, in which units and percentages are already resolved.
function rounded(shape) {
  const { x, y, width, height } = shape.getBBox();
  if (shape.localName === "line" || !width || !height) return [];
  const [rx, ry] = shape.localName === "rect" ? radiiOf(shape, width, height) : [width / 2, height / 2];
  const [right, bottom] = [x + width, y + height];
  const line = (toX, toY) => ({ type: "L", values: [toX, toY] });
  // An arc without a radius is a line, here without a length.
  const turn = (toX, toY) => (rx && ry ? { type: "A", values: [rx, ry, 0, 0, 1, toX, toY] } : line(toX, toY));
  return [
    { type: "M", values: [x + rx, y] },
    line(right - rx, y),
    turn(right, y + ry),
    line(right, bottom - ry),
    turn(right - rx, bottom),
    line(x + rx, bottom),
    turn(x, bottom - ry),
    line(x, y + ry),
    turn(x + rx, y),
    { type: "Z", values: [] },
  ];
}

function radiiOf(shape, width, height) {
  const style = getComputedStyle(shape);
  // Only the attribute resolves percentages against the right length.
  const valueOf = (name) => (style[name].endsWith("px") ? parseFloat(style[name]) : shape[name].baseVal.value);
  const [rx, ry] = [
    ["rx", "ry"],
    ["ry", "rx"],
  ].map(([own, other]) => valueOf(style[own] === "auto" ? other : own));
  return [Math.min(rx, width / 2), Math.min(ry, height / 2)];
}

// Returns the outlines {points, closed} in tenths of a millimetre.
function ringsOf(segments, at) {
  // Curves are measured on a path outside the page: a change of the page would cost a layout.
  const bench = svg("path");
  const rings = [];
  let [ring, here, start, last] = [null, [0, 0], [0, 0], null];
  for (const segment of segments) {
    const { type, values } = segment;
    const to = endOf(segment, here, start);
    if (type === "M") start = to;
    // After Z, drawing continues where the outline began.
    if (type === "M" || (!ring && type !== "Z")) rings.push((ring = { points: [at(start)], closed: false }));
    const bend = bendOf(type, values, here, last);
    if (type === "Z" && ring) [ring.closed, ring] = [true, null];
    else if (bend) ring.points.push(...curve(bench, `M${here.join(" ")}${bend.type}${bend.values.join(" ")}`, at));
    else if (type !== "M") ring.points.push(at(to));
    [here, last] = [to, bend];
  }
  return rings;
}

function endOf({ type, values }, here, start) {
  if (type === "Z") return start;
  if (type === "H") return [values[0], here[1]];
  return type === "V" ? [here[0], values[0]] : values.slice(-2);
}

// Returns a curve with all its control points, or null for a straight segment.
function bendOf(type, values, here, last) {
  if ("CQA".includes(type)) return { type, values };
  if (!"ST".includes(type)) return null;
  const whole = type === "S" ? "C" : "Q";
  // A smooth curve begins in the direction in which the last curve of the same type ended.
  const [x, y] = last?.type === whole ? last.values.slice(-4, -2) : here;
  return { type: whole, values: [2 * here[0] - x, 2 * here[1] - y, ...values] };
}

// Returns the corners of a polygon along a curve, without the first one: enough to stay within BEND of the curve.
function curve(bench, data, at) {
  bench.setAttribute("d", data);
  const total = bench.getTotalLength();
  const pointAt = (part) => {
    const { x, y } = bench.getPointAtLength(total * part);
    return at([x, y]);
  };
  let fine = [0, 1, 2, 3, 4].map((i) => pointAt(i / 4));
  for (;;) {
    const corners = fine.filter((_, i) => i % 4 === 0);
    // Three points between two corners also show a curve that crosses the line between them.
    const far = fine.some((p, i) => distanceToSide(p, corners[i >> 2], corners[(i >> 2) + 1] ?? corners.at(-1)) > BEND);
    if (!far || corners.length > MOST_STEPS) return corners.slice(1);
    const parts = 2 * (fine.length - 1);
    fine = fine.flatMap((p, i) => (i ? [pointAt((2 * i - 1) / parts), p] : [p]));
  }
}
