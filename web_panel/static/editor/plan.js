// The drawing in the editor. Plans are immutable: every edit makes a new one, and undo returns to an old one. A feature
// is {key, role, said, ring or at, rest}; `said` are its properties in the map format. `corners` are the corners of the
// board on the photo, as fractions of its width and height.

import { onSide, rectangle, samePoint, sides } from "./plane.js";

export const KINDS = ["open", "enclosed", "elevated", "water", "obstruction"];
export const ENTERABLE = new Set(["open", "enclosed", "elevated"]);
const LETTERS = { yellow: "Y", red: "R", black: "K", white: "W" };
const FLAGS = ["under", "difficult"];

let lastKey = 0;
export const freshKey = () => ++lastKey;

export const isPoint = (it) => Array.isArray(it) && it.length === 2 && it.every(Number.isFinite);

export const WHOLE = rectangle(1, 1);

export function planOf(document, corners = WHOLE) {
  const { features, ...members } = document;
  return { members, features: features.map(fromFeature), corners };
}

// Whether two plans have the same drawing; the photo's position may differ.
export const drawAlike = (one, other) => one.members === other.members && one.features === other.features;

// Features that the editor can't draw are kept and saved unchanged.
function fromFeature(feature) {
  const { type, properties, geometry: drawn, ...rest } = feature ?? {};
  const geometry = onlyPart(drawn);
  const key = freshKey();
  const said = properties ?? {};
  const ring = geometry?.type === "Polygon" && geometry.coordinates?.length === 1 ? geometry.coordinates[0] : null;
  // In the file, the last point of a ring repeats the first one.
  if (ring?.length > 3 && ring.every(isPoint) && samePoint(ring[0], ring.at(-1)))
    return { key, role: "space", said, ring: ring.slice(0, -1), rest };
  if (geometry?.type === "Point" && isPoint(geometry.coordinates)) {
    const at = geometry.coordinates;
    if (said.access && said.between?.length === 2) return { key, role: "access", said, at, rest };
    if (said.entry) return { key, role: "entry", said, at, rest };
  }
  return { key, role: "other", feature };
}

// Returns a shape, or its only part: QGIS saves layers as MultiPolygon and MultiPoint.
function onlyPart(geometry) {
  const [, type] = geometry?.type?.match?.(/^Multi(Polygon|Point)$/) ?? [];
  return type && geometry.coordinates?.length === 1 ? { type, coordinates: geometry.coordinates[0] } : geometry;
}

export function documentOf({ members, features }) {
  return { ...members, features: features.map(toFeature) };
}

function toFeature({ role, said, ring, at, rest, feature }) {
  if (role === "other") return feature;
  const geometry =
    role === "space" ? { type: "Polygon", coordinates: [[...ring, ring[0]]] } : { type: "Point", coordinates: at };
  return { type: "Feature", ...rest, properties: said, geometry };
}

// --- looking ----------------------------------------------------------------------------------------------------

export const spacesOf = (plan) => plan.features.filter(({ role }) => role === "space");
export const accessesOf = (plan) => plan.features.filter(({ role }) => role === "access");
export const entriesOf = (plan) => plan.features.filter(({ role }) => role === "entry");
export const byKey = (plan, key) => plan.features.find((it) => it.key === key);
export const byId = (plan, id) => spacesOf(plan).find(({ said }) => said.id === id);
export const sectorsOf = (plan) => (Array.isArray(plan.members.sectors) ? plan.members.sectors.map(String) : []);
export const sizeOf = (plan) => plan.members.size;

// Returns the sides that two spaces share.
export function sharedSides(one, other) {
  const theirs = sides(other.ring);
  return sides(one.ring).filter(([a, b]) =>
    theirs.some(([c, d]) => (samePoint(a, d) && samePoint(b, c)) || (samePoint(a, c) && samePoint(b, d))),
  );
}

// Returns the shared side that an access is on, if any.
export function sideAt(plan, { said, at }) {
  const [one, other] = said.between.map((id) => byId(plan, id));
  return one && other ? sharedSides(one, other).find(([a, b]) => onSide(at, a, b)) : undefined;
}

// --- ids --------------------------------------------------------------------------------------------------------

export function letterOf(plan, { kind, sector }) {
  if (kind === "water") return "~";
  if (kind === "obstruction") return "#";
  if (LETTERS[sector]) return LETTERS[sector];
  const others = sectorsOf(plan)
    .filter((it) => it !== sector)
    .map((it) => LETTERS[it] ?? it[0]?.toUpperCase());
  const free = [...(sector ?? "S").toUpperCase()].find((letter) => /[A-Z]/.test(letter) && !others.includes(letter));
  return free ?? "S";
}

