// Commanding the squads: choose a unit, choose what it does, choose where, confirm. What is possible is read from the
// legal actions, and why a button is off from the foresight.

import { abilityDeed, useButton, using } from "./abilities.js";
import { byHand, byScreen, MEMBERS, SQUADS, telegram, unfelt, unitButton, unitName } from "./parts.js";
import { art } from "/static/art.js";
import { ledLine } from "/static/leading.js";
import { whyLink, withheld } from "/static/reasons.js";
import { isOfficer, squadOf } from "./pieces.js";
import { list, t, tOf } from "/static/texts.js";
import { button, confirmed, h, icon, toast } from "/static/ui.js";

const DEEDS = ["move", "spot", "sweep", "attack", "deploy", "dismiss"];
const PLACED = { move: "to", deploy: "space", spot: "space" };
// What puts a miniature down somewhere.
const STEPS = new Set(["move", "deploy"]);
const ICONS = {
  move: "M4 12h14M13 6l6 6-6 6",
  spot: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z",
  sweep: "M12 12L4 5M12 12l8-7M4 5a11 11 0 0 1 16 0M12 12v8",
  attack: "M12 3v5M12 16v5M3 12h5M16 12h5M12 9.5v5M9.5 12h5",
  deploy: "M12 3v11M7 9l5 5 5-5M4 20h16",
  dismiss: "M12 15V4M7 9l5-5 5 5M4 20h16",
  intel: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12ZM15 15l6 6",
};
const LABELS = {
  move: () => t("defenders.move"),
  spot: () => t("defenders.spot"),
  sweep: () => t("defenders.sweep"),
  attack: () => t("defenders.attack"),
  deploy: () => t("defenders.deploy"),
  dismiss: () => t("defenders.dismiss"),
};
const LIGHTS = {
  move: () => t("defenders.light.move"),
  spot: () => t("defenders.light.spot"),
  sweep: () => t("defenders.light.sweep"),
  deploy: () => t("defenders.light.deploy"),
};

export function commanding(context) {
  const { view } = context.picture;
  const { draft } = context;
  const playing = view.to_act.includes("defenders") && !view.pending;
  const squads = () => SQUADS.map((squad) => squadCard(context, squad, playing));
  if (playing && draft.special) return { squads, ...using(context) };
  return {
    dock: () => (playing ? dock(context) : listening(context)),
    squads,
    offers: () => (playing ? lights(context) : []),
    tap: (space) => playing && tap(context, space),
    carries: (space) => playing && carried(context, space),
    drop: (unit, space) => playing && drop(context, unit, space),
    pick: (space) => playing && pick(context, space),
    places: () => (draft.unit ? [view.units[draft.unit], ...(draft.deed ? choices(context) : [])].filter(Boolean) : []),
  };
}

// What a unit can do by itself; what it can do by its specialist is in `abilities.js`.
const legalOf = ({ picture }, type, unit) =>
  picture.legal.filter((action) => action.type === type && action.unit === unit && !action.use);

// --- what happens while others act, and the latest answer -------------------------------------------------------

function listening({ picture }) {
  const setup = picture.view.pending;
  return [
    h("p", { class: "headline", "data-testid": "headline" }, setup ? t("turn.to-act.sniper") : t("defenders.wait")),
    !setup && h("p", {}, t("defenders.wait.more")),
    telegram(picture.log),
  ];
}

// --- the dock ---------------------------------------------------------------------------------------------------

function dock(context) {
  const { draft, picture, takeBack, seat } = context;
  if (draft.squad) return intel(context);
  if (draft.deed) return order(context);
  const back = takeBack();
  return [
    telegram(picture.log),
    draft.unit ? deeds(context) : choosing(context),
    h(
      "div",
      { class: "row end" },
      back &&
        button(t("defenders.take-back", { unit: unitName(back.unit) }), "take-back", back.act, {
          disabled: !seat.ready,
        }),
      button(t("defenders.end"), "end-turn", () => end(context), {
        disabled: !seat.ready,
        class: idle(picture) ? "main" : "",
      }),
    ),
  ];
}

// Whether only the end of the turn is left.
const idle = ({ legal }) => !legal.some(({ type }) => DEEDS.includes(type) || type === "intel");

const choosing = ({ picture }) => [
  h("p", { class: "headline", "data-testid": "headline" }, t("defenders.choose")),
  byHand(picture, t("defenders.choose.board")),
];

