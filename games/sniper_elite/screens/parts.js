// What the screens of this game show alike: names, the bag, the dispatches, the end.

import { art } from "/static/art.js";
import { tell as signal } from "/static/device.js";
import { has, list, t, tOf } from "/static/texts.js";
import { miniName as unitName } from "/static/frame.js";
import { announce, h, icon } from "/static/ui.js";
import { cardOf } from "./nest.js";
import { badge, squadOf } from "./pieces.js";
import { heard, recap, silence, turns } from "./recap.js";

export { unitName };
export const SQUADS = ["yellow", "red", "black"];
export const MEMBERS = ["officer", "1", "2"];
export const TOKENS = ["aim", "noise", "recoil", "suppression"];
const START_COUNTDOWN = 10;
const SETUP = new Set(["return-objective", "choose-loadout", "show-objective", "choose-specialists"]);

const ANSWERS = new Set([
  "intel",
  "attacked",
  "spotted",
  "swept",
  "wounded",
  "revealed",
  "objective-completed",
  "ghost-revealed",
  "game-over",
]);
const NOISE = new Set(
  "alerted barked shot-declared drew shot killed revealed wounded looted card-played mine-triggered distracted ability-used".split(
    " ",
  ),
);
const MOVES = new Set(["moved", "deployed", "dismissed", "scouted", "dog-placed"]);
export const FILTERS = {
  all: () => true,
  answers: (type) => ANSWERS.has(type),
  noise: (type) => NOISE.has(type),
  moves: (type) => MOVES.has(type),
};
const DULL = new Set(["marked", "unmarked", "bag-gained", "turn-ended", "countdown"]);
const TONES = {
  red: new Set(["revealed", "wounded", "killed", "mine-triggered"]),
  amber: new Set(["alerted", "barked", "shot-declared", "drew", "shot", "looted", "card-played", "ability-used"]),
  brass: new Set(["ally-chosen", "ghost-revealed", "objective-completed", "game-over", "opened", "specialists-chosen"]),
};

export const unitList = (units) => list(units.map(unitName));

export const tone = (type) => Object.keys(TONES).find((name) => TONES[name].has(type)) || "";

export const telling = (entries) => entries.filter((entry) => !DULL.has(entry.type));

// --- the head of a screen ---------------------------------------------------------------------------------------

export function turnName(picture, mine = null) {
  if (picture.stage === "lobby" || !picture.view) return t("hud.lobby");
  if (picture.stage === "over") return t("hud.over");
  if (picture.paused !== null) return t("pause.title");
  const { pending, turn, to_act } = picture.view;
  if (mine && to_act.includes(mine)) return t("hud.turn.mine");
  if (pending && SETUP.has(pending.for)) return t("hud.setup");
  return turn === "sniper" ? t("hud.turn.sniper") : t("hud.turn.defenders");
}

export function countdown(number) {
  const lamps = Array.from({ length: START_COUNTDOWN }, (_, i) => {
    const on = i < number;
    return h("i", { class: on ? (number <= 3 ? "lamp hot" : "lamp on") : "lamp" });
  });
  return h(
    "div",
    { class: "countdown", role: "img", "aria-label": t("hud.countdown", { number }), "data-testid": "countdown" },
    h("b", { "aria-hidden": "true" }, String(number), h("small", {}, t("hud.left"))),
    h("span", { class: "lamps", "aria-hidden": "true" }, lamps),
  );
}

// Full hearts are healthy; a wound empties one.
export function wounds(number) {
  const hearts = [0, 1].map((i) =>
    icon("M12 21C6 17 3 12.5 3 8.5A4.5 4.5 0 0 1 12 7a4.5 4.5 0 0 1 9 1.5C21 12.5 18 17 12 21Z", {
      class: i < 2 - number ? "icon heart" : "icon heart hurt",
    }),
  );
  return h(
    "span",
    { class: "wounds", role: "img", "aria-label": tOf("hud.wounds", number), "data-testid": "wounds" },
    hearts,
  );
}

