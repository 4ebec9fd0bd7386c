// A player's turn: choose a marker, what it does, and where; read what follows; confirm. The map and the panel show the
// same choices.

import { actionButton } from "/static/frame.js";
import { actionPanel, endButton } from "/static/panel.js";
import { whyLink } from "/static/reasons.js";
import { choiceLight, line } from "/static/scene.js";
import { capital, list, t, tOf } from "/static/texts.js";
import { button, chips, confirmed, h, headline, icon, svg } from "/static/ui.js";
import { actsOf, DEEDS, deedsOf, applyAnswers } from "./acts.js";
import { badge, kindOf, KINDS, markerOf, minePiece } from "./pieces.js";
import { standingLine } from "./players.js";
import { resultOf } from "./recent.js";

const ICONS = {
  move: "M4 12h14M13 6l6 6-6 6",
  shoot: "M12 3v5M12 16v5M3 12h5M16 12h5M12 6a6 6 0 1 0 .1 0",
  leap: "M3 18c1-7 6-7 7-1 1-7 7-8 9-2M19 19v-5h-5",
  mine: "M12 9a5 5 0 1 0 .1 0M12 9V5M8 3h8M5 14H2M22 14h-3",
  claymore: "M4 9c5-3 11-3 16 0v6H4ZM7 15v5M17 15v5M8 4v2M12 3v2M16 4v2",
  hold: "M7 5v14M17 5v14",
};

const markerName = (id) => tOf("unit", id);

// A turn as seen by the page: `context` has the picture, the draft, the seat, and `redraft`.
export function turnPart(context) {
  const { picture, draft } = context;
  const { view } = picture;
  const acts = actsOf(picture);
  const ready = KINDS.filter((kind) => acts.some((it) => it.marker === kind && it.deed !== "hold"));
  const marker = draft.marker ?? (ready.length === 1 ? ready[0] : null);
  const turn = { ...context, view, acts, ready, marker, draft: { deed: "move", ...draft, marker } };
  if (marker && !canDo(turn, turn.draft.deed)) turn.draft.deed = firstDeed(turn);
  turn.found = marker ? applyAnswers(acts, turn.draft) : null;
  return {
    dock: () => dock(turn),
    offers: () => offers(turn),
    tap: (space) => tap(turn, space),
    draw: (map) => draw(turn, map),
    // Until a marker is chosen, everything that either can reach.
    places: () =>
      [
        ...(marker ? [spaceOfKind(turn, marker)] : acts.map(({ to }) => to)),
        ...offers(turn).map(({ space }) => space),
      ].filter(Boolean),
    carries: (space) => KINDS.map((kind) => markerOf(view.turn, kind)).find((id) => canCarry(turn, id, space)) ?? null,
    drop: (id, space) => tap(turnWith(context, kindOf(id)), space),
  };
}

// The turn as if this marker had been chosen.
const turnWith = (context, marker) => {
  const acts = actsOf(context.picture);
  const turn = { ...context, view: context.picture.view, acts, marker, draft: { marker, deed: "move" } };
  return { ...turn, found: applyAnswers(acts, turn.draft) };
};

const spaceOfKind = ({ view }, kind) => view.players[view.turn][kind];
const canDo = ({ acts, marker }, deed) => acts.some((it) => it.marker === marker && it.deed === deed);
const firstDeed = (turn) =>
  deedsOf(turn.acts, turn.marker).find(([deed, can]) => can && deed !== "hold")?.[0] ?? "move";
const canCarry = (turn, id, space) =>
  spaceOfKind(turn, kindOf(id)) === space && turn.acts.some((it) => it.marker === kindOf(id) && it.deed === "move");

// --- the panel --------------------------------------------------------------------------------------------------

