// Parts that all screens share: the street with its cards and dice, and the players' tracks.

import { list, playerName, t, tOf } from "/static/texts.js";
import { calm, h, quiet, terms, verdictLine } from "/static/ui.js";
import { cardBack, die, cardFace, sign } from "./cards.js";
import { turnOdds } from "./outlook.js";

const STATS = ["hunt", "shoot", "evade"];
const CAP = 9;
const FACES = 10;
// The stat of each roll.
const ROLLS = { target: "shoot", danger: "evade" };
// The most turns that a player can lose.
const LOST = 2;

// `mine` is the seat of this screen.
export const turnName = ({ view, seats }, mine = null) =>
  view.turn === mine ? t("st.turn.mine") : t("st.turn", { player: playerName(seats, view.turn) });

const TONES = { wounded: "red", eliminated: "red", killed: "brass" };

// The tone of some log entries: of the worst, if there are several.
export const toneOf = (entries) =>
  ["red", "brass"].find((tone) => entries.some(({ type }) => TONES[type] === tone)) ?? "";

// --- the street ---------------------------------------------------------------------------------------------------

// The deck, face-down cards, the current card, and the dice of the last action.
export function street(view, words, rolled) {
  const shown = view.card ?? rolled.card;
  const { facedown: number } = view.counts;
  return h("div", { class: "street", testid: "street", "data-phase": view.phase }, [
    deckPile(view),
    h("div", { class: "laid", role: "img", "aria-label": t("st.facedown", { number }), testid: "facedown" }, [
      Array.from({ length: number }, (_, i) => cardBack(view.phase === "reveal" && i === number - 1 ? "next" : "")),
    ]),
    h("div", { class: "open", testid: "open-card" }, [
      shown ? cardFace(shown, words, view.card ? "" : "done") : h("div", { class: "st-card none" }),
    ]),
    h("div", { class: "dice", testid: "dice" }, [
      words?.cards?.[shown]?.kind === "nothing" ? quiet(t("st.nothing")) : dice(view, rolled),
    ]),
  ]);
}

const deckPile = (view) =>
  h("div", { class: "pile", role: "img", "aria-label": t("st.deck", { number: view.counts.deck }), testid: "deck" }, [
    view.counts.deck > 0 ? cardBack() : h("div", { class: "st-card none" }),
    h("b", { "aria-hidden": "true" }, String(view.counts.deck)),
  ]);

function dice(view, rolled) {
  const shown = view.die === null ? rolled.dice : [{ value: view.die, good: null, wound: false }];
  return [
    shown.map(({ value, good }) => die(value, good === null ? "" : good ? "good" : "bad")),
    shown.length > 0 && !shown.some(({ wound }) => wound) && quiet(t("st.zero")),
  ];
}

// The odds of the turn, before and while its cards lie face down.
export function oddsPanel(view, words) {
  const found = words && turnOdds(view, words.cards);
  if (!found) return null;
  const percent = (chance) => t("st.odds.percent", { percent: Math.round(chance * 100) });
  return h("section", { class: "st-odds", testid: "odds" }, [
    h("h2", {}, t("st.odds")),
    terms({}, [
      [t("st.odds.danger"), percent(found.danger)],
      [t("st.odds.unhurt"), percent(found.unhurt)],
      [
        t("st.odds.stars"),
        `★ ${found.stars.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 })}`,
      ],
    ]),
  ]);
}

// The faces of the die before a roll, and while it rolls: those that succeed, those that Aids add up to `needed`, and
// those that fail.
export function dieFaces({ phase, value, die: before, rolled }, needed = rolled?.needed ?? value) {
  if (!(phase in ROLLS)) return null;
  const cell = (n) => (n <= Math.min(value, needed) ? "on" : n <= needed ? "more" : "");
  const shown = rolled?.value ?? before;
  return h("ol", { class: "die-faces", "aria-hidden": "true", testid: "faces" }, [
    Array.from({ length: FACES }, (_, i) =>
      h("li", { class: `${cell(i + 1)} ${shown === (i + 1) % FACES ? "rolled" : ""}` }, String((i + 1) % FACES)),
    ),
  ]);
}

