// One step of a past game that brings no page of its own: what each viewer knew of it and what was true.

import { list, t } from "/static/texts.js";
import { h } from "/static/ui.js";
import { begun, knowledge, showMarks, showPieces, showPossible } from "./parts.js";

const facts = (side, step) => (side === "truth" ? step.generic.referee : step.generic[step.viewer]);
const view = (side, step) => (side === "truth" ? step.truth : step.known);

export const past = {
  viewer: "table",
  turn(_, { generic }) {
    const { to_act: waiting, outcome } = generic.referee;
    const name = waiting.length ? begun(list(waiting.map(({ title }) => title))) : t("generic.turn.nobody");
    return { kind: waiting.map(({ seat }) => seat).join(" ") || "none", mark: "", name, round: "", over: outcome !== null };
  },
  places: (side, step) => facts(side, step).pieces.map(({ space }) => space),
  draw(side, map, step) {
    showPieces(map, facts(side, step).pieces);
    showMarks(map, facts(side, step).marks);
    showPossible(map, side === "truth" ? [] : (step.possible ?? []));
  },
  lines: (side, step) => h("div", { class: "past-facts" }, knowledge(facts(side, step), view(side, step))),
};
