// What happened in the last turn, in words and on the map, and what this browser missed. It uses only public log
// entries.

import { reportLine } from "/static/panel.js";
import { aside } from "/static/scene.js";
import { t, turnOf } from "/static/texts.js";
import { h, quiet, recall, store, svg } from "/static/ui.js";
import { earMark, squadOf } from "./pieces.js";

const KEPT = "sniperboard-heard";
const MOST = 6;
// The number of turns after which a mark disappears from the map.
const FORGOTTEN = 6;
const MOVES = new Set(["moved", "scouted", "deployed", "dismissed", "distracted"]);
// Routine entries that are no news.
const DULL = new Set(
  "marked unmarked bag-gained turn-ended countdown miniature-removed loadout-chosen specialists-chosen objective-shown ally-chosen".split(
    " ",
  ),
);
const TONES = {
  red: new Set(["revealed", "wounded", "killed", "mine-triggered"]),
  amber: new Set(["alerted", "barked", "shot-declared", "drew", "shot", "looted", "card-played", "ability-used"]),
  brass: new Set(["ally-chosen", "ghost-revealed", "objective-completed", "game-over", "opened", "specialists-chosen"]),
};
const SEARCHES = new Set(["attacked", "spotted", "swept"]);
// What a shot or an objective ends with.
export const OUTCOMES = new Set(
  "objective-completed revealed shot killed wounded saved save-declined mine-triggered".split(" "),
);

// How important an entry is: the name of a colour, or nothing.
export const tone = (type) => Object.keys(TONES).find((name) => TONES[name].has(type)) || "";

// The tone of some entries is that of the most important one.
export const worstTone = (entries) =>
  Object.keys(TONES).find((name) => entries.some(({ type }) => tone(type) === name)) || "";

// --- turns ------------------------------------------------------------------------------------------------------

const publicNews = (lines) => lines.filter((line) => line.public && !DULL.has(line.type));

// Returns the news of the turn that ended last, its seat, and the news of the current turn; null before the first turn
// ends.
export function lastTurns(log) {
  const end = log.findLastIndex(({ type }) => type === "turn-ended");
  if (end < 0) return null;
  const start = log.slice(0, end).findLastIndex(({ type }) => type === "turn-ended") + 1;
  return { seat: log[end].what?.seat, ended: publicNews(log.slice(start, end)), now: publicNews(log.slice(end + 1)) };
}

// --- in words ---------------------------------------------------------------------------------------------------

// What was missed, or the last turn until something happens in the next one; else null. `frame(title, lines, props)`
// makes the element. With the `seats`, the title names the people of the turn.
export function recap(log, frame = reportLine, seats = null) {
  if (absence.missed.length) return recapCard("missed", t("recap.missed"), absence.missed, frame);
  const found = lastTurns(log);
  if (!found?.seat || found.now.length) return null;
  const title = found.seat === "sniper" ? t("recap.sniper") : t("recap.defenders");
  return recapCard(found.seat, seats ? turnOf(title, seats, found.seat) : title, found.ended, frame);
}

// The text for a turn in which nothing public happened.
export const quietTurn = (seat) => (seat === "sniper" ? t("recap.silent") : t("recap.still"));

function recapCard(kind, title, lines, frame) {
  const others = lines.filter(({ type }) => type !== "moved");
  const number = lines.length - others.length;
  const told = number > 2 ? others : lines;
  const moves = told !== lines && t("recap.moves", { number });
  const words = [
    lines.length === 0 && h("p", {}, quietTurn(kind)),
    told.slice(-MOST).map(recapLine),
    moves && quiet(moves),
  ];
  const gist = gistOf(told) ?? (moves || quietTurn(kind));
  return frame(title, words, { class: kind === "missed" ? "amber" : "", testid: "recap", gist });
}

// A turn in one line: "Hit!" alone would not say who was hit, nor that an objective is done.
function gistOf(lines) {
  const outcomes = new Set(lines.filter(({ type }) => OUTCOMES.has(type)).map(({ sentence }) => sentence));
  if (outcomes.size) return [...outcomes].slice(-3).join(" ");
  return lines.findLast(({ type }) => tone(type) === worstTone(lines))?.sentence;
}

const recapLine = ({ sentence, type }) =>
  h("p", { "data-type": type, class: SEARCHES.has(type) ? "answer" : tone(type) }, sentence);

// The same on a screen that has room for all of it.
export const openRecap = (title, lines, { gist, ...props }) =>
  h("section", { ...props, class: `turn-recap ${props.class}` }, [
    h("p", { class: "recap-title" }, title),
    h("div", { class: "recap-lines" }, lines),
  ]);

// --- on the map -------------------------------------------------------------------------------------------------

// Marks the last two turns on the map: arrows for moves, crosses for searches that found nothing, arcs where noise was
// heard, rings where the sniper was seen, and the sector that intel found. Marks fade with each turn; new ones flash
// once.
const drawnTo = new WeakMap();

export function drawTrail(map, view, log) {
  const told = view ? log.filter((line) => line.public && line.what) : [];
  const recent = told.filter(({ n }) => agesOf(log).get(n) <= 1);
  map.draw("trail", [told, view?.units], () => [
    ...trailMarks(map, view, told, agesOf(log), lastDrawn(map, told)),
    lastMark(
      map,
      recent.filter(({ type }) => !DULL.has(type)),
    ),
  ]);
}