// What a failed roll costs.
export const costLine = ({ phase }) => phase === "danger" && h("p", { class: "quiet", testid: "cost" }, t("st.cost"));

// Who needs what with a roll, and the chance of it; null if there is no roll. `mine` is the seat of this screen.
export function neededLine({ phase, turn, value, rolled }, seats, mine = null) {
  if (!(phase in ROLLS)) return null;
  const number = Math.max(0, Math.min(CAP, rolled?.needed ?? value));
  const own = number > 0 ? tOf("st.needed", phase, { number }) : tOf("st.never", phase);
  return [
    turn === mine ? own : number > 0 && tOf("st.needs", phase, { player: playerName(seats, turn), number }),
    h("small", {}, ` ${t("st.chance", { percent: (100 * number) / FACES })}`),
  ];
}

// A roll for everyone: what succeeds, and what failing costs.
export const rollPanel = (view, seats) =>
  view.phase in ROLLS &&
  h("section", { class: "st-odds", testid: "roll" }, [
    h("p", { class: "asked" }, neededLine(view, seats)),
    dieFaces(view),
    costLine(view),
  ]);

// Returns the last card that was turned over, and the dice of its rolls. They stay until the next card: who rolls last in
// a turn, and everyone else, must see the roll that ends it.
export function latestRoll(log) {
  const at = log.findLastIndex(({ type }) => type === "revealed");
  // A die that is rolled before Aids are spent is in the view until the roll is decided.
  const rolls = log.slice(at + 1).filter((entry) => isRoll(entry) && entry.good !== null);
  const dice = rolls.map(({ die: value, good, type, needed }) => ({ value, good, needed, wound: type === "wounded" }));
  // A step of a past game has only its own entries.
  return { card: (log[at] ?? rolls.find(({ card }) => card))?.card ?? null, dice, n: rolls.at(-1)?.n ?? -1 };
}

// The entries about the last roll: of this turn, or of the turn before until a card is turned over.
export function toldOfRoll(log) {
  const starts = log.flatMap(({ type }, at) => (type === "turn-started" ? [at] : []));
  const turn = log.slice(starts.at(-1) ?? 0);
  const told = turn.some(({ type }) => type === "revealed") ? turn : log.slice(starts.at(-2) ?? 0);
  const last = told.findLastIndex(isRoll);
  // A wound is rolled for right after the roll that failed.
  const first = told[last]?.type === "wounded" ? told.slice(0, last).findLastIndex(isRoll) : last;
  return first < 0 ? [] : told.slice(first).filter((entry) => isRoll(entry) || FATES.has(entry.type));
}

const FATES = new Set(["killed", "eliminated"]);
const isRoll = ({ die: value }) => Number.isInteger(value);

// How long the animations of new entries last, how long a die rolls, and how long its result stays next to what was
// needed.
const MOVING_MS = 1500;
const ROLLING_MS = 700;
const RESULT_MS = 900;
// The class of the page while an entry of this type is new.
const MOTIONS = { drew: "dealing", revealed: "turning", killed: "scoring", wounded: "wounding", rolling: "rolling" };
let still = 0;
let held = 0;
let startedAt = null;

// The page is repainted while its parts move: they go on from where they were.
const repainted = new MutationObserver(() => {
  for (const moving of document.getAnimations())
    if (/** @type {any} */ (moving).animationName?.startsWith("st-")) moving.startTime = startedAt;
});

const isRolled = (fresh, log) => fresh.some(({ n }) => n === latestRoll(log).n);

// How to read out new entries: a roll when its dice lie still.
export const readingOf = (log) => ({
  among: () => true,
  toneOf,
  delayOf: (fresh) => (isRolled(fresh, log) && !calm() ? ROLLING_MS * latestRoll(log).dice.length : 0),
});

