// The sniper's turn: planning a route step by step, aiming, and all actions with one button. The picture says what is
// possible and what it gives away; the screen computes no rules.

import { HARROW, gearSteps } from "./nest.js";
import { reportOf, resultLine, siteOf, unitList } from "./parts.js";
import { DISTRACTION, distractPart, handRow, inPlay } from "./sniper-cards.js";
import { goalsLeft } from "./sniper-parts.js";
import { aimDraft, aimPart, shotRow, sweepButton, targetOffers } from "./sniper-shot.js";
import { actionButton } from "/static/frame.js";
import { actionGrid, actionPanel, endButton } from "/static/panel.js";
import { list, t, tOf } from "/static/texts.js";
import { button, confirmed, h, headline } from "/static/ui.js";

export function turnPart(context) {
  if (context.draft.card === DISTRACTION) return distractPart(context);
  return context.draft.target ? aimPart(context) : routePart(context);
}

const legalOf = ({ picture }, type) => picture.legal.filter((action) => action.type === type);

const startsWith = (path, start) => start.every((space, i) => path[i] === space);

// --- the way ----------------------------------------------------------------------------------------------------

function routePart(context) {
  const { picture, draft, redraft } = context;
  const { view, foresight } = picture;
  const path = draft.path || [];
  const moves = foresight.moves || [];
  const shots = foresight.shots || [];
  const plan = moves.find((move) => move.path.length === path.length && startsWith(move.path, path));
  const here = view.sniper.space || context.map.entries?.get(view.entry);
  const extend = (space) => {
    if (path.includes(space))
      return redraft({ path: path.slice(0, path.indexOf(space) + (path.at(-1) === space ? 0 : 1)) });
    const way = cheapest(moves, path, space) || cheapest(moves, [], space);
    if (way) return redraft({ path: way.path });
    const shot = shots.find((it) => it.space === space && it.odds.length);
    if (shot) redraft(aimDraft(shot));
  };
  return {
    dock: () => (plan ? routeDock(context, plan) : turnDock(context, shots)),
    offers: () => [...routeOffers(moves, path, isMasked(view)), ...targetOffers(shots)],
    lines: () => ({
      path: plan && [view.sniper.space, ...path].filter(Boolean),
      noisy: plan && isHeard(plan, view),
      steps: plan && plan.steps,
      heard: plan ? [...plan.alerts.map((unit) => view.units[unit]), ...plan.barks] : [],
      blast: foresight.blast || [],
      aims: plan ? [] : shots.filter((shot) => shot.odds.length && shot.line),
    }),
    tap: extend,
    // A finger that starts at the start of the route, or on it, draws it.
    begins: (space) => moves.length > 0 && (space === here || path.includes(space)),
    step: (space) => {
      const steps = drawnTo(space, path, view.sniper.space, moves);
      if (steps) redraft({ path: steps });
    },
  };
}

// A planned route: what it gives away, and the button that confirms it.
function routeDock({ picture: { view }, draft: { path }, seat, redraft, aside }, plan) {
  const look = isHeard(plan, view) ? "main noisy" : "main quiet";
  const way = [view.sniper.space, ...path].filter(Boolean).join(" – ");
  return actionPanel(
    [
      headline(routeText(plan, view)),
      aside?.(),
      h("p", { class: "path", testid: "path" }, way, plan.steps && gearSteps(view, plan)),
    ],
    {
      foot: [
        button(t("sniper.undo"), "undo-step", () => redraft({ path: path.slice(0, -1) })),
        actionButton(seat, t("sniper.confirm"), "confirm-move", { type: "move", path }, { class: look }),
      ],
    },
  );
}

function turnDock(context, shots) {
  const { picture, seat } = context;
  const { view, foresight, undo } = picture;
  const back = undo && actionButton(seat, t("sniper.back.move"), "take-back", { type: "take-back" });
  return actionPanel(
    [
      resultLine(picture.log),
      headline(turnText(view, context)),
      context.aside?.(),
      actButtons(context, shots),
      inPlay(context),
      hintLine(context, foresight.moves || []),
      goalsLeft(context),
    ],
    { report: reportOf(context), foot: [back, endTurnButton(context)] },
  );
}

const isMasked = (view) => view.sniper.active === "sound-masking";

// Whether a route makes noise: none does while Sound Masking is in effect.
const isHeard = (plan, view) => plan.noisy && !isMasked(view);

// Returns the route after the finger reaches `space`. Going back shortens it, and a superfluous step is left out.
// Undefined if no route leads there.
function drawnTo(space, path, here, moves) {
  if (space === here) return [];
  if (path.includes(space)) return path.slice(0, path.indexOf(space) + 1);
  const ways = path.map((_, i) => [...path.slice(0, path.length - i), space]);
  return [...ways, [space]].find((way) => moves.some((move) => startsWith(move.path, way)));
}

function routeText(plan, view) {
  const smelt = plan.barks.length > 0 && ` ${t("sniper.barks", { spaces: list(plan.barks) })}`;
  if (plan.noisy) return [noiseText(plan, view), smelt];
  return [h("b", { class: "quiet-word" }, t("sniper.silent")), smelt || ` ${t("sniper.silent.more")}`];
}

