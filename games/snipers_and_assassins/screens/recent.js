// What happened last, on the map: shots, retreats, deaths, explosions. New marks appear with an animation, and stay
// until the next turn is over. With reduced motion they are simply there.

import { aside, line } from "/static/scene.js";
import { playerName, seatName, tOf } from "/static/texts.js";
import { h, svg } from "/static/ui.js";
import { kindOf, KINDS, markerOf, numberOf, pieceSpaces } from "./pieces.js";

const TRAVELS = new Set(["moved", "jumped", "retreated", "sniper-replaced"]);
const MEETINGS = new Set(["run-in", "surprise", "stealth"]);
const MOST = 3;
const SPARKS =
  "M0 -150L26 -58L106 -106L58 -26L150 0L58 26L106 106L26 58L0 150L-26 58L-106 106L-58 26L-150 0L-58 -26L-106 -106L-26 -58Z";

// A sign over a space: "fall" (a Sniper died), "blast" (a mine), "clash" (a meeting), "hit", "dodge" or "deflected".
export function impact(kind) {
  return svg("g", { class: `impact ${kind}` }, SIGNS[kind]());
}

const SIGNS = {
  fall: () => svg("path", { d: "M-95 -95L95 95M95 -95L-95 95" }),
  blast: () => svg("path", { class: "solid", d: SPARKS }),
  clash: () => svg("path", { class: "solid", transform: "scale(.8)", d: SPARKS }),
  hit: () => [svg("circle", { r: 120 }), svg("circle", { r: 60 })],
  dodge: () => svg("path", { d: "M-120 -40A126 126 0 0 1 120 -40M-120 40A126 126 0 0 0 120 40" }),
  deflected: () => svg("path", { d: "M-90 -100H90V20C90 80 40 110 0 130C-40 110 -90 80 -90 20Z" }),
};

// Marks of a piece that was hit.
const STRIKES = new Set(["retreat", "fall"]);
const SHOWN = { kill: "hit", mine: "hit" };

const HITS = new Set("shot run-in surprise stealth retreated mine-exploded sniper-replaced claymore".split(" "));
const FOLLOWS = new Set(
  "status deck-shuffled improvement-drawn improvement-discarded held turn-started turn-ended".split(" "),
);

// What players must hear of first: "red". It also chooses the sound.
export const tone = (type) => (HITS.has(type) ? "red" : "");
export const worstTone = (entries) => (entries.some(({ type }) => HITS.has(type)) ? "red" : "");
export const toldLine =
  (picture) =>
  ({ sentence, type, result, marker }) =>
    h("p", { class: tone(type), "data-type": type }, [
      result && h("b", {}, `${tOf("sa.result", result)} `),
      sentence,
      ownerOf(picture, marker),
    ]);

// The name of the person or bot whose marker does something: a sentence says only "Sniper 2", or "your Sniper".
export function ownerOf({ seats, viewer }, marker) {
  const owner = marker && `player-${numberOf(marker)}`;
  const name = owner !== viewer && owner in seats && playerName(seats, owner);
  return name && name !== seatName(seats, owner) && [" ", h("em", {}, name)];
}

// What happened, without whose turn it was.
export const counts = ({ type }) => !type.startsWith("turn-");

// The most important of several entries for a seat: what hit its own markers, or else another hit, or the last act.
export function gistFor(seat, entries) {
  const hits = entries.filter(({ type }) => HITS.has(type));
  const own = KINDS.map((kind) => markerOf(seat, kind));
  const mine = hits.filter(({ marker, target }) => own.includes(marker) || own.includes(target));
  return mine.at(-1) ?? hits.at(-1) ?? entries.findLast(({ type }) => !FOLLOWS.has(type));
}

// The headline: who was hit in the last turn, or else what was done last. What only follows from it, such as a card that
// is drawn, is no headline.
export function headlines(log) {
  const told = lastTurn(log).filter(({ type }) => !FOLLOWS.has(type));
  const hits = told.filter(({ type }) => HITS.has(type));
  return hits.length ? hits.slice(-MOST) : told.slice(-1);
}

