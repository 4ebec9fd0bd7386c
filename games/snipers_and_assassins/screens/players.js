// Who plays: names, turns, and a card for each player with the hunt, the statuses and the Improvement.

import { art } from "/static/art.js";
import { capital, playerName, t, tOf } from "/static/texts.js";
import { badge as framed } from "/static/scene.js";
import { h, verdictLine } from "/static/ui.js";
import { badge, KINDS, statusSign, markerOf, numberOf, statusesOf } from "./pieces.js";

// Returns whose turn it is, as the title of a screen; `ownSeat` is the seat of this screen.
export const turnName = ({ view, seats }, ownSeat = null) =>
  view.turn === ownSeat ? t("sa.turn.mine") : t("sa.turn.of", { player: playerName(seats, view.turn) });

// How the game ended, for a seat or for everyone.
export function verdict({ view, seats }, ownSeat = null) {
  const { winner } = view.over;
  if (winner === null) return verdictLine(t("sa.over.rounds"));
  return winner === ownSeat
    ? verdictLine(t("sa.over.mine"), true)
    : verdictLine(t("sa.over.of", { player: playerName(seats, winner) }), ownSeat === null ? null : false);
}

// Which Leader the winner has reached, and where; `ownSeat` is the seat of this screen.
export function reached({ view: { over, players }, seats }, ownSeat = null) {
  const { winner } = over;
  if (winner === null) return null;
  const { target, assassin: space } = players[winner];
  const values = { player: playerName(seats, winner), target: playerName(seats, target), space };
  return h(
    "p",
    { testid: "reached" },
    tOf("sa.reached", { [target]: "yours", [winner]: "mine" }[ownSeat] ?? "by", values),
  );
}

// How the race stands for a seat, in a sentence: the goal at first, then who is near, or who is ahead. `urgent` shows it
// only if someone is near. Null if nobody hunts the seat.
export function standingLine({ view, seats }, ownSeat, urgent = false) {
  const { players, turns_to_go: turns, round, setup, over } = view;
  const hunter = hunterOf(view, ownSeat);
  if (setup !== null || over !== null || !hunter) return null;
  const [own, its] = [turns[ownSeat], turns[hunter]];
  const danger = its <= NEAR && its <= own;
  if (urgent && !danger && own > NEAR) return null;
  const values = {
    player: playerName(seats, hunter),
    space: players[players[ownSeat].target].leader,
    home: players[ownSeat].leader,
  };
  const said = () => {
    if (round === 1) return t("sa.now.goal", values);
    if (danger) return t("sa.now.danger", { ...values, number: its });
    if (own <= NEAR) return t("sa.now.near", { ...values, number: own });
    if (own === its) return t("sa.now.even");
    return t(own < its ? "sa.now.ahead" : "sa.now.behind", { number: Math.abs(own - its) });
  };
  return h("p", { class: danger ? "standing red" : "standing", testid: "standing" }, said());
}

// As few turns from a Leader are near.
const NEAR = 3;

// Who is near a Leader, in words; null while nobody is.
export function nearest({ view, seats }) {
  const turns = Object.entries(view.over ? {} : (view.turns_to_go ?? {})).filter(([, number]) => number <= NEAR);
  const [seat, number] = turns.sort(([, one], [, other]) => one - other)[0] ?? [];
  return seat ? `${playerName(seats, seat)}: ${t("sa.past.to-go", { number })}!` : null;
}

// Who hunts the Leader of a seat; the first of several.
export const hunterOf = ({ players, turns_to_go: turns }, ownSeat) =>
  Object.keys(players)
    .filter((seat) => players[seat].target === ownSeat)
    .sort((one, other) => turns[one] - turns[other])[0];

// The cards of all players: for a seat (`own`) in the order of play from the player whose turn it is, at the end in the
// order in which they came in. `brief` ones have two lines each.
export function playerList(picture, words, { own = null, brief = false } = {}) {
  const { players, over, turn, turns_to_go: left } = picture.view;
  // At the end, those who have come furthest are first.
  const seats = Object.keys(players).sort((one, other) => (over ? left[one] - left[other] : 0));
  const first = over || !own ? 0 : Math.max(0, seats.indexOf(turn));
  const card = brief ? briefCard : fullCard;
  return h(
    "ul",
    {
      class: `racer-cards ${brief ? "brief" : ""} ${over ? "everyone" : ""}`,
      testid: brief && own ? "race" : "players",
    },
    [[...seats.slice(first), ...seats.slice(0, first)].map((seat) => card(picture, words, seat, own))],
  );
}