function deeds(context) {
  const { unit } = context.draft;
  const at = context.picture.view.units[unit];
  return [
    h(
      "p",
      { class: "headline", "data-testid": "headline" },
      unitName(unit),
      h("small", {}, ` ${at ? t("defenders.at", { space: at }) : t("defenders.off")}`),
    ),
    h(
      "div",
      { class: "deeds" },
      able(context, at),
      isOfficer(unit) && [intelDeed(context, squadOf(unit)), abilityDeed(context, squadOf(unit))],
    ),
  ];
}

// A unit that can do nothing more says why once.
function able(context, at) {
  const names = DEEDS.filter((name) => (name === "deploy") === !at);
  const reasons = names.map((name) => barred(context, context.draft.unit, name));
  if (!reasons.every(Boolean)) return names.map((name) => deedButton(context, name));
  const why = reasons.find(({ rule }) => rule) ?? reasons[0];
  return h("p", { class: "quiet", "data-testid": "done-unit" }, why.why, " ", why.rule && whyLink(why.rule));
}

function order(context) {
  const { draft, picture, seat, redraft } = context;
  const { unit, deed } = draft;
  const action = chosenAction(context);
  return [
    h("p", { class: "headline", "data-testid": "headline" }, LABELS[deed](), h("small", {}, ` ${unitName(unit)}`)),
    h("p", {}, how(context)),
    choices(context).size > 0 && byHand(picture, STEPS.has(deed) ? t("defenders.how.carry") : t("defenders.how.wand")),
    STEPS.has(deed) && byScreen(picture, picture.view.units[unit], choices(context)),
    h(
      "div",
      { class: "row end" },
      button(t("menu.back"), "deed-back", () => redraft({ unit })),
      button(action ? sure(context, action) : t("defenders.sure.none"), "confirm", () => seat.act(action), {
        class: "main",
        disabled: !action || !seat.ready,
      }),
    ),
  ];
}

function deedButton(context, deed) {
  const why = barred(context, context.draft.unit, deed);
  return deedCell(deed, LABELS[deed](), why, () => begin(context, deed));
}

// The same as the button of the squad, where its officer is looked at.
function intelDeed(context, squad) {
  const why = noIntel(context, squad);
  return !why && deedCell("intel", t("defenders.intel"), why, () => context.redraft({ squad }));
}

function deedCell(deed, label, why, onclick) {
  return h(
    "div",
    { class: "deed-cell" },
    button([icon(ICONS[deed]), h("b", {}, label), why && h("small", {}, why.why)], `deed-${deed}`, onclick, {
      class: "deed",
      disabled: Boolean(why),
    }),
    why && why.rule && whyLink(why.rule),
  );
}

// An attack leaves nothing to choose and is made at once; a sweep begins with what it most likely is.
function begin(context, deed) {
  const { unit } = context.draft;
  const actions = legalOf(context, deed, unit);
  if (deed === "attack") return context.seat.act(actions[0]);
  context.redraft({ unit, deed, spaces: deed === "sweep" ? [...actions[0].spaces] : [] });
}

// Why this device cannot have a unit do something; null if it can.
function barred({ picture, seat, leader }, unit, deed) {
  return withheld(seat, leader(squadOf(unit)), picture.foresight.units[unit][deed]);
}

// --- choosing spaces --------------------------------------------------------------------------------------------

function chosenAction(context) {
  const { draft } = context;
  const actions = legalOf(context, draft.deed, draft.unit);
  const field = PLACED[draft.deed];
  if (field) return actions.find((action) => action[field] === draft.spaces[0]);
  if (draft.deed === "sweep")
    return actions.find(
      ({ spaces }) => spaces.length === draft.spaces.length && spaces.every((space) => draft.spaces.includes(space)),
    );
  return actions[0];
}

function choices(context) {
  const { draft } = context;
  const actions = legalOf(context, draft.deed, draft.unit);
  const field = PLACED[draft.deed];
  return new Set(actions.flatMap((action) => (field ? action[field] : action.spaces || [])));
}

function lights(context) {
  const { draft, picture, leader } = context;
  if (draft.deed) {
    const chosen = draft.spaces;
    return [...choices(context)].map((space) =>
      chosen.includes(space)
        ? { space, kind: "choice picked", on: "chosen", label: t("defenders.light.chosen") }
        : { space, kind: "choice", on: "choices", label: lightOf(picture, draft.deed, space) },
    );
  }
  const units = Object.entries(picture.view.units).filter(([unit, space]) => space && !leader(squadOf(unit)));
  return [
    ...units.map(([unit, space]) => ({
      space,
      kind: `unit-space ${draft.unit === unit ? "picked" : ""}`,
      on: picture.legal.some((action) => action.unit === unit) ? "units" : null,
      label: t("defenders.light.unit", { unit: unitName(unit) }),
    })),
    ...moves(context).map(({ to }) => ({ space: to, kind: "choice", label: lightOf(picture, "move", to) })),
  ];
}

