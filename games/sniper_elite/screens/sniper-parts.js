// What the sniper's screens of this game and of the solo game share: the camera, the plan on the map, and the papers.

import { siteOf } from "./parts.js";
import { earMark, goalMarks } from "./pieces.js";
import { heldCard } from "./sniper-cards.js";
import { distanceMark, line, way } from "/static/scene.js";
import { t, tOf } from "/static/texts.js";
import { h, quiet, svg } from "/static/ui.js";

// The sliders of a shot change these by themselves; repainted, they would slip out from under the finger.
export const dockDraft = ({ draft }) => ({ ...draft, draw: null, second: null, third: null });

// The drawer closes when a new decision is pending.
export function closeForDecision(page, { view }, before) {
  if (JSON.stringify(before?.view?.pending) !== JSON.stringify(view?.pending)) page.drawer.open = null;
}

// Returns the function that moves the camera to `places()` when they change, and shows the whole route when the game has
// `ended()`. It doesn't move while the player looks around.
export function cameraTo(map, places, ended) {
  let looked;
  return () => {
    const key = ended() ? "over" : JSON.stringify(places());
    if (looked === key) return;
    if (looked === undefined) map.frame();
    if (ended()) map.fit();
    else map.reveal(places());
    looked = key;
  };
}

// The spaces of the player's choices: entries, moves, and what is planned.
export function plannedPlaces({ picture: { view, legal, foresight }, draft, map }) {
  const { target, unit, to, card, path = [] } = draft;
  const entries = legal.filter(({ type }) => type === "choose-entry").map(({ sector }) => map.entries.get(sector));
  const moves = path.length ? [] : (foresight?.moves ?? []);
  const beside = [...new Set(moves.flatMap((move) => move.path))];
  // The units that a card can move, then the spaces for the chosen one.
  const plays = legal.filter((it) => card && it.card === card && (!unit || it.unit === unit));
  const lured = plays.map((it) => (unit ? it.to : view.units[it.unit]));
  return [...entries, ...beside, ...lured, view.units[target || unit], to, ...path];
}

// --- the plan on the map ----------------------------------------------------------------------------------------

// `lines` is what a part of the screen says of its plan. `more` adds to both layers.
/** @type {(map: any, view: any, lines: any, more?: { facts?: any, lines?: any[], over?: any[] }) => void} */
export function drawPlan(map, { units, sniper }, lines, more = {}) {
  map.draw("lines", [lines.path, lines.noisy, lines.steps, lines.shot, lines.aims, more.facts], () => [
    (lines.aims ?? []).map((shot) => line("sight faint", shot.line)),
    lines.path && routeLine(map, lines),
    more.lines,
    lines.shot && line("sight", lines.shot),
  ]);
  map.draw("over", [lines, more.facts, sniper.objectives, sniper.completed], () => [
    goalMarks(map, sniper.objectives, sniper.completed),
    more.over,
    (lines.heard ?? []).map((space) => earMark(map, space)),
    (lines.blast ?? []).map((unit) => map.outline(units[unit], "blast-space")),
    (lines.aims ?? []).map(({ space, distance }) => distanceMark(map, space, distance)),
    lines.target && map.on(units[lines.target], aimMark()),
  ]);
}

const aimMark = () =>
  svg("g", { class: "aimed" }, [
    svg("path", { d: "M-190 -90V-190H-90M90 -190H190V-90M190 90V190H90M-90 190H-190V90" }),
  ]);

// The planned route; steps that use gear have their own style.
function routeLine(map, { path, noisy, steps }) {
  const name = noisy ? "way noisy" : "way quiet";
  if (!steps) return way(map, path, name);
  const from = path.length - steps.length;
  return steps.map((step, i) => from + i > 0 && way(map, path.slice(from + i - 1, from + i + 1), `${name} ${step}`));
}

// --- the papers -------------------------------------------------------------------------------------------------

export const whereLine = (space) =>
  h("p", { class: "where", testid: "where" }, space ? t("sniper.you", { space }) : t("sniper.away"));

const whereIs = ({ id, name, sector }) =>
  t("sniper.objective.at", { space: name ? `${id}, ${name}` : id, sector: tOf("sector", sector) });

// The sniper's own goals for the briefing.
export function missionOf(map, picture) {
  const sites = (picture?.view?.sniper.objectives ?? []).map((number) => siteOf(map, number)).filter(Boolean);
  return { goals: sites.map(whereIs), spaces: sites.map(({ id }) => id) };
}

// The objectives that are left; a tap shows one on the map.
export function goalsLeft({ map, picture }) {
  const { objectives, completed } = picture.view.sniper;
  const left = (objectives ?? []).filter((number) => !completed.includes(number)).map((it) => siteOf(map, it));
  const objectiveButton = (space) =>
    h("button", { onclick: () => showSite(map, space) }, [
      h("b", {}, space.objective),
      h("span", {}, space.name, h("small", {}, space.id)),
    ]);
  return h("ul", { class: "goals spare" }, [left.filter(Boolean).map((space) => h("li", {}, objectiveButton(space)))]);
}

export const showSite = (map, { x, y }) => map.camera.glide(x, y, map.camera.whole * 0.4);

// The sniper's objectives; `show(space)` shows one on the map.
/** @type {(map: any, sniper: any, show?: (space: any) => void) => any} */
export const objectiveList = (map, { objectives, completed }, show = null) => [
  h("h3", {}, t("sniper.objectives")),
  h("ul", { class: "goals" }, [
    (objectives ?? []).map((number) => {
      const space = siteOf(map, number);
      const done = completed.includes(number) && h("em", {}, ` ${t("sniper.objective.done")}`);
      return h("li", { class: done ? "goal done" : "goal", testid: `objective-${number}` }, [
        h("b", {}, String(number)),
        h("span", {}, space && whereIs(space), done),
        space && show && h("button", { class: "small", onclick: () => show(space) }, t("sniper.objective.show")),
      ]);
    }),
  ]),
];

export const handList = (context, hand) => [
  h("h3", {}, t("sniper.hand")),
  hand?.length
    ? h("ul", { class: "cards" }, [
        [...new Set(hand)].map((card) => heldCard(context, card, hand.filter((it) => it === card).length)),
      ])
    : quiet(t("sniper.hand.none")),
];
