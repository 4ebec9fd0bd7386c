// Plane geometry for the editor. Points are [x, y] in tenths of a millimetre; rings don't repeat the first point.

export const samePoint = (a, b) => a[0] === b[0] && a[1] === b[1];
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
/** @type {(point: number[]) => [number, number]} */
export const rounded = ([x, y]) => [Math.round(x) || 0, Math.round(y) || 0]; // without minus zero
export const sides = (ring) => ring.map((a, i) => [a, ring[(i + 1) % ring.length]]);
const orientation = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
// Tells whether two sides of an outline cross each other.
export const crossesItself = (ring) =>
  sides(ring).some(([a, b], i, all) =>
    all
      .slice(i + 1)
      .some(
        ([c, d]) => orientation(a, b, c) * orientation(a, b, d) < 0 && orientation(c, d, a) * orientation(c, d, b) < 0,
      ),
  );
export const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];

// Returns the corners of a rectangle, clockwise from its upper left corner.
export function rectangle(width, height, x = 0, y = 0) {
  const [right, bottom] = [x + width, y + height];
  const [xs, ys] = [
    [x, right, right, x],
    [y, y, bottom, bottom],
  ];
  return xs.map((at, i) => [at, ys[i]]);
}

// Returns the point of a side that is nearest to p.
export function nearest(p, a, b) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = dx * dx + dy * dy;
  const part = length ? Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length)) : 0;
  return [a[0] + part * dx, a[1] + part * dy];
}

export const distanceToSide = (p, a, b) => distance(p, nearest(p, a, b));
export const distanceToRing = (p, ring) => Math.min(...sides(ring).map(([a, b]) => distanceToSide(p, a, b)));

