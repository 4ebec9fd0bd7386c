// The sniper's loadout cards in hand: which can be played, why not, and what playing one gives away.

import { cardOf } from "./nest.js";
import { unitButton, unitName } from "./parts.js";
import { art } from "/static/art.js";
import { whyLink } from "/static/reasons.js";
import { t } from "/static/texts.js";
import { button, confirmed, h } from "/static/ui.js";

export const DISTRACTION = "distraction";

const ways = ({ picture }, card) => picture.legal.filter((action) => action.type === "play" && action.card === card);

const wordsOf = ({ words }, card) => cardOf(words, card) || { title: card, text: "", gives: "" };

// One card of the hand: text, button, and the reason why it cannot be played now.
export function heldCard(context, card, copies) {
  const { picture, seat } = context;
  const words = wordsOf(context, card);
  const { why, rule } = (picture.foresight.cards || []).find((it) => it.card === card) || {};
  const open = ways(context, card).length > 0;
  return h(
    "li",
    { class: "card", "data-testid": `card-${card}` },
    art(card),
    h("b", {}, words.title, copies > 1 && h("small", {}, t("sniper.hand.copies", { number: copies }))),
    h("p", {}, words.text),
    open &&
      button(t("sniper.play"), `play-${card}`, () => use(context, card), { class: "small", disabled: !seat.ready }),
    !open && why && h("p", { class: "why", "data-testid": `why-${card}` }, why, " ", rule && whyLink(rule)),
  );
}

// The cards that can be played now, as a row beside the other acts.
export function handRow(context) {
  const { picture, seat } = context;
  const cards = [...new Set(picture.legal.filter(({ type }) => type === "play").map(({ card }) => card))];
  if (!cards.length) return null;
  return h(
    "ul",
    { class: "targets hand", "aria-label": t("sniper.hand") },
    cards.map((card) =>
      h(
        "li",
        {},
        button(
          [art(card, "in-line"), " ", h("b", {}, t("sniper.play")), ` ${wordsOf(context, card).title}`],
          `quick-${card}`,
          () => use(context, card),
          { class: "small", disabled: !seat.ready },
        ),
      ),
    ),
  );
}

// The card that was played this turn and still changes something.
export function inPlay(context) {
  const { active } = context.picture.view.sniper;
  if (!active) return null;
  const { title, text } = wordsOf(context, active);
  return h("p", { class: "in-play", "data-testid": "in-play" }, art(active, "in-line"), " ", h("b", {}, title), ` ${text}`);
}

async function use(context, card) {
  if (card === DISTRACTION) return context.redraft({ card });
  const { title, text, gives } = wordsOf(context, card);
  const { now, wasted } = (context.picture.foresight.cards || []).find((it) => it.card === card) || {};
  const sure = await confirmed(
    t("sniper.play.sure", { card: title }),
    [art(card), text, now && h("b", { class: wasted ? "wasted" : "now", "data-testid": "card-now" }, now), h("span", {}, gives)],
    t("sniper.play.yes"),
    t("menu.back"),
  );
  if (sure) context.seat.act({ type: "play", card });
}

// --- distraction ------------------------------------------------------------------------------------------------

// A unit, then where it goes; only the button sends it.
export function distracting(context) {
  const { picture, draft, redraft } = context;
  const actions = ways(context, DISTRACTION);
  const units = [...new Set(actions.map(({ unit }) => unit))];
  const mine = actions.filter(({ unit }) => unit === draft.unit);
  const at = (space) => units.find((unit) => picture.view.units[unit] === space);
  return {
    dock: () => (draft.unit ? drawTo(context, mine) : drawWhom(context, units)),
    offers: () => [
      ...units.map((unit) => ({
        space: picture.view.units[unit],
        kind: unit === draft.unit ? "unit-space picked" : draft.unit ? "unit-space" : "choice",
        label: t("sniper.distract.unit", { unit: unitName(unit) }),
      })),
      ...mine.map(({ to }) => ({
        space: to,
        kind: to === draft.to ? "choice picked" : "choice",
        label: t("sniper.distract.here"),
      })),
    ],
    tap: (space) => {
      if (mine.some(({ to }) => to === space)) return redraft({ ...draft, to: space });
      if (at(space)) redraft({ card: DISTRACTION, unit: at(space) });
    },
  };
}

function drawWhom({ picture, redraft }, units) {
  return [
    h("p", { class: "headline", "data-testid": "headline" }, t("sniper.distract")),
    h(
      "div",
      { class: "units" },
      units.map((unit) =>
        unitButton(
          unit,
          { "data-testid": `distract-${unit}`, onclick: () => redraft({ card: DISTRACTION, unit }) },
          h("span", { class: "at" }, picture.view.units[unit]),
        ),
      ),
    ),
    button(t("menu.back"), "play-back", () => redraft({})),
  ];
}

function drawTo(context, mine) {
  const { draft, seat, redraft } = context;
  const action = mine.find(({ to }) => to === draft.to);
  const unit = unitName(draft.unit);
  return [
    h("p", { class: "headline", "data-testid": "headline" }, t("sniper.distract.where", { unit })),
    h("p", { class: "quiet" }, wordsOf(context, DISTRACTION).gives),
    h(
      "div",
      { class: "row" },
      button(t("menu.back"), "play-back", () => redraft({ card: DISTRACTION })),
      button(
        action ? t("sniper.distract.sure", { unit, to: draft.to }) : t("defenders.sure.none"),
        "confirm-play",
        () => seat.act(action),
        { class: "main", disabled: !action || !seat.ready },
      ),
    ),
  ];
}