// Animates what new entries are about: cards, a wound, the dice of the last roll, and a hit after them. Returns the
// picture to show: while dice roll, the one `before`, in which the game doesn't give the roll away. Then `show` gets the
// new one.
export function animate(fresh, picture, before, show) {
  clearTimeout(held);
  if (!fresh.length || calm()) return picture;
  const { log, revision } = picture;
  const { dice } = latestRoll(log);
  const types = new Set(fresh.map(({ type }) => type));
  const rolling = before?.view && isRolled(fresh, log);
  const hit = rolling && types.delete("killed");
  move(rolling ? types.add("rolling") : types);
  if (!rolling) return picture;
  const release = () => {
    if (hit) move(["killed"]);
    show(picture);
  };
  held = setTimeout(release, ROLLING_MS * dice.length + RESULT_MS);
  return { ...before, log, revision, view: { ...before.view, rolled: dice[0] } };
}

function move(types) {
  const { classList } = document.body;
  const stop = () => {
    classList.remove(...Object.values(MOTIONS));
    repainted.disconnect();
  };
  clearTimeout(still);
  stop();
  classList.add(...[...types].map((type) => MOTIONS[type]).filter(Boolean));
  startedAt = document.timeline.currentTime;
  repainted.observe(document.body, { childList: true, subtree: true });
  still = setTimeout(stop, MOVING_MS);
}

// Whether the last roll of some entries was good for the player: the class of their lines.
export const rollTone = (entries) => toneOf(entries) || (entries.findLast(isRoll)?.good ? "good" : "");

// --- the players --------------------------------------------------------------------------------------------------

export function playerList(view, seats, words, mine = null) {
  return h("ul", { class: "st-players", testid: "players" }, [
    Object.keys(view.players).map((seat) => playerCard(view, seat, seats, words, mine)),
  ]);
}

function playerCard(view, seat, seats, words, mine) {
  const it = view.players[seat];
  const state = [it.out && t("st.out"), it.skip > 0 && t("st.skip", { number: it.skip })].filter(Boolean);
  return h("li", { class: `${view.turn === seat ? "acting" : ""} ${it.out ? "out" : ""}`, testid: `player-${seat}` }, [
    h("h3", {}, [
      seat === mine ? t("st.you") : playerName(seats, seat),
      h("span", { class: "score" }, `★ ${it.stars}`, h("small", {}, t("st.kills", { number: it.kills.length }))),
    ]),
    h("dl", { class: "tracks" }, [STATS.map((stat) => track(view, seat, stat))]),
    h("p", { class: "xp" }, experienceText(it), lostTurns(it)),
    state.length > 0 && h("p", { class: "state" }, state.join(" · ")),
    seat !== mine && handCards(view, seat, words),
  ]);
}

// All players with their numbers, a line for each.
export const playerLines = ({ players: all, turn }, seats) =>
  h("ul", { class: "st-players" }, [
    Object.keys(all).map((seat) =>
      h("li", { class: `${turn === seat ? "acting" : ""} ${all[seat].out ? "out" : ""}` }, [
        h("b", {}, playerName(seats, seat)),
        h("span", { class: "own-stats" }, statNumbers(all[seat])),
        all[seat].out && h("small", {}, t("st.out")),
      ]),
    ),
  ]);

// A player's own numbers in one line, for the top of the page.
export const ownStats = (it) =>
  h("span", { class: "own-stats", testid: "own-stats" }, [
    statNumbers(it),
    h("b", { role: "img", "aria-label": t("st.xp", { number: it.xp }) }, t("st.xp.brief", { number: it.xp })),
  ]);

const statNumbers = (it) => [
  STATS.map((stat) =>
    h("b", { role: "img", "aria-label": `${tOf("st.stat", stat)}: ${it[stat]}` }, [
      sign(stat[0].toUpperCase()),
      String(it[stat]),
    ]),
  ),
  h("b", { class: "kill-stars" }, `★ ${it.stars}`),
];

