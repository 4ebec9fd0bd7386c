// Commanding the squads: choose a unit, an action, a space, and confirm. The legal actions say what is possible; the
// foresight says why a button is disabled.

import {
  handHint,
  screenHint,
  MEMBERS,
  resultLine,
  SQUADS,
  lastReport,
  termsOf,
  withoutSensor,
  unitButton,
  unitName,
  unitWord,
} from "./parts.js";
import { art } from "/static/art.js";
import { actionButton } from "/static/frame.js";
import { leaderLine } from "/static/leading.js";
import { actionPanel, endButton } from "/static/panel.js";
import { whyLink, withheld } from "/static/reasons.js";
import { badge, isOfficer, squadOf } from "./pieces.js";
import { EYE } from "./possible.js";
import { choiceLight } from "/static/scene.js";
import { capital, list, t, tOf } from "/static/texts.js";
import { button, confirmed, h, headline, icon, toast } from "/static/ui.js";

const DEEDS = ["move", "spot", "sweep", "attack", "deploy", "dismiss"];
const PLACED = { move: "to", deploy: "space", spot: "space" };
// Actions that put a miniature on a space.
const STEPS = new Set(["move", "deploy"]);
const BACK = "M19 12H5M11 6l-6 6 6 6";
const ICONS = {
  move: "M4 12h14M13 6l6 6-6 6",
  spot: EYE,
  sweep: "M12 12L4 5M12 12l8-7M4 5a11 11 0 0 1 16 0M12 12v8",
  attack: "M12 3v5M12 16v5M3 12h5M16 12h5M12 9.5v5M9.5 12h5",
  deploy: "M12 3v11M7 9l5 5 5-5M4 20h16",
  dismiss: "M12 15V4M7 9l5-5 5 5M4 20h16",
  intel: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12ZM15 15l6 6",
};

const isPlaying = ({ picture: { view, paused } }) =>
  view.to_act.includes("defenders") && !view.pending && !view.over && paused === null;

// The squads in the drawer.
export const squadCards = (context) => SQUADS.map((squad) => squadCard(context, squad, isPlaying(context)));

export function squadsPart(context) {
  const { view } = context.picture;
  const { draft } = context;
  const playing = isPlaying(context);
  if (playing && draft.special)
    return context.later(
      "abilities",
      () => import("./abilities.js"),
      ({ abilityPart }) => abilityPart(context),
    );
  return {
    dock: () => (playing ? dock(context) : waitDock(context)),
    offers: () => (playing ? lights(context) : []),
    tap: (space) => playing && tap(context, space),
    carries: (space) => playing && movableUnit(context, space),
    drop: (unit, space) => playing && drop(context, unit, space),
    pick: (space) => playing && pick(context, space),
    places: () =>
      draft.unit
        ? [view.units[draft.unit], ...(draft.deed ? choices(context) : moves(context).map(({ to }) => to))].filter(
            Boolean,
          )
        : [],
  };
}

// The legal actions of a unit itself; those of its specialist are in `abilities.js`.
const legalOf = ({ picture }, type, unit) =>
  picture.legal.filter((action) => action.type === type && action.unit === unit && !action.use);

// --- what happens while others act, and the latest answer -------------------------------------------------------

function waitDock({ picture }) {
  const setup = picture.view.pending;
  return actionPanel(
    [
      resultLine(picture.log),
      headline(setup ? t("turn.to-act.sniper") : t("defenders.wait")),
      !setup && h("p", {}, t("defenders.wait.more")),
    ],
    { report: lastReport(picture.log) },
  );
}

// --- the dock ---------------------------------------------------------------------------------------------------

function dock(context) {
  const { draft, picture, seat } = context;
  if (draft.squad) return intelDock(context);
  if (draft.deed) return orderDock(context);
  const idle = !picture.legal.some(({ type }) => DEEDS.includes(type) || type === "intel");
  return actionPanel([resultLine(picture.log), draft.unit ? deeds(context) : choiceDock(context)], {
    report: lastReport(picture.log),
    foot: [
      takeBackButton(context),
      endButton(t("defenders.end"), "end-turn", idle, () => confirmEnd(context), { disabled: !seat.ready }),
    ],
  });
}

function takeBackButton({ picture: { take_back: back }, seat }) {
  return back && actionButton(seat, t("defenders.take-back"), "take-back", { type: "take-back" });
}

function choiceDock(context) {
  const { picture, leader } = context;
  if (SQUADS.some((squad) => picture.view.squads[squad].left > 0 && !leader(squad)))
    return [headline(t("defenders.choose")), pickButtons(context), handHint(picture, t("defenders.choose.board"))];
  const abilities = SQUADS.map((squad) => abilityOf(context, squad)).filter((ability) => ability && !ability.why);
  return [
    headline(t("defenders.done")),
    h(
      "div",
      { class: "deeds" },
      abilities.map((ability) => abilityDeed(context, ability)),
    ),
  ];
}