// Returns the first free ID with the right letter.
export function freshId(plan, said) {
  const letter = letterOf(plan, said);
  const used = new Set(spacesOf(plan).map((it) => it.said.id));
  let number = 1;
  while (used.has(`${letter}${number}`)) number++;
  return `${letter}${number}`;
}

// Renames spaces wherever they are named; `names` maps old IDs to new ones.
export function renamed(plan, names) {
  const named = (id) => names.get(id) ?? id;
  const features = plan.features.map((it) => {
    if (it.role === "space" && names.has(it.said.id)) return { ...it, said: { ...it.said, id: named(it.said.id) } };
    return relabelled(it, named);
  });
  const members = plan.members.marks ? { ...plan.members, marks: namedIn(plan.members.marks, named) } : plan.members;
  return { ...plan, members, features };
}

// Renames spaces in lists, and in lists within objects.
function namedIn(it, named) {
  if (Array.isArray(it)) return it.map((id) => named(id));
  if (!it || typeof it !== "object") return it;
  return Object.fromEntries(Object.entries(it).map(([key, value]) => [key, namedIn(value, named)]));
}

// Renames the spaces that a door, ladder or arrow is at.
export function relabelled(it, named) {
  if (it.role === "access") return { ...it, said: { ...it.said, between: it.said.between.map(named) } };
  return it.role === "entry" ? { ...it, said: { ...it.said, entry: named(it.said.entry) } } : it;
}

// Spaces within the same strip of this height are in one row.
const ROW = 500;

// Renumbers all sectors in reading order: from the top left, row by row. `placed(space)` returns a space's position.
export function renumbered(plan, placed) {
  const order = spacesOf(plan)
    .map((space) => ({ space, at: placed(space) }))
    .sort((a, b) => Math.floor(a.at[1] / ROW) - Math.floor(b.at[1] / ROW) || a.at[0] - b.at[0]);
  const counts = {};
  const names = new Map();
  for (const { space } of order) {
    const letter = letterOf(plan, space.said);
    counts[letter] = (counts[letter] ?? 0) + 1;
    if (space.said.id !== `${letter}${counts[letter]}`) names.set(space.said.id, `${letter}${counts[letter]}`);
  }
  return names.size ? renamed(plan, names) : plan;
}

// --- what features say ------------------------------------------------------------------------------------------

export const withChanged = (plan, key, change) => ({
  ...plan,
  features: plan.features.map((it) => (it.key === key ? change(it) : it)),
});

// Sets a property of some features; null and false remove it. Properties that don't fit the kind are removed.
export function withProperty(plan, keys, name, value) {
  return [...keys].reduce(
    (now, key) => withChanged(now, key, (it) => ({ ...it, said: fittingKind({ ...it.said, [name]: value }) })),
    plan,
  );
}

export function fittingKind(said) {
  const kept = { ...said };
  if (kept.kind !== "enclosed") delete kept.area;
  if (!ENTERABLE.has(kept.kind)) for (const name of ["sector", "objective", "start", "difficult"]) delete kept[name];
  for (const [name, value] of Object.entries(kept))
    if (value === null || value === "" || (FLAGS.includes(name) && value === false)) delete kept[name];
  return kept;
}

export function withoutFeatures(plan, keys) {
  const gone = new Set(plan.features.filter((it) => it.role === "space" && keys.has(it.key)).map((it) => it.said.id));
  // If another space has the same ID, the doors stay.
  const left = new Set(
    spacesOf(plan)
      .filter((it) => !keys.has(it.key))
      .map((it) => it.said.id),
  );
  const lost = (id) => gone.has(id) && !left.has(id);
  return {
    ...plan,
    features: plan.features.filter(
      (it) =>
        !keys.has(it.key) &&
        !(it.role === "access" && it.said.between.some(lost)) &&
        !(it.role === "entry" && lost(it.said.entry)),
    ),
  };
}

// --- going back and on ------------------------------------------------------------------------------------------

export class History {
  constructor(plan) {
    Object.assign(this, { plan, past: [], future: [] });
  }

  take(plan) {
    if (plan === this.plan) return;
    this.past.push(this.plan);
    // After a new edit, the undone ones no longer fit.
    this.future = [];
    this.plan = plan;
  }

  step(from, to) {
    if (!from.length) return false;
    to.push(this.plan);
    this.plan = from.pop();
    return true;
  }

  // Changes every plan of the history.
  everywhere(change) {
    this.plan = change(this.plan);
    this.past = this.past.map(change);
    this.future = this.future.map(change);
  }

  undo = () => this.step(this.past, this.future);
  redo = () => this.step(this.future, this.past);
}