// Where the chosen unit can go at once, before anything else is chosen for it.
const moves = (context) => (context.draft.unit && !context.draft.deed ? legalOf(context, "move", context.draft.unit) : []);

function lightOf(picture, deed, space) {
  const label = LIGHTS[deed]();
  return STEPS.has(deed) && unfelt(picture, [space]).length ? t("defenders.light.manual", { label }) : label;
}

// A tap on a unit chooses it, one on a lit space sends it there: a move can be taken back. So does a spot look at once.
// Elsewhere a tap chooses, and a second one on the same space confirms.
function tap(context, space) {
  const { draft, seat } = context;
  const move = moves(context).find(({ to }) => to === space);
  if (move) return seat.act(move);
  if (draft.deed && draft.deed !== "sweep" && choices(context).has(space)) {
    const action = chosenAction({ ...context, draft: { ...draft, spaces: [space] } });
    if (draft.deed === "spot" || draft.spaces[0] === space) return seat.act(action);
  }
  pick(context, space);
}

// The unit on a space that this device can move now, to be dragged.
function carried(context, space) {
  const { units } = context.picture.view;
  const unit = Object.keys(units).find((it) => units[it] === space && !context.leader(squadOf(it)));
  return unit && legalOf(context, "move", unit).length ? unit : null;
}

// Sends a unit to where it was dragged, if it can go there.
function drop(context, unit, space) {
  const move = legalOf(context, "move", unit).find(({ to }) => to === space);
  if (move) return context.seat.act(move);
  if (space !== context.picture.view.units[unit]) toast(t("defenders.drag.not", { unit: unitName(unit), space }));
  return null;
}

function pick(context, space) {
  const { draft, picture, redraft } = context;
  if (draft.deed && choices(context).has(space))
    return redraft({ ...draft, spaces: picked(draft, space, context) });
  const unit = Object.keys(picture.view.units).find((it) => picture.view.units[it] === space);
  if (unit) redraft({ unit });
  else if (draft.deed) redraft({ unit: draft.unit });
}

function picked({ deed, spaces }, space, context) {
  if (deed !== "sweep") return [space];
  if (spaces.includes(space)) return spaces.filter((it) => it !== space);
  const most = legalOf(context, "sweep", context.draft.unit)[0].spaces.length;
  return [...spaces, space].slice(-most);
}

// --- words ------------------------------------------------------------------------------------------------------

function how(context) {
  const { draft, picture } = context;
  const values = { unit: unitName(draft.unit), space: picture.view.units[draft.unit] };
  return {
    move: () => t("defenders.how.move"),
    spot: () => t("defenders.how.spot"),
    sweep: () => t("defenders.how.sweep"),
    deploy: () => t("defenders.how.deploy"),
    attack: () => t("defenders.how.attack", values),
    dismiss: () => t("defenders.how.dismiss", values),
  }[draft.deed]();
}

function sure(context, action) {
  const unit = unitName(action.unit);
  const space = action.space || context.picture.view.units[action.unit];
  return {
    move: () => t("defenders.sure.move", { unit, to: action.to }),
    spot: () => t("defenders.sure.spot", { unit, space }),
    sweep: () => t("defenders.sure.sweep", { unit, spaces: list(action.spaces) }),
    deploy: () => t("defenders.sure.deploy", { unit, space }),
    attack: () => t("defenders.sure.attack", { unit, space }),
    dismiss: () => t("defenders.sure.dismiss", { unit }),
  }[action.type]();
}

// --- squads -----------------------------------------------------------------------------------------------------

function squadCard(context, squad, playing) {
  const { picture, leader, words } = context;
  const { left, intel: asked } = picture.view.squads[squad];
  const device = leader(squad);
  const special = picture.view.specialists[squad];
  const told = special && words && words.specialists[special.card];
  return h(
    "article",
    { class: `squad ${squad} ${device ? "foreign" : ""}`, "data-testid": `squad-${squad}` },
    h(
      "header",
      {},
      h("h3", {}, tOf("squad", squad)),
      cubes(left, asked),
      ledLine(context, squad),
    ),
    unitRows(context, squad, playing && left === 0),
    playing && intelButton(context, squad),
    playing && told && useButton(context, squad),
    told &&
      h(
        "details",
        { class: "special" },
        h("summary", {}, art(special.card, "in-line"), ` ${told.title}`, h("small", {}, ` ${tOf("defenders.uses", special.uses)}`)),
        h("p", {}, told.text),
        special.suppression && h("p", {}, t("defenders.suppression")),
      ),
  );
}

