// Edits of outlines. Neighbours share their borders: moving a corner moves it for all its spaces, and a corner on
// another space's side becomes a corner of that space too.

import { clamp } from "../camera.js";
import {
  accessesOf,
  byId,
  byKey,
  entriesOf,
  fittingKind,
  freshId,
  freshKey,
  relabelled,
  sharedSides,
  sideAt,
  sizeOf,
  spacesOf,
  withChanged,
} from "./plan.js";
import {
  distance,
  cut,
  deepest,
  inside,
  lengthOf,
  middle,
  nearest,
  onSide,
  rectangle,
  rounded,
  samePoint,
  sides,
  stretch,
  withoutRepeats,
  distanceToRing,
  distanceToSide,
  union,
} from "./plane.js";

// Tolerance for "on a side": a rounded point can be this far off.
const ON = 1;
// If the gap between a straight line and a border is narrower than this, the line follows the border.
const SLIVER = 30;
// How far a door follows its wall.
const FOLLOWS = 80;

const has = (ring, p) => ring.some((it) => samePoint(it, p));

// Returns the ring with a corner at p if p is on one of its sides. Very close to another corner it must be exactly on
// the side, or the ring would get a spike.
function withCorner(ring, p) {
  if (has(ring, p)) return ring;
  const exact = ring.some((it) => distance(it, p) <= 2 * ON);
  const at = sides(ring).findIndex(([a, b]) => (exact ? onSide(p, a, b) : distanceToSide(p, a, b) <= ON));
  return at < 0 ? ring : ring.toSpliced(at + 1, 0, p);
}

const reshaped = (plan, change) => ({
  ...plan,
  features: plan.features.map((it) => {
    if (it.role !== "space") return it;
    const ring = change(it.ring, it);
    return ring === it.ring ? it : { ...it, ring };
  }),
});

// Connects some spaces to their neighbours: corners on sides become corners of both.
export function connected(plan, keys) {
  const own = new Set(keys);
  const [points, others] = [true, false].map((mine) => cornersOf(plan, (key) => own.has(key) === mine));
  return withMarksMoved(reshaped(plan, (ring, { key }) => (own.has(key) ? others : points).reduce(withCorner, ring)));
}

// Returns the corners of the spaces whose keys are `wanted`.
const cornersOf = (plan, wanted) => spacesOf(plan).flatMap(({ key, ring }) => (wanted(key) ? ring : []));

// Moves doors and ladders with their walls, and arrows with the edge.
function withMarksMoved(plan) {
  let now = plan;
  for (const access of accessesOf(plan)) {
    const [one, other] = access.said.between.map((id) => byId(now, id));
    if (!one || !other || sideAt(now, access)) continue;
    const shared = sharedSides(one, other).map(([a, b]) => ({ a, b, p: nearest(access.at, a, b) }));
    const best = shared.sort((x, y) => distance(x.p, access.at) - distance(y.p, access.at))[0];
    if (best && distance(best.p, access.at) <= FOLLOWS)
      now = withChanged(withPoint(now, rounded(best.p), best), access.key, (it) => ({ ...it, at: rounded(best.p) }));
  }
  return now;
}

// Adds a point as a corner to all spaces with this side, unless the side passes exactly through it.
const withPoint = (plan, p, { a, b }) => (onSide(p, a, b) ? plan : inserted(plan, a, b, p));

export function withSpace(plan, ring, brush) {
  const key = freshKey();
  const kept = fittingKind({ ...brush });
  const said = { id: freshId(plan, kept), ...kept };
  const space = { key, role: "space", said, ring: withoutRepeats(ring), rest: {} };
  const at = plan.features.findLastIndex(({ role }) => role === "space") + 1;
  const features = plan.features.toSpliced(at, 0, space);
  return { plan: connected({ ...plan, features }, [key]), key };
}

// --- corners ----------------------------------------------------------------------------------------------------

