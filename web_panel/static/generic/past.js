// One step of a finished game without its own page: what each viewer knew and what was true.

import { capital, list, t } from "/static/texts.js";
import { h } from "/static/ui.js";
import { knownFacts, showAll } from "./parts.js";

const facts = (side, step) => (side === "truth" ? step.generic.referee : step.generic[step.viewer]);
const view = (side, step) => (side === "truth" ? step.truth : step.known);

export const past = {
  viewer: "table",
  turn(_, { generic }) {
    const { to_act: waiting, outcome } = generic.referee;
    const name = waiting.length ? capital(list(waiting.map(({ title }) => title))) : t("generic.turn.nobody");
    return {
      kind: waiting.map(({ seat }) => seat).join(" ") || "none",
      mark: "",
      name,
      round: "",
      over: outcome !== null,
    };
  },
  places: (side, step) => facts(side, step).pieces.map(({ space }) => space),
  // The step names who has acted, so no piece shows who is next.
  draw: (side, map, step) =>
    showAll(map, { ...facts(side, step), to_act: [] }, side === "truth" ? null : step.possible),
  lines: (side, step) => h("div", { class: "past-facts" }, knownFacts(facts(side, step), view(side, step))),
};
