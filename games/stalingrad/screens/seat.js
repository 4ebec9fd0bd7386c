// A player's phone: the street, the current decision, the player's hand, the other players.

import { SeatScreen } from "/static/drawer.js";
import { afterGame } from "/static/on-demand.js";
import { News, Since, entryLine, entryList } from "/static/news.js";
import { actionPanel, endButton } from "/static/panel.js";
import { bestLine, lastScore } from "/static/score.js";
import { whyLink } from "/static/reasons.js";
import { playerName, t, tOf } from "/static/texts.js";
import { button, h, headline, quiet } from "/static/ui.js";
import { choice } from "./cards.js";
import { Flow } from "./flow.js";
import {
  animateRoll,
  briefly,
  ending,
  latestRoll,
  odds,
  ownStats,
  players,
  street,
  toneOf,
  turnName,
} from "./street.js";

const STATS = ["hunt", "shoot", "evade"];
// The number of log entries on a phone.
const TOLD = 40;
const news = new News();

let page, seat, name, since, flow;

// The draft are the Aids `chosen` for a roll.
export function screen(shell) {
  ({ seat, name } = shell);
  since = new Since(name);
  flow = new Flow(
    () => seat,
    () => page.show(),
  );
  document.body.classList.add("street-game");
  page = new SeatScreen(shell, {
    ...{ hear, acting, over },
    title: () => turnName(page.picture, name),
    head: () => [ownStats(me())],
    part: () => ({ dock }),
    drafted: () => [page.draft, flow.byHand, lastScore()],
    sections: {
      players: ["st.players", () => players(page.picture.view, page.picture.seats, page.words, name)],
      log: ["st.log", () => entryList(page.picture.log.slice(-TOLD))],
    },
  });
  return page;
}

function hear(picture) {
  animateRoll(news.hear(picture.log, { among: () => true, toneOf }), picture.log);
  if (picture.view) since.hear(picture, acting());
  flow.take(acting() ? following(picture) : null);
}

// Returns the only thing that a player can do next; null if there is a choice.
function following({ view, foresight }) {
  if (view.phase === "reveal") return { type: "reveal" };
  const rolls = view.phase === "target" || view.phase === "danger";
  return rolls && !Object.keys(foresight.odds.aids).length ? { type: "commit", cards: [] } : null;
}

const acting = () => page.rest === null && page.picture.view.turn === name;
const legal = (type) => page.picture.legal.filter((action) => action.type === type);
const me = () => page.picture.view.players[name];
const chosen = () => page.draft.chosen ?? [];

// --- the page -----------------------------------------------------------------------------------------------------

function dock() {
  const { picture, words } = page;
  const { view, log, seats } = picture;
  const report = acting() && since.card();
  const [asked, foot] = acting() ? PHASES[view.phase]() : [[headline(waiting(view)), briefly(view, seats), hand(null)]];
  return actionPanel([street(view, words, latestRoll(log)), latest(log), asked], { report, foot });
}

const over = () => ({
  dock: () => {
    const { picture, words } = page;
    const { view, log, seats } = picture;
    return [ending(view, seats, words, name, best(picture)), latest(log, true), afterGame(picture)];
  },
});

const best = ({ finished, seats }) =>
  finished !== null && Object.keys(seats).length === 1 && bestLine(finished, () => page.show());

const aside = (words) => Boolean(words) && h("small", {}, ` ${words}`);

const waiting = (view) =>
  me().out
    ? t("st.wait.out")
    : me().skip > 0 && view.turn !== name
      ? t("st.wait.skip", { number: me().skip })
      : t("st.wait", { player: playerName(page.picture.seats, view.turn) });

// What the dice of the last action did; at the end, the last ones.
function latest(log, over = false) {
  const entries = (over ? log : log.slice(-4)).filter(({ die }) => Number.isInteger(die)).slice(-2);
  return entries.length > 0 && h("div", { class: "result", testid: "latest" }, entries.map(entryLine));
}

// --- what is asked ------------------------------------------------------------------------------------------------

const act = (label, testid, action, props = {}) =>
  button(label, testid, () => seat.act(action), { disabled: !seat.ready, ...props });

// The button that continues the turn, always at the bottom.
const next = (label, testid, action) => act(label, testid, action, { class: "main" });

