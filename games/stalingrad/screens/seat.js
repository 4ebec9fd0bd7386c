// A player's telephone: the street, the question of this moment, the own hand to choose from, the players.

import { troubles } from "/static/bots.js";
import { tell as signal } from "/static/device.js";
import { boardStrip, menu, resting } from "/static/frame.js";
import { afterGame, gathering } from "/static/gather.js";
import { bestLine, scoreTold } from "/static/score.js";
import { whyLink } from "/static/reasons.js";
import { t, tOf } from "/static/texts.js";
import { Since } from "/static/since.js";
import { $, announce, button, calm, h, icon, paint } from "/static/ui.js";
import { choice } from "./cards.js";
import { ending, latestRoll, line, players, street, turnName } from "./street.js";

const STATS = ["hunt", "shoot", "evade"];
// Lines of what happened that a telephone shows.
const TOLD = 40;
const page = { picture: null, words: null, chosen: new Set(), open: null, last: null, rolled: -1 };

let seat, keep, name, since;

export function screen(shell) {
  ({ seat, name, keep } = shell);
  since = new Since(name);
  document.body.classList.add("street-game");
  $("#drawer").tabIndex = 0; // on wide screens it scrolls by itself
  return { receive, show, read, plan: (cards) => choose(new Set(cards.chosen)) };
}

function read(words) {
  page.words = words;
}

function receive(picture) {
  if (page.picture?.revision !== picture.revision) page.chosen.clear();
  page.picture = picture;
  hear(picture.log);
  if (picture.view) since.hear(picture, acting());
  show();
}

// Reads out what is new, nothing of the past when the page opens; a die that has just been thrown rolls.
function hear(log) {
  const fresh = page.last === null ? [] : log.filter((entry) => entry.n > page.last);
  page.last = log.at(-1)?.n ?? -1;
  fresh.forEach((entry) => announce(entry.sentence));
  if (fresh.length) signal("");
  const rolled = latestRoll(log);
  document.body.classList.toggle("rolling", fresh.some(({ n }) => n === rolled.n) && !calm());
}

const acting = () => page.picture.stage === "playing" && page.picture.paused === null && page.picture.view?.turn === name;
const legal = (type) => page.picture.legal.filter((action) => action.type === type);
const me = () => page.picture.view.players[name];

// --- the page -----------------------------------------------------------------------------------------------------

function show() {
  const { picture, words } = page;
  if (!picture) return;
  const { view, stage, paused, seats } = picture;
  const facts = [picture.revision, stage, paused, Boolean(words), seat.ready];
  paint($("#hud"), [facts, view?.turn], head);
  paint($("#strip"), [picture.board, stage, seats], () => [view && boardStrip(picture.board, true), troubles(seats)]);
  paint($("#dock"), [facts, [...page.chosen], picture.finished, scoreTold()], dock);
  paint($("#drawer"), [facts, page.open, seats], () => (view ? papers() : []));
}

function head() {
  const { picture } = page;
  return [
    h("div", { class: acting() ? "whose mine" : "whose" }, h("strong", { "data-testid": "turn" }, turnName(picture, name))),
    h(
      "button",
      { type: "button", class: "round", "aria-label": t("menu.title"), "data-testid": "menu", onclick: () => menu(name, page.picture) },
      icon("M4 7h16M4 12h16M4 17h16"),
    ),
  ];
}

function dock() {
  const { picture, words } = page;
  const { view, stage, paused, log, seats } = picture;
  if (!view)
    return gathering(picture);
  if (view.over)
    return [ending(view, seats, picture.finished, name, best(picture)), afterGame(picture)];
  if (paused !== null) return resting(picture).dock();
  return [
    street(view, words, latestRoll(log)),
    (acting() && since.card(line)) || latest(log),
    acting() ? PHASES[view.phase]() : [headline(waiting(view)), hand(null)],
  ];
}

const best = ({ finished, seats }) => finished !== null && Object.keys(seats).length === 1 && bestLine(finished, show);

const headline = (words, more = null) => h("p", { class: "headline", "data-testid": "headline" }, words, more && h("small", {}, ` ${more}`));

const waiting = (view) => (me().out ? t("st.wait.out") : me().skip > 0 && view.turn !== name ? t("st.wait.skip", { number: me().skip }) : t("st.wait"));

// What the latest act brought.
function latest(log) {
  const last = log.at(-1);
  const entries = last ? log.filter((entry) => entry.n > last.n - 4).slice(-3) : [];
  return entries.length > 0 && h("div", { class: "latest", "data-testid": "latest" }, entries.map(line));
}

// --- what is asked ------------------------------------------------------------------------------------------------

const act = (label, testid, action, props = {}) => button(label, testid, () => seat.act(action), { disabled: !seat.ready, ...props });