// The units of the squads that have actions left, in short, on screens where the list of squads is closed.
function pickButtons({ picture: { view }, redraft, leader }) {
  const able = SQUADS.filter((squad) => view.squads[squad].left > 0 && !leader(squad));
  const pick = (unit) => {
    const at = view.units[unit];
    const label = `${unitName(unit)} ${at || t("defenders.off")}`;
    const props = { class: "unit", "aria-label": label, testid: `pick-${unit}`, onclick: () => redraft({ unit }) };
    return h("button", props, badge(unit), h("span", { class: "at" }, at || "–"));
  };
  return h("div", { class: "picks" }, [
    able.map((squad) => [
      h("span", { class: squad }, cubes(view.squads[squad].left)),
      MEMBERS.map((member) => pick(`${squad}-${member}`)),
    ]),
  ]);
}

function deeds(context) {
  const { unit } = context.draft;
  const { view } = context.picture;
  const at = view.units[unit];
  const names = DEEDS.filter((name) => (name === "deploy") === !at);
  const reasons = names.map((name) => [name, tOf("defenders.deed", name), whyBarred(context, unit, name)]);
  const ability = isOfficer(unit) ? abilityOf(context, squadOf(unit)) : null;
  const impossible = [...reasons, ...(ability ? [["special", ability.title, ability.why]] : [])].filter(
    ([, , why]) => why,
  );
  const done = reasons.every(([, , why]) => why);
  return [
    h("div", { class: "headed" }, [
      !done &&
        button(icon(BACK), "unit-back", () => context.redraft({}), { class: "small", "aria-label": t("menu.back") }),
      headline(unitName(unit), h("small", {}, ` ${at ? t("defenders.at", { space: at }) : t("defenders.off")}`)),
    ]),
    h("div", { class: "deeds" }, [
      done ? doneLine(reasons) : reasons.map(([name, , why]) => deedButton(context, name, why)),
      intelDeed(context, squadOf(unit)),
      ability && !(done && ability.why) && abilityDeed(context, ability),
    ]),
    !done &&
      h("ul", { class: "quiet" }, [
        view.round < 3 && h("li", { class: "spare" }, t("defenders.verbs")),
        impossible.map(reasonLine),
      ]),
    done && pickButtons(context),
  ];
}

// A unit that can do nothing says why only once.
function doneLine(reasons) {
  const [, , why] = reasons.find(([, , it]) => it.rule) ?? reasons[0];
  return h("p", { class: "quiet", testid: "done-unit" }, capital(why.why), " ", why.rule && whyLink(why.rule));
}

const reasonLine = ([name, title, { why, rule }]) =>
  h("li", { testid: `barred-${name}` }, [h("b", {}, `${title}:`), ` ${why} `, rule && whyLink(rule)]);

function orderDock(context) {
  const { draft, picture } = context;
  const { unit, deed } = draft;
  const action = chosenAction(context);
  const how = [
    headline(tOf("defenders.deed", deed), h("small", {}, ` ${unitName(unit)}`)),
    h("p", {}, tOf("defenders.how", deed, { unit: unitWord(unit) })),
    choices(context).size > 0 &&
      handHint(picture, STEPS.has(deed) ? t("defenders.how.carry") : t("defenders.how.wand")),
    STEPS.has(deed) && screenHint(picture, picture.view.units[unit], choices(context)),
  ];
  return actionPanel(how, {
    foot: confirmRow(context, action ? confirmLabel(action) : t("defenders.sure.none"), action, { unit }),
  });
}

// The way back to the draft `before`, and the button that sends the action.
const confirmRow = ({ seat, redraft }, label, action, before) => [
  button(t("menu.back"), "deed-back", () => redraft(before)),
  actionButton(seat, label, "confirm", action, { class: "main" }),
];

const deedLabel = (deed) => [icon(ICONS[deed]), h("b", {}, tOf("defenders.deed", deed))];

const deedButton = (context, deed, why) =>
  deedCell(deedLabel(deed), `deed-${deed}`, why, () => beginDeed(context, deed));

// The same as the squad's button, shown with each of its units.
const intelDeed = (context, squad) =>
  !whyNoIntel(context, squad) &&
  deedCell(deedLabel("intel"), "deed-intel", null, () => context.redraft({ squad, back: context.draft.unit }));

// A squad's specialist and why it can't be used now; null if it can never be.
function abilityOf(context, squad) {
  const special = context.picture.view.specialists[squad];
  const terms = special && termsOf(context, special.card);
  return terms?.how ? { squad, ...special, title: terms.title, why: whyNoAbility(context, squad) } : null;
}

