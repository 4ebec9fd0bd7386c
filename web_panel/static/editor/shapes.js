// Edits of outlines. Neighbours share their borders: a corner that several spaces have is moved for all of them, and a
// corner on the side of another space becomes a corner of that space too.

import { accessesOf, byId, byKey, entriesOf, fitting, freshId, freshKey, sharedSides, sideAt, sizeOf, spacesOf, swapped } from "./plan.js";
import { apart, cut, deepest, inside, lengthOf, middle, nearest, onSide, rounded, same, sides, stretch, tidied, toSide, union } from "./plane.js";

// A corner this near to a side lies on it: it was put there and rounded.
const ON = 1;
// A strip narrower than this between a straight line and a border is no space: the line follows the border.
const SLIVER = 30;
// How far a door goes with its wall.
const FOLLOWS = 80;

const has = (ring, p) => ring.some((it) => same(it, p));

// The ring with a corner at p, if p lies on a side of it. Beside a corner of the ring that is a hair away only what lies
// exactly on a side is taken: p is a corner next to that one, and would become a spike of this ring.
function withCorner(ring, p) {
  if (has(ring, p)) return ring;
  const exact = ring.some((it) => apart(it, p) <= 2 * ON);
  const at = sides(ring).findIndex(([a, b]) => (exact ? onSide(p, a, b) : toSide(p, a, b) <= ON));
  return at < 0 ? ring : [...ring.slice(0, at + 1), p, ...ring.slice(at + 1)];
}

const reshaped = (plan, change) => ({
  ...plan,
  features: plan.features.map((it) => {
    if (it.role !== "space") return it;
    const ring = change(it.ring, it);
    return ring === it.ring ? it : { ...it, ring };
  }),
});

// Joins some spaces to their neighbours: corners on sides become corners, both ways.
export function knitted(plan, keys) {
  const own = new Set(keys);
  const points = spacesOf(plan).filter(({ key }) => own.has(key)).flatMap(({ ring }) => ring);
  const others = spacesOf(plan).filter(({ key }) => !own.has(key)).flatMap(({ ring }) => ring);
  return settled(reshaped(plan, (ring, { key }) => (own.has(key) ? others : points).reduce(withCorner, ring)));
}

// Doors and ladders go with their walls, and arrows with the rim.
export function settled(plan) {
  let now = plan;
  for (const access of accessesOf(plan)) {
    const [one, other] = access.said.between.map((id) => byId(now, id));
    if (!one || !other || sideAt(now, access)) continue;
    const shared = sharedSides(one, other).map(([a, b]) => ({ a, b, p: nearest(access.at, a, b) }));
    const best = shared.sort((x, y) => apart(x.p, access.at) - apart(y.p, access.at))[0];
    if (best && apart(best.p, access.at) <= FOLLOWS) now = swapped(withPoint(now, rounded(best.p), best), access.key, (it) => ({ ...it, at: rounded(best.p) }));
  }
  return now;
}

// Makes a point on a side a corner of all spaces with that side, unless it lies there exactly.
function withPoint(plan, p, { a, b }) {
  if (onSide(p, a, b)) return plan;
  return reshaped(plan, (ring) => {
    const at = sides(ring).findIndex(([c, d]) => (same(a, c) && same(b, d)) || (same(a, d) && same(b, c)));
    return at < 0 || has(ring, p) ? ring : [...ring.slice(0, at + 1), p, ...ring.slice(at + 1)];
  });
}

export function drawn(plan, ring, brush) {
  const key = freshKey();
  const kept = fitting({ ...brush });
  const said = { id: freshId(plan, kept), ...kept };
  const space = { key, role: "space", said, ring: tidied(ring), rest: {} };
  const spaces = plan.features.filter(({ role }) => role === "space").length;
  const at = spaces ? plan.features.findLastIndex(({ role }) => role === "space") + 1 : 0;
  const features = [...plan.features.slice(0, at), space, ...plan.features.slice(at)];
  return { plan: knitted({ ...plan, features }, [key]), key };
}

// --- corners ----------------------------------------------------------------------------------------------------

// Moves a corner of all spaces that have it. `alone` moves it of one space only.
export function moved(plan, from, to, alone = null) {
  if (same(from, to)) return plan;
  const touched = new Set();
  const shaped = reshaped(plan, (ring, { key }) => {
    if (!has(ring, from) || (alone !== null && key !== alone)) return ring;
    const next = tidied(ring.map((p) => (same(p, from) ? to : p)));
    if (next.length < 3) return ring;
    touched.add(key);
    return next;
  });
  if (!touched.size) return plan;
  const features = shaped.features.map((it) => (it.at && same(it.at, from) && alone === null ? { ...it, at: to } : it));
  return knitted({ ...shaped, features }, touched);
}

// Adds a corner to all spaces that share a side.
export function inserted(plan, a, b, p) {
  return reshaped(plan, (ring) => {
    const at = sides(ring).findIndex(([c, d]) => (same(a, c) && same(b, d)) || (same(a, d) && same(b, c)));
    return at < 0 || has(ring, p) ? ring : [...ring.slice(0, at + 1), p, ...ring.slice(at + 1)];
  });
}

