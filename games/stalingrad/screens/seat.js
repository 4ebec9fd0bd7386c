// A player's phone: the street, the current decision, the player's hand, the other players.

import { botFailures } from "/static/bots.js";
import { Drawer, head } from "/static/drawer.js";
import { boardStrip, timeOut } from "/static/frame.js";
import { afterGame, beforeGame } from "/static/gather.js";
import { News, Since, entryLine, entryList } from "/static/news.js";
import { actionPanel, endButton } from "/static/panel.js";
import { bestLine, lastScore } from "/static/score.js";
import { whyLink } from "/static/reasons.js";
import { playerName, t, tOf } from "/static/texts.js";
import { $, button, h, headline, paint, quiet } from "/static/ui.js";
import { choice } from "./cards.js";
import { Flow } from "./flow.js";
import { animateRoll, briefly, ending, latestRoll, odds, ownStats, players, street, turnName } from "./street.js";

const STATS = ["hunt", "shoot", "evade"];
// The number of log entries on a phone.
const TOLD = 40;
const page = { picture: null, words: null, chosen: new Set() };
const news = new News();

let seat, keep, name, since, flow;

export function screen(shell) {
  ({ seat, name, keep } = shell);
  since = new Since(name);
  flow = new Flow(() => seat, show);
  document.body.classList.add("street-game");
  $("#drawer").tabIndex = 0; // on wide screens it scrolls by itself
  return { receive, show, read: (words) => (page.words = words), plan: (cards) => choose(new Set(cards.chosen)) };
}

function receive(picture) {
  if (page.picture?.revision !== picture.revision) page.chosen.clear();
  page.picture = picture;
  animateRoll(news.hear(picture.log, { among: () => true }), picture.log);
  if (picture.view) since.hear(picture, acting());
  flow.take(acting() ? following(picture) : null);
  show();
}

// Returns the only thing that a player can do next; null if there is a choice.
function following({ view, foresight }) {
  if (view.phase === "reveal") return { type: "reveal" };
  const rolls = view.phase === "target" || view.phase === "danger";
  return rolls && !Object.keys(foresight.odds.aids).length ? { type: "commit", cards: [] } : null;
}

const acting = () =>
  page.picture.stage === "playing" && page.picture.paused === null && page.picture.view?.turn === name;
const legal = (type) => page.picture.legal.filter((action) => action.type === type);
const me = () => page.picture.view.players[name];

// --- the page -----------------------------------------------------------------------------------------------------

function show() {
  const { picture, words } = page;
  if (!picture) return;
  const { view, stage, paused, seats } = picture;
  const facts = [picture.revision, stage, paused, Boolean(words), seat.ready, flow.byHand];
  paint($("#hud"), [facts, view?.turn, seats], hud);
  paint($("#strip"), [picture.board, stage, seats], () => [
    view && stage !== "over" && boardStrip(picture.board, true),
    botFailures(seats),
  ]);
  paint($("#dock"), [facts, [...page.chosen], picture.finished, lastScore()], dock);
  drawer.paint(Boolean(view), [facts, seats]);
}

const hud = () =>
  head(name, acting(), turnName(page.picture, name), page.picture.view && ownStats(me()), () => page.picture);

function dock() {
  const { picture, words } = page;
  const { view, paused, log, seats } = picture;
  if (!view) return beforeGame(picture);
  if (view.over)
    return [latest(log, true), ending(view, seats, words, picture.finished, name, best(picture)), afterGame(picture)];
  if (paused !== null) return timeOut(picture).dock();
  const report = acting() && since.card();
  const [asked, foot] = acting() ? PHASES[view.phase]() : [[headline(waiting(view)), briefly(view, seats), hand(null)]];
  return actionPanel([street(view, words, latestRoll(log)), latest(log), asked], { report, foot });
}

const best = ({ finished, seats }) => finished !== null && Object.keys(seats).length === 1 && bestLine(finished, show);

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
const next = (label, testid, action, props = {}) => act(label, testid, action, { class: "main", ...props });

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

function choose(cards) {
  page.chosen = cards;
  show();
}

// A roll: Aids are chosen by tapping them, and the number needed is shown before the die is rolled.
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
  const asked = [
    headline(
      needed > 0 ? tOf("st.needed", kind, { number: needed }) : tOf("st.never", kind),
      aside(`${t("st.chance", { percent: needed * 10 })} ${t("st.zero")}`),
    ),
    Object.keys(aids).length > 0 && quiet(t("st.aids", { number: value })),
    hand(
      Object.keys(aids).length ? toggle : null,
      (card) => card in aids,
      (card) => page.chosen.has(card),
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

// --- below it -----------------------------------------------------------------------------------------------------

const drawer = new Drawer(
  {
    players: ["st.players", () => players(page.picture.view, page.picture.seats, page.words, name)],
    log: ["st.log", () => entryList(page.picture.log.slice(-TOLD))],
  },
  show,
);
