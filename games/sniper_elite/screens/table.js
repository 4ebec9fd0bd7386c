// What the table view tells of this game: countdown, bag, cards, specialists, news, and the game on the map.

import { art } from "/static/art.js";
import { t, tOf } from "/static/texts.js";
import { h } from "/static/ui.js";
import { showDraw } from "./draw.js";
import {
  bag,
  cardsOut,
  countdown,
  doneObjectives,
  ending,
  Herald,
  lastDeed,
  SQUADS,
  telling,
  tone,
  turnName,
  wounds,
} from "./parts.js";
import { allied } from "./nest.js";
import { drawTruth, told } from "./past.js";
import { drawPossible, Possible } from "./possible.js";
import { showOpened, showPieces } from "./pieces.js";
import { drawTrail, recap } from "./recap.js";

const NEWS = 4;

export function table({ map, show }) {
  const possible = new Possible("table", true, show);
  const herald = new Herald();
  return {
    focus: (view) => Object.values(view.units),
    hear: ({ log, sealed }) => showDraw(herald.hear(log, sealed?.promise), log),
    facts: (picture) => [picture.possible, possible.shown],
    title: (picture) => turnName(picture),
    moment: (view) => t("hud.round", { round: view.round }),
    head: (view) => [countdown(view.countdown), h("div", { class: "tokens" }, doneObjectives(view), wounds(view.sniper.wounds))],
    above: (picture) => picture.possible && h("div", { class: "possible-line" }, possible.button(picture.possible)),
    papers,
    news,
    replayed,
    draw: (picture) => draw(map, possible, picture),
    drawReplay: (replay) => {
      drawTruth(map, replay);
      drawPossible(map, replay.possible || []);
    },
  };
}

function draw(map, possible, picture) {
  const { view } = picture;
  possible.draw(map, picture.possible);
  if (!view) return;
  showPieces(map, view);
  drawTrail(map, view.over ? null : view, picture.log);
  if (view.opened) showOpened(map, view.opened, Infinity);
  else for (const layer of ["lines", "over"]) map.draw(layer, [], () => []);
}

function papers(view, words) {
  return [
    "ally" in view && h("section", { class: "panel" }, allied(view, words)),
    h("section", { class: "panel" }, h("h2", {}, t("bag.title")), bag(view.bag, view.supply)),
    h("section", { class: "panel" }, cardsOut(view, words)),
    h("section", { class: "panel" }, h("h2", {}, t("tv.specialists")), specialists(view, words)),
  ];
}

function specialists(view, words) {
  if (!Object.keys(view.specialists).length) return h("p", { class: "quiet" }, t("tv.none"));
  return h(
    "ul",
    { class: "special-lines" },
    SQUADS.map((squad) => {
      const { card, uses } = view.specialists[squad];
      const told = words && words.specialists[card];
      return h(
        "li",
        { class: squad },
        art(card),
        h("b", {}, told ? told.title : card),
        h("span", {}, tOf("squad", squad)),
        h("small", {}, tOf("defenders.uses", uses)),
      );
    }),
  );
}

function replayed(replay) {
  const { space } = replay.truth.sniper;
  const deed = telling(told(replay, true));
  return [
    h("p", {}, space ? t("game.at", { space }) : t("game.outside")),
    deed.slice(-2).map((entry) => h("p", { class: tone(entry.type), "data-type": entry.type }, entry.sentence)),
  ];
}

function news({ view, log }) {
  if (view.over) return ending(view);
  const told = recap(log);
  if (told) return [told];
  const deed = lastDeed(log);
  const earlier = telling(log).filter(({ n }) => deed.length && n < deed[0].n);
  return [
    h(
      "div",
      { class: "big", "data-testid": "latest" },
      deed.map((entry) => h("p", { class: tone(entry.type), "data-type": entry.type }, entry.sentence)),
      // Before anything has happened it says whom all wait for.
      deed.length === 0 && view.to_act.includes("sniper") && h("p", {}, t("turn.to-act.sniper")),
    ),
    h(
      "div",
      { class: "earlier" },
      earlier
        .slice(-NEWS)
        .reverse()
        .map((entry) => h("p", {}, entry.sentence)),
    ),
  ];
}