function abilityDeed(context, { squad, card, uses, title, why }) {
  const label = [art(card, "in-line"), h("b", {}, title), h("small", {}, tOf("defenders.uses", uses))];
  return deedCell(label, "deed-special", why, () => context.redraft({ special: squad, back: context.draft.unit }));
}

const deedCell = (label, testid, why, onclick) =>
  button(label, testid, onclick, { class: "deed", disabled: Boolean(why) });

// An attack has no choices and happens at once; a sweep starts with its most likely spaces.
function beginDeed(context, deed) {
  const { unit } = context.draft;
  const actions = legalOf(context, deed, unit);
  if (deed === "attack") return context.seat.act(actions[0]);
  context.redraft({ unit, deed, spaces: deed === "sweep" ? [...actions[0].spaces] : [] });
}

// Returns why a unit can't do something on this device; null if it can.
function whyBarred({ picture, seat, leader }, unit, deed) {
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
    return [...choices(context)].map((space) => {
      const chosen = draft.spaces.includes(space);
      return choiceLight(space, chosen, chosen ? t("defenders.light.chosen") : lightOf(picture, draft.deed, space));
    });
  }
  const units = Object.entries(picture.view.units).filter(([unit, space]) => space && !leader(squadOf(unit)));
  return [
    ...units.map(([unit, space]) => ({
      space,
      kind: `unit-space ${draft.unit === unit ? "picked" : ""}`,
      on: picture.legal.some((action) => action.unit === unit) ? "units" : null,
      label: t("defenders.light.unit", { unit: unitWord(unit) }),
    })),
    ...moves(context).map(({ to }) => ({ space: to, kind: "choice", label: lightOf(picture, "move", to) })),
  ];
}

// The moves of the selected unit, which can be made without choosing an action first.
const moves = (context) =>
  context.draft.unit && !context.draft.deed ? legalOf(context, "move", context.draft.unit) : [];

function lightOf(picture, deed, space) {
  const label = tOf("defenders.light", deed);
  return STEPS.has(deed) && withoutSensor(picture, [space]).length ? t("defenders.light.manual", { label }) : label;
}

// A tap on a unit selects it. A tap on a lit space moves there at once, because a move can be taken back, or spots at
// once. For other actions a tap selects a space, and a second tap confirms.
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

// Returns the unit on a space if this device can move it now.
function movableUnit(context, space) {
  const { units } = context.picture.view;
  const unit = Object.keys(units).find((it) => units[it] === space && !context.leader(squadOf(it)));
  return unit && legalOf(context, "move", unit).length ? unit : null;
}

// Sends a dragged unit to a space if it can move there.
function drop(context, unit, space) {
  const move = legalOf(context, "move", unit).find(({ to }) => to === space);
  if (move) return context.seat.act(move);
  if (space !== context.picture.view.units[unit]) toast(t("defenders.drag.not", { unit: unitWord(unit), space }));
  return null;
}

function pick(context, space) {
  const { draft, picture, redraft } = context;
  if (draft.deed && choices(context).has(space))
    return redraft({ ...draft, spaces: pickedSpaces(draft, space, context) });
  const unit = Object.keys(picture.view.units).find((it) => picture.view.units[it] === space);
  if (unit) redraft({ unit });
  else if (draft.deed) redraft({ unit: draft.unit });
}

function pickedSpaces({ deed, spaces }, space, context) {
  if (deed !== "sweep") return [space];
  if (spaces.includes(space)) return spaces.filter((it) => it !== space);
  const most = legalOf(context, "sweep", context.draft.unit)[0].spaces.length;
  return [...spaces, space].slice(-most);
}

// --- words ------------------------------------------------------------------------------------------------------

const confirmLabel = ({ type, unit, spaces = [], ...where }) =>
  tOf("defenders.sure", type, { ...where, unit: unitWord(unit), spaces: list(spaces) });

// --- squads -----------------------------------------------------------------------------------------------------

function squadCard(context, squad, playing) {
  const { picture, leader, words } = context;
  const { left, intel: asked } = picture.view.squads[squad];
  const device = leader(squad);
  const special = picture.view.specialists[squad];
  const told = special && words && words.specialists[special.card];
  return h("article", { class: `squad ${squad} ${device ? "foreign" : ""}`, testid: `squad-${squad}` }, [
    h("header", {}, h("h3", {}, tOf("squad", squad)), cubes(left, asked), leaderLine(context, squad)),
    unitRows(context, squad, playing && left === 0),
    playing && intelButton(context, squad),
    playing && told && useButton(context, squad, special.card),
    told &&
      h("details", { class: "special" }, [
        h("summary", {}, [
          art(special.card, "in-line"),
          ` ${told.title} `,
          h("small", {}, tOf("defenders.uses", special.uses)),
        ]),
        h("p", {}, told.text),
        special.suppression && h("p", {}, t("defenders.suppression")),
      ]),
  ]);
}