function dock(turn) {
  const parts = { report: turn.news(), foot: endButtons(turn) };
  const result = resultOf(turn.picture);
  if (!turn.marker) return actionPanel([headline(turnText(turn)), markerButtons(turn), result, ...turn.race()], parts);
  if (turn.found.act) return actDock(turn);
  const ask = turn.found.left.length > 0 && h("p", { class: "ask", testid: "ask" }, question(turn));
  const near = standingLine(turn.picture, turn.seat.name, true);
  return actionPanel(
    [markerButtons(turn), deedButtons(turn), wayChips(turn), ask, near, result, reasonLines(turn)],
    parts,
  );
}

const turnText = ({ ready }) => (ready.length ? t("sa.choose") : t("sa.done"));

function markerButtons(turn) {
  const { view, marker, redraft, ready } = turn;
  return h("div", { class: "racers" }, [
    KINDS.map((kind) => {
      const id = markerOf(view.turn, kind);
      const acted = view.acted.includes(kind);
      const state = acted ? t("sa.acted") : ready.includes(kind) ? spaceOfKind(turn, kind) : t("sa.rests");
      const props = { class: "racer-button", "aria-pressed": marker === kind, disabled: acted };
      const label = [badge(id), h("b", {}, markerName(id)), h("small", {}, state)];
      return button(label, `marker-${kind}`, () => redraft(marker === kind ? {} : { marker: kind }), props);
    }),
  ]);
}

const deedList = ({ acts, marker }) => deedsOf(acts, marker).filter(([deed, can]) => can || deed !== "claymore");

const deedButtons = (turn) =>
  h("div", { class: "deeds" }, [deedList(turn).map(([deed, can]) => deedButton(turn, deed, can))]);

// Why some deeds can't be done, each reason once.
function reasonLines(turn) {
  const all = deedList(turn);
  const barred = all
    .filter(([deed, can]) => !can && deed !== "hold")
    .map(([deed]) => [deed, reasonAgainst(turn, deed)]);
  const rules = new Set(barred.map(([, why]) => why?.why).filter(Boolean));
  return [...rules].map((sentence) => {
    const same = barred.filter(([, why]) => why?.why === sentence);
    const names = capital(list(same.map(([deed]) => tOf("sa.deed", deed))));
    return h("p", { class: "quiet why-not", testid: `why-${same[0][0]}` }, [
      h("b", {}, `${names}:`),
      ` ${sentence} `,
      whyLink(same[0][1].rule),
    ]);
  });
}

const deedButton = ({ draft, redraft, marker }, deed, can) =>
  button([icon(ICONS[deed]), h("b", {}, tOf("sa.deed", deed))], `deed-${deed}`, () => redraft({ marker, deed }), {
    class: "deed",
    disabled: !can,
    "aria-pressed": draft.deed === deed,
  });

// Of several reasons one that isn't about a card: other ways of a deed need the card, or need that it is missing.
function reasonAgainst({ picture: { foresight }, marker }, deed) {
  const all = DEEDS[marker][deed].map((type) => foresight?.[type]).filter((it) => it?.why);
  return all.find(({ rule }) => !rule.startsWith("SA-IMP")) ?? all[0];
}

const question = (turn) => {
  const asked = `${turn.draft.deed}-${turn.found.open}`;
  return tOf("sa.ask", asked === "move-to" && tapTargets(turn).length ? "move-or-shoot" : asked);
};

// The targets on one space, the ways of a deed, and moving onto a marker that was tapped.
function wayChips(turn) {
  const { draft, found, redraft, view, marker } = turn;
  const here = draft.at ? (found.choices.target ?? []).filter((id) => spaceOf(view, id) === draft.at) : [];
  const targets = here.length > 1 ? here.map((id) => [id, `target-${id}`, markerName(id)]) : [];
  const all = (found.choices.way ?? []).map((it) => [it, `way-${it}`, wayText(it)]);
  const onto = canMoveOnto(turn) ? [["onto", "move-onto", t("sa.onto", { space: draft.at })]] : [];
  const choiceOffers = all.length + onto.length > 1 ? [...all, ...onto] : [];
  const set = (way) =>
    redraft(
      way === "onto" ? { marker, deed: "move", to: draft.at } : { ...draft, way, to: undefined, mine: undefined },
    );
  return [
    targets.length > 0 &&
      row(chips(t("sa.targets"), targets, draft.target ?? null, (target) => redraft({ ...draft, target }))),
    choiceOffers.length > 0 && row(chips(t("sa.ways"), choiceOffers, draft.way ?? found.left[0]?.way, set)),
  ];
}