// What each phase asks, and the button at the bottom.
const PHASES = {
  hunt() {
    const { view, foresight } = page.picture;
    const aids = legal("play").map(({ card }) => card);
    return [
      [
        headline(t("st.hunt", { number: foresight?.odds?.draw ?? view.value }), aside(aids.length && t("st.hunt.aid"))),
        odds(view, page.words),
        hand((card) => aids.includes(card) && seat.act({ type: "play", card })),
      ],
      next(t("st.draw", { number: foresight?.odds?.draw ?? view.value }), "act-draw", { type: "draw" }),
    ];
  },
  reveal: () => [
    [headline(t("st.reveal", { number: page.picture.view.counts.facedown })), hand(null), flow.switch()],
    next(t("st.turn-over"), "act-reveal", { type: "reveal" }),
  ],
  target: () => roll("target"),
  danger: () => roll("danger"),
  escape() {
    const { foresight } = page.picture;
    const bought = legal("buy").map(({ stat }) => stat);
    const thrown = legal("discard").map(({ card }) => card);
    const end = legal("end-turn").length > 0;
    const asked = [
      headline(t("st.escape"), aside(thrown.length && t("st.escape.discard", { number: me().hand.length - 3 }))),
      bought.length > 0 && quiet(t("st.buy")),
      bought.length > 0 &&
        h("div", { class: "buys", role: "group", "aria-label": t("st.buy") }, [
          STATS.filter((stat) => bought.includes(stat)).map((stat) =>
            act(t("st.buy.stat", { stat: tOf("st.stat", stat), value: me()[stat] + 1 }), `act-buy-${stat}`, {
              type: "buy",
              stat,
            }),
          ),
        ]),
      hand((card) => thrown.includes(card) && seat.act({ type: "discard", card })),
      !end && foresight?.["end-turn"] && quiet(foresight["end-turn"].why, whyLink(foresight["end-turn"].rule)),
    ];
    const last = end && !bought.length;
    const done = () => seat.act({ type: "end-turn" });
    return [asked, endButton(t("st.end-turn"), "act-end-turn", last, done, { disabled: !seat.ready || !end })];
  },
};

// A roll: Aids are chosen by tapping them, and the number needed is shown before the die is rolled.
function roll(kind) {
  const { view, foresight } = page.picture;
  const { value, aids } = foresight.odds;
  const all = chosen()
    .filter((card) => card in aids)
    .sort();
  const needed = Math.max(0, Math.min(9, view.value + all.reduce((sum, card) => sum + aids[card], 0)));
  const toggle = (card) => {
    if (!(card in aids)) return;
    const others = chosen().filter((it) => it !== card);
    page.plan({ chosen: others.length < chosen().length ? others : [...others, card] });
  };
  const asked = [
    headline(
      needed > 0 ? tOf("st.needed", kind, { number: needed }) : tOf("st.never", kind),
      aside(`${t("st.chance", { percent: needed * 10 })} ${t("st.zero")}`),
    ),
    Object.keys(aids).length > 0 && quiet(t("st.aids", { number: value })),
    hand(
      Object.keys(aids).length ? toggle : null,
      (card) => card in aids,
      (card) => chosen().includes(card),
    ),
  ];
  return [
    asked,
    next(all.length ? t("st.roll.aids", { number: all.length }) : t("st.roll"), "act-commit", {
      type: "commit",
      cards: all,
    }),
  ];
}

// The player's hand. Cards that can be used now are buttons.
function hand(chosen, useful = null, pressed = null) {
  const cards = me().hand ?? [];
  if (!cards.length) return h("p", { class: "quiet", testid: "hand" }, t("st.hand.none"));
  const playable = (card) => (useful ? useful(card) : Boolean(chosen) && usable(card));
  return h("div", { class: "hand", role: "group", "aria-label": t("st.hand"), testid: "hand" }, [
    cards.map((card) =>
      choice(card, page.words, {
        pressed: pressed && playable(card) ? pressed(card) : null,
        disabled: !seat.ready || !playable(card),
        onclick: () => chosen?.(card),
      }),
    ),
  ]);
}

const usable = (card) => [...legal("play"), ...legal("discard")].some((action) => action.card === card);
