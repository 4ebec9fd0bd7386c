// A single player's score, compared with the best at this table.

import { askPast } from "./past.js";
import { t } from "./texts.js";
import { h } from "./ui.js";

let asked = null;
let found = null;

// A line under the result of game `number`, once the score has arrived; then `redraw` is called.
export function bestLine(number, redraw) {
  if (asked !== number) fetchScore(number, redraw);
  if (!found || asked !== number || found.score === null) return false;
  const { score, best } = found;
  const words = best === null ? t("score.first") : score > best ? t("score.new", { best }) : t("score.best", { best });
  return h("p", { class: "best", testid: "best" }, words);
}

async function fetchScore(number, redraw) {
  asked = number;
  found = null;
  const { status, body } = await askPast(`/api/games/${number}/score`);
  if (status !== 200 || asked !== number) return;
  found = body;
  redraw();
}

// Returns the last score received, to detect changes.
export const lastScore = () => found;
