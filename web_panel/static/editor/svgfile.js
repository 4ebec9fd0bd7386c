// Exports a drawing as SVG for drawing programs, and imports it again. Every feature has its properties in
// `data-properties`, so nothing is lost; layers are kinds. Shapes from elsewhere become spaces of the kind in the name
// of their layer, group or class.

import { t, tOf } from "../texts.js";
import { inertCopy, LABEL, SHAPES } from "./inert.js";
import { isCut, isDrawn, middleOf, outlinesOf, placeOf, readsPaths, withLayout } from "./outline.js";
import { documentOf, ENTERABLE, fittingKind, freshId, isPoint, KINDS, planOf, spacesOf } from "./plan.js";
import { affine, area2, crossesItself, distance, inside, rounded, samePoint, withoutRepeats } from "./plane.js";
import { connected } from "./shapes.js";

const COLOURS = {
  open: "#8a9a6b",
  enclosed: "#b59b6a",
  elevated: "#a9adb3",
  water: "#3e7f9a",
  obstruction: "#3a3d40",
  access: "#d03a2a",
  entry: "#2a6fd0",
};
const SNAP = 8;
// Twice the area of a square millimetre: less is a remnant of drawing.
const TINY = 200;
const MOST_SHAPES = 600;
const MOST_CORNERS = 4000;
export const MOST_MB = 8;
// The properties of a space that are places.
const PLACES = ["spot", "lamp"];

const escaped = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
const json = (value) => escaped(JSON.stringify(value));

// --- out --------------------------------------------------------------------------------------------------------