// The units of a squad that has no actions left are folded away.
function unitRows(context, squad, spent) {
  const rows = h("div", { class: "units" }, [MEMBERS.map((member) => unitRow(context, `${squad}-${member}`))]);
  const open = Boolean(context.draft.unit) && squadOf(context.draft.unit) === squad;
  return spent ? h("details", { class: "spent", open }, h("summary", {}, t("defenders.spent")), rows) : rows;
}

// Why a squad can't gather intel, or use its specialist, on this device; null if it can.
const whyNoIntel = ({ picture, seat, leader }, squad) => withheld(seat, leader(squad), picture.foresight.intel[squad]);
const whyNoAbility = ({ picture, seat, leader }, squad) =>
  withheld(seat, leader(squad), picture.foresight.specialists[squad]);

function intelButton(context, squad) {
  const label = tOf("defenders.deed", "intel");
  const chosen = context.draft.squad === squad;
  return squadButton(label, `intel-${squad}`, whyNoIntel(context, squad), chosen, () => context.redraft({ squad }));
}

function useButton(context, squad, card) {
  const label = [art(card, "in-line"), " ", t("defenders.use", { specialist: termsOf(context, card).title })];
  const chosen = context.draft.special === squad;
  return squadButton(label, `ability-${squad}`, whyNoAbility(context, squad), chosen, () =>
    context.redraft({ special: squad }),
  );
}

const squadButton = (label, testid, why, chosen, onclick) =>
  h("div", { class: "ability-line" }, [
    button([label, why && h("small", {}, why.why)], testid, onclick, {
      class: "small ability",
      disabled: Boolean(why),
      "aria-pressed": chosen,
    }),
    why?.rule && whyLink(why.rule),
  ]);

function cubes(left, asked) {
  const label = asked ? tOf("defenders.left", "intel") : tOf("defenders.left", left);
  return h("span", { class: "cubes", role: "img", "aria-label": label }, [
    [0, 1].map((i) => h("i", { class: i < left ? "cube on" : "cube" })),
    asked && h("em", {}, label),
  ]);
}

function unitRow({ picture, draft, redraft, leader }, unit) {
  const chosen = draft.unit === unit;
  const props = { "aria-pressed": chosen, disabled: Boolean(leader(squadOf(unit))) };
  const place = h("span", { class: "at" }, picture.view.units[unit] || t("defenders.off"));
  return unitButton(unit, { testid: `unit-${unit}`, onclick: () => redraft(chosen ? {} : { unit }), ...props }, place);
}

function intelDock(context) {
  const { squad: name, back } = context.draft;
  const squad = tOf("squad", name);
  const action = context.picture.legal.find((it) => it.type === "intel" && it.squad === name);
  return actionPanel(
    [
      headline(t("defenders.intel.of", { squad })),
      h("p", {}, t("defenders.how.intel", { sector: tOf("sector", name) })),
    ],
    { foot: confirmRow(context, t("defenders.sure.intel", { squad }), action, { unit: back }) },
  );
}

// Asks for confirmation if something would be lost: actions that a squad can still do, specialists before time runs out,
// or a specialist that could act where the sniper is seen.
async function confirmEnd(context) {
  const lost = [unspentText(context), unusedText(context)].filter(Boolean).join(" ");
  if (lost && !(await confirmed(t("defenders.end.title"), lost, t("defenders.end.yes"), t("defenders.end.no")))) return;
  context.seat.act({ type: "end-turn" });
}

function unspentText({ picture: { view, legal } }) {
  const able = new Set(legal.map(({ unit, squad }) => (unit ? squadOf(unit) : squad)));
  const unspent = SQUADS.filter((squad) => view.squads[squad].left > 0 && able.has(squad));
  const counted = unspent.map((squad) =>
    t("defenders.end.count", { squad: tOf("squad", squad), number: view.squads[squad].left }),
  );
  return counted.length > 0 && t("defenders.end.unspent", { squads: list(counted) });
}

function unusedText({ picture: { view, legal }, words }) {
  const uses = legal.filter(({ type, use }) => type === "ability" || use);
  const worth = uses.filter(({ space }) => view.countdown <= 1 || (space && space === view.sniper.miniature));
  const squads = new Set(worth.map((it) => it.squad ?? squadOf(it.unit)));
  const titles = [...squads].map(
    (squad) => words?.specialists[view.specialists[squad].card].title ?? tOf("squad", squad),
  );
  return titles.length > 0 && t("defenders.end.unused", { specialists: list(titles) });
}
