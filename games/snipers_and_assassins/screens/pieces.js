// What stands on the map, drawn around (0, 0) in tenths of a millimetre: markers, Leaders, mines, and the marks of their
// statuses. Each has its player's colour and number, so colour is never the only difference.

import { aside, badge as framed } from "/static/scene.js";
import { svg } from "/static/ui.js";

export const KINDS = ["sniper", "assassin"];
const DROP = "M0 -172C30 -128 104 -84 104 0A104 104 0 0 1 -104 0C-104 -84 -30 -128 0 -172Z";
const SHIELD = "M-112 -112H112V14C112 88 52 128 0 152C-52 128 -112 88 -112 14Z";
const STAR = "M0 -92L17 -44H67L27 -14L42 34L0 5L-42 34L-27 -14L-67 -44H-17Z";

// The signs of statuses, in a circle of 55.
const SIGNS = {
  shot: "M-32 0H-14M14 0H32M0 -32V-14M0 14V32M0 -19A19 19 0 1 0 1 -19",
  healing: "M0 -30V30M-30 0H30",
  locked: "M-22 -2H22V26H-22ZM-13 -2V-14A13 13 0 0 1 13 -14V-2",
  recover: "M-18 -30H18M-18 30H18M-14 -30C-14 -8 14 8 14 30M14 -30C14 -8 -14 8 -14 30",
  up: "M-18 -4L0 -24L18 -4M-18 22L0 2L18 22",
  down: "M-18 -22L0 -2L18 -22M-18 4L0 24L18 4",
};

export const numberOf = (name) => name.split("-")[1];
export const kindOf = (marker) => marker.split("-")[0];
const seatOf = (marker) => `player-${numberOf(marker)}`;
export const markerOf = (seat, kind) => `${kind}-${numberOf(seat)}`;

export function mini(id) {
  return svg("g", { class: `mini racer p${numberOf(id)}`, "aria-hidden": "true", "data-piece": id }, [
    svg("g", { class: "side" }, SHAPES[kindOf(id)](numberOf(id)), svg("g", { class: "marks" })),
  ]);
}

const numeral = (number, y, size = "") => svg("text", { class: `numeral ${size}`, y }, number);

const SHAPES = {
  sniper: (number) => [
    svg("circle", { class: "shade", r: 140, transform: "translate(14 20)" }),
    svg("circle", { class: "base", r: 140 }),
    svg("circle", { class: "ring", r: 104 }),
    svg("path", { class: "ticks", d: "M0 -150V-92M0 150V92M-150 0H-92M150 0H92" }),
    numeral(number, 50),
  ],
  assassin: (number) => [
    svg("path", { class: "shade", d: DROP, transform: "translate(12 18)" }),
    svg("path", { class: "base", d: DROP }),
    svg("path", { class: "tip", d: "M0 -160C10 -144 30 -126 50 -108H-50C-30 -126 -10 -144 0 -160Z" }),
    numeral(number, 52, "small"),
  ],
  leader: (number) => [
    svg("path", { class: "shade", d: SHIELD, transform: "translate(14 20)" }),
    svg("path", { class: "base", d: SHIELD }),
    svg("path", { class: "star", d: STAR }),
    numeral(number, 98, "tiny"),
  ],
};

export const badge = (id) => framed(mini(id));

export function minePiece(seat) {
  return svg("g", { class: `gas p${numberOf(seat)}` }, [
    svg("circle", { class: "can", r: 62 }),
    svg("path", {
      class: "fins",
      d: "M0 -12L-14 -44A46 46 0 0 1 14 -44ZM10 6L45 10A46 46 0 0 1 31 34ZM-10 6L-31 34A46 46 0 0 1 -45 10Z",
    }),
    svg("circle", { class: "core", r: 9 }),
  ]);
}

// The sign of a status, for the map and for lists.
export const statusSign = (name) =>
  svg("g", { class: `mark ${name}` }, svg("circle", { r: 55 }), svg("path", { d: SIGNS[name.split(" ")[0]] }));

// Returns the statuses of a marker, as names of signs; a word after the name is its class.
export const statusesOf = (player, kind) => (STATUSES[kind]?.(player) ?? []).filter(Boolean);

const STATUSES = {
  sniper: ({ recover, jump }) => [recover && "recover", jump?.dir],
  assassin: ({ shot, locked }) => [SHOTS[shot], locked && "locked"],
};

const SHOTS = { fresh: "shot fresh", stale: "shot stale", healing: "healing", healed: "healing" };

// --- on a map ---------------------------------------------------------------------------------------------------

// Returns where every piece of a picture stands: id -> space.
export function pieceSpaces(view) {
  const found = new Map();
  for (const [seat, player] of Object.entries(view.players)) {
    if (player.leader) found.set(markerOf(seat, "leader"), player.leader);
    for (const kind of KINDS) if (player[kind]) found.set(markerOf(seat, kind), player[kind]);
  }
  return found;
}

// Shows all pieces; those of `mine`, a seat, are outlined.
export function showPieces(map, view, own = null) {
  const places = pieceSpaces(view);
  map.stand(new Map([...places].map(([id, space]) => [id, { space, make: () => mini(id) }])));
  layOut(map, places);
  for (const id of places.keys()) {
    const piece = map.pieces.get(id);
    if (!piece) continue;
    piece.classList.toggle("own", seatOf(id) === own);
    piece.classList.toggle("acting", canAct(view, id));
    piece.classList.toggle("arrived", view.over !== null && id === `assassin-${view.over.winner?.split("-")[1]}`);
    showMarks(piece, statusesOf(view.players[seatOf(id)], kindOf(id)));
  }
  map.draw("under", minesOf(view), () => minePieces(map, view));
}

// Below the names of spaces, and several on a space side by side, so that none covers a name or another one.
function layOut(map, places) {
  for (const [id, space] of places) {
    const here = [...places.keys()].filter((it) => places.get(it) === space);
    const columns = Math.min(here.length, here.length > 4 ? 3 : 2);
    const rows = Math.ceil(here.length / columns);
    const [row, column] = [Math.floor(here.indexOf(id) / columns), here.indexOf(id) % columns];
    const last = row === rows - 1 ? here.length - row * columns : columns;
    const width = 370 / columns;
    const [x, y] = [(column - (last - 1) / 2) * width, 48 + (row - (rows - 1) / 2) * 135 + TALL[kindOf(id)]];
    const scale = rows > 1 ? Math.min(0.47, 1.4 / columns) : [0.9, 0.78][columns - 1];
    map.pieces.get(id)?.querySelector(".side").setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  }
}

// How far the middle of a drawing is above its own (0, 0).
const TALL = { sniper: 0, assassin: 20, leader: -10 };

const canAct = (view, id) =>
  view.setup === null &&
  view.over === null &&
  seatOf(id) === view.turn &&
  KINDS.includes(kindOf(id)) &&
  !view.acted.includes(kindOf(id));

function showMarks(piece, names) {
  const marks = piece.querySelector(".marks");
  if (marks.dataset.names === names.join()) return;
  marks.dataset.names = names.join();
  marks.replaceChildren(...names.map((name, at) => aside(statusSign(name), 112 - 104 * at, -112)));
}

export const minesOf = ({ players }) => Object.entries(players).map(([seat, player]) => [seat, player.mines]);

// Mines lie in the lower corner of a space, so that a marker doesn't hide them.
export const minePieces = (map, view) =>
  minesOf(view).map(([seat, spaces]) => spaces.map((space) => map.on(space, aside(minePiece(seat), 138, 142))));
