// Parts that the generic screens share: whose turn it is, knowledge, log, result, and the pieces on the map.

import { art } from "/static/art.js";
import { arrange, disc, lettersOf } from "/static/scene.js";
import { capital, list, t, turnOf } from "/static/texts.js";
import { h, svg, terms, verdictLine } from "/static/ui.js";

export const LATEST = 3;

// Returns whose turn it is, as the start of a line; `mine` is the seat of this screen.
export function turnName({ generic, seats }, mine = null) {
  const waiting = generic.to_act;
  if (waiting.some(({ seat }) => seat === mine)) return t("generic.turn.mine");
  const names = waiting.map(({ seat, title }) => (seats[seat] ? turnOf(capital(title), seats, seat) : capital(title)));
  return waiting.length ? list(names) : t("generic.turn.nobody");
}

// --- what is known ----------------------------------------------------------------------------------------------

// The game's summary, or else the whole picture, folded.
export const knownFacts = (generic, view) => [facts(generic, view), openCards(generic.cards)];

const openCards = (cards) =>
  cards.length > 0 &&
  h("ul", { class: "open-cards", testid: "open-cards" }, [
    cards.map(({ holder, name, title, text }) =>
      h("li", {}, art(name), h("small", {}, capital(holder)), h("b", {}, title), h("p", {}, text)),
    ),
  ]);

function facts(generic, view) {
  if (generic.summary) return terms({ class: "facts", testid: "summary" }, summary(generic));
  return h("details", { class: "fold", testid: "all-facts" }, h("summary", {}, t("generic.facts")), table(view));
}

// The game's summary as rows; a label can be the name of a seat, which begins with a small letter and has a colour.
const summary = (generic) =>
  generic?.summary?.map(([label, value]) => {
    const name = Object.keys(generic.colours).find((id) => generic.colours[id].title === label);
    return [[name && seatDot(generic, name), capital(label)], value];
  });

// A dot in the colour of a seat, before its name; nothing if the game gives it none.
export function seatDot({ colours }, seat) {
  const found = colours[seat];
  return found && h("i", { class: "seat-dot", "aria-hidden": "true", style: { background: rgb(found.colour) } });
}

function table(value) {
  const entries = Object.entries(value);
  if (!entries.length) return h("span", {}, "–");
  const named = entries.map(([name, it]) => [capital(name.replaceAll("_", " ")), fact(it)]);
  return terms({ class: "facts" }, named);
}

function fact(value) {
  if (value === null || value === "") return "–";
  if (typeof value === "boolean") return t(value ? "generic.yes" : "generic.no");
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value) && value.every((it) => it === null || typeof it !== "object"))
    return value.length ? value.join(", ") : "–";
  return table(value);
}

export const ending = (generic) => verdictLine(generic.outcome);

// --- on the map -------------------------------------------------------------------------------------------------

// Everything that a game without its own screens shows on the map; `facts` are those of a viewer.
/** @type {(map: any, facts: any, possible?: string[] | null, marks?: any[]) => void} */
export function showAll(map, facts, possible, marks = facts?.marks ?? []) {
  showPieces(map, facts?.pieces ?? [], facts?.to_act ?? []);
  showMarks(map, marks);
  showPossible(map, possible ?? []);
}

// Pieces differ by letter as well as by colour. A piece with the name of a seat shows whether that seat is to act.
function showPieces(map, pieces, waiting) {
  const letter = lettersOf(pieces.map(({ id }) => id));
  map.stand(
    new Map(
      pieces.map((piece) => [piece.id, { space: piece.space, make: () => pieceSign(piece, letter.get(piece.id)) }]),
    ),
  );
  arrange(map, new Map(pieces.map(({ id, space }) => [id, space])));
  for (const [id, piece] of map.pieces)
    piece.classList.toggle(
      "turn",
      waiting.some(({ seat }) => seat === id),
    );
}

const rgb = (colour) => `rgb(${colour.join(" ")})`;

const pieceSign = ({ id, colour }, letter) =>
  svg("g", { class: "mini plain piece", "aria-hidden": "true", "data-piece": id }, [
    svg("g", { class: "side" }, disc(letter, colour)),
  ]);

// Spaces that the lamps showed in a past step, or that only this viewer knows. Spaces to choose are drawn above them.
const showMarks = (map, marks) =>
  map.draw("marks", marks, () =>
    marks.map(({ space, colour }) => {
      const outline = map.outline(space, "mark-space");
      if (outline && colour) for (const name of ["fill", "stroke"]) outline.style.setProperty(name, rgb(colour));
      return outline;
    }),
  );

// Spaces where hidden players can be, in games with that hint.
const showPossible = (map, spaces) =>
  map.draw("possible", spaces, () => spaces.map((space) => map.outline(space, "maybe-space")));
