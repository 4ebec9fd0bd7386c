// Using a specialist: whom, where, how many tokens, each only as far as the legal actions ask for it; and the medic's
// choice in the sniper's turn. Loaded for the first use.

import { handHint, screenHint, lastReport, termsOf, unitButton, unitWord } from "./parts.js";
import { isOfficer, squadOf } from "./pieces.js";
import { art } from "/static/art.js";
import { actionButton } from "/static/frame.js";
import { actionGrid, actionPanel } from "/static/panel.js";
import { choiceLight } from "/static/scene.js";
import { fillPlaces, t, tOf } from "/static/texts.js";
import { button, chips, h, headline } from "/static/ui.js";

const spaceOf = ({ to, space }) => to || space;

// Every way to use the specialist of a squad.
function usesOf({ picture }, squad) {
  return picture.legal.filter(
    (action) => (action.type === "ability" && action.squad === squad) || (action.use && squadOf(action.unit) === squad),
  );
}

// --- one use ----------------------------------------------------------------------------------------------------

// What is chosen so far, and what is left to choose from. A soldier is asked for only where there are several.
function progress(context) {
  const { draft } = context;
  const all = usesOf(context, draft.special);
  const soldiers = [...new Set(all.map(({ unit }) => unit).filter((unit) => unit && !isOfficer(unit)))];
  const who = soldiers.length === 1 ? soldiers[0] : draft.who;
  const his = soldiers.length ? all.filter(({ unit }) => unit === who) : all;
  const spaces = [...new Set(his.map(spaceOf).filter(Boolean))];
  const there = spaces.length ? his.filter((action) => spaceOf(action) === draft.where) : his;
  const draws = [...new Set(there.map(({ draw }) => draw).filter(Boolean))];
  const action = draws.length ? there.find(({ draw }) => draw === draft.draw) : there[0];
  return { all, soldiers, who, spaces, draws, action };
}

export function abilityPart(context) {
  const { draft, picture, redraft } = context;
  const { view } = picture;
  const terms = termsOf(context, view.specialists[draft.special].card);
  const now = progress(context);
  const choose = (more) => redraft({ special: draft.special, back: draft.back, who: now.who, ...more });
  const soldierOn = (space) => now.soldiers.find((unit) => view.units[unit] === space);
  const pick = (space) => {
    if (now.spaces.includes(space)) choose({ where: space, draw: leastDraw(now, space) });
    else if (soldierOn(space)) choose({ who: soldierOn(space) });
  };
  return {
    dock: () => dock(context, now, choose),
    offers: () => [
      ...now.soldiers
        .filter((unit) => view.units[unit])
        .map((unit) => ({
          space: view.units[unit],
          kind: unit === now.who ? "unit-space picked" : "choice",
          on: unit === now.who ? "chosen" : "choices",
          label: t("defenders.light.unit", { unit: unitWord(unit) }),
        })),
      ...now.spaces.map((space) => choiceLight(space, space === draft.where, terms.choice)),
    ],
    tap: pick,
    pick,
    places: () => [view.units[`${draft.special}-officer`]],
  };
}

// As many tokens as the space is far away: fewer cannot hit.
const leastDraw = ({ all }, space) =>
  all.filter((it) => it.space === space && it.draw).reduce((least, { draw }) => Math.min(least, draw), Infinity);

function dock(context, now, choose) {
  const { draft, picture, seat, redraft } = context;
  const { card, uses } = picture.view.specialists[draft.special];
  const terms = termsOf(context, card);
  const choice = [
    headline(art(card, "in-line"), " ", terms.title, h("small", {}, ` ${tOf("defenders.uses", uses)}`)),
    h("p", {}, terms.how),
    now.spaces.length > 0 && handHint(picture, t("defenders.how.wand")),
    now.soldiers.length > 0 && screenHint(picture, picture.view.units[now.who], now.spaces),
    now.soldiers.length > 1 && soldierButtons(picture, now, choose),
    now.draws.length > 0 && tokenChips(now, draft, choose),
  ];
  const label = now.action ? confirmLabel(context, terms.confirm, now.action) : t("defenders.sure.none");
  return actionPanel(choice, {
    foot: [
      button(t("menu.back"), "deed-back", () => redraft({ unit: draft.back })),
      actionButton(seat, label, "confirm", now.action, { class: "main" }),
    ],
  });
}

function soldierButtons({ view }, now, choose) {
  return h("div", { class: "units" }, [
    now.soldiers.map((unit) => {
      const chosen = { "aria-pressed": unit === now.who, onclick: () => choose({ who: unit }) };
      const place = h("span", { class: "at" }, view.units[unit] || t("defenders.off"));
      return unitButton(unit, { testid: `soldier-${unit}`, ...chosen }, place);
    }),
  ]);
}

function tokenChips(now, draft, choose) {
  const numbers = now.draws.map((draw) => [draw, `tokens-${draw}`, String(draw)]);
  return [
    h("p", {}, t("sniper.tokens")),
    chips(t("sniper.tokens"), numbers, draft.draw, (draw) => choose({ where: draft.where, draw })),
  ];
}

function confirmLabel(context, text, action) {
  const { view } = context.picture;
  return fillPlaces(text, {
    unit: action.unit ? unitWord(action.unit) : "",
    space: spaceOf(action) || view.units[`${context.draft.special}-officer`],
    draw: action.draw,
  });
}

// --- the medic --------------------------------------------------------------------------------------------------

// A soldier that is picked on the map or on the board is only marked here: saved it is by its button.
export function savePart({ picture, seat, draft, redraft }) {
  const { legal, view } = picture;
  const units = view.pending.units || [];
  const pick = (space) => {
    const unit = units.find((it) => view.units[it] === space);
    if (unit) redraft({ save: unit });
  };
  const save = (action) => {
    const label = t("defenders.save.one", { unit: unitWord(action.unit) });
    const look = draft.save && draft.save !== action.unit ? "" : "main";
    return actionButton(seat, label, `save-${action.unit}`, action, { class: look });
  };
  return {
    dock: () =>
      actionPanel(
        [
          headline(t("defenders.save")),
          actionGrid(
            legal.filter(({ type }) => type === "save").map(save),
            actionButton(seat, t("defenders.save.not"), "decline", { type: "decline" }),
          ),
          h("p", {}, t("defenders.save.gives")),
        ],
        { report: lastReport(picture.log) },
      ),
    offers: () =>
      units.map((unit) =>
        choiceLight(view.units[unit], unit === draft.save, t("defenders.save.one", { unit: unitWord(unit) })),
      ),
    tap: pick,
    pick,
    places: () => units.map((unit) => view.units[unit]),
  };
}