// Moves a corner in all spaces that have it, or in the space `alone`.
export function moved(plan, from, to, alone = null) {
  if (samePoint(from, to)) return plan;
  const touched = new Set();
  const shaped = reshaped(plan, (ring, { key }) => {
    if (!has(ring, from) || (alone !== null && key !== alone)) return ring;
    const next = withoutRepeats(ring.map((p) => (samePoint(p, from) ? to : p)));
    if (next.length < 3) return ring;
    touched.add(key);
    return next;
  });
  if (!touched.size) return plan;
  const features = shaped.features.map((it) =>
    it.at && samePoint(it.at, from) && alone === null ? { ...it, at: to } : it,
  );
  return connected({ ...shaped, features }, touched);
}

// Adds a corner to all spaces that share a side.
export function inserted(plan, a, b, p) {
  return reshaped(plan, (ring) => {
    const at = sides(ring).findIndex(
      ([c, d]) => (samePoint(a, c) && samePoint(b, d)) || (samePoint(a, d) && samePoint(b, c)),
    );
    return at < 0 || has(ring, p) ? ring : ring.toSpliced(at + 1, 0, p);
  });
}

export function removed(plan, p) {
  return withMarksMoved(
    reshaped(plan, (ring) => (has(ring, p) && ring.length > 3 ? ring.filter((it) => !samePoint(it, p)) : ring)),
  );
}

export function shifted(plan, keys, [dx, dy]) {
  const own = new Set(keys);
  const corners = cornersOf(plan, (key) => own.has(key));
  // Neighbours keep their borders: their common corners move too.
  const unique = [...new Map(corners.map((p) => [p.join(), p])).values()];
  const on = (p) => unique.some((it) => samePoint(it, p));
  const by = ([x, y]) => [x + dx, y + dy];
  return {
    ...plan,
    features: plan.features.map((it) => {
      if (it.role === "space") {
        const ring = it.ring.some(on) ? it.ring.map((p) => (on(p) ? by(p) : p)) : it.ring;
        const said = own.has(it.key) && it.said.spot ? { ...it.said, spot: by(it.said.spot) } : it.said;
        return ring === it.ring && said === it.said ? it : { ...it, ring, said };
      }
      return it.at && on(it.at) ? { ...it, at: by(it.at) } : it;
    }),
  };
}

// --- spaces -----------------------------------------------------------------------------------------------------

// Splits a space along a path from border to border; null if the path doesn't split it.
export function split(plan, key, path) {
  const ends = [path[0], path.at(-1)];
  const cornered = (ring, p) => (distanceToRing(p, ring) <= ON ? withCorner(ring, p) : ring);
  const now = reshaped(plan, (ring) => ends.reduce(cornered, ring));
  const space = byKey(now, key);
  const rings = cut(space.ring, path)?.map(withoutRepeats);
  if (!rings || rings.some((ring) => ring.length < 3) || !path.slice(1, -1).every((p) => inside(p, space.ring)))
    return null;
  const spot = space.said.spot ?? deepest(space.ring);
  // The part in which a miniature stands remains the old space.
  const [own, rest] = inside(spot, rings[0]) ? rings : [rings[1], rings[0]];
  // These belong to one space only, so the part with the spot keeps them.
  const { id, objective, start, spot: _, name, ...alike } = space.said;
  const said = { id: freshId(now, space.said), ...alike };
  const second = { key: freshKey(), role: "space", said, ring: rest, rest: {} };
  const at = now.features.findIndex((it) => it.key === key);
  const features = now.features.toSpliced(at, 1, { ...space, ring: own }, second);
  const done = { ...now, features: features.map((it) => reassigned(it, id, second, own)) };
  return { plan: withMarksMoved(done), key: second.key };
}

// Moves a door, ladder or arrow to the new space if it is on its part of the border.
function reassigned(it, id, second, own) {
  const there = it.at && distanceToRing(it.at, second.ring) < distanceToRing(it.at, own);
  return there ? relabelled(it, (one) => (one === id ? second.said.id : one)) : it;
}