// Whom the player whose turn it is has hit, or, until the player acts, whom the turn before has hit; null if there is
// none.
export function resultOf(picture) {
  const hits = lastTurn(picture.log).filter(({ type }) => HITS.has(type));
  return hits.length
    ? h("div", { class: "result red", testid: "result" }, hits.slice(-2).map(toldLine(picture)))
    : null;
}

// Returns the events of the current turn, or of the last one if nothing has happened in this one yet.
export function lastTurn(log) {
  const starts = log.flatMap(({ type }, at) => (type === "turn-started" ? [at] : []));
  const [before, current] = [starts.at(-2) ?? 0, starts.at(-1) ?? 0];
  const now = log.slice(current);
  return now.some(({ type }) => TRAVELS.has(type) || type === "shot") ? now : log.slice(before);
}

// Returns the marks of entries: {n, kind, at, from}. Positions are worked out backwards from those in `view`.
function marksOf(entries, view) {
  const places = pieceSpaces(view);
  const found = [];
  for (const entry of [...entries].reverse()) {
    const { n, type, marker, target, from } = entry;
    const to = places.get(marker);
    if (TRAVELS.has(type)) places.set(marker, from);
    if (type === "retreated") found.push({ n, kind: "retreat", by: marker, from, at: to });
    else if (type === "sniper-replaced") found.push({ n, kind: "fall", by: marker, at: from });
    else if (type === "mine-exploded") found.push({ n, kind: "blast", at: entry.space });
    else if (MEETINGS.has(type)) found.push({ n, kind: "clash", at: places.get(marker) });
    else if (type === "shot") {
      const [start, end] = [places.get(marker), places.get(target)];
      found.push({ n, kind: SHOWN[entry.result] ?? entry.result, by: marker, from: start, at: end, shot: true });
    } else if (type === "moved" || type === "jumped") found.push({ n, kind: "trek", by: marker, from, at: to });
  }
  return found.reverse();
}

// Draws what happened in the last turn. Marks newer than those drawn before on this page are animated, as are the pieces
// that they struck.
export class Recent {
  seen = null;

  // Returns the spaces of new marks, so that the map can follow.
  show(map, log, view) {
    const marks = marksOf(lastTurn(log), view);
    const fresh = this.seen === null ? [] : marks.filter(({ n }) => n > this.seen);
    if (!map.ready) return [];
    const since = this.seen ?? Infinity;
    if (fresh.length) {
      const struck = new Set(fresh.filter(({ kind }) => STRIKES.has(kind)).map(({ by }) => by));
      for (const [id, piece] of map.pieces) piece.classList.toggle("struck", struck.has(id));
    }
    map.draw("trail", marks, () => marks.map((one) => trackLine(map, one, one.n > since)));
    map.draw("over", marks, () => marks.map((one) => signMark(map, one, one.n > since)));
    this.seen = log.at(-1)?.n ?? -1;
    return fresh.flatMap(({ from, at }) => [from, at]).filter(Boolean);
  }
}

const lookOf = (by, fresh) => `${fresh ? "fresh" : ""} ${by ? `p${numberOf(by)} ${kindOf(by)}` : ""}`;

function trackLine(map, { kind, by, from, at, shot }, fresh) {
  const [start, end] = [map.spot(from), map.spot(at)];
  if (!start || !end || from === at) return null;
  const ends = [
    [start.x, start.y],
    [end.x, end.y],
  ];
  const drawn = line(`step ${shot ? "bullet" : kind} ${lookOf(by, fresh)}`, ends);
  if (shot) drawn.setAttribute("pathLength", "1"); // the style draws it from the Sniper to the target
  return drawn;
}

const signMark = (map, { kind, by, at }, fresh) =>
  kind in SIGNS &&
  map.spot(at) &&
  map.on(at, svg("g", { class: lookOf(by, fresh), "data-mark": kind, "data-at": at }, aside(impact(kind), 0, 40)));