// A track of nine cells: the cells reached, and those added for the next roll.
function track(view, seat, stat) {
  const value = view.players[seat][stat];
  const boosted = view.turn === seat && ROLLED[view.phase] === stat && view.value !== null ? view.value : value;
  const cell = (n) => (n <= Math.min(value, boosted) ? "on" : n <= boosted ? "more" : n <= value ? "less" : "");
  return h("div", {}, [
    h("dt", {}, tOf("st.stat", stat)),
    h("dd", { "aria-label": String(value) }, [
      h("span", { class: "cells", "aria-hidden": "true" }, [
        Array.from({ length: CAP }, (_, i) => h("i", { class: cell(i + 1) })),
      ]),
      h("b", {}, String(value)),
    ]),
  ]);
}

const ROLLED = { hunt: "hunt", ...ROLLS };

const experienceText = (it) => h("span", { title: t("st.xp.about") }, t("st.xp", { number: it.xp }));

const lostTurns = (it) =>
  h("span", { class: "lost", role: "img", "aria-label": t("st.skip", { number: it.skip }) }, [
    Array.from({ length: LOST }, (_, i) => h("i", { class: i < it.skip ? "on" : "" })),
  ]);

function handCards(view, seat, words) {
  const cards = view.players[seat].hand;
  const number = view.counts.hand[seat];
  if (cards === null || !words) return number > 0 && quiet(t("st.hand.hidden", { number }));
  return (
    cards.length > 0 &&
    h("div", { class: "small-cards", "aria-label": t("st.hand"), role: "group" }, [
      cards.map((card) => cardFace(card, words, "small")),
    ])
  );
}

// --- the end ------------------------------------------------------------------------------------------------------

// `more` are lines below the verdict: the last roll, and the best score at this table.
export const ending = (view, seats, words, mine, more) => [
  verdict(view, seats, mine),
  more,
  h("p", {}, tOf("st.end", view.over.reason)),
  ranking(view, seats, words, mine),
];

export function verdict(view, seats, mine = null) {
  const { winners, ranking: ranked } = view.over;
  const names = list(winners.map((seat) => playerName(seats, seat)));
  if (ranked.length === 1) {
    const [{ seat, stars }] = ranked;
    return verdictLine(mine ? t("st.score", { stars }) : t("st.score.of", { player: playerName(seats, seat), stars }));
  }
  if (!winners.length) return verdictLine(t("st.nobody"));
  const alone = winners.length === 1 && winners[0] === mine;
  return verdictLine(
    alone ? t("st.won.mine") : t("st.won", { names, number: winners.length }),
    mine === null ? null : winners.includes(mine),
  );
}

// Who came where, with the targets that each player hit.
export function ranking(view, seats, words, mine = null) {
  const { ranking: ranked, winners } = view.over;
  const most = Math.max(1, ...ranked.map(({ stars }) => stars));
  return h("ol", { class: "ranking everyone", testid: "ranking" }, [
    ranked.map(({ seat, place, stars, kills, out }) =>
      h("li", { class: winners.includes(seat) ? "won" : "" }, [
        h("b", {}, `${place}.`),
        h(
          "span",
          {},
          seat === mine ? t("st.you") : playerName(seats, seat),
          out && [" ", h("small", { class: "state" }, t("st.out"))],
        ),
        h("span", { class: "score" }, `★ ${stars}`, h("small", {}, t("st.kills", { number: kills }))),
        h("i", { class: "share", "aria-hidden": "true" }, h("i", { style: { width: `${(100 * stars) / most}%` } })),
        words && trophies(view.players[seat].kills, words),
      ]),
    ),
  ]);
}

const trophies = (cards, words) =>
  cards.length > 0 &&
  h("div", { class: "small-cards", role: "group", "aria-label": t("st.trophies") }, [
    cards.map((card) => cardFace(card, words, "small")),
  ]);
