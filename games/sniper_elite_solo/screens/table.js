// The solo game's part of the table view: health, bag, the defenders' cards, news, and the pieces on the map.

import { showDraw } from "/games/sniper-elite/static/draw.js";
import {
  bag,
  doneObjectives,
  NewsReader,
  lastAction,
  notable,
  toneLine,
  wounds,
} from "/games/sniper-elite/static/parts.js";
import { newsreel } from "/static/news.js";
import { t } from "/static/texts.js";
import { h, panel } from "/static/ui.js";
import { die, ending, slots, status, turnName } from "./parts.js";
import { carries, goals, showPieces, showWay } from "./pieces.js";
import { lastTurn } from "./recap.js";

const NEWS = 5;

export function table({ map, show }) {
  const herald = new NewsReader();
  return {
    focus: (view) => [...Object.values(view.units), view.sniper.space].filter(Boolean),
    hear: ({ log }) => showDraw(herald.hearOf(log), log),
    title: (picture) => turnName(picture),
    moment: (view) => t("hud.round", { round: view.round }),
    head: (view) => h("div", { class: "tokens" }, doneObjectives(view), wounds(view.sniper.wounds)),
    papers: (view, words) => [
      !view.over && panel(t("solo.health"), status(view)),
      panel(t("solo.slots"), slots(view, words)),
      !view.over && panel(t("bag.title"), bag(view.bag, view.supply)),
    ],
    news,
    replayed: ({ told }) =>
      notable(told.filter(({ to }) => to === null))
        .slice(-2)
        .map(toneLine),
    draw: ({ view, board, finished }) => {
      if (view) draw(map, view, board);
      if (view?.over) showWay(map, view, finished, show);
    },
    drawReplay: ({ truth }) => draw(map, truth),
  };
}

export function draw(map, view, board = null) {
  showPieces(map, view);
  map.draw("lines", [board?.hint], () => carries(map, board));
  map.draw("over", [view.sniper.objectives, view.sniper.completed], () => goals(map, view));
}

// The defenders' turn until something else happens: the die and the card, then every step.
function defendersTurn([rolled, ...steps]) {
  const first = h("p", { class: "rolled" }, rolled.die && die(rolled.die), " ", steps[0]?.sentence ?? rolled.sentence);
  return newsreel(first, steps.slice(1).map(toneLine));
}

function news({ view, log }) {
  if (view.over) return ending(view);
  const turn = lastTurn(log);
  if (turn.length && !notable(log).some(({ n, public: told }) => told && n > turn.at(-1).n)) return defendersTurn(turn);
  const deed = lastAction(log);
  const earlier = notable(log).filter(({ n }) => deed.length && n < deed[0].n);
  return newsreel(deed.map(toneLine), earlier.slice(-NEWS).reverse().map(toneLine));
}