export function doneObjectives(view) {
  const done = view.sniper.completed;
  const stars = [0, 1].map((i) =>
    h("i", { class: i < done.length ? "star on" : "star" }, i < done.length ? String(done[i]) : ""),
  );
  const label = t("hud.done", { done: done.length });
  return h("span", { class: "stars", role: "img", "aria-label": label, "data-testid": "objectives-done" }, stars);
}

// --- bag --------------------------------------------------------------------------------------------------------

// `supply` are the tokens that lie beside it; both are null while nobody may know them.
export function bag(tokens, supply) {
  if (!tokens) return h("p", { class: "quiet", "data-testid": "bag" }, t("bag.hidden"));
  const beside = (token) => t("bag.beside", { number: supply[token], token: tOf("token", token) });
  const kinds = TOKENS.filter((token) => token in tokens);
  const total = kinds.reduce((sum, token) => sum + tokens[token], 0);
  const rows = kinds.map((token) => {
    const share = total ? tokens[token] / total : 0;
    return h(
      "li",
      { class: `token ${token}`, "data-testid": `bag-${token}` },
      h("i", { class: "disc" }, String(tokens[token])),
      h("span", {}, tOf("token", token)),
      h("span", { class: "bar", "aria-hidden": "true" }, h("i", { style: { width: `${share * 100}%` } })),
      h("span", { class: "share" }, t("bag.share", { percent: Math.round(share * 100) })),
    );
  });
  return [
    h("ul", { class: "bag", "aria-label": t("bag.next"), "data-testid": "bag" }, rows),
    h("p", { class: "quiet" }, t("bag.total", { number: total })),
    h("p", { class: "quiet", "data-testid": "supply" }, t("bag.supply", { tokens: list(kinds.filter((token) => token in supply).map(beside)) })),
    h("p", { class: "quiet" }, t("bag.rule")),
  ];
}

// --- cards that all know of -------------------------------------------------------------------------------------

// Cards used openly, how many lie face down and are held, and an objective that was shown.
export function cardsOut(view, words) {
  const title = (card) => cardOf(words, card)?.title ?? card;
  const counted = [...new Set(view.face_up)].map((card) => [card, view.face_up.filter((it) => it === card).length]);
  return h(
    "div",
    { class: "cards-out", "data-testid": "cards-out" },
    h("h3", {}, t("cards.title")),
    counted.length > 0 &&
      h(
        "ul",
        { "data-testid": "face-up", "aria-label": t("cards.face-up") },
        counted.map(([card, copies]) =>
          h("li", {}, art(card, "in-line"), " ", copies > 1 ? t("cards.several", { title: title(card), copies }) : title(card)),
        ),
      ),
    h("p", { class: "quiet", "data-testid": "face-down" }, t("cards.counts", { ...view.counts, hand: view.counts.hand ?? t("cards.hidden") })),
    view.shown !== null && h("p", { "data-testid": "shown" }, t("cards.shown", { objective: view.shown })),
  );
}

// --- dispatches -------------------------------------------------------------------------------------------------

export function dispatches(entries, limit = 120) {
  const shown = entries.slice(-limit).reverse();
  if (!shown.length) return h("p", { class: "quiet" }, t("log.none"));
  return h(
    "ol",
    { class: "dispatches", reversed: true, "data-testid": "log" },
    shown.map((entry) => {
      const secret = !entry.public && !DULL.has(entry.type);
      return h(
        "li",
        { class: `${tone(entry.type)} ${secret ? "secret" : ""}`, "data-type": entry.type },
        entry.sentence,
        secret && h("em", {}, t("log.secret")),
      );
    }),
  );
}

// What belongs to one deed: the shot with its draw and its end, a search with what it found.
const FOLLOWING = new Set(
  `drew shot killed revealed wounded second-forfeited save-offered saved save-declined distracted mine-triggered
  ability-used ghost-revealed game-over opened`.split(/\s+/),
);

export function lastDeed(entries) {
  const known = telling(entries.filter((entry) => entry.public));
  let start = known.length - 1;
  while (start > 0 && FOLLOWING.has(known[start].type)) start -= 1;
  return known.slice(Math.max(0, start));
}

