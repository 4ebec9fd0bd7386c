// Exports a drawing as SVG for drawing programs, and imports it again. Every feature has its properties in
// `data-properties`, so nothing is lost; layers are kinds. Shapes from elsewhere become spaces of the kind in the name
// of their layer, group or class.

import { t } from "../texts.js";
import { svg } from "../ui.js";
import { documentOf, ENTERABLE, fittingKind, freshId, KINDS, planOf, spacesOf } from "./plan.js";
import { distance, area2, rounded, withoutRepeats } from "./plane.js";
import { connected } from "./shapes.js";

const LABEL = "http://www.inkscape.org/namespaces/inkscape";
const COLOURS = {
  open: "#8a9a6b",
  enclosed: "#b59b6a",
  elevated: "#a9adb3",
  water: "#3e7f9a",
  obstruction: "#3a3d40",
  access: "#d03a2a",
  entry: "#2a6fd0",
};
const BEND = 40; // a corner after this many tenths of a millimetre along a curve
const SNAP = 8;
const MOST_SHAPES = 600;
const MOST_CORNERS = 4000;
export const MOST_MB = 8;
// Millimetres of each unit; SVG has 96 pixels per inch, and plain numbers are pixels.
const MM = { mm: 1, cm: 10, in: 25.4, px: 25.4 / 96, pt: 25.4 / 72, pc: 25.4 / 6, "": 25.4 / 96 };

const escaped = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
const json = (value) => escaped(JSON.stringify(value));

// --- out --------------------------------------------------------------------------------------------------------

