// A player's phone: the street, the current decision, the player's hand, the other players.

import { SeatScreen } from "/static/drawer.js";
import { afterGame } from "/static/on-demand.js";
import { News, Since, entryLine, entryList, newestFirst } from "/static/news.js";
import { actionPanel, endButton } from "/static/panel.js";
import { bestLine, lastScore } from "/static/score.js";
import { whyLink } from "/static/reasons.js";
import { playerName, t, tOf } from "/static/texts.js";
import { button, h, headline, quiet } from "/static/ui.js";
import { cardButton } from "./cards.js";
import { Flow } from "./flow.js";
import {
  animate,
  costLine,
  dieFaces,
  playerLines,
  ending,
  latestRoll,
  neededLine,
  oddsPanel,
  ownStats,
  playerList,
  readingOf,
  rollTone,
  street,
  toldOfRoll,
  turnName,
} from "./street.js";

const STATS = ["hunt", "shoot", "evade"];
// The most that a stat is worth.
const TOP = 9;
// The number of log entries on a phone.
const TOLD = 40;
const news = new News();

// `latest` is the newest picture; while dice roll, the page shows an earlier one.
let page, seat, name, since, flow, latest;

// The draft are the Aids `chosen` for a roll or to discard, or one `card` to play.
export function screen(shell) {
  ({ seat, name } = shell);
  since = new Since(name);
  flow = new Flow(
    () => seat,
    () => page.show(),
  );
  document.body.classList.add("street-game");
  page = new SeatScreen(shell, {
    hear,
    acting,
    over,
    title: () => turnName(page.picture, name),
    head: () => [ownStats(me())],
    part: () => ({ dock }),
    facts: () => page.picture.view?.rolled,
    drafted: () => [page.draft, flow.byHand, lastScore(), page.picture.view?.rolled],
    sections: {
      players: ["st.players", () => playerList(page.picture.view, page.picture.seats, page.words, name)],
      log: ["st.log", () => entryList(page.picture.log.slice(-TOLD))],
    },
  });
  return page;
}

function hear(picture) {
  const fresh = news.hear(picture.log, readingOf(picture.log));
  if (picture.view) since.hear(picture, acting());
  flow.take(acting() ? forcedAction(picture) : null);
  page.picture = animate(fresh, picture, latest, (now) => {
    page.picture = now;
    page.show();
  });
  latest = picture;
}

// Returns the only thing that a player can do next; null if there is a choice.
function forcedAction({ view, foresight }) {
  if (view.phase === "reveal") return { type: "reveal" };
  const rolls = view.phase === "target" || view.phase === "danger";
  return rolls && !Object.keys(foresight.odds.aids).length ? { type: "commit", cards: [] } : null;
}

const acting = () => page.rest === null && page.picture.view.turn === name;
const legalOf = (type) => page.picture.legal.filter((action) => action.type === type);
const me = () => page.picture.view.players[name];
const chosenAids = () => page.draft.chosen ?? [];

// --- the page -----------------------------------------------------------------------------------------------------

function dock() {
  const { picture, words } = page;
  const { view, log, seats } = picture;
  const shown = toldOfRoll(log);
  const gistOf = (lines) => newestFirst(lines.filter((line) => !shown.includes(line)));
  const asks = acting() && !view.rolled;
  const report = asks && since.card({ gistOf });
  const needed = neededLine(view, seats, name) ?? waitText(view);
  const [asked, foot] = asks
    ? PHASES[view.phase]()
    : [[headline(needed), dieFaces(view), oddsPanel(view, words), !acting() && playerLines(view, seats), handCards()]];
  return actionPanel([street(view, words, latestRoll(log)), latestDice(log), asked], { report, foot });
}

const over = () => ({
  dock: () => {
    const { picture, words } = page;
    const { view, seats, log } = picture;
    return [ending(view, seats, words, name, [bestScore(picture), latestDice(log)]), afterGame(picture)];
  },
});

const bestScore = ({ finished, seats }) =>
  finished !== null && Object.keys(seats).length === 1 && bestLine(finished, () => page.show());

const smallText = (words) => Boolean(words) && h("small", {}, ` ${words}`);

const waitText = (view) =>
  me().out
    ? t("st.wait.out")
    : me().skip > 0 && view.turn !== name
      ? t("st.wait.skip", { number: me().skip })
      : t("st.wait", { player: playerName(page.picture.seats, view.turn) });

// What the dice did last.
function latestDice(log) {
  const told = toldOfRoll(log);
  const lines = told.filter(({ type }) => type !== "killed").map(entryLine);
  return lines.length > 0 && h("div", { class: `result ${rollTone(told)}`, testid: "latest" }, lines);
}

// --- what is asked ------------------------------------------------------------------------------------------------

const actButton = (label, testid, action, props = {}) =>
  button(label, testid, () => seat.act(action), { disabled: !seat.ready, ...props });