function noiseText({ alerts }, view) {
  if (alerts.length) return t("sniper.noisy", { units: unitList(alerts) });
  return isMasked(view) ? t("sniper.masked") : t("sniper.noisy.none");
}

function turnText(view, context) {
  if (legalOf(context, "move").length)
    return view.sniper.space || !view.entry
      ? t("sniper.yours")
      : t("sniper.entered", { sector: tOf("sector", view.entry) });
  if (view.ally === HARROW && view.sniper.shot) return t("sniper.stays");
  const { objectives, completed, space } = view.sniper;
  const undone = objectives?.find((number) => siteOf(context.map, number)?.id === space);
  if (undone && !completed.includes(undone) && !legalOf(context, "complete").length) return t("sniper.later");
  if (context.picture.legal.some(({ type }) => ["shoot", "loot", "complete", "play"].includes(type)))
    return t(view.sniper.moved ? "sniper.moved" : "sniper.blocked");
  return t("sniper.nothing");
}

function hintLine(context, moves) {
  const { view } = context.picture;
  if (!moves.length || view.sniper.acted || (view.round > 2 && !isMasked(view))) return null;
  return h("p", { class: "legend" }, isMasked(view) ? t("sniper.plan.masked") : t("sniper.plan"));
}

// Returns the shortest route that begins with `start` and ends on `space`; among equals, the one that fewest units
// hear.
function cheapest(moves, start, space) {
  const ways = moves.filter(
    (move) => move.path.at(-1) === space && startsWith(move.path, start) && move.path.length > start.length,
  );
  return ways.sort((a, b) => a.path.length - b.path.length || noticed(a) - noticed(b))[0];
}

const noticed = ({ alerts, barks }) => alerts.length + barks.length;

// Offers every space that the plan can still reach: the next step bright, further ones dimmer, quiet and noisy ones
// apart; no route is noisy if it is `unheard`.
function routeOffers(moves, path, unheard) {
  const found = new Map();
  const quiet = new Set(moves.filter((move) => unheard || !move.noisy).map((move) => move.path.join()));
  for (const space of path) found.set(space, { space, kind: "planned", label: t("sniper.step.planned") });
  for (const move of moves) {
    if (!startsWith(move.path, path)) continue;
    move.path.slice(path.length).forEach((space, i) => {
      const noisy = !quiet.has(move.path.slice(0, path.length + i + 1).join());
      const old = found.get(space);
      if (old && (old.kind === "planned" || old.far <= i)) return;
      found.set(space, {
        space,
        far: i,
        kind: `${noisy ? "noisy" : "quiet"}${i ? " far" : ""}`,
        label: noisy ? t("sniper.step.noisy") : t("sniper.step.quiet"),
      });
    });
  }
  return [...found.values()].map(({ space, kind, label }) => ({ space, kind, label }));
}

// --- the other acts ---------------------------------------------------------------------------------------------

function actButtons(context, shots) {
  const { seat, redraft } = context;
  const disabled = !seat.ready;
  const possible = shots.filter((shot) => shot.odds.length);
  const { objectives, completed } = context.picture.view.sniper;
  const wins = completed.length + 1 === objectives?.length;
  const actButton = (action, title, gives, props = {}) => {
    const label = [h("b", {}, title), h("small", {}, gives)];
    return button(label, action.type, () => confirmAct(context, action, title, gives), { disabled, ...props });
  };
  const others = ["complete", "loot"].flatMap((type) => legalOf(context, type)).length;
  const hand = handRow(context);
  const row = { others, cards: hand ? hand.childElementCount || 1 : 0, most: context.mostButtons };
  return actionGrid(
    legalOf(context, "complete").map((action) =>
      actButton(action, t("sniper.complete", action), t(wins ? "sniper.complete.wins" : "sniper.complete.gives"), {
        class: "main",
      }),
    ),
    legalOf(context, "loot").map((action) => actButton(action, t("sniper.loot"), t("sniper.loot.gives"))),
    sweepButton(context),
    possible.length > 0 && shotRow(possible, (shot) => redraft(aimDraft(shot)), disabled, row),
    hand,
  );
}

// Quiet as long as there is something else to do.
function endTurnButton(context) {
  const last = context.picture.legal.every(({ type }) => type === "end-turn");
  const disabled = !context.seat.ready;
  return legalOf(context, "end-turn").map((action) =>
    endButton(t("sniper.end"), "end-turn", last, () => confirmEnd(context, action), { disabled }),
  );
}

// Asks for confirmation of an action that tells the others something.
async function confirmAct({ seat }, action, title, gives) {
  if (await confirmed(title, gives, title, t("menu.back"))) seat.act(action);
}

// Asks for confirmation if the sniper has not moved, or if actions are left in the last round.
async function confirmEnd(context, action) {
  const { legal, view } = context.picture;
  const last = view.countdown <= 1 && legal.some(({ type }) => type !== "end-turn");
  const lost = [last && t("sniper.end.last"), legalOf(context, "move").length > 0 && t("sniper.end.sure")].filter(
    Boolean,
  );
  if (lost.length && !(await confirmed(t("sniper.end.title"), lost, t("sniper.end"), t("menu.back")))) return;
  context.seat.act(action);
}
