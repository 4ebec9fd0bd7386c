// The layout of both seats' screens: the top line, the result of the game, and the sections of the drawer.

import { head } from "/static/drawer.js";
import { afterGame } from "/static/gather.js";
import { countdown, doneObjectives, ending, turnName, wounds } from "./parts.js";
import { showOpened } from "./pieces.js";
import { personNames, t } from "/static/texts.js";
import { routeOf } from "/static/on-demand.js";
import { $, calm, field, h, link, paint } from "/static/ui.js";

const STEP_MS = 450;

export function showHead(picture, mine, get) {
  const { stage, paused, view } = picture;
  const facts = view && [
    view.turn,
    view.round,
    view.countdown,
    view.sniper.wounds,
    view.sniper.completed,
    view.to_act,
    view.pending,
  ];
  paint($("#hud"), [stage, paused, picture.seats, facts], () => hud(picture, mine, get));
}

function hud(picture, mine, get) {
  const { view, stage, seats } = picture;
  // While others act, the line says who they are.
  const names = stage === "playing" && view && !view.to_act.includes(mine) && personNames(seats, view.turn);
  const round =
    view && h("span", { testid: "round" }, t("hud.round", { round: view.round }), names ? ` · ${names}` : null);
  const done = view && h("div", { class: "tokens" }, doneObjectives(view), wounds(view.sniper.wounds));
  const title = turnName(picture, mine);
  return head(mine, view?.to_act.includes(mine), title, round, get, view && countdown(view.countdown), done);
}

// The result of the game, and the sniper's route up to the step chosen with the slider.
export function over(page, map) {
  const { view, finished, viewer } = page.picture;
  const draw = () => view.opened && showOpened(map, view.opened, page.shown, routeOf(finished, draw));
  if (view.opened && map.ready) walk(page, steps(view.opened), draw);
  return {
    dock: () => [
      ...ending(view, viewer, page.words),
      view.opened && scrubber(view.opened, page, draw),
      finished !== null && link(t("over.look"), "look", `/games/${finished}`),
      afterGame(page.picture),
    ],
    draw,
  };
}

const steps = (opened) => opened.log.filter(([, space]) => space).length;

// Replays the route step by step until someone moves the slider.
function walk(page, all, draw) {
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
  const all = steps(opened);
  const set = (event) => {
    clearInterval(page.walking);
    page.shown = Number(event.target.value);
    draw();
  };
  return (
    all > 0 &&
    field(
      t("over.path"),
      h("input", {
        type: "range",
        min: 1,
        max: all,
        value: Math.min(all, page.shown),
        oninput: set,
        testid: "scrubber",
      }),
    )
  );
}