export function svgOf(plan) {
  const { features, ...members } = documentOf(plan);
  const [width, height] = plan.members.size;
  const layers = new Map([...KINDS, "access", "entry", "other"].map((name) => [name, []]));
  for (const [order, feature] of features.entries()) {
    const { role, said } = plan.features[order];
    layers
      .get(role === "space" && layers.has(said.kind) ? said.kind : role === "space" ? "other" : role)
      .push(partOf(feature, role, order));
  }
  const groups = [...layers]
    .filter(([, parts]) => parts.length)
    .map(
      ([name, parts]) =>
        `<g inkscape:groupmode="layer" inkscape:label="${name}" id="layer-${name}" fill="${COLOURS[name] ?? "#888888"}" stroke="#101010" stroke-width="8">\n${parts.join("\n")}\n</g>`,
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="${LABEL}" viewBox="0 0 ${width} ${height}" width="${width / 10}mm" height="${height / 10}mm" data-map="${json(members)}">\n${groups.join("\n")}\n</svg>\n`;
}

function partOf(feature, role, order) {
  const { geometry, properties, type, ...rest } = feature ?? {};
  if (role === "other") return `<g data-order="${order}" data-feature="${json(feature)}"/>`;
  const told = `data-order="${order}" data-properties="${json(properties)}"${Object.keys(rest).length ? ` data-rest="${json(rest)}"` : ""}`;
  if (role === "space") {
    const ring = geometry.coordinates[0].slice(0, -1);
    return `<path inkscape:label="${escaped(String(properties.id))}" ${told} d="M${ring.map((p) => p.join(",")).join("L")}Z"/>`;
  }
  const [cx, cy] = geometry.coordinates;
  return `<circle ${told} cx="${cx}" cy="${cy}" r="40"/>`;
}

// --- in ---------------------------------------------------------------------------------------------------------

// Returns {plan, lines}: the drawing, and messages about what was not understood. Throws if nothing was.
export function planFrom(text, plan) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = read.documentElement;
  if (root.localName !== "svg" || read.querySelector("parsererror")) throw new Error(t("editor.svg.fault"));
  const shapes = [...root.querySelectorAll("path, polygon, polyline, rect, circle, ellipse, [data-feature]")].filter(
    (it) => !it.closest("defs, clipPath, mask, symbol, pattern, marker"),
  );
  if (shapes.length > MOST_SHAPES) throw new Error(t("editor.svg.many", { number: MOST_SHAPES }));
  const map = parsed(root.dataset.map);
  const members = map?.size ? map : { ...plan.members, size: sizeOf(root) ?? plan.members.size };
  const place = placing(root, members.size);
  try {
    const found = { ours: [], others: [], lines: [] };
    for (const shape of shapes) taken(shape, place, found);
    if (!found.ours.length && !found.others.length) throw new Error(t("editor.svg.empty"));
    const features = found.ours.sort((a, b) => a.order - b.order).map(({ feature }) => feature);
    const own = planOf({ ...members, features }, plan.corners);
    const corners = [...own.features, ...found.others].reduce((sum, { ring }) => sum + (ring?.length ?? 0), 0);
    if (corners > MOST_CORNERS) throw new Error(t("editor.svg.corners", { number: MOST_CORNERS }));
    return { plan: joined(own, found.others), lines: [...report(found.lines), ...unknown(root)] };
  } finally {
    place.end();
  }
}

function parsed(text) {
  try {
    const found = JSON.parse(text);
    return found && typeof found === "object" && !Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}

function sizeOf(root) {
  const size = ["width", "height"].map((name) => /^([\d.]+)(mm|cm|in|px|pt|pc|)$/.exec(root.getAttribute(name) ?? ""));
  if (!size.every(Boolean)) return null;
  const found = size.map(([, number, unit]) => Math.round(Number(number) * MM[unit] * 10));
  return found.every((side) => side >= 200 && side <= 100_000) ? found : null;
}

// Converts units of the file to tenths of a millimetre. Curves are measured in an SVG of our own; nothing from the file
// enters the page.
function placing(root, [width, height]) {
  const box = (root.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  const [x, y, w, h] =
    box.length === 4 && box.every(Number.isFinite) && box[2] > 0 && box[3] > 0
      ? box
      : [0, 0, (width / 10) * (96 / 25.4), (height / 10) * (96 / 25.4)];
  const bench = svg("svg", { class: "bench", "aria-hidden": "true" });
  document.body.append(bench);
  const matrixOf = (shape) => {
    let matrix = bench
      .createSVGMatrix()
      .scaleNonUniform(width / w, height / h)
      .translate(-x, -y);
    const line = [];
    // The transforms apply from the outermost group inwards.
    for (let it = shape; it && it !== root; it = it.parentElement) line.unshift(it);
    for (const it of line) {
      const own = svg("g", { transform: it.getAttribute("transform") }).transform.baseVal.consolidate();
      if (own) matrix = matrix.multiply(own.matrix);
    }
    // The determinant says how much areas grow; its root says the same of lengths.
    const scale = Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c));
    const at = ([px, py]) => [matrix.a * px + matrix.c * py + matrix.e, matrix.b * px + matrix.d * py + matrix.f];
    return { at, bench: { append: (it) => bench.append(it), scale } };
  };
  return { matrixOf, end: () => bench.remove() };
}

function taken(shape, place, found) {
  const whole = parsed(shape.dataset.feature);
  const order = Number(shape.dataset.order) || 0;
  if (whole) return found.ours.push({ order, feature: whole });
  const { at, bench } = place.matrixOf(shape);
  const said = parsed(shape.dataset.properties);
  const name = shape.getAttributeNS(LABEL, "label") ?? shape.id ?? "";
  if (said && (said.access || said.entry)) {
    const centre = ["cx", "cy"].map((it) => Number(shape.getAttribute(it)));
    const point = { type: "Point", coordinates: rounded(at(centre)) };
    return found.ours.push({
      order,
      feature: { type: "Feature", ...parsed(shape.dataset.rest), properties: said, geometry: point },
    });
  }
  const rings = outlines(shape, bench)
    .map((ring) => withoutRepeats(ring.map((p) => rounded(at(p)))))
    .filter((ring) => ring.length > 2 && Math.abs(area2(ring)) > 200);
  if (rings.length !== 1) return found.lines.push({ why: rings.length ? "holes" : "open", name });
  const kind = kindOf(shape);
  if (said) {
    const properties = kind && kind !== said.kind ? fittingKind({ ...said, kind }) : said;
    const [ring] = rings;
    return found.ours.push({
      order,
      feature: {
        type: "Feature",
        ...parsed(shape.dataset.rest),
        properties,
        geometry: { type: "Polygon", coordinates: [[...ring, ring[0]]] },
      },
    });
  }
  if (!kind) return found.lines.push({ why: "kind", name });
  return found.others.push({ ring: rings[0], kind, name, sector: wordOf(shape) });
}

// Yields words that describe a shape: classes, labels and IDs of the shape and its groups.
function* wordsOf(shape) {
  for (let it = shape; it?.getAttribute; it = it.parentElement)
    yield* [it.getAttributeNS(LABEL, "label"), it.getAttribute("class"), it.id]
      .filter(Boolean)
      .flatMap((text) => text.toLowerCase().split(/[^a-z]+/));
}

const kindOf = (shape) => [...wordsOf(shape)].find((word) => KINDS.includes(word));
const wordOf = (shape) => new Set(wordsOf(shape));

// Returns the closed outlines of a shape, in its own units.
function outlines(shape, bench) {
  const number = (name) => Number(shape.getAttribute(name)) || 0;
  if (shape.localName === "rect") {
    const [x, y, w, h] = ["x", "y", "width", "height"].map(number);
    return [
      [
        [x, y],
        [x + w, y],
        [x + w, y + h],
        [x, y + h],
      ],
    ];
  }
  if (shape.localName === "polygon" || shape.localName === "polyline") {
    const flat = (shape.getAttribute("points") ?? "")
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    return [flat.flatMap((value, i) => (i % 2 ? [] : [[value, flat[i + 1]]])).filter((p) => p.every(Number.isFinite))];
  }
  const round = shape.localName !== "path";
  const [rx, ry] = shape.localName === "circle" ? [number("r"), number("r")] : [number("rx"), number("ry")];
  const d = round
    ? `M${number("cx") - rx} ${number("cy")}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`
    : shape.getAttribute("d");
  return pathOutlines(d ?? "", bench);
}

const COMMAND = /([MLHVCSQTAZ])([^MLHVCSQTAZ]*)/gi;
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;
const TAKES = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

// Straight parts keep their corners; curves are approximated by corners.
function pathOutlines(d, bench) {
  const rings = [];
  let ring = null;
  let [here, start] = [
    [0, 0],
    [0, 0],
  ];
  let before = "";
  const close = () => ring?.length > 2 && rings.push(ring);
  for (const [, letter, rest] of d.matchAll(COMMAND)) {
    const [name, relative] = [letter.toUpperCase(), letter !== letter.toUpperCase()];
    const values = (rest.match(NUMBER) ?? []).map(Number);
    // With more values than a letter takes, its command is repeated; after M, as lines.
    for (let i = 0; i === 0 || (TAKES[name] && i + TAKES[name] <= values.length); i += TAKES[name] || 1) {
      const own = values.slice(i, i + TAKES[name]);
      if (own.length < TAKES[name]) break;
      const from = here;
      const base = relative ? from : [0, 0];
      if (name === "Z") here = start;
      else if (name === "H") here = [base[0] + own[0], from[1]];
      else if (name === "V") here = [from[0], base[1] + own[0]];
      else here = [base[0] + own.at(-2), base[1] + own.at(-1)];
      if (name === "M" && i === 0) {
        close();
        [ring, start] = [[here], here];
      } else if ("CSQTA".includes(name)) ring?.push(...curve(from, before, letter, own, bench), here);
      else if (name !== "Z") ring?.push(here);
      before = "CSQTA".includes(name) ? control(from, letter, own, before) : "";
    }
  }
  close();
  return rings;
}

// Puts the previous curve before a smooth one, which depends on it.
const control = (from, letter, own, before) =>
  "STst".includes(letter) ? `${before}${letter}${own.join(" ")}` : `M${from.join(" ")}${letter}${own.join(" ")}`;

function curve(from, before, letter, own, bench) {
  const whole = control(from, letter, own, before || `M${from.join(" ")}`);
  const path = svg("path", { d: whole });
  bench.append(path);
  const total = path.getTotalLength();
  const smooth = svg("path", { d: before || `M${from.join(" ")}` });
  bench.append(smooth);
  // The path has the previous curve first, so the points begin behind it.
  const begin = "STst".includes(letter) && before ? smooth.getTotalLength() : 0;
  const steps = Math.min(64, Math.max(2, Math.ceil(((total - begin) * bench.scale) / BEND)));
  const points = Array.from({ length: steps - 1 }, (_, i) =>
    path.getPointAtLength(begin + ((total - begin) * (i + 1)) / steps),
  ).map(({ x, y }) => [x, y]);
  path.remove();
  smooth.remove();
  return points;
}

// Adds shapes from elsewhere as spaces with IDs and shared borders; almost equal corners become one.
function joined(plan, others) {
  let now = plan;
  for (const { ring, kind, name, sector } of others) {
    const corners = spacesOf(now).flatMap((space) => space.ring);
    const met = withoutRepeats(
      ring.map(
        (p) => corners.filter((it) => distance(it, p) <= SNAP).sort((a, b) => distance(a, p) - distance(b, p))[0] ?? p,
      ),
    );
    if (met.length < 3) continue;
    const sectors = plan.members.sectors ?? [];
    const said = {
      kind,
      ...(ENTERABLE.has(kind) ? { sector: sectors.find((it) => sector.has(it)) ?? sectors.at(-1) } : {}),
    };
    const used = spacesOf(now).some((it) => it.said.id === name);
    const id = /^[A-Z~#]\d{1,3}$/.test(name) && !used ? name : freshId(now, said);
    const fresh = planOf({
      features: [
        {
          type: "Feature",
          properties: { id, ...said },
          geometry: { type: "Polygon", coordinates: [[...met, met[0]]] },
        },
      ],
    }).features;
    now = connected({ ...now, features: [...now.features, ...fresh] }, [fresh[0].key]);
  }
  return now;
}

function report(lines) {
  const counts = new Map();
  for (const { why, name } of lines) counts.set(why, [...(counts.get(why) ?? []), name]);
  const said = {
    holes: (it) => t("editor.svg.holes", it),
    open: (it) => t("editor.svg.open", it),
    kind: (it) => t("editor.svg.kind", it),
  };
  return [...counts].map(([why, names]) =>
    said[why]({ number: names.length, names: names.filter(Boolean).slice(0, 8).join(", ") || "–" }),
  );
}

function unknown(root) {
  const rest = [...root.querySelectorAll("text, image, use")].filter((it) => !it.closest("defs"));
  return rest.length ? [t("editor.svg.rest", { number: rest.length })] : [];
}
