// The solo game's part of the table view: health, bag, the defenders' cards, news, and the pieces on the map.

import {
  bag,
  doneObjectives,
  NewsReader,
  lastAction,
  notableOf,
  toneLine,
  wounds,
} from "/games/sniper-elite/static/parts.js";
import { badge, goalMarks } from "/games/sniper-elite/static/pieces.js";
import { newsreel, toldToAll } from "/static/news.js";
import { personNames, t, turnOf } from "/static/texts.js";
import { h, panel } from "/static/ui.js";
import { die, ending, slotList, status } from "./parts.js";
import { carryArrows, showMoves, showPieces, showWay } from "./pieces.js";
import { lastTurn } from "./recap.js";

const NEWS = 5;

export function table({ map, show }) {
  const herald = new NewsReader();
  return {
    badge,
    focus: (view) => [...Object.values(view.units), view.sniper.space].filter(Boolean),
    hear: ({ log }) => herald.hearOf(map, log),
    title: ({ seats }) => turnOf(t("hud.turn.sniper"), seats, "sniper"),
    moment: (view) => t("hud.round", { round: view.round }),
    head: (view) => h("div", { class: "tokens" }, doneObjectives(view), wounds(view.sniper.wounds)),
    papers: (view, words) => [
      !view.over && panel(t("solo.health"), status(view)),
      panel(t("solo.slots"), slotList(view, words)),
      !view.over && panel(t("bag.title"), bag(view.bag, view.supply)),
    ],
    news: (picture) => news(map, picture),
    replayed: (replay) => notableOf(toldToAll(replay)).slice(-2).map(toneLine),
    draw: ({ view, board, finished, log }) => {
      if (view) draw(map, view, board);
      showMoves(map, view && !view.over ? lastTurn(log) : []);
      if (view?.over) showWay(map, view, finished, show);
    },
    drawReplay: ({ truth }) => {
      draw(map, truth);
      showMoves(map, []);
    },
  };
}

export function draw(map, view, board = null) {
  showPieces(map, view);
  map.draw("lines", [board?.hint], () => carryArrows(map, board));
  map.draw("over", [view.sniper.objectives, view.sniper.completed], () =>
    goalMarks(map, view.sniper.objectives, view.sniper.completed),
  );
}

// The defenders' turn until something else happens: the die and the card, then every step.
function defendersTurn([rolled, ...steps]) {
  const first = h("p", { class: "rolled" }, rolled.die && die(rolled.die), " ", steps[0]?.sentence ?? rolled.sentence);
  return newsreel(first, steps.slice(1).map(toneLine));
}

function news(map, { view, log, seats }) {
  if (view.over) return ending(view, map, false, view.over.winner in seats && personNames(seats, "sniper"));
  const turn = lastTurn(log);
  if (turn.length && !notableOf(log).some(({ n, public: told }) => told && n > turn.at(-1).n))
    return defendersTurn(turn);
  const deed = lastAction(log);
  const earlier = notableOf(log).filter(({ n }) => deed.length && n < deed[0].n);
  return newsreel(deed.map(toneLine), earlier.slice(-NEWS).reverse().map(toneLine));
}
