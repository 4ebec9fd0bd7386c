// What the generic screens show alike: whose turn it is, what a viewer knows, the log, the end, what stands on the map.

import { art } from "/static/art.js";
import { tell as signal } from "/static/device.js";
import { list, t } from "/static/texts.js";
import { announce, h, svg } from "/static/ui.js";

const R = 135;
const LATEST = 3;

export const begun = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// Those who are to act, as a line begins with them; `mine` is the seat of this screen.
export function turnName({ stage, paused, generic }, mine = null) {
  if (stage === "lobby" || !generic) return t("hud.lobby");
  if (stage === "over" || generic.outcome) return t("hud.over");
  if (paused !== null) return t("pause.title");
  const waiting = generic.to_act;
  if (waiting.some(({ seat }) => seat === mine)) return t("generic.turn.mine");
  return waiting.length ? begun(list(waiting.map(({ title }) => title))) : t("generic.turn.nobody");
}

// --- what is known ----------------------------------------------------------------------------------------------

// The lines that the game gives, else all that stands in the picture, folded away.
export const knowledge = (generic, view) => [facts(generic, view), openCards(generic.cards)];

const openCards = (cards) =>
  cards.length > 0 &&
  h(
    "ul",
    { class: "open-cards", "data-testid": "open-cards" },
    cards.map(({ holder, name, title, text }) => h("li", {}, art(name), h("small", {}, begun(holder)), h("b", {}, title), h("p", {}, text))),
  );

function facts(generic, view) {
  if (generic.summary)
    return h(
      "dl",
      { class: "facts", "data-testid": "summary" },
      generic.summary.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value))),
    );
  return h("details", { class: "fold", "data-testid": "all-facts" }, h("summary", {}, t("generic.facts")), table(view));
}

function table(value) {
  const entries = Object.entries(value);
  if (!entries.length) return h("span", {}, "–");
  return h("dl", { class: "facts" }, entries.map(([name, it]) => h("div", {}, h("dt", {}, begun(name.replaceAll("_", " "))), h("dd", {}, fact(it)))));
}

function fact(value) {
  if (value === null || value === "") return "–";
  if (typeof value === "boolean") return t(value ? "generic.yes" : "generic.no");
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value) && value.every((it) => it === null || typeof it !== "object")) return value.length ? value.join(", ") : "–";
  return table(value);
}

// --- what was told ----------------------------------------------------------------------------------------------

export function log(entries) {
  if (!entries.length) return h("p", { class: "quiet" }, t("log.none"));
  return h(
    "ol",
    { class: "dispatches", reversed: true, "data-testid": "log" },
    [...entries].reverse().map((entry) =>
      h(
        "li",
        { class: entry.public ? "" : "secret", "data-type": entry.type },
        entry.sentence,
        !entry.public && h("em", {}, t("generic.secret")),
      ),
    ),
  );
}

// The newest sentences that everybody heard, the newest last.
export const latest = (entries) => entries.filter((entry) => entry.public).slice(-LATEST);

// Reads out what is new and public, and lets this device sound or buzz of it; nothing of the past when a page opens.
export class News {
  constructor() {
    this.last = null;
  }

  hear(entries) {
    const fresh = this.last === null ? [] : entries.filter((entry) => entry.n > this.last && entry.public);
    this.last = entries.at(-1)?.n ?? -1;
    fresh.forEach((entry) => announce(entry.sentence));
    if (fresh.length) signal("");
  }
}

export const ending = (generic, finished = null) => [
  h("p", { class: "verdict", "data-testid": "over" }, generic.outcome),
  finished !== null && h("a", { class: "button", href: `/games/${finished}`, "data-testid": "look" }, t("over.look")),
];

// --- on the map -------------------------------------------------------------------------------------------------

// A piece is told from the others by its letter as well as by its colour.
export function showPieces(map, pieces) {
  const letter = letters(pieces);
  map.stand(new Map(pieces.map((piece) => [piece.id, { space: piece.space, make: () => drawn(piece, letter.get(piece.id)) }])));
  pieces.forEach((piece) => {
    const together = pieces.filter(({ space }) => space === piece.space);
    aside(map.pieces.get(piece.id)?.querySelector(".side"), together.indexOf(piece), together.length);
  });
}

// Several on one space stand around its middle, smaller, so that each is seen.
function aside(drawing, place, count) {
  if (!drawing) return;
  const turn = (2 * Math.PI * place) / count + Math.PI;
  const away = count > 1 ? R * 0.62 : 0;
  const [x, y] = [away * Math.cos(turn), away * Math.sin(turn)].map(Math.round);
  drawing.setAttribute("transform", `translate(${x} ${y}) scale(${count > 2 ? 0.5 : count > 1 ? 0.62 : 1})`);
}

function letters(pieces) {
  const short = pieces.map(({ id }) => id.charAt(0).toUpperCase());
  const twice = (it) => short.indexOf(it) !== short.lastIndexOf(it);
  return new Map(pieces.map(({ id }, i) => [id, twice(short[i]) ? id.replace(/^(.).*?(.)$/, "$1$2").toUpperCase() : short[i]]));
}

const rgb = (colour) => `rgb(${colour.join(" ")})`;

function drawn({ id, colour }, letter) {
  return svg(
    "g",
    { class: "mini plain piece", "aria-hidden": "true", "data-piece": id },
    svg(
      "g",
      { class: "side" },
      svg("circle", { class: "shade", r: R, transform: "translate(14 20)" }),
      svg("circle", { class: "base", r: R }),
      svg("circle", { class: "band", r: R - 22, style: colour ? { stroke: rgb(colour) } : {} }),
      svg("text", { class: letter.length > 1 ? "numeral two" : "numeral", y: 50 }, letter),
    ),
  );
}

// Spaces that the lamps showed in a past moment.
export const showMarks = (map, marks) =>
  map.draw("under", marks, () =>
    marks.map(({ space, colour }) => {
      const outline = map.outline(space, "mark-space");
      if (outline && colour) for (const name of ["fill", "stroke"]) outline.style.setProperty(name, rgb(colour));
      return outline;
    }),
  );

// Where those in hiding can be, in the games that are played with that hint.
export const showPossible = (map, spaces) =>
  map.draw("possible", spaces, () => spaces.map((space) => map.outline(space, "maybe-space")));
