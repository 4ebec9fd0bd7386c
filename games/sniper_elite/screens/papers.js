// The end of the game on both seats' screens: its result, and the sniper's route up to the step chosen with the slider.

import { afterGame, routeOf } from "/static/on-demand.js";
import { ending } from "./parts.js";
import { showOpened } from "./pieces.js";
import { t } from "/static/texts.js";
import { $, calm, field, h } from "/static/ui.js";

const STEP_MS = 450;

export function overPart(page) {
  const { picture, map } = page;
  const { view, finished, viewer } = picture;
  page.shown ??= Infinity;
  const draw = () => view.opened && showOpened(map, view, page.shown, routeOf(finished, draw));
  if (view.opened && map.ready) replayRoute(page, countSteps(view.opened), draw);
  return {
    dock: () => [
      ...ending(view, map, viewer, page.words),
      view.opened && scrubber(view.opened, page, draw),
      afterGame(picture),
    ],
    draw,
  };
}

const countSteps = (opened) => opened.log.filter(([, space]) => space).length;

// Replays the route step by step until someone moves the slider.
function replayRoute(page, all, draw) {
  if (page.walked) return;
  page.walked = true;
  if (calm() || document.hidden) return;
  page.shown = 1;
  page.walking = setInterval(() => {
    page.shown += 1;
    const slider = $("[data-testid=scrubber]");
    if (slider) slider.value = page.shown;
    draw();
    if (page.shown >= all) clearInterval(page.walking);
  }, STEP_MS);
}

function scrubber(opened, page, draw) {
  const all = countSteps(opened);
  const set = (event) => {
    clearInterval(page.walking);
    page.shown = Number(event.target.value);
    draw();
  };
  const range = { type: "range", min: 1, max: all, value: Math.min(all, page.shown), oninput: set };
  return all > 0 && field(t("over.path"), h("input", { ...range, testid: "scrubber" }));
}