const wayText = (name) => [h("b", {}, tOf("sa.way", name)), h("small", {}, tOf("sa.way.more", name))];

const row = (all) => h("div", { class: "racer-ways" }, all);

const canMoveOnto = ({ acts, marker, draft: { deed, at } }) =>
  deed === "shoot" && acts.some((it) => it.marker === marker && it.deed === "move" && it.to === at);

// What follows from the chosen act, and the button that does it.
function actDock(turn) {
  const { draft, found, redraft, seat, marker } = turn;
  const { act } = found;
  const back = () => redraft(draft.deed === "move" ? { marker } : stepBack(draft));
  const follows = act.outlook.length ? act.outlook : [t("sa.nothing-follows")];
  return actionPanel(
    [
      headline(
        h("span", { class: "chosen-act" }, badge(markerOf(turn.view.turn, marker)), h("span", {}, actText(act))),
      ),
      wayChips(turn),
      h("ul", { class: "outlook-list", testid: "outlook" }, [follows.map((sentence) => h("li", {}, sentence))]),
      found.choices.to?.length > 1 && h("p", { class: "ask" }, t("sa.change")),
    ],
    {
      foot: [
        button(t("sa.back"), "deed-back", back),
        actionButton(seat, tOf("sa.confirm", act.deed), "confirm", act.action, { class: "main" }),
      ],
    },
  );
}

const stepBack = ({ marker, deed, to, mine, target }) =>
  (mine ?? to ?? target) === undefined ? { marker } : { marker, deed };

// An act in words.
function actText({ action, way, target, to, mine }) {
  const values = { to, mine, target: target && markerName(target) };
  const manner = action.mine ? `${way}-${action.type}` : way;
  return tOf("sa.act", `${manner}${target ? "-at" : ""}`, {
    ...values,
    marker: action.marker && markerName(action.marker),
  });
}

function endButtons({ picture, ready, acts, seat }) {
  const back = Boolean(picture.undo || picture.take_back);
  const left = KINDS.filter((kind) => ready.includes(kind) && acts.some((it) => it.marker === kind));
  return [
    back && actionButton(seat, t("sa.take-back"), "take-back", { type: "take-back" }, { class: "small" }),
    endButton(t("sa.end-turn"), "end-turn", ready.length === 0, () => confirmEnd(seat, left), {
      disabled: !seat.ready,
    }),
  ];
}

// Asks first if a marker could still act.
async function confirmEnd(seat, left) {
  const names = capital(list(left.map((kind) => tOf("sa.own", kind))));
  const lost = left.length > 0 && t("sa.end.left", { markers: names, number: left.length });
  if (lost && !(await confirmed(t("sa.end.title"), lost, t("sa.end-turn"), t("sa.end.no")))) return;
  seat.act({ type: "end-turn" });
}

// --- the map ----------------------------------------------------------------------------------------------------

const spaceOf = (view, id) => view.players[`player-${id.split("-")[1]}`][kindOf(id)];

function offers(turn) {
  const { view, marker, acts } = turn;
  const own = KINDS.filter((kind) => acts.some((it) => it.marker === kind)).map((kind) => [
    spaceOfKind(turn, kind),
    {
      kind: `unit-space ${marker === kind ? "picked" : ""}`,
      on: "units",
      label: markerName(markerOf(view.turn, kind)),
    },
  ]);
  const found = new Map(
    [...own, ...(marker ? choices(turn) : [])].map(([space, offer]) => [space, { space, ...offer }]),
  );
  return [...found.values()];
}

