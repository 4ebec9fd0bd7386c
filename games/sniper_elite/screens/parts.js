// Parts that the screens of this game share: names, the bag, the log, the result.

import { art } from "/static/art.js";
import { entryList, News, tell } from "/static/news.js";
import { reportLine } from "/static/panel.js";
import { capital, has, list, personNames, t, tOf, turnOf } from "/static/texts.js";
import { miniName as unitName, miniWord as unitWord } from "/static/frame.js";
import { calm, h, icon, quiet, verdictLine } from "/static/ui.js";
import { titleOf } from "./nest.js";
import { badge, HEART, squadOf, TOKEN_MS } from "./pieces.js";
import { noteSeen, OUTCOMES, recap, quietTurn, tone, lastTurns, worstTone } from "./recap.js";

export { tone, unitName, unitWord };
export const SQUADS = ["yellow", "red", "black"];
export const MEMBERS = ["officer", "1", "2"];
export const TOKENS = ["aim", "noise", "recoil", "suppression"];
const START_COUNTDOWN = 10;
const SETUP = new Set(["return-objective", "choose-loadout", "show-objective", "choose-specialists"]);

const ANSWERS = new Set(
  "intel attacked spotted swept wounded revealed objective-completed ghost-revealed game-over".split(" "),
);
// What a shot, a search or, in the solo game, a turn ends with.
const RESULTS = new Set([...ANSWERS, ...OUTCOMES, "second-forfeited", "hit"]);
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

// One of some items, chosen at random.
export const randomOf = (items) => items[crypto.getRandomValues(new Uint32Array(1))[0] % items.length];

export const unitList = (units) => list(units.map(unitWord));

export const notableOf = (entries) => entries.filter((entry) => !DULL.has(entry.type));

// --- the head of a screen ---------------------------------------------------------------------------------------

export function turnName({ view, seats }, ownSeat = null) {
  const { pending, turn, to_act } = view;
  if (ownSeat && to_act.includes(ownSeat)) return t("hud.turn.mine");
  if (pending && SETUP.has(pending.for)) return t("hud.setup");
  const whose = turn === "sniper" ? t("hud.turn.sniper") : t("hud.turn.defenders");
  return ownSeat ? whose : turnOf(whose, seats, turn);
}

// The round, the countdown, the objectives and the wounds.
export function headNumbers({ view, stage, seats }, ownSeat) {
  // While others act, the line says who they are.
  const names = stage === "playing" && !view.to_act.includes(ownSeat) && personNames(seats, view.turn);
  return [
    h("span", { testid: "round" }, t("hud.round", { round: view.round }), names ? ` · ${names}` : null),
    countdown(view),
    h("div", { class: "tokens" }, doneObjectives(view), wounds(view.sniper.wounds)),
  ];
}

// When time has run out, no round is left.
export function countdown({ countdown: last, over }) {
  const number = over?.reason === "countdown" ? 0 : last;
  const lamps = Array.from({ length: START_COUNTDOWN }, (_, i) => {
    const on = i < number;
    return h("i", { class: on ? (number <= 3 ? "lamp hot" : "lamp on") : "lamp" });
  });
  const label = t("hud.countdown", { number });
  return h("div", { class: "countdown", role: "img", "aria-label": label, testid: "countdown" }, [
    h("b", { "aria-hidden": "true" }, String(number), h("small", {}, t("hud.left"))),
    h("span", { class: "lamps", "aria-hidden": "true" }, lamps),
  ]);
}

// A full heart is healthy; each wound empties one.
export function wounds(number) {
  const hearts = [0, 1].map((i) => icon(HEART, { class: i < 2 - number ? "icon heart" : "icon heart hurt" }));
  return h("span", { class: "wounds", role: "img", "aria-label": tOf("hud.wounds", number), testid: "wounds" }, [
    hearts,
  ]);
}

export function doneObjectives(view) {
  const done = view.sniper.completed;
  const stars = [0, 1].map((i) =>
    h("i", { class: i < done.length ? "star on" : "star" }, i < done.length ? String(done[i]) : ""),
  );
  const label = t("hud.done", { done: done.length });
  return h("span", { class: "stars", role: "img", "aria-label": label, testid: "objectives-done" }, stars);
}

export const siteOf = (map, number) => [...map.spaces.values()].find((it) => it.objective === String(number));

// An objective by its name and number, or by its number alone if the map is not there yet or has no name for it.
export function objectiveName(map, number) {
  const name = siteOf(map, number)?.name;
  return name ? t("objective.named", { name, number }) : String(number);
}

export const objectiveNames = (map, numbers) => list(numbers.map((number) => objectiveName(map, number)));

// Log entries in which every number is an objective.
const OF_OBJECTIVES = new Set("objectives objective-shown objective-completed opened possible eliminated".split(" "));