// Returns the number of the newest entry already drawn on this map. On the first call all entries count as drawn.
function lastDrawn(map, told) {
  const newest = told.at(-1)?.n ?? 0;
  const before = drawnTo.get(map) ?? newest;
  drawnTo.set(map, newest);
  return before;
}

// Returns the age of each entry in turns, by its number.
function agesOf(log) {
  const ages = new Map();
  let age = 0;
  for (const { n, type } of [...log].reverse()) {
    if (type === "turn-ended") age += 1;
    ages.set(n, age);
  }
  return ages;
}

// Goes back from the newest entry, so that the units' positions at that moment are known.
function trailMarks(map, view, told, ages, before) {
  const units = { ...view?.units };
  const fresh = told.some(({ n, type }) => ages.get(n) === 0 && !DULL.has(type));
  const found = [];
  for (const line of [...told].reverse()) {
    const turns = ages.get(line.n);
    const age = turns - (fresh ? 0 : 1);
    const look = age > 2 ? "older" : age > 0 ? "old" : line.n > before ? "new" : "";
    if (age < FORGOTTEN) found.push(setAge(trailMark(map, units, line, turns), look));
    if (MOVES.has(line.type)) units[line.what.unit] = line.what.from ?? null;
  }
  return found.reverse().flat();
}

function trailMark(map, units, { type, what }, turns) {
  if (what.from && what.to) return turns <= 1 && arrow(map, what);
  if (SEARCHES.has(type) && what.found === false)
    return (what.spaces ?? [what.space]).map((space) =>
      map.on(space, Object.values(units).includes(space) ? aside(searchMark(), -150, -130) : searchMark()),
    );
  if (type === "alerted") return what.units.map((unit) => units[unit] && earMark(map, units[unit]));
  if (type === "revealed") return turns > 0 && map.on(what.space, seenMark());
  if (type === "intel") return intelMark(map, what);
  return false;
}

// The result of intel in a sector: outlined if the sniper was in it, else crossed out in its middle.
function intelMark(map, { squad, found }) {
  const spaces = [...map.spaces.values()].filter(({ sector }) => sector === squad);
  if (found) return spaces.map(({ id }) => map.outline(id, `intel ${squad}`));
  const [x, y] = ["x", "y"].map((axis) => spaces.reduce((sum, it) => sum + it[axis], 0) / spaces.length);
  const nearest = (a, b) => (Math.hypot(a.x - x, a.y - y) < Math.hypot(b.x - x, b.y - y) ? a : b);
  return spaces.length > 0 && map.on(spaces.reduce(nearest).id, missMark(squad));
}

export const missMark = (squad) =>
  svg("g", { class: `intel-not ${squad}` }, svg("circle", { r: 250 }), svg("path", { d: "M-176 -176L176 176" }));

function setAge(drawn, age) {
  const all = [drawn].flat().filter(Boolean);
  if (age) for (const one of all) one.classList.add(age);
  return all;
}

export function arrow(map, { unit, from, to }) {
  const [a, b] = [map.spot(from), map.spot(to)];
  if (!a || !b) return null;
  const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [dx, dy] = [(b.x - a.x) / long, (b.y - a.y) / long];
  const [x, y] = [b.x - dx * 150, b.y - dy * 150];
  const head = `M${x - dx * 70 - dy * 45} ${y - dy * 70 + dx * 45}L${x} ${y}L${x - dx * 70 + dy * 45} ${y - dy * 70 - dx * 45}`;
  return svg("path", { class: `trail ${squadOf(unit)}`, d: `M${a.x + dx * 60} ${a.y + dy * 60}L${x} ${y}${head}` });
}

export const searchMark = () => svg("g", { class: "searched" }, svg("path", { d: "M-60 -60L60 60M60 -60L-60 60" }));

export const seenMark = () => svg("circle", { class: "seen-here", r: 120 });

function lastMark(map, lines) {
  const moved = lines.findLast(({ what }) => what.to ?? what.unit);
  const space = moved && (moved.what.to ?? moved.what.space);
  return space && map.outline(space, "last-move");
}

// --- what was missed --------------------------------------------------------------------------------------------

// The last entry that this browser has shown, and of which game; it survives a reload.
const absence = { missed: [], away: true };

document.addEventListener("visibilitychange", () => {
  if (document.hidden) absence.away = true;
});

// Called with each picture. `game` is the table's promise for this game, which is unique.
export function noteSeen(log, game) {
  const seen = recall(KEPT, /** @type {any} */ ({}), "sessionStorage");
  const since = seen.game === game ? seen.n : Infinity;
  const fresh = publicNews(log.filter(({ n }) => n > since));
  if (absence.away) absence.missed = fresh.length ? [...absence.missed, ...fresh] : absence.missed;
  else if (fresh.length) absence.missed = [];
  if (document.hidden || !game) return;
  absence.away = false;
  store(KEPT, { game, n: log.at(-1)?.n ?? -1 }, "sessionStorage");
}