// The spaces to choose: ends, targets, mines. Later ones are on top.
function* choices(turn) {
  const { found } = turn;
  const ends = found.open === "target" ? [] : (found.choices.to ?? []);
  for (const to of ends) yield [to, choiceLight(to, to === found.act?.to, t("sa.light.to"))];
  for (const id of tapTargets(turn)) {
    const space = spaceOf(turn.view, id);
    if (!endsOn(turn, space)) yield [space, makeOffer("target", t("sa.light.target", { marker: markerName(id) }))];
  }
  const mines = found.choices.to && found.choices.mine ? found.choices.mine : [];
  for (const space of mines) yield [space, makeOffer("mine-space", t("sa.light.mine"))];
}

// Whether the chosen act ends on this space, whatever stands there.
const endsOn = ({ found, draft }, space) => found.act?.to === space && draft.to === space;

// Whom a tap can shoot at: also while the Sniper is being moved.
const tapTargets = ({ draft, found, acts, marker }) =>
  draft.deed === "move" ? shotTargets(acts, marker) : (found.choices.target ?? []);

const makeOffer = (kind, label) => ({ kind, label, on: "choices" });

const shotTargets = (acts, marker) => [
  ...new Set(acts.filter((it) => it.marker === marker && it.deed === "shoot").map(({ target }) => target)),
];

// A tap answers the open question, or changes an answer. A second tap on the same space confirms. On a marker that can
// be shot at, it begins the shot; the panel then offers to move there instead.
function tap(turn, space) {
  const { draft, found, redraft, marker, seat } = turn;
  if (!found) return chooseMarker(turn, space);
  if (found.act && draft.deed === "shoot" && draft.at === space && draft.target) return seat.act(found.act.action);
  const { mine = [], to = [] } = found.choices;
  const there = tapTargets(turn).filter((id) => spaceOf(turn.view, id) === space);
  if (there.length && !endsOn(turn, space)) {
    const target = there.length === 1 ? there[0] : undefined;
    return redraft({ marker, deed: "shoot", target, at: space });
  }
  if (found.open === "target") return chooseMarker(turn, space);
  if (mine.includes(space) && draft.to !== undefined) return redraft({ ...draft, mine: space });
  return to.includes(space) ? moveTo(turn, space) : chooseMarker(turn, space);
}

// A move without consequences is made at once, because it can be taken back.
function moveTo({ draft, found, redraft, seat, acts }, space) {
  if (found.act && draft.to === space) return seat.act(found.act.action);
  const next = { ...draft, to: space, mine: undefined };
  const { act } = applyAnswers(acts, next);
  if (draft.deed === "move" && act && !act.outlook.length) return seat.act(act.action);
  return redraft(next);
}

// Chooses the marker on a space; of two on the same space the other one.
function chooseMarker(turn, space) {
  const { view, marker, redraft, acts } = turn;
  const here = KINDS.filter(
    (kind) => view.players[view.turn][kind] === space && acts.some((it) => it.marker === kind && it.deed !== "hold"),
  );
  const next = here.find((kind) => kind !== marker);
  return redraft(next ? { marker: next } : {});
}

function draw(turn, map) {
  const act = turn.found?.act;
  map.draw("lines", [act?.action, turn.revision], () => act && actMarks(turn, map, act));
}

// The chosen act on the map: its way, its shot, its mine.
function actMarks(turn, map, { target, to, mine, way }) {
  const [from, end, aim] = [spaceOfKind(turn, turn.marker), to, target && spaceOf(turn.view, target)].map((at) =>
    map.spot(at),
  );
  const middle = from && end && { x: (from.x + end.x) / 2, y: (from.y + end.y) / 2 };
  const muzzle = { "shoot-move": from, "d-fast-1": middle }[way] ?? end;
  return [
    end && end !== from && line("way quiet", spots(from, end)),
    aim && line("sight", spots(muzzle, aim)),
    mine && map.on(mine, svg("g", { class: "ghost", "data-plan": "mine" }, minePiece(turn.view.turn))),
  ];
}

const spots = (...all) => all.map(({ x, y }) => [x, y]);
