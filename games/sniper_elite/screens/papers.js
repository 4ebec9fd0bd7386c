// What the screens of both seats are laid out with: the line at the top, the words before and after a game, and the
// papers in the drawer.

import { afterGame } from "/static/gather.js";
import { countdown, doneObjectives, ending, turnName, wounds } from "./parts.js";
import { showOpened } from "./pieces.js";
import { t } from "/static/texts.js";
import { $, calm, h, icon, paint } from "/static/ui.js";

const STEP_MS = 450;

export function showHead(picture, mine, onMenu) {
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
  paint($("#hud"), [stage, paused, facts], () => head(picture, mine, onMenu));
}

function head(picture, mine, onMenu) {
  const { view } = picture;
  const acting = view && view.to_act.includes(mine);
  return [
    h(
      "div",
      { class: acting ? "whose mine" : "whose" },
      h("strong", { "data-testid": "turn" }, turnName(picture, mine)),
      view && h("span", { "data-testid": "round" }, t("hud.round", { round: view.round })),
    ),
    view && countdown(view.countdown),
    view && h("div", { class: "tokens" }, doneObjectives(view), wounds(view.sniper.wounds)),
    h(
      "button",
      { type: "button", class: "round", "aria-label": t("hud.menu"), "data-testid": "menu", onclick: onMenu },
      icon("M4 7h16M4 12h16M4 17h16"),
    ),
  ];
}

// How the game ended, and the way that the sniper went in it, up to the step that is chosen.
export function over(page, map) {
  const { view, finished, viewer } = page.picture;
  const draw = () => view.opened && showOpened(map, view.opened, page.shown);
  if (view.opened && map.ready) walk(page, steps(view.opened), draw);
  return {
    dock: () => [
      ...ending(view, viewer),
      view.opened && scrubber(view.opened, page, draw),
      finished !== null && h("a", { class: "button", href: `/games/${finished}`, "data-testid": "look" }, t("over.look")),
      afterGame(page.picture),
    ],
    draw,
  };
}

const steps = (opened) => opened.log.filter(([, space]) => space).length;

// The way is walked once more, a step at a time, until somebody takes the slider.
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
    h(
      "label",
      { class: "field" },
      t("over.path"),
      h("input", {
        type: "range",
        min: 1,
        max: all,
        value: Math.min(all, page.shown),
        oninput: set,
        "data-testid": "scrubber",
      }),
    )
  );
}

export const tab = (page, name, title, onclick) =>
  h(
    "button",
    { type: "button", "aria-expanded": String(page.open === name), "data-testid": `tab-${name}`, onclick },
    t(title),
  );

export const paper = (page, name, title, content) =>
  h(
    "section",
    { class: `panel ${name}`, "data-open": String(page.open === name), "data-testid": `panel-${name}` },
    h("h2", {}, t(title)),
    content,
  );