// The act that leads on: always at the same place, below everything else.
const next = (label, testid, action, props = {}) => h("div", { class: "row end" }, act(label, testid, action, { class: "main", ...props }));

const PHASES = {
  hunt() {
    const { view, foresight } = page.picture;
    const aids = legal("play").map(({ card }) => card);
    return [
      headline(t("st.hunt", { number: foresight?.odds?.draw ?? view.value }), aids.length ? t("st.hunt.aid") : ""),
      hand((card) => aids.includes(card) && seat.act({ type: "play", card })),
      next(t("st.draw", { number: foresight?.odds?.draw ?? view.value }), "act-draw", { type: "draw" }),
    ];
  },
  reveal: () => [
    headline(t("st.reveal", { number: page.picture.view.counts.facedown })),
    hand(null),
    next(t("st.turn-over"), "act-reveal", { type: "reveal" }),
  ],
  target: () => roll("target"),
  danger: () => roll("danger"),
  escape() {
    const { foresight } = page.picture;
    const bought = legal("buy").map(({ stat }) => stat);
    const thrown = legal("discard").map(({ card }) => card);
    const end = legal("end-turn").length > 0;
    return [
      headline(t("st.escape"), thrown.length ? t("st.escape.discard", { number: me().hand.length - 3 }) : ""),
      bought.length > 0 && h("div", { class: "row", role: "group", "aria-label": t("st.buy") }, STATS.filter((stat) => bought.includes(stat)).map((stat) => act(t("st.buy.stat", { stat: tOf("st.stat", stat), value: me()[stat] + 1 }), `act-buy-${stat}`, { type: "buy", stat }))),
      hand((card) => thrown.includes(card) && seat.act({ type: "discard", card })),
      !end && foresight?.["end-turn"] && h("p", { class: "quiet" }, foresight["end-turn"].why, whyLink(foresight["end-turn"].rule)),
      next(t("st.end-turn"), "act-end-turn", { type: "end-turn" }, { disabled: !seat.ready || !end }),
    ];
  },
};

function choose(cards) {
  page.chosen = cards;
  show();
}

// A roll: the Aids that go with it are chosen by a tap, and what is then needed is said before the die falls.
function roll(kind) {
  const { view, foresight } = page.picture;
  const { value, aids } = foresight.odds;
  const all = [...page.chosen].filter((card) => card in aids).sort();
  const needed = Math.max(0, Math.min(9, view.value + all.reduce((sum, card) => sum + aids[card], 0)));
  const toggle = (card) => {
    if (!(card in aids)) return;
    const chosen = new Set(page.chosen);
    chosen[chosen.has(card) ? "delete" : "add"](card);
    choose(chosen);
    keep({ chosen: [...chosen] });
  };
  return [
    headline(needed > 0 ? tOf("st.needed", kind, { number: needed }) : tOf("st.never", kind), t("st.chance", { percent: needed * 10 })),
    Object.keys(aids).length > 0 && h("p", { class: "quiet" }, t("st.aids", { number: value })),
    hand(Object.keys(aids).length ? toggle : null, (card) => card in aids, (card) => page.chosen.has(card)),
    next(all.length ? t("st.roll.aids", { number: all.length }) : t("st.roll"), "act-commit", { type: "commit", cards: all }),
  ];
}

// The own hand: cards that can be used now are buttons, the others lie beside them.
function hand(chosen, useful = null, pressed = null) {
  const cards = me().hand ?? [];
  if (!cards.length) return h("p", { class: "quiet", "data-testid": "hand" }, t("st.hand.none"));
  const playable = (card) => (useful ? useful(card) : Boolean(chosen) && usable(card));
  return h(
    "div",
    { class: "hand", role: "group", "aria-label": t("st.hand"), "data-testid": "hand" },
    cards.map((card) =>
      choice(card, page.words, {
        pressed: pressed && playable(card) ? pressed(card) : null,
        disabled: !seat.ready || !playable(card),
        onclick: () => chosen?.(card),
      }),
    ),
  );
}

const usable = (card) => [...legal("play"), ...legal("discard")].some((action) => action.card === card);

// --- below it -----------------------------------------------------------------------------------------------------

function papers() {
  const { view, seats, log } = page.picture;
  return [
    h("section", { class: "panel" }, h("h2", {}, t("st.players")), players(view, seats, page.words, name)),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, t("st.log")),
      log.length ? h("ol", { class: "dispatches", reversed: true, "data-testid": "log" }, [...log].reverse().slice(0, TOLD).map((entry) => h("li", { "data-type": entry.type }, entry.sentence))) : h("p", { class: "quiet" }, t("log.none")),
    ),
  ];
}