export function svgOf(plan) {
  const { features, ...members } = documentOf(plan);
  const [width, height] = plan.members.size;
  const layers = new Map([...KINDS, "access", "entry", "other"].map((name) => [name, []]));
  const all = {};
  for (const [order, feature] of features.entries()) {
    const { role, said } = plan.features[order];
    const facts = factsOf(feature, role, order);
    all[`feature-${order}`] = facts;
    layers
      .get(role === "space" && layers.has(said.kind) ? said.kind : role === "space" ? "other" : role)
      .push(partOf(feature, role, facts));
  }
  const groups = [...layers]
    .filter(([, parts]) => parts.length)
    .map(
      ([name, parts]) =>
        `<g inkscape:groupmode="layer" inkscape:label="${name}" id="layer-${name}" fill="${COLOURS[name] ?? "#888888"}" stroke="#101010" stroke-width="8">\n${parts.join("\n")}\n</g>`,
    );
  // If a drawing program converts a circle to a path, it keeps only the ID, so the root also contains the data of all
  // parts.
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="${LABEL}" viewBox="0 0 ${width} ${height}" width="${width / 10}mm" height="${height / 10}mm" data-map="${json(members)}" data-features="${json(all)}">\n${groups.join("\n")}\n</svg>\n`;
}

// Returns the properties of a feature as data attributes.
function factsOf(feature, role, order) {
  const { geometry, properties, type, ...rest } = feature ?? {};
  if (role === "other") return { order: String(order), feature: JSON.stringify(feature) };
  const facts = { order: String(order), properties: JSON.stringify(properties) };
  if (Object.keys(rest).length) facts.rest = JSON.stringify(rest);
  // A drawing program may move the outline, but not the positions in the properties: the old outline shows how far they
  // must move.
  if (role === "space") facts.outline = JSON.stringify(geometry.coordinates[0].slice(0, -1));
  return facts;
}

function partOf({ geometry, properties }, role, facts) {
  const told = Object.entries(facts).map(([name, value]) => `data-${name}="${escaped(value)}"`);
  const name = [properties?.id ?? properties?.between ?? properties?.entry ?? ""].flat().join("–");
  const open = `id="feature-${facts.order}" inkscape:label="${escaped(name)}" ${told.join(" ")}`;
  if (role === "other") return `<g ${open}/>`;
  if (role === "space") {
    const ring = geometry.coordinates[0].slice(0, -1);
    return `<path ${open} d="M${ring.map((p) => p.join(",")).join("L")}Z"/>`;
  }
  const [cx, cy] = geometry.coordinates;
  return `<circle ${open} cx="${cx}" cy="${cy}" r="40"/>`;
}

// --- in ---------------------------------------------------------------------------------------------------------

// Returns {plan, lines}: the drawing, and messages about skipped or changed parts. Throws if nothing was understood.
export function planFrom(text, plan) {
  if (!readsPaths()) throw new Error(t("editor.svg.browser"));
  const copy = inertCopy(text);
  const { root } = copy;
  const gone = refreshed(root);
  const shapes = [...root.querySelectorAll(`${SHAPES}, [data-properties], [data-feature]`)].filter(
    (it) => !it.closest("defs, symbol") && !it.parentElement.closest("[data-properties]"),
  );
  const map = parsed(root.dataset.map);
  const base = map?.size ? map : plan.members;
  return withLayout(copy, base.size, (size, fitted) => {
    const found = { ours: [], others: [], lines: [] };
    for (const shape of shapes) taken(shape, found);
    const number = found.ours.length + found.others.length;
    if (!number) throw new Error([t("editor.svg.empty"), ...report(found.lines), ...leftOut(copy.left)].join(" "));
    if (number > MOST_SHAPES) throw new Error(t("editor.svg.many", { number: MOST_SHAPES }));
    const features = found.ours.sort((a, b) => a.order - b.order).map(({ feature }) => feature);
    // The page says the size: a drawing program may have changed it.
    const own = planOf({ ...base, size, features }, plan.corners);
    const corners = [...own.features, ...found.others].reduce((sum, { ring }) => sum + (ring?.length ?? 0), 0);
    if (corners > MOST_CORNERS) throw new Error(t("editor.svg.corners", { number: MOST_CORNERS }));
    const resized = map?.size && !samePoint(map.size, size) ? [t("editor.svg.resized", sizes(map.size, size))] : [];
    const notes = fitted ? [t("editor.svg.fitted", { size: inMillimetres(size) })] : resized;
    const lines = [...notes, ...report([...gone, ...found.lines]), ...leftOut(copy.left)];
    return { plan: joined(own, found.others), lines };
  });
}

// Gives shapes of our own export the facts that a drawing program has removed. Returns messages about lost shapes.
function refreshed(root) {
  const all = new Map(Object.entries(parsed(root.dataset.features) ?? {}));
  for (const shape of root.querySelectorAll("[id]")) {
    const facts = all.get(shape.id);
    if (facts && !shape.dataset.order) Object.assign(shape.dataset, facts);
  }
  const there = new Set([...root.querySelectorAll("[data-order]")].map((it) => it.dataset.order));
  return [...all.values()]
    .filter(({ order }) => !there.has(order))
    .map(({ properties }) => ({ why: "gone", name: parsed(properties)?.id ?? "" }));
}

const sizes = (before, now) => ({ before: inMillimetres(before), now: inMillimetres(now) });
const inMillimetres = (size) => size.map((side) => side / 10).join(" × ");

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function parsed(text) {
  const found = jsonOf(text);
  return found && typeof found === "object" && !Array.isArray(found) ? found : null;
}

function taken(shape, found) {
  const whole = parsed(shape.dataset.feature);
  // Features without an order come last.
  const order = Number(shape.dataset.order ?? 1e6 + found.ours.length) || 0;
  if (whole) return found.ours.push({ order, feature: whole });
  const said = parsed(shape.dataset.properties);
  const name = nameOf(shape);
  // A space may have the same name as a kind, so for shapes of our own export only the layer determines the kind.
  const kind = kindOf(said ? shape.parentElement : shape);
  const leave = (why) => found.lines.push({ why, name });
  const feature = { type: "Feature", ...parsed(shape.dataset.rest), properties: said };
  if (!said && !kind) return leave("kind");
  if (!isDrawn(shape)) return leave("hidden");
  if (said && (said.access || said.entry)) {
    const geometry = { type: "Point", coordinates: rounded(middleOf(shape)) };
    return found.ours.push({ order, feature: { ...feature, geometry } });
  }
  const drawn = (shape.localName === "g" ? [...shape.querySelectorAll(SHAPES)] : [shape])
    .flatMap(outlinesOf)
    .map((ring) => withoutRepeats(ring.map(rounded)))
    .filter((ring) => ring.length > 2);
  const rings = drawn.filter((ring) => Math.abs(area2(ring)) > TINY);
  if (rings.length > 1) return leave("holes");
  // The parts of a figure-eight have areas of opposite signs.
  if (!rings.length) return leave(drawn.some(crossesItself) ? "crossed" : drawn.length ? "small" : "open");
  const [ring] = rings;
  if (isCut(shape)) leave("cut");
  if (!said) return found.others.push({ ring, kind, name, sector: wordOf(shape) });
  if (found.ours.some((it) => it.order === order)) {
    // A copy made by the drawing program is another space.
    leave("copy");
    return found.others.push({ ring, kind: kind ?? said.kind, name: "", sector: new Set([said.sector]) });
  }
  feature.properties = kind && kind !== said.kind ? fittingKind({ ...said, kind }) : said;
  if (!placed(feature, ring, shape)) found.lines.push({ why: "spot", name });
  const geometry = { type: "Polygon", coordinates: [[...ring, ring[0]]] };
  return found.ours.push({ order, feature: { ...feature, geometry } });
}

// Moves the positions in the properties of a space with its outline. Returns false if a position was removed because
// the changed outline no longer contains it.
function placed(feature, ring, shape) {
  const before = jsonOf(shape.dataset.outline);
  const known = Array.isArray(before) && before.every(isPoint);
  if (known && JSON.stringify(before) === JSON.stringify(ring)) return true;
  // A drawing program writes a move either as a transform or into the outline itself.
  const move = (known && affine(before, ring)) || placeOf(shape);
  const said = { ...feature.properties };
  const names = PLACES.filter((name) => isPoint(said[name]));
  for (const name of names) said[name] = rounded(move(said[name]));
  const lost = names.filter((name) => name === "spot" && !inside(said[name], ring));
  for (const name of lost) delete said[name];
  feature.properties = said;
  return !lost.length;
}

// Returns the label or ID of a shape, or of the `use` that draws it.
function nameOf(shape) {
  for (let it = shape; it; it = it.parentElement?.closest("[data-use]")) {
    const name = it.getAttributeNS(LABEL, "label") || it.id;
    if (name) return name;
  }
  return "";
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

// Adds shapes from other programs as spaces with IDs and shared borders; corners that are almost equal are merged.
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
    const geometry = { type: "Polygon", coordinates: [[...met, met[0]]] };
    const [space] = planOf({ features: [{ type: "Feature", properties: { id, ...said }, geometry }] }).features;
    now = connected({ ...now, features: [...now.features, space] }, [space.key]);
  }
  return now;
}

function report(lines) {
  const counts = new Map();
  for (const { why, name } of lines) counts.set(why, [...(counts.get(why) ?? []), name]);
  const said = (names) => ({ number: names.length, names: names.filter(Boolean).slice(0, 8).join(", ") || "–" });
  return [...counts].map(([why, names]) => tOf("editor.svg", why, said(names)));
}

function leftOut({ words, live }) {
  return [
    ...(words ? [t("editor.svg.rest", { number: words })] : []),
    ...(live ? [t("editor.svg.live", { number: live })] : []),
  ];
}