// Merges two spaces; the first keeps its properties. Null if they share no border or enclose something.
export function merged(plan, first, second) {
  const [one, other] = [byKey(plan, first), byKey(plan, second)];
  const ring = union(one.ring, other.ring);
  if (!ring) return null;
  const [keep, lose] = [one.said.id, other.said.id];
  const between = (it) => it.role === "access" && [keep, lose].every((id) => it.said.between.includes(id));
  const features = plan.features
    .filter((it) => it.key !== second && !between(it))
    .map((it) => (it.key === first ? { ...it, ring } : relabelled(it, (id) => (id === lose ? keep : id))));
  return { ...plan, features };
}

// --- doors, ladders, arrows -------------------------------------------------------------------------------------

const above = (one, other) => one.said.under && other.said.kind === "elevated";
const FITS = { door: (raised) => raised !== 1, ladder: (raised) => raised > 0 };
// Whether a door or a ladder can join two spaces; the same rule is in `engine/graph/check.py`.
const joins = (access, pair) => FITS[access](pair.filter(({ said }) => said.kind === "elevated").length);

// Returns the border nearest to a point within `reach`. Three spaces share a border where a tunnel ends below a
// walkway; then the pair is chosen that a door (or a ladder) can join.
function borderNear(plan, p, reach, access) {
  const spaces = spacesOf(plan);
  const found = [];
  for (const [i, one] of spaces.entries())
    for (const [a, b] of sides(one.ring)) {
      const far = distanceToSide(p, a, b);
      if (far > reach) continue;
      const others = spaces
        .slice(i + 1)
        .filter((it) => sharedSides({ ring: [a, b] }, it).length && !above(one, it) && !above(it, one));
      for (const other of others)
        found.push({ far: Math.round(far), a, b, one, other, wrong: joins(access, [one, other]) ? 0 : 1 });
    }
  return found.sort((x, y) => x.far - y.far || x.wrong - y.wrong)[0] ?? null;
}

export function withAccess(plan, access, p, reach) {
  const border = borderNear(plan, p, reach, access);
  if (!border) return null;
  const { a, b, one, other } = border;
  const ends = sharedSides(one, other).flat();
  // Within a border of several sides, an inner corner belongs to two of them.
  const inner = (it) => ends.filter((end) => samePoint(end, it)).length > 1;
  const corner = [a, b].find((it) => distance(it, p) <= reach / 2 && inner(it));
  const at = corner ?? rounded(nearest(p, a, b));
  const pair = [one, other].map(({ said }) => said.id);
  // Two spaces have at most one access, so another one replaces it.
  const again = accessesOf(plan).find(({ said }) => pair.every((id) => said.between.includes(id)));
  const key = again?.key ?? freshKey();
  const now = corner ? plan : withPoint(plan, at, border);
  const said = { ...again?.said, access, between: again?.said.between ?? ordered(access, one, other) };
  const feature = { key, role: "access", said, at, rest: {} };
  if (again) return { plan: withChanged(now, key, () => feature), key };
  // Accesses come before entries in the file.
  const place = now.features.findIndex(({ role }) => role === "entry");
  return { plan: { ...now, features: now.features.toSpliced(place < 0 ? Infinity : place, 0, feature) }, key };
}

// Puts a room or raised space first: a door of the room, a ladder up to the walkway.
function ordered(access, one, other) {
  const first = access === "ladder" ? "elevated" : "enclosed";
  const turned = other.said.kind === first && one.said.kind !== first;
  return (turned ? [other, one] : [one, other]).map(({ said }) => said.id);
}