export function removed(plan, p) {
  return settled(reshaped(plan, (ring) => (has(ring, p) && ring.length > 3 ? ring.filter((it) => !same(it, p)) : ring)));
}

export function shifted(plan, keys, [dx, dy]) {
  const own = new Set(keys);
  const corners = spacesOf(plan).filter(({ key }) => own.has(key)).flatMap(({ ring }) => ring);
  const unique = [...new Map(corners.map((p) => [p.join(), p])).values()];
  const on = (p) => unique.some((it) => same(it, p));
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

// Cuts a space along a path from border to border; null where the path does not.
export function split(plan, key, path) {
  const ends = [path[0], path.at(-1)];
  let now = ends.reduce((it, p) => reshaped(it, (ring) => (toSideOf(ring, p) <= ON ? withCorner(ring, p) : ring)), plan);
  const space = byKey(now, key);
  const rings = cut(space.ring, path)?.map(tidied);
  if (!rings || rings.some((ring) => ring.length < 3) || !path.slice(1, -1).every((p) => inside(p, space.ring))) return null;
  const spot = space.said.spot ?? deepest(space.ring);
  const [own, rest] = inside(spot, rings[0]) ? rings : [rings[1], rings[0]];
  const { id, objective, start, spot: _, name, ...alike } = space.said;
  const second = { key: freshKey(), role: "space", said: { id: freshId(now, space.said), ...alike }, ring: rest, rest: {} };
  const at = now.features.findIndex((it) => it.key === key);
  const features = [...now.features.slice(0, at), { ...space, ring: own }, second, ...now.features.slice(at + 1)];
  now = { ...now, features: features.map((it) => handed(it, id, second, own)) };
  return { plan: settled(now), key: second.key };
}

const toSideOf = (ring, p) => Math.min(...sides(ring).map(([a, b]) => toSide(p, a, b)));

// A door, ladder or arrow on the part of a space that has become another.
function handed(it, id, second, own) {
  const there = it.at && toSideOf(second.ring, it.at) < toSideOf(own, it.at);
  if (!there) return it;
  if (it.role === "access" && it.said.between.includes(id)) return { ...it, said: { ...it.said, between: it.said.between.map((one) => (one === id ? second.said.id : one)) } };
  if (it.role === "entry" && it.said.entry === id) return { ...it, said: { ...it.said, entry: second.said.id } };
  return it;
}

// Two spaces as one, which keeps what the first says; null where they share no border, or enclose something.
export function merged(plan, first, second) {
  const [one, other] = [byKey(plan, first), byKey(plan, second)];
  const ring = union(one.ring, other.ring);
  if (!ring) return null;
  const [keep, lose] = [one.said.id, other.said.id];
  const features = plan.features
    .filter((it) => it.key !== second && !(it.role === "access" && it.said.between.includes(keep) && it.said.between.includes(lose)))
    .map((it) => {
      if (it.key === first) return { ...it, ring };
      if (it.role === "access" && it.said.between.includes(lose)) return { ...it, said: { ...it.said, between: it.said.between.map((id) => (id === lose ? keep : id)) } };
      if (it.role === "entry" && it.said.entry === lose) return { ...it, said: { ...it.said, entry: keep } };
      return it;
    });
  return { ...plan, features };
}

// --- doors, ladders, arrows -------------------------------------------------------------------------------------

const above = (one, other) => one.said.under && other.said.kind === "elevated";
const FITS = { door: (raised) => raised !== 1, ladder: (raised) => raised > 0 };
// Whether a door or a ladder may join two spaces; `engine/graph/check.py` says the same of what is drawn.
const joins = (access, pair) => FITS[access](pair.filter(({ said }) => said.kind === "elevated").length);

// The border between two spaces nearest to a point, within `reach`. Where a tunnel ends below a walkway three spaces have
// one border: a door is between those that a door can join, a ladder between those that a ladder can.
export function borderNear(plan, p, reach, access) {
  const spaces = spacesOf(plan);
  const found = [];
  for (const [i, one] of spaces.entries())
    for (const [a, b] of sides(one.ring)) {
      const far = toSide(p, a, b);
      if (far > reach) continue;
      const others = spaces.slice(i + 1).filter((it) => sharedSides({ ring: [a, b] }, it).length && !above(one, it) && !above(it, one));
      for (const other of others) found.push({ far: Math.round(far), a, b, one, other, wrong: joins(access, [one, other]) ? 0 : 1 });
    }
  return found.sort((x, y) => x.far - y.far || x.wrong - y.wrong)[0] ?? null;
}

export function withAccess(plan, access, p, reach) {
  const border = borderNear(plan, p, reach, access);
  if (!border) return null;
  const { a, b, one, other } = border;
  const corner = [a, b].find((it) => apart(it, p) <= reach / 2 && sharedSides(one, other).filter((side) => side.some((end) => same(end, it))).length > 1);
  const at = corner ?? rounded(nearest(p, a, b));
  const again = accessesOf(plan).find(({ said }) => said.between.includes(one.said.id) && said.between.includes(other.said.id));
  const key = again?.key ?? freshKey();
  const now = corner ? plan : withPoint(plan, at, border);
  const feature = { key, role: "access", said: { ...again?.said, access, between: again?.said.between ?? ordered(access, one, other) }, at, rest: {} };
  if (again) return { plan: swapped(now, key, () => feature), key };
  const place = now.features.findIndex(({ role }) => role === "entry");
  const features = place < 0 ? [...now.features, feature] : [...now.features.slice(0, place), feature, ...now.features.slice(place)];
  return { plan: { ...now, features }, key };
}

// Rooms and raised spaces first, as one reads it: a door of the room, a ladder up to the walkway.
function ordered(access, one, other) {
  const first = access === "ladder" ? "elevated" : "enclosed";
  const turned = other.said.kind === first && one.said.kind !== first;
  return (turned ? [other, one] : [one, other]).map(({ said }) => said.id);
}

// An arrow at the rim of the board, or where that is not near, at the rim of what is drawn; one for each sector.
export function withEntry(plan, p, reach) {
  const [width, height] = sizeOf(plan);
  const rim = sides([[0, 0], [width, 0], [width, height], [0, height]]);
  const outer = spacesOf(plan).filter(({ said }) => !["water", "obstruction"].includes(said.kind)).flatMap((space) =>
    sides(space.ring).map(([a, b]) => ({ space, a, b, far: toSide(p, a, b), free: rim.some((r) => onSide(a, ...r) && onSide(b, ...r)) || !spacesOf(plan).some((it) => it !== space && sharedSides({ ring: [a, b] }, it).length) })),
  );
  const best = outer.filter((it) => it.free && it.far <= reach).sort((x, y) => x.far - y.far)[0];
  if (!best) return null;
  const at = rounded(nearest(p, best.a, best.b));
  const now = withPoint(plan, at, best);
  const id = best.space.said.id;
  const old = entriesOf(plan).find(({ said }) => byId(plan, said.entry)?.said.sector === best.space.said.sector);
  const feature = { key: old?.key ?? freshKey(), role: "entry", said: { ...old?.said, entry: id }, at, rest: {} };
  if (old) return { plan: swapped(now, old.key, () => feature), key: old.key };
  return { plan: { ...now, features: [...now.features, feature] }, key: feature.key };
}

// --- snapping ---------------------------------------------------------------------------------------------------

// Where a pointer means: {point, kind}; a corner within reach, else a side, else the rim, else the place itself.
export function snapped(plan, p, reach, { extra = [], except = null } = {}) {
  const spaces = spacesOf(plan);
  const [width, height] = sizeOf(plan);
  const corners = [...spaces.flatMap(({ ring }) => ring), ...extra, [0, 0], [width, 0], [width, height], [0, height]].filter((it) => !except || !same(it, except));
  const near = (points) => points.reduce((best, it) => (apart(it, p) <= reach && (!best || apart(it, p) < apart(best, p)) ? it : best), null);
  const corner = near(corners);
  if (corner) return { point: corner, kind: "corner" };
  const away = ([a, b]) => !except || (!same(a, except) && !same(b, except));
  const onSides = spaces.flatMap(({ ring }) => sides(ring).filter(away).map(([a, b]) => nearest(p, a, b)));
  const side = near(onSides);
  if (side) return { point: rounded(side), kind: "side" };
  const rim = near([[p[0], 0], [p[0], height], [0, p[1]], [width, p[1]]]);
  const [x, y] = rounded(rim ?? p);
  return { point: [Math.min(width, Math.max(0, x)), Math.min(height, Math.max(0, y))], kind: rim ? "rim" : "free" };
}

// The way from one corner to the next: along a border that both lie on, where a straight line would run through that
// space or leave but a sliver. A tunnel bars nothing, for it lies below. `taken` are corners that the drawing has already.
export function follows(plan, from, to, taken = []) {
  for (const { ring, said } of spacesOf(plan)) {
    if (said.under) continue;
    const whole = [from, to].reduce((it, p) => (toSideOf(it, p) <= ON ? withCorner(it, p) : it), ring);
    const [i, j] = [from, to].map((p) => whole.findIndex((it) => same(it, p)));
    if (i < 0 || j < 0 || i === j) continue;
    const ways = [stretch(whole, i, j), stretch(whole, j, i).reverse()];
    if (ways.some((way) => way.length === 2)) return [];
    const way = ways[lengthOf(ways[0]) <= lengthOf(ways[1]) ? 0 : 1].slice(1, -1);
    if (way.some((p) => taken.some((it) => same(it, p)))) continue;
    const flat = way.every((p) => toSide(p, from, to) < SLIVER);
    if (flat || inside(middle(from, to), whole)) return way;
  }
  return [];
}