// The button that continues the turn, always at the bottom.
const nextButton = (label, testid, action) => actButton(label, testid, action, { class: "main" });

// What each phase asks, and the button at the bottom.
const PHASES = {
  // A tap chooses an Aid to play, and the button at the bottom plays it, so that none is lost by a slip.
  hunt() {
    const { view } = page.picture;
    const cards = legalOf("play").map(({ card }) => card);
    const { card: chosen } = page.draft;
    const it = page.words?.cards?.[chosen];
    const value = Math.min(TOP, view.value + (it?.amount ?? 0));
    const number = Math.min(value, view.counts.deck);
    const choose = (card) => page.plan(card === chosen ? {} : { card });
    return [
      [
        headline(t("st.hunt", { number }), smallText(cards.length && t("st.hunt.aid"))),
        handCards(
          choose,
          (card) => cards.includes(card),
          (card) => card === chosen,
        ),
        oddsPanel({ ...view, value }, page.words),
      ],
      chosen
        ? nextButton(t("st.play", { card: it?.title ?? chosen }), "act-play", { type: "play", card: chosen })
        : nextButton(t("st.draw", { number }), "act-draw", { type: "draw" }),
    ];
  },
  reveal: () => [
    [headline(t("st.reveal", { number: page.picture.view.counts.facedown })), handCards(), flow.switch()],
    nextButton(t("st.turn-over"), "act-reveal", { type: "reveal" }),
  ],
  target: rollPhase,
  danger: rollPhase,
  escape() {
    const { foresight } = page.picture;
    const bought = legalOf("buy").map(({ stat }) => stat);
    const number = legalOf("discard").length && me().hand.length - 3;
    const end = legalOf("end-turn").length > 0;
    const asked = [
      headline(number ? t("st.escape.discard", { number }) : t("st.escape")),
      bought.length > 0 && quiet(t("st.buy")),
      bought.length > 0 &&
        h("div", { class: "buys", role: "group", "aria-label": t("st.buy") }, [
          STATS.filter((stat) => bought.includes(stat)).map((stat) =>
            actButton(t("st.buy.stat", { stat: tOf("st.stat", stat), value: me()[stat] + 1 }), `act-buy-${stat}`, {
              type: "buy",
              stat,
            }),
          ),
        ]),
      handCards(
        (card) => toggle(card, number),
        () => number > 0,
        isChosen,
      ),
      !end && foresight?.["end-turn"] && quiet(foresight["end-turn"].why, whyLink(foresight["end-turn"].rule)),
    ];
    const last = end && !bought.length;
    const away = chosenAids();
    const options = { class: "main", disabled: !seat.ready };
    if (away.length) return [asked, button(t("st.discard", { number: away.length }), "act-discard", discard, options)];
    const done = () => seat.act({ type: "end-turn" });
    return [asked, endButton(t("st.end-turn"), "act-end-turn", last, done, { disabled: !seat.ready || !end })];
  },
};

const isChosen = (card) => chosenAids().includes(card);

// Chooses an Aid or gives it back. Of more than `most`, the first one chosen is given back.
const toggle = (card, most = Infinity) =>
  page.plan({
    chosen: (isChosen(card) ? chosenAids().filter((it) => it !== card) : [...chosenAids(), card]).slice(-most),
  });

async function discard() {
  for (const card of chosenAids()) if (!(await seat.act({ type: "discard", card }))) return;
}

// A roll: Aids are chosen by tapping them, and the number needed is shown before the die is rolled.
function rollPhase() {
  const { view, foresight, seats } = page.picture;
  const { aids } = foresight.odds;
  const all = chosenAids()
    .filter((card) => card in aids)
    .sort();
  const needed = Math.max(0, Math.min(TOP, view.value + all.reduce((sum, card) => sum + aids[card], 0)));
  const asked = [
    headline(neededLine({ ...view, value: needed }, seats, name)),
    dieFaces(view, needed),
    Object.keys(aids).length > 0 && quiet(t("st.aids")),
    handCards(toggle, (card) => card in aids, isChosen),
    costLine(view),
  ];
  return [
    asked,
    nextButton(all.length ? t("st.roll.aids", { number: all.length }) : t("st.roll"), "act-commit", {
      type: "commit",
      cards: all,
    }),
  ];
}

// The player's hand. Cards that are `useful` now are buttons.
function handCards(choose = null, useful = (_card) => false, pressed = (_card) => false) {
  const cards = me().hand ?? [];
  if (!cards.length) return h("p", { class: "quiet", testid: "hand" }, t("st.hand.none"));
  return h("div", { class: "hand", role: "group", "aria-label": t("st.hand"), testid: "hand" }, [
    cards.map((card) =>
      cardButton(card, page.words, {
        pressed: useful(card) ? pressed(card) : null,
        disabled: !seat.ready || !useful(card),
        onclick: () => choose(card),
      }),
    ),
  ]);
}