// Adds an arrow at the edge of the board, or else at the edge of the drawing; one for each sector.
export function withEntry(plan, p, reach) {
  const [width, height] = sizeOf(plan);
  const rim = sides(rectangle(width, height));
  const alone = (space, a, b) => !spacesOf(plan).some((it) => it !== space && sharedSides({ ring: [a, b] }, it).length);
  const free = ({ space, a, b }) =>
    rim.some((r) => [a, b].every((end) => onSide(end, r[0], r[1]))) || alone(space, a, b);
  const best = spacesOf(plan)
    .filter(({ said }) => !["water", "obstruction"].includes(said.kind))
    .flatMap((space) => sides(space.ring).map(([a, b]) => ({ space, a, b, far: distanceToSide(p, a, b) })))
    .filter((it) => it.far <= reach && free(it))
    .sort((x, y) => x.far - y.far)[0];
  if (!best) return null;
  const at = rounded(nearest(p, best.a, best.b));
  const now = withPoint(plan, at, best);
  const id = best.space.said.id;
  const old = entriesOf(plan).find(({ said }) => byId(plan, said.entry)?.said.sector === best.space.said.sector);
  const feature = { key: old?.key ?? freshKey(), role: "entry", said: { ...old?.said, entry: id }, at, rest: {} };
  if (old) return { plan: withChanged(now, old.key, () => feature), key: old.key };
  return { plan: { ...now, features: [...now.features, feature] }, key: feature.key };
}

// --- snapping ---------------------------------------------------------------------------------------------------

// Returns {point, kind} for a pointer: a corner within reach, else a side, else the edge, else the position itself.
export function snapped(plan, p, reach, { extra = [], except = null } = {}) {
  const spaces = spacesOf(plan);
  const [width, height] = sizeOf(plan);
  const corners = [...spaces.flatMap(({ ring }) => ring), ...extra, ...rectangle(width, height)].filter(
    (it) => !except || !samePoint(it, except),
  );
  const near = (points) =>
    points.reduce(
      (best, it) => (distance(it, p) <= reach && (!best || distance(it, p) < distance(best, p)) ? it : best),
      null,
    );
  const corner = near(corners);
  if (corner) return { point: corner, kind: "corner" };
  // The sides of a dragged corner move with it, so it can't snap to them.
  const away = ([a, b]) => !except || (!samePoint(a, except) && !samePoint(b, except));
  const borders = spaces.flatMap(({ ring }) => sides(ring)).filter(away);
  const side = near(borders.map(([a, b]) => nearest(p, a, b)));
  if (side) return { point: rounded(side), kind: "side" };
  const rim = near([...[0, height].map((y) => [p[0], y]), ...[0, width].map((x) => [x, p[1]])]);
  const [x, y] = rounded(rim ?? p);
  return { point: [clamp(x, 0, width), clamp(y, 0, height)], kind: rim ? "rim" : "free" };
}

// Returns the corners between two points that follow a shared border, if a straight line would cross that space or
// leave only a narrow gap. Tunnels are ignored, because they lie below. `taken` are corners that the drawing already
// has.
export function follows(plan, from, to, taken = []) {
  for (const { ring, said } of spacesOf(plan)) {
    if (said.under) continue;
    const whole = [from, to].reduce((it, p) => (distanceToRing(p, it) <= ON ? withCorner(it, p) : it), ring);
    const [i, j] = [from, to].map((p) => whole.findIndex((it) => samePoint(it, p)));
    if (i < 0 || j < 0 || i === j) continue;
    const ways = [stretch(whole, i, j), stretch(whole, j, i).reverse()];
    // The line is a side of this space already.
    if (ways.some((way) => way.length === 2)) return [];
    const way = ways[lengthOf(ways[0]) <= lengthOf(ways[1]) ? 0 : 1].slice(1, -1);
    if (way.some((p) => taken.some((it) => samePoint(it, p)))) continue;
    const flat = way.every((p) => distanceToSide(p, from, to) < SLIVER);
    if (flat || inside(middle(from, to), whole)) return way;
  }
  return [];
}
