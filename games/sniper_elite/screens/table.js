// The game's part of the table view: countdown, bag, cards, specialists, news, and the pieces on the map.

import { art } from "/static/art.js";
import { newsreel, toldToAll } from "/static/news.js";
import { routeOf } from "/static/on-demand.js";
import { t, tOf } from "/static/texts.js";
import { h, panel, quiet } from "/static/ui.js";
import {
  bag,
  cardsOut,
  countdown,
  doneObjectives,
  ending,
  NewsReader,
  lastAction,
  SQUADS,
  notableOf,
  toneLine,
  turnName,
  wounds,
} from "./parts.js";
import { allyCard } from "./nest.js";
import { drawTruth } from "./past.js";
import { drawPossible, Possible } from "./possible.js";
import { showOpened, showPieces } from "./pieces.js";
import { drawTrail, openRecap, recap } from "./recap.js";

const NEWS = 4;

export function table({ map, show }) {
  const possible = new Possible("table", true, show);
  const herald = new NewsReader();
  return {
    focus: (view) => Object.values(view.units),
    hear: ({ log, sealed }) => herald.hearOf(map, log, sealed?.promise),
    facts: (picture) => [picture.possible, possible.shown],
    title: (picture) => turnName(picture),
    moment: (view) => t("hud.round", { round: view.round }),
    head: (view) => [countdown(view), h("div", { class: "tokens" }, doneObjectives(view), wounds(view.sniper.wounds))],
    above: (picture) => picture.possible && h("div", { class: "possible-line" }, possible.button(picture.possible)),
    papers,
    news: (picture) => news(map, picture),
    replayed,
    draw: (picture) => draw(map, possible, picture, show),
    drawReplay: (replay) => {
      drawTruth(map, { ...replay, route: routeOf(replay.game, show) });
      drawPossible(map, replay.possible || []);
    },
  };
}

function draw(map, possible, picture, show) {
  const { view } = picture;
  possible.draw(map, picture.possible);
  if (!view) return;
  showPieces(map, view);
  drawTrail(map, view.over ? null : view, picture.log);
  if (view.opened) showOpened(map, view, Infinity, routeOf(picture.finished, show));
  else for (const layer of ["lines", "over"]) map.draw(layer, [], () => []);
}

function papers(view, words) {
  return [
    "ally" in view && h("section", { class: "panel" }, allyCard(view, words)),
    !view.over && panel(t("bag.title"), bag(view.bag, view.supply)),
    h("section", { class: "panel" }, cardsOut(view, words)),
    !view.over && panel(t("tv.specialists"), specialists(view, words)),
  ];
}

function specialists(view, words) {
  if (!Object.keys(view.specialists).length) return quiet(t("tv.none"));
  return h("ul", { class: "special-lines" }, [
    SQUADS.map((squad) => {
      const { card, uses } = view.specialists[squad];
      const title = words?.specialists[card].title ?? card;
      return h("li", { class: squad }, [
        art(card),
        h("b", {}, title),
        h("span", {}, tOf("squad", squad)),
        h("small", {}, tOf("defenders.uses", uses)),
      ]);
    }),
  ]);
}

function replayed(replay) {
  const { space } = replay.truth.sniper;
  const deed = notableOf(toldToAll(replay));
  return [h("p", {}, space ? t("game.at", { space }) : t("game.outside")), deed.slice(-2).map(toneLine)];
}

function news(map, { view, log, seats }) {
  if (view.over) return ending(view, map, null, null, seats);
  const lately = recap(log, openRecap, seats);
  if (lately) return lately;
  const deed = lastAction(log);
  const earlier = notableOf(log).filter(({ n }) => deed.length && n < deed[0].n);
  // At the start it says whose turn it is.
  const start = deed.length === 0 && view.to_act.includes("sniper") && h("p", {}, t("turn.to-act.sniper"));
  return newsreel([deed.map(toneLine), start], earlier.slice(-NEWS).reverse().map(plainLine));
}

const plainLine = ({ sentence }) => h("p", {}, sentence);