// The units of a squad that can do nothing more this turn are folded away.
function unitRows(context, squad, spent) {
  const rows = h(
    "div",
    { class: "units" },
    MEMBERS.map((member) => unitRow(context, `${squad}-${member}`)),
  );
  const open = Boolean(context.draft.unit) && squadOf(context.draft.unit) === squad;
  return spent ? h("details", { class: "spent", open }, h("summary", {}, t("defenders.spent")), rows) : rows;
}

// Why a squad cannot gather intel at this device; null if it can.
const noIntel = ({ picture, seat, leader }, squad) => withheld(seat, leader(squad), picture.foresight.intel[squad]);

function intelButton(context, squad) {
  const { draft, redraft } = context;
  const why = noIntel(context, squad);
  return h(
    "div",
    { class: "ability-line" },
    button(
      [t("defenders.intel"), why && h("small", {}, why.why)],
      `intel-${squad}`,
      () => redraft({ squad }),
      { class: "small ability", disabled: Boolean(why), "aria-pressed": String(draft.squad === squad) },
    ),
    why && why.rule && whyLink(why.rule),
  );
}

function cubes(left, asked) {
  const label = asked ? tOf("defenders.left", "intel") : tOf("defenders.left", left);
  return h(
    "span",
    { class: "cubes", role: "img", "aria-label": label },
    [0, 1].map((i) => h("i", { class: i < left ? "cube on" : "cube" })),
    asked && h("em", {}, label),
  );
}

function unitRow(context, unit) {
  const { picture, draft, redraft, leader } = context;
  const at = picture.view.units[unit];
  return unitButton(
    unit,
    {
      "data-testid": `unit-${unit}`,
      "aria-pressed": String(draft.unit === unit),
      disabled: Boolean(leader(squadOf(unit))),
      onclick: () => redraft(draft.unit === unit ? {} : { unit }),
    },
    h("span", { class: "at" }, at || t("defenders.off")),
  );
}

function intel(context) {
  const { draft, seat, redraft, picture } = context;
  const action = picture.legal.find((it) => it.type === "intel" && it.squad === draft.squad);
  const squad = tOf("squad", draft.squad);
  return [
    h("p", { class: "headline", "data-testid": "headline" }, t("defenders.intel.of", { squad })),
    h("p", {}, t("defenders.how.intel", { sector: tOf("sector", draft.squad) })),
    h(
      "div",
      { class: "row end" },
      button(t("menu.back"), "deed-back", () => redraft({})),
      button(t("defenders.sure.intel", { squad }), "confirm", () => seat.act(action), {
        class: "main",
        disabled: !action || !seat.ready,
      }),
    ),
  ];
}

// Asks only where something would be lost that does not come back: actions and specialists before time runs out, and a
// specialist who could act where the sniper is seen.
async function end(context) {
  const lost = [lastActions(context), unused(context)].filter(Boolean).join(" ");
  if (lost && !(await confirmed(t("defenders.end.title"), lost, t("defenders.end.yes"), t("defenders.end.no")))) return;
  context.seat.act({ type: "end-turn" });
}

function lastActions({ picture: { view } }) {
  const unspent = view.countdown > 1 ? [] : SQUADS.filter((squad) => view.squads[squad].left > 0);
  const counted = unspent.map((squad) => t("defenders.end.count", { squad: tOf("squad", squad), number: view.squads[squad].left }));
  return counted.length > 0 && t("defenders.end.unspent", { squads: list(counted) });
}

function unused({ picture: { view, legal }, words }) {
  const uses = legal.filter(({ type, use }) => type === "ability" || use);
  const worth = uses.filter(({ space }) => view.countdown <= 1 || (space && space === view.sniper.miniature));
  const able = new Set(worth.map((it) => it.squad ?? squadOf(it.unit)));
  const titles = [...able].map((squad) => words?.specialists[view.specialists[squad].card].title ?? tOf("squad", squad));
  return titles.length > 0 && t("defenders.end.unused", { specialists: list(titles) });
}
