// One step of a finished game: what the defenders knew and what was true, on a map and in words.

import { countdown, doneObjectives, objectiveNames, tone, wounds } from "./parts.js";
import { goalMarks, reticle, showPieces, turnMarks, turnsOf, routeLine } from "./pieces.js";
import { allyCard, titleOf } from "./nest.js";
import { drawPossible, possibleText } from "./possible.js";
import { drawTrail } from "./recap.js";
import { way } from "/static/scene.js";
import { list, t } from "/static/texts.js";
import { h, quiet } from "/static/ui.js";

export const past = {
  head: (known) => [
    countdown(known),
    h("div", { class: "tokens" }, doneObjectives(known), wounds(known.sniper.wounds)),
  ],
  turn: ({ turn, round, over }) => ({
    kind: turn,
    mark: turn === "sniper" ? String(round) : "",
    name: turn === "sniper" ? t("hud.turn.sniper") : t("hud.turn.defenders"),
    round: t("hud.round", { round }),
    over: Boolean(over),
  }),
  places(side, { known, truth, possible }) {
    if (side === "truth" && truth.sniper.space) return [truth.sniper.space];
    return possible && possible.length ? possible : Object.values(known.units).filter(Boolean);
  },
  news: (side, { known, truth }) => [side === "truth" ? truth.sniper.space : known.sniper.miniature],
  trail: (map, { known }, log) => drawTrail(map, known, log),
  draw(side, map, step) {
    if (side === "truth") drawTruth(map, step);
    else showPieces(map, step.known);
    // Also on the map of the truth: how close the defenders were.
    drawPossible(map, step.possible || []);
  },
  lines: (side, step, words, map) => (side === "truth" ? truthLines(step, words, map) : knownLines(step, words)),
  tone,
};

// The truth: the sniper's space, route with the round of each turn, this turn's movement, mines and objectives.
export function drawTruth(map, { truth, route }) {
  const { space, log, been, objectives, completed } = truth.sniper;
  showPieces(map, truth, new Map(space ? [["me", { space, make: () => reticle("mini me") }]] : []));
  const turns = turnsOf(log || []);
  map.draw("lines", [turns, route, been], () => [routeLine(map, turns, route), way(map, been || [], "way quiet")]);
  map.draw("over", [turns, objectives, completed], () => [
    ...goalMarks(map, objectives, completed),
    ...turnMarks(map, turns),
  ]);
}

function knownLines({ known, possible }, words) {
  const seen = known.sniper.miniature;
  return [
    h("p", { class: seen ? "seen" : "quiet" }, seen ? t("game.seen", { space: seen }) : t("game.unseen")),
    possible && h("p", { class: "guess" }, h("i", { class: "swatch", "aria-hidden": "true" }), possibleText(possible)),
    allyCard(known, words),
  ];
}

function truthLines({ truth }, words, map) {
  const { space, objectives, hand, face_down: laid, mines } = truth.sniper;
  const titles = (cards) => list(cards.map((card) => titleOf(words, card)));
  return [
    h("p", { class: "where" }, space ? t("game.at", { space }) : t("game.outside")),
    objectives?.length > 0 && h("p", {}, t("game.objectives", { objectives: objectiveNames(map, objectives) })),
    words && hand?.length > 0 && quiet(t("game.hand", { cards: titles(hand) })),
    words && laid?.length > 0 && quiet(t("game.laid", { cards: titles(laid) })),
    mines && mines.length > 0 && quiet(t("game.mines", { spaces: list(mines) })),
    allyCard(truth, words),
  ];
}
