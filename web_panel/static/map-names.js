// The names of spaces on a map, readable at every scale: IDs that would be too small are enlarged, and IDs that would
// touch others are hidden. Names of places appear when the map is large enough.

// The least size of a name, in pixels; on a wide screen the first of these for which there is room.
const LEAST_PX = 9;
const WIDE_PX = [15, LEAST_PX];
// Names are laid out again once the scale has changed by this factor.
const CHANGED = 1.03;
// The height of capitals, the mean width of a letter, and what wide ones have more, relative to the size of a text.
const CAPITALS = 0.72;
const LETTER = 0.7;
const WIDE = 0.4;
// Rows of this many names belong to a regular board. Its inner names are shown or hidden together: every 16th, then every
// eighth, …
const ROW = 8;
const STEPS = [16, 8, 4, 2, 1];
// The least distance of two names, relative to the size of a text: closer ones in a row look like one word.
const GAP = { beside: 0.3, above: 0.15 };

const numberOf = (text, name) => Number(text.getAttribute(name));
const touch = (one, other) =>
  Math.max(one.left - other.right, other.left - one.right) < GAP.beside * one.size &&
  Math.max(one.top - other.bottom, other.top - one.bottom) < GAP.above * one.size;

export class MapNames {
  // `spaces` are those of the map, by ID, with x and y.
  constructor(view, spaces) {
    this.ids = [...view.querySelectorAll(".board-map text.id")].map((text) => {
      const [x, y, size] = ["x", "y", "font-size"].map((name) => numberOf(text, name));
      const spot = spaces.get(text.textContent) ?? { x, y: Infinity };
      return { text, x, y, size, above: y < spot.y };
    });
    this.groups = groupsOf(this.ids);
    this.names = [...view.querySelectorAll(".board-map text:is(.name, [class^=board-])")];
    this.scale = 0;
  }

  // Lays the names out for a scale in map units per pixel.
  fit(scale) {
    if (Math.max(scale / this.scale, this.scale / scale) < CHANGED) return;
    this.scale = scale;
    const least = LEAST_PX * scale;
    const tried = (innerWidth < 1500 ? [LEAST_PX] : WIDE_PX).map((size) => this.boxes(size * scale));
    const boxes = tried.find(({ length }) => length === this.ids.length) ?? tried.at(-1);
    for (const { text } of this.ids) setVisible(text, false);
    for (const { text, size, bottom } of boxes) {
      setVisible(text, true);
      text.setAttribute("font-size", size);
      text.setAttribute("y", bottom);
    }
    for (const text of this.names) setVisible(text, numberOf(text, "font-size") >= least);
  }

  // The boxes of the IDs with at least this size, without those that would touch another.
  boxes(least) {
    const taken = [];
    for (const group of this.groups) {
      const free = group
        .map((it) => boxOf(it, Math.max(it.size, least)))
        .filter((box, i) => box.size === group[i].size || !taken.some((other) => touch(box, other)));
      if (free.length === group.length) taken.push(...free);
    }
    return taken;
  }
}

// Names that are shown together: each alone, but in a regular row first the ends, then what divides it evenly. The one
// before the last is too close to it at first.
function groupsOf(ids) {
  const rows = [...new Set(ids.map(({ y }) => y))].map((y) => ids.filter((it) => it.y === y));
  const regular = rows.filter(({ length }) => length >= ROW);
  const levels = (row) => STEPS.map((step) => row.slice(0, -2).filter((_, i) => (i & -i) === step));
  return [
    ...ids.filter((it) => !regular.some((row) => row.includes(it))).map((it) => [it]),
    ...regular.flatMap((row) => [[row[0]], [row.at(-1)], ...levels(row), [row.at(-2)]]),
  ];
}

// The box of a text of this size, which grows to both sides, and away from the middle of its space.
function boxOf({ text, x, y, size: own, above }, size) {
  const name = text.textContent;
  const half = (name.length * LETTER + name.replaceAll(/[^MW]/g, "").length * WIDE) / 2;
  const bottom = above ? y : y + CAPITALS * (size - own);
  const [left, right] = [x - half * size, x + half * size];
  return { text, left, right, top: bottom - CAPITALS * size, bottom, size };
}

const setVisible = (text, visible) => text.setAttribute("visibility", visible ? "visible" : "hidden");