function cardShell({ view, seats }, seat, own, ...content) {
  const { target } = view.players[seat];
  const acting = (view.over ? view.over.winner : view.turn) === seat;
  const threat = own !== null && target === own && seat !== own;
  return h("li", { class: `racer-card p${numberOf(seat)} ${acting ? "acting" : ""}`, testid: `player-${seat}` }, [
    h("header", {}, [
      h("i", { class: "disc", "aria-hidden": "true" }, numberOf(seat)),
      h("b", {}, seat === own ? capital(t("sa.you")) : playerName(seats, seat)),
      view.over
        ? seat === view.over.winner
          ? h("strong", { class: "arrived" }, t("sa.arrived"), badge(`leader-${numberOf(target)}`))
          : turnsLeft(view, seat)
        : target && huntLine(seats, seat, target, threat, own),
    ]),
    content,
  ]);
}

function fullCard(picture, words, seat, own) {
  const { view } = picture;
  const player = view.players[seat];
  return cardShell(picture, seat, own, [
    view.setup === null && goalLine(view, seat),
    statusItems(view, seat),
    view.setup === null && h("div", { class: "things" }, improvementCard(player, words), mineCount(player)),
  ]);
}

// The turns to go, the card and the signs of statuses in one line.
function briefCard(picture, words, seat, own) {
  const { view } = picture;
  const { improvement: name, armor } = view.players[seat];
  if (view.setup || view.over) return cardShell(picture, seat, own);
  const title = words?.improvements?.[name]?.title ?? name;
  return cardShell(picture, seat, own, [
    h("p", { class: "brief-line" }, [
      turnsLeft(view, seat),
      name && h("span", { class: "card-name" }, art(name), armor === null ? title : `${title} (${armor})`),
      statusList(view, seat).map(([id, status]) => [
        framed(statusSign(status)),
        h("span", { class: "unseen" }, statusText(id, status)),
      ]),
    ]),
  ]);
}

const turnsLeft = ({ turns_to_go: turns }, seat) =>
  turns[seat] > 0 && h("strong", {}, t("sa.past.to-go", { number: turns[seat] }));

// How many turns everyone still needs, on one track that ends at the Leaders: each runner with its distance to the last.
export function raceTrack({ turns_to_go: left, turns_of_race: all }, own = null) {
  const longest = Math.max(...Object.values(all), ...Object.values(left));
  const runner = (seat, at, seats) => {
    const gap = ((left[seats[at - 1]] ?? longest) - left[seat]) / longest;
    return h(
      "i",
      { class: `disc p${numberOf(seat)} ${seat === own ? "own" : ""}`, style: { "--gap": gap } },
      numberOf(seat),
    );
  };
  const order = Object.keys(left).sort((one, other) => left[other] - left[one]);
  return h("span", { class: "race-track", "aria-hidden": "true", testid: "track" }, order.map(runner));
}

const huntLine = (seats, seat, target, threat, own) =>
  h("span", { class: threat ? "hunts threat" : "hunts" }, [
    threat || seat === own
      ? h("span", { "aria-hidden": "true" }, t(threat ? "sa.hunts.you" : "sa.hunts.yours"))
      : h("span", { "aria-hidden": "true" }, "→"),
    badge(`leader-${numberOf(target)}`),
    h(
      "span",
      { class: "unseen" },
      target === own ? t("sa.hunts.own") : t("sa.hunts", { player: playerName(seats, target) }),
    ),
  ]);

const goalLine = ({ players, turns_to_go: turns }, seat) =>
  turns &&
  h("p", { class: "goal" }, t("sa.to-go", { number: turns[seat], space: players[players[seat].target].leader }));

// The statuses of a player's markers: [marker, name of the sign].
const statusList = (view, seat) =>
  KINDS.flatMap((kind) => statusesOf(view.players[seat], kind).map((name) => [markerOf(seat, kind), name]));

const statusText = (id, name) => tOf("sa.status", name.replace(" ", "-"), { marker: tOf("unit", id) });

function statusItems(view, seat) {
  const all = statusList(view, seat);
  return (
    all.length > 0 &&
    h("ul", { class: "statuses" }, [
      all.map(([id, name]) => h("li", {}, framed(statusSign(name)), statusText(id, name))),
    ])
  );
}

function improvementCard({ improvement: name, armor }, words) {
  if (!name) return h("span", { class: "no-card" }, t("sa.no-card"));
  const it = words?.improvements?.[name];
  const left = armor !== null && h("small", {}, ` ${t("sa.armor", { number: armor })}`);
  return h("div", { class: "improvement", "data-card": name }, [
    art(name),
    h("div", {}, h("b", {}, it?.title ?? name), left || (it && h("p", {}, it.text))),
  ]);
}

const mineCount = ({ mines: all }) =>
  all.length > 0 && h("span", { class: "mine-count" }, t("sa.mines", { number: all.length }));