export function telegram(entries) {
  const told = recap(entries);
  if (told) return told;
  const deed = lastDeed(entries);
  if (!deed.length) return null;
  const worst = ["red", "amber"].find((name) => deed.some(({ type }) => tone(type) === name));
  return h(
    "div",
    { class: `latest ${worst || ""}`, "data-testid": "latest" },
    deed.map(({ sentence, type, tokens }) =>
      h("p", { "data-type": type, class: ANSWERS.has(type) ? "answer" : "" }, sentence, tokens && discs(tokens)),
    ),
  );
}

// The tokens of a draw as a row of discs.
const discs = (tokens) =>
  h(
    "span",
    { class: "discs", "aria-hidden": "true" },
    TOKENS.flatMap((token) =>
      Array.from({ length: tokens[token] || 0 }, () => h("i", { class: `disc token ${token}` }, tOf("token", token)[0])),
    ),
  );

// Speaks what is new and public to screen readers, and lets this device sound or buzz of it, if it is to; nothing of
// the past when a page opens.
export class Herald {
  constructor() {
    this.last = null;
  }

  // `game` is what the table has promised of it, which no other game shares.
  hear(entries, game) {
    heard(entries, game);
    const newest = entries.length ? entries.at(-1).n : -1;
    const fresh = this.last === null ? [] : entries.filter((entry) => entry.n > this.last && entry.public);
    this.last = newest;
    const news = telling(fresh);
    news.forEach((entry) => announce(entry.sentence));
    const ended = fresh.some(({ type }) => type === "turn-ended") ? turns(entries) : null;
    if (ended?.seat && !ended.ended.length) announce(silence(ended.seat));
    if (news.length) signal(Object.keys(TONES).find((name) => news.some(({ type }) => tone(type) === name)) || "");
    return fresh;
  }
}

// --- the board under it all -------------------------------------------------------------------------------------

// How the same is done on the board, where that counts.
export const byHand = ({ board }, words) =>
  board.heeded && board.state !== "away"
    ? h("p", { class: "quiet", "data-testid": "by-hand" }, board.hint ? t("defenders.how.first") : words)
    : null;

// Of these spaces, those where a miniature is not felt: what happens there is chosen on the screen.
export const unfelt = ({ board }, spaces) =>
  board.heeded ? [...spaces].filter((space) => board.manual.includes(space)) : [];

// What is said of them, to somebody who moves a miniature from `home` (null: off the board) to one of `spaces`.
export function byScreen(picture, home, spaces) {
  const [from] = unfelt(picture, [home]);
  const to = unfelt(picture, spaces);
  if (!from && !to.length) return null;
  const words = from ? t("defenders.by-screen.from", { space: from }) : t("defenders.by-screen.to", { spaces: list(to) });
  return h("p", { class: "by-screen", "data-testid": "by-screen" }, words);
}

// --- the end ----------------------------------------------------------------------------------------------------

// `seat` is the one that is told; a screen that belongs to no seat leaves it out.
export function ending(view, seat = null) {
  const { winner, reason } = view.over;
  // In the words for how it ended, where there are some.
  const how = `${seat}-${reason}`;
  const won = () => tOf("over.won", has(`over.won.${how}`) ? how : seat);
  const lost = () => tOf("over.lost", has(`over.lost.${how}`) ? how : seat);
  const verdict = seat === null ? tOf("over", winner) : seat === winner ? won() : lost();
  return [
    h("p", { class: `verdict ${winner}`, "data-testid": "over" }, verdict),
    h("p", {}, tOf("over", reason)),
    view.opened &&
      h("p", { class: "quiet" }, t("over.objectives.were", { objectives: list(view.opened.objectives.map(String)) })),
  ];
}

export function unitButton(unit, props, ...extra) {
  return h(
    "button",
    { type: "button", class: `unit ${squadOf(unit)}`, ...props },
    badge(unit),
    h("span", { class: "name" }, unitName(unit)),
    extra,
  );
}
