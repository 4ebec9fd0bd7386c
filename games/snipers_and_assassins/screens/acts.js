// The legal acts of a turn as questions: which marker, what it does, and then a target, a way, a space, a mine. Nothing
// here knows a rule: what can be chosen, and what follows, comes with the picture.

import { namesIn } from "/static/texts.js";
import { kindOf } from "./pieces.js";

const SNIPER = new Set(["a", "b-walk", "b-jump", "c-walk", "c-jump", "d1", "d2", "d-continue", "d-fast"]);
const ASSASSIN = new Set(["walk", "jump", "plant", "claymore"]);
// Without a shot these are the same as options C.
const LIKE_C = new Set(["b-walk", "b-jump"]);
const DOUBLE = new Set(["d1", "d2", "d-fast"]);

// What a marker can do, in the order of the buttons, and the types whose reasons tell why not.
export const DEEDS = {
  sniper: { move: ["c-walk", "d-continue"], shoot: ["a"], leap: ["d-fast", "d1", "d2"], hold: ["hold"] },
  assassin: { move: ["walk"], mine: ["plant", "walk"], claymore: ["claymore"], hold: ["hold"] },
};

// The questions of each deed, in order. Targets, spaces and mines are chosen on the map, ways in the panel.
const ASKS = {
  move: ["to"],
  shoot: ["target", "way", "to"],
  leap: ["way", "to"],
  mine: ["way", "to", "mine"],
  claymore: [],
  hold: [],
};

function deedOf(action) {
  if (action.type === "hold" || action.type === "claymore") return action.type;
  if (action.target) return "shoot";
  if (action.type === "plant" || action.mine) return "mine";
  return DOUBLE.has(action.type) ? "leap" : "move";
}

// How an act is done, among others that lead to the same end.
function wayOf(action) {
  if (action.type === "a") return action.order;
  if (action.type === "d-fast") return `d-fast-${action.option}`;
  return action.mine?.when ?? action.type;
}

// Returns the acts of a picture: the `action` to send, its `marker` and `deed`, the answers that lead to it, and the
// sentences about what follows (`outlook`).
export function actsOf({ legal, foresight, view, seats }) {
  const numbers = {};
  const named = namesIn(seats);
  const found = legal.map((action) => {
    const number = (numbers[action.type] = (numbers[action.type] ?? -1) + 1);
    return {
      action,
      marker: action.marker ? kindOf(action.marker) : SNIPER.has(action.type) ? "sniper" : "assassin",
      deed: deedOf(action),
      target: action.target ?? null,
      way: wayOf(action),
      to: action.type === "plant" ? view.players[view.turn].assassin : (action.to ?? null),
      mine: action.mine?.space ?? (action.type === "plant" ? action.space : null),
      outlook: (foresight?.[action.type]?.outlook?.[number] ?? []).map(named),
    };
  });
  return found.filter(({ action }) => isShown(action));
}

const isShown = (action) =>
  (SNIPER.has(action.type) || ASSASSIN.has(action.type) || action.type === "hold") &&
  (action.target || !LIKE_C.has(action.type));

// Returns the deeds that a marker has, with whether it can do them now.
export const deedsOf = (acts, marker) =>
  Object.keys(DEEDS[marker]).map((deed) => [deed, acts.some((it) => it.marker === marker && it.deed === deed)]);

// Goes through the questions with the answers of a draft: the acts that are left, the question that is open (null if
// none), the choices at each question, and the one act that remains. A way is never asked: the first one is proposed.
export function applyAnswers(acts, { marker, deed, ...answers }) {
  let left = acts.filter((it) => it.marker === marker && it.deed === deed);
  const choices = {};
  for (const ask of ASKS[deed] ?? []) {
    choices[ask] = [...new Set(left.map((it) => it[ask]))];
    const given = choices[ask].includes(answers[ask]) ? answers[ask] : propose(ask, deed, choices[ask], left);
    if (given === undefined) return { left, open: ask, choices, act: null };
    left = left.filter((it) => it[ask] === given);
  }
  return { left, open: null, choices, act: left[0] ?? null };
}

function propose(ask, deed, choices, left) {
  if (choices.length === 1 || ask === "way") return choices[0];
  // A shot is proposed where the Sniper stands, or at the first end.
  return ask === "to" && deed === "shoot" ? left[0].to : undefined;
}