// Puts the names of objectives into the log: "Objective Launch tower (6) on R18 is done!"
function nameObjectives(map, log) {
  for (const entry of log)
    if (OF_OBJECTIVES.has(entry.type))
      entry.sentence = entry.sentence.replace(/(?<![\p{L}\d(])\d+/gu, (number) => objectiveName(map, number));
}

// --- bag --------------------------------------------------------------------------------------------------------

// `supply` are the tokens outside the bag. Both are null for viewers who may not know them.
export function bag(tokens, supply) {
  if (!tokens) return h("p", { class: "quiet", testid: "bag" }, t("bag.hidden"));
  const beside = (token) => t("bag.beside", { number: supply[token], token: tOf("token", token) });
  const kinds = TOKENS.filter((token) => token in tokens);
  const total = kinds.reduce((sum, token) => sum + tokens[token], 0);
  const rows = kinds.map((token) => {
    const share = total ? tokens[token] / total : 0;
    return h("li", { class: `token ${token}`, testid: `bag-${token}` }, [
      h("i", { class: "disc" }, String(tokens[token])),
      h("span", {}, capital(tOf("token", token))),
      h("span", { class: "bar", "aria-hidden": "true" }, h("i", { style: { width: `${share * 100}%` } })),
      h("span", { class: "share" }, t("bag.share", { percent: Math.round(share * 100) })),
    ]);
  });
  return [
    h("ul", { class: "bag", "aria-label": t("bag.next"), testid: "bag" }, rows),
    quiet(t("bag.total", { number: total })),
    h("p", { class: "quiet", testid: "supply" }, [
      t("bag.supply", { tokens: list(kinds.filter((token) => token in supply).map(beside)) }),
    ]),
    quiet(t("bag.rule")),
  ];
}

// --- cards that all know of -------------------------------------------------------------------------------------

// Cards used openly, the number of face-down and held cards, and an objective that was shown.
export function cardsOut(view, words) {
  const counted = [...new Set(view.face_up)].map((card) => [card, view.face_up.filter((it) => it === card).length]);
  return h("div", { class: "cards-out", testid: "cards-out" }, [
    h("h3", {}, t("cards.title")),
    counted.length > 0 &&
      h("ul", { testid: "face-up", "aria-label": t("cards.face-up") }, [
        counted.map(([card, copies]) =>
          h("li", {}, [
            art(card, "in-line"),
            " ",
            copies > 1 ? t("cards.several", { title: titleOf(words, card), copies }) : titleOf(words, card),
          ]),
        ),
      ]),
    h("p", { class: "quiet", testid: "face-down" }, [
      view.opened
        ? faceDownText(view.opened, words)
        : t("cards.counts", { ...view.counts, hand: view.counts.hand ?? t("cards.hidden") }),
    ]),
    view.shown !== null && h("p", { testid: "shown" }, t("cards.shown", { objective: view.shown })),
  ]);
}

// The face-down cards by name, once the game has ended.
function faceDownText({ face_down: laid }, words) {
  const titles = laid.map((card) => titleOf(words, card));
  return laid.length ? t("cards.opened", { cards: list(titles) }) : t("cards.opened.none");
}

// What the game says of a specialist: title, how to use it, the label of a choice and the button to confirm it.
export const termsOf = ({ words }, card) => words?.specialists[card] ?? { title: card };

// --- dispatches -------------------------------------------------------------------------------------------------

// An entry in the colour of its importance.
export const toneLine = ({ sentence, type }) => h("p", { class: tone(type), "data-type": type }, sentence);

export function logList(map, entries, limit = 120) {
  nameObjectives(map, entries); // again, because the map may have come after the picture
  return entryList(entries.slice(-limit), ({ type, public: known }) => {
    const secret = !known && !DULL.has(type);
    return [`${tone(type)} ${secret ? "secret" : ""}`, secret && h("em", {}, t("log.secret"))];
  });
}

// Log entries that belong to the action before them: a shot with its draw and result, a search with its answer.
const FOLLOWING = new Set(
  `drew shot killed revealed wounded second-forfeited save-offered saved save-declined distracted mine-triggered
  ability-used ghost-revealed game-over opened`.split(/\s+/),
);

export function lastAction(entries) {
  const known = notableOf(entries.filter((entry) => entry.public));
  let start = known.length - 1;
  while (start > 0 && FOLLOWING.has(known[start].type)) start -= 1;
  return known.slice(Math.max(0, start));
}

// The line that opens what happened: the last turn, or the last action of this one.
export function lastReport(entries) {
  const told = recap(entries);
  if (told) return told;
  const deed = lastAction(entries);
  const line = ({ sentence, type, tokens }) => h("p", { "data-type": type }, sentence, tokens && discs(tokens));
  return deed.length
    ? reportLine(t("recap.latest"), deed.map(line), { class: worstTone(deed), testid: "latest" })
    : null;
}

// The report of a seat's turn; a game can bring its own.
export const reportOf = ({ picture, report }) => {
  if (report) return report();
  return picture.view.sniper.acted ? lastReport(picture.log) : recap(picture.log);
};

// What the last action of this turn has brought, as a headline: a hit, a misfire, an answer to a search.
export function resultLine(entries) {
  if (recap(entries)) return null;
  const told = lastAction(entries).filter(({ type }) => RESULTS.has(type));
  const words = told.map(({ sentence }) => sentence).join(" ");
  return told.length > 0 && h("p", { class: `result ${worstTone(told)}`, testid: "result" }, words);
}

// The tokens of a draw as a row of discs.
const discs = (tokens) =>
  h("span", { class: "discs", "aria-hidden": "true" }, [
    TOKENS.flatMap((token) =>
      Array.from({ length: tokens[token] || 0 }, () =>
        h("i", { class: `disc token ${token}` }, capital(tOf("token", token)[0])),
      ),
    ),
  ]);

// Shown large, like draws of tokens.
const MOMENTS = new Set("objective-completed revealed wounded mine-triggered".split(" "));

// How long the tokens of new entries are drawn.
function drawingMs(fresh) {
  const drawn = fresh.findLast(({ tokens }) => tokens);
  if (!drawn || calm() || document.hidden) return 0;
  return TOKEN_MS * TOKENS.reduce((sum, token) => sum + (drawn.tokens[token] ?? 0), 0);
}

// Reads new public entries out, among them a turn in which nothing public happened, and shows shots and other moments.
export class NewsReader extends News {
  // `game` is the table's promise for this game, which is unique.
  hearOf(map, log, game = null) {
    nameObjectives(map, log);
    noteSeen(log, game);
    const fresh = this.hear(log, { routine: ({ type }) => DULL.has(type), toneOf: worstTone, delayOf: drawingMs });
    const ended = fresh.some(({ type }) => type === "turn-ended") ? lastTurns(log) : null;
    if (ended?.seat && !ended.ended.length) tell(quietTurn(ended.seat));
    if (calm() || document.hidden) return;
    const draw = fresh.findLast(({ tokens }) => tokens);
    const deed = lastAction(log);
    if (draw)
      showMoment(
        draw.tokens,
        deed.filter(({ n }) => n > draw.n),
        deed.findLast(({ n }) => n < draw.n)?.sentence,
      );
    else if (fresh.some(({ type }) => MOMENTS.has(type)))
      showMoment(
        {},
        fresh.filter(({ type }) => RESULTS.has(type)),
      );
  }
}

/** @type {(tokens: any, results: LogEntry[], cause?: string) => Promise<void>} */
async function showMoment(tokens, results, cause = "") {
  const drawn = TOKENS.flatMap((token) => Array(tokens[token] || 0).fill(token));
  const shows = await import("./draw.js").catch(() => null); // the log says it, too
  shows?.showMoment(drawn, results.slice(-3).map(toneLine), cause);
}

// --- the board under it all -------------------------------------------------------------------------------------

// How to do the same on the board, if the board is in use.
export const handHint = ({ board }, words) =>
  board.heeded && board.state !== "away"
    ? h("p", { class: "quiet", testid: "by-hand" }, board.hint ? t("defenders.how.first") : words)
    : null;

// Returns the spaces without a working sensor: moves there are made on the screen.
export const withoutSensor = ({ board }, spaces) =>
  board.heeded ? [...spaces].filter((space) => board.manual.includes(space)) : [];

// A hint for a miniature that moves from `home` (null: off the board) to one of `spaces`, if one of them has no working
// sensor.
export function screenHint(picture, home, spaces) {
  const [from] = withoutSensor(picture, [home]);
  const to = withoutSensor(picture, spaces);
  if (!from && !to.length) return null;
  const words = from
    ? t("defenders.by-screen.from", { space: from })
    : t("defenders.by-screen.to", { spaces: list(to) });
  return h("p", { class: "by-screen", testid: "by-screen" }, words);
}

// --- the end ----------------------------------------------------------------------------------------------------

// `seat` is the seat that reads it; null on screens that belong to no seat. Those name the winners from `seats`.
/** @type {(view: any, map: any, seat?: string | null, words?: any, seats?: any) => any[]} */
export function ending(view, map, seat = null, words = null, seats = null) {
  const { winner, reason } = view.over;
  // Uses the text for this kind of ending, if there is one.
  const how = `${seat}-${reason}`;
  const won = () => tOf("over.won", has(`over.won.${how}`) ? how : seat);
  const lost = () => tOf("over.lost", has(`over.lost.${how}`) ? how : seat);
  const names = seats && personNames(seats, winner);
  const general = names ? tOf("over.by", winner, { names }) : tOf("over", winner);
  const verdict = seat === null ? general : seat === winner ? won() : lost();
  return [
    verdictLine(verdict, seat === null ? null : seat === winner),
    h("p", {}, tOf("over", reason)),
    view.opened && quiet(t("over.objectives.were", { objectives: objectiveNames(map, view.opened.objectives) })),
    seat !== null && view.opened?.face_down.length > 0 && quiet(faceDownText(view.opened, words)),
  ];
}

export function unitButton(unit, props, ...extra) {
  return h("button", { class: `unit ${squadOf(unit)}`, ...props }, [
    badge(unit),
    h("span", { class: "name" }, unitName(unit)),
    extra,
  ]);
}
