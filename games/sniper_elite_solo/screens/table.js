// What the table view tells of the solo game: health, bag, the defenders' cards, news, and the game on the map.

import { showDraw } from "/games/sniper-elite/static/draw.js";
import { bag, doneObjectives, Herald, lastDeed, telling, tone, wounds } from "/games/sniper-elite/static/parts.js";
import { t } from "/static/texts.js";
import { h } from "/static/ui.js";
import { die, ending, slots, status, turnName } from "./parts.js";
import { carries, goals, showPieces } from "./pieces.js";
import { lastTurn } from "./recap.js";

const NEWS = 5;

export function table({ map }) {
  const herald = new Herald();
  return {
    focus: (view) => [...Object.values(view.units), view.sniper.space].filter(Boolean),
    hear: ({ log }) => showDraw(herald.hear(log), log),
    title: (picture) => turnName(picture),
    moment: (view) => t("hud.round", { round: view.round }),
    head: (view) => h("div", { class: "tokens" }, doneObjectives(view), wounds(view.sniper.wounds)),
    papers: (view, words) => [
      h("section", { class: "panel" }, h("h2", {}, t("solo.health")), status(view)),
      h("section", { class: "panel" }, h("h2", {}, t("solo.slots")), slots(view, words)),
      h("section", { class: "panel" }, h("h2", {}, t("bag.title")), bag(view.bag, view.supply)),
    ],
    news,
    replayed: ({ told }) => telling(told.filter(({ to }) => to === null)).slice(-2).map(line),
    draw: ({ view, board }) => view && draw(map, view, board),
    drawReplay: ({ truth }) => draw(map, truth),
  };
}

export function draw(map, view, board = {}) {
  showPieces(map, view);
  map.draw("lines", [board.hint], () => carries(map, board));
  map.draw("over", [view.sniper.objectives, view.sniper.completed], () => goals(map, view));
}

const line = (entry) => h("p", { class: tone(entry.type), "data-type": entry.type }, entry.sentence);

// The whole turn of the defenders, as long as nothing has happened since: the die and the card, then every step.
const defendersTurn = ([rolled, ...steps]) => [
  h("div", { class: "big", "data-testid": "latest" }, h("p", { class: "rolled" }, rolled.die && die(rolled.die), " ", steps[0]?.sentence ?? rolled.sentence)),
  h("div", { class: "earlier" }, steps.slice(1).map(line)),
];

function news({ view, log }) {
  if (view.over) return ending(view);
  const turn = lastTurn(log);
  if (turn.length && !telling(log).some(({ n, public: told }) => told && n > turn.at(-1).n)) return defendersTurn(turn);
  const deed = lastDeed(log);
  const earlier = telling(log).filter(({ n }) => deed.length && n < deed[0].n);
  return [
    h("div", { class: "big", "data-testid": "latest" }, deed.map(line)),
    h("div", { class: "earlier" }, earlier.slice(-NEWS).reverse().map(line)),
  ];
}
