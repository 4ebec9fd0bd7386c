// Who hunts whom: an arrow from each Assassin to the Leader that it hunts, in the hunter's colour.

import { svg } from "/static/ui.js";
import { numberOf } from "./pieces.js";

// Arrows end before the middle of a space, so that they don't cover what stands there.
const GAP = 190;
const HEAD = 90;
// How far an arrow bends, as a part of its length, so that two between the same places are apart.
const BEND = 0.09;

// Returns an arrow between two points; `look` are its classes.
/** @type {(from: number[], to: number[], look: string) => any} */
export function arrowBetween([x1, y1], [x2, y2], look) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const [mx, my] = [(x1 + x2) / 2 - dy * BEND, (y1 + y2) / 2 + dx * BEND];
  const angle = Math.atan2(y2 - my, x2 - mx);
  const at = (along, across) =>
    [
      x2 - along * Math.cos(angle) - across * Math.sin(angle),
      y2 - along * Math.sin(angle) + across * Math.cos(angle),
    ].map(Math.round);
  return svg("g", { class: `hunt ${look}` }, [
    svg("path", { class: "shaft", d: `M${x1} ${y1}Q${Math.round(mx)} ${Math.round(my)} ${at(HEAD * 0.8, 0)}` }),
    svg("path", { class: "head", d: `M${at(0, 0)}L${at(HEAD, HEAD * 0.55)}L${at(HEAD, -HEAD * 0.55)}Z` }),
  ]);
}

// Draws the arrows. Those of `own`, a seat, and of who hunts its Leader stand out.
export function showHunts(map, view, own = null) {
  const hunts = Object.entries(view.players)
    .map(([seat, { assassin, start, target }]) => [seat, assassin ?? start, target, goalOf(view, target)])
    .filter(([, from, , to]) => from && to && from !== to);
  map.draw(
    "possible",
    [hunts, own, view.over],
    () =>
      view.over === null &&
      hunts.map(([seat, from, target, to]) => arrow(map, seat, from, to, lookOf(seat, target, own))),
  );
}

// Before the Leaders are hidden, an arrow points to the start of the player that is hunted.
const goalOf = (view, target) => target && (view.players[target].leader ?? view.players[target].start);

const lookOf = (seat, target, own) => (own === null ? "all" : seat === own ? "own" : target === own ? "threat" : "");

function arrow(map, seat, from, to, look) {
  const [start, end] = [map.spot(from), map.spot(to)];
  if (!start || !end) return null;
  const far = Math.hypot(end.x - start.x, end.y - start.y);
  const part = Math.min(0.45, GAP / far);
  const between = (share) => [start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share];
  return arrowBetween(between(part), between(1 - part), `p${numberOf(seat)} ${look}`);
}