// Whether an integer point is exactly on a side.
export const onSide = (p, a, b) =>
  orientation(a, b, p) === 0 &&
  Math.min(a[0], b[0]) <= p[0] &&
  p[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= p[1] &&
  p[1] <= Math.max(a[1], b[1]);

// Returns twice the signed area.
export const area2 = (ring) => sides(ring).reduce((sum, [a, b]) => sum + a[0] * b[1] - b[0] * a[1], 0);

// A point is inside if a ray from it to the right crosses the outline an odd number of times.
export function inside(p, ring) {
  let odd = false;
  for (const [a, b] of sides(ring))
    if (a[1] > p[1] !== b[1] > p[1] && p[0] < ((b[0] - a[0]) * (p[1] - a[1])) / (b[1] - a[1]) + a[0]) odd = !odd;
  return odd;
}

function centroid(ring) {
  const area = area2(ring);
  if (!area) return ring[0];
  const sum = (axis) => sides(ring).reduce((all, [a, b]) => all + (a[axis] + b[axis]) * (a[0] * b[1] - b[0] * a[1]), 0);
  // The formula divides by six times the area, and `area` is twice the area already.
  return [sum(0) / (3 * area), sum(1) / (3 * area)];
}

// Returns the distance to the outline, negative outside. It runs thousands of times, so it allocates nothing.
function depth([x, y], ring) {
  let [odd, nearest] = [false, Infinity];
  let [ax, ay] = ring.at(-1);
  for (let i = 0; i < ring.length; i++) {
    const bx = ring[i][0];
    const by = ring[i][1];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
    const dx = bx - ax;
    const dy = by - ay;
    const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    const ex = x - ax - along * dx;
    const ey = y - ay - along * dy;
    nearest = Math.min(nearest, ex * ex + ey * ey);
    ax = bx;
    ay = by;
  }
  return (odd ? 1 : -1) * Math.sqrt(nearest);
}

// The weight of nearness to the middle, and the precision of the search; the same as in engine/graph/spot.py.
const PULL = 1 / 1024;
const FINE = 1;

// Returns roughly the innermost point, where a miniature stands if the drawing doesn't say otherwise.
export function deepest(ring) {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const goal = centroid(ring);
  const score = (p) => depth(p, ring) - PULL * distance(p, goal);
  let best = { p: goal, value: score(goal) };
  const queue = [];
  const offer = (x, y, half) => {
    const value = score([x, y]);
    if (value > best.value) best = { p: [x, y], value };
    // No point of the square can have a larger distance; if that can't beat the best one, the square isn't divided.
    const bound = value + half * Math.SQRT2 * (1 + PULL);
    if (bound > best.value + FINE) queue.push({ bound, x, y, half });
  };
  const size = Math.max(Math.min(width, height), Math.max(width, height) / 32, 1);
  for (let x = left + size / 2; x < left + width + size / 2; x += size)
    for (let y = top + size / 2; y < top + height + size / 2; y += size) offer(x, y, size / 2);
  while (queue.length) {
    const at = queue.reduce((most, it, i) => (it.bound > queue[most].bound ? i : most), 0);
    const [{ bound, x, y, half }] = queue.splice(at, 1);
    if (bound <= best.value + FINE) break;
    for (const [cx, cy] of rectangle(half, half, x - half / 2, y - half / 2)) offer(cx, cy, half / 2);
  }
  return rounded(best.p);
}

// Returns the part of a ring from corner `i` forwards to corner `j`, both included.
export const stretch = (ring, i, j) => (i <= j ? ring.slice(i, j + 1) : [...ring.slice(i), ...ring.slice(0, j + 1)]);

export const lengthOf = (path) => path.slice(1).reduce((sum, p, i) => sum + distance(path[i], p), 0);

// Returns a ring without repeated corners.
export const withoutRepeats = (ring) => ring.filter((p, i) => !samePoint(p, ring[(i + ring.length - 1) % ring.length]));

// Returns two rings as one if they share a border and enclose no gap; else null.
export function union(one, other) {
  const way = (ring) => (area2(ring) < 0 ? [...ring].reverse() : ring);
  const all = [...sides(way(one)), ...sides(way(other))];
  // Both rings run the same way around, so they pass a shared side in opposite directions.
  const kept = all.filter(([a, b]) => !all.some(([c, d]) => samePoint(a, d) && samePoint(b, c)));
  if (kept.length === all.length || !kept.length) return null;
  const ring = [];
  let [, here] = kept[0];
  const left = kept.slice(1);
  ring.push(kept[0][0]);
  while (!samePoint(here, ring[0])) {
    const next = left.findIndex(([a]) => samePoint(a, here));
    if (next < 0) return null;
    ring.push(here);
    here = left.splice(next, 1)[0][1];
  }
  // Sides that are left over are the outline of a gap inside.
  return left.length ? null : ring;
}

// Returns the affine map that moves every corner of a ring to the same corner of another one; null if there is none.
export function affine(from, to) {
  if (from.length !== to.length) return null;
  const most = (measure) => from.reduce((best, p, i) => (measure(p) > measure(from[best]) ? i : best), 0);
  // Corners that are far apart keep the rounding errors small.
  const j = most((p) => distance(p, from[0]));
  const k = most((p) => Math.abs(orientation(from[0], from[j], p)));
  const whole = orientation(from[0], from[j], from[k]);
  if (!whole) return null;
  const move = (p) => {
    const [u, v] = [orientation(from[0], p, from[k]) / whole, orientation(from[0], from[j], p) / whole];
    return [0, 1].map((axis) => to[0][axis] + u * (to[j][axis] - to[0][axis]) + v * (to[k][axis] - to[0][axis]));
  };
  return from.every((p, i) => distance(move(p), to[i]) <= 1.5) ? move : null;
}

// Cuts a ring along a path between two of its corners; returns two rings.
export function cut(ring, path) {
  const [i, j] = [path[0], path.at(-1)].map((end) => ring.findIndex((p) => samePoint(p, end)));
  if (i < 0 || j < 0 || i === j) return null;
  // The first ring runs back along the path, the second one forwards.
  const between = path.slice(1, -1);
  return [
    [...stretch(ring, i, j), ...[...between].reverse()],
    [...stretch(ring, j, i), ...between],
  ];
}

// --- perspective ------------------------------------------------------------------------------------------------

// Returns the 3 by 3 matrix (row by row) that maps four points to four others; null if three are on a line.
export function homography(from, to) {
  const rows = from.flatMap(([x, y], i) => {
    // Each pair of points gives two equations for eight entries of the matrix; the ninth is 1.
    const [u, v] = to[i];
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ];
  });
  for (let column = 0; column < 8; column++) {
    // The largest value as the divisor keeps the rounding errors small.
    const pivot = rows
      .slice(column)
      .reduce((best, row, i) => (Math.abs(row[column]) > Math.abs(rows[best][column]) ? column + i : best), column);
    if (Math.abs(rows[pivot][column]) < 1e-9) return null;
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    const head = rows[column].map((value) => value / rows[column][column]);
    rows[column] = head;
    for (let i = 0; i < 8; i++)
      if (i !== column) rows[i] = rows[i].map((value, k) => value - rows[i][column] * head[k]);
  }
  return [...rows.map((row) => row[8]), 1];
}

export function times(a, b) {
  return [0, 1, 2].flatMap((i) =>
    [0, 1, 2].map((j) => a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]),
  );
}
