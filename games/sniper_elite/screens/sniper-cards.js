// The sniper's loadout cards: which can be played, why not, and what playing one gives away.

import { cardOf } from "./nest.js";
import { unitButton, unitWord } from "./parts.js";
import { art } from "/static/art.js";
import { actionButton } from "/static/frame.js";
import { actionPanel } from "/static/panel.js";
import { whyLink } from "/static/reasons.js";
import { choiceLight } from "/static/scene.js";
import { t } from "/static/texts.js";
import { button, confirmed, h, headline, quiet } from "/static/ui.js";

// More cards than this are chosen in the drawer.
const MOST_CARDS = 2;

export const DISTRACTION = "distraction";

const playsOf = ({ picture }, card) => picture.legal.filter((action) => action.type === "play" && action.card === card);

const wordsOf = ({ words }, card) => cardOf(words, card) || { title: card, text: "", gives: "" };

// One card of the hand: its text, a button, and the reason if it cannot be played now.
export function heldCard(context, card, copies) {
  const { picture, seat } = context;
  const words = wordsOf(context, card);
  const { why, rule } = (picture.foresight.cards || []).find((it) => it.card === card) || {};
  const open = playsOf(context, card).length > 0;
  return h("li", { class: "card", testid: `card-${card}` }, [
    art(card),
    h("b", {}, words.title, copies > 1 && h("small", {}, t("sniper.hand.copies", { number: copies }))),
    h("p", {}, words.text),
    open &&
      button(t("sniper.play"), `play-${card}`, () => playCard(context, card), {
        class: "small",
        disabled: !seat.ready,
      }),
    !open && why && h("p", { class: "why", testid: `why-${card}` }, why, " ", rule && whyLink(rule)),
  ]);
}

// The cards that can be played now, as a row next to the other actions.
export function handRow(context) {
  const { picture, seat } = context;
  const cards = [...new Set(picture.legal.filter(({ type }) => type === "play").map(({ card }) => card))];
  if (!cards.length) return null;
  if (cards.length > MOST_CARDS)
    return button(t("sniper.play.any", { number: cards.length }), "hand", context.papers, { class: "small" });
  return h("ul", { class: "targets hand", "aria-label": t("sniper.hand") }, [
    cards.map((card) => {
      const title = wordsOf(context, card).title;
      const label = [art(card, "in-line"), h("span", {}, title)];
      const props = { class: "small", disabled: !seat.ready, "aria-label": `${t("sniper.play")} ${title}` };
      const play = () => playCard(context, card);
      return h("li", {}, button(label, `quick-${card}`, play, props));
    }),
  ]);
}

// The card that was played this turn and still has an effect.
export function inPlay(context) {
  const { active } = context.picture.view.sniper;
  if (!active) return null;
  const { title, text } = wordsOf(context, active);
  return h("p", { class: "in-play", testid: "in-play" }, [art(active, "in-line"), " ", h("b", {}, title), ` ${text}`]);
}

async function playCard(context, card) {
  if (card === DISTRACTION) return context.redraft({ card });
  const { title, text, gives } = wordsOf(context, card);
  const { now, wasted } = (context.picture.foresight.cards || []).find((it) => it.card === card) || {};
  const effect = now && h("b", { class: wasted ? "wasted" : "now", testid: "card-now" }, now);
  const content = [art(card), text, effect, h("span", {}, gives)];
  const sure = await confirmed(t("sniper.play.sure", { card: title }), content, t("sniper.play.yes"), t("menu.back"));
  if (!sure) return;
  context.redraft({ card }); // the drawer closes, and the result is in sight
  context.seat.act({ type: "play", card });
}

// --- distraction ------------------------------------------------------------------------------------------------

// Choose a unit, then its destination. Only the button sends the action.
export function distractPart(context) {
  const { picture, draft, redraft } = context;
  const actions = playsOf(context, DISTRACTION);
  const units = [...new Set(actions.map(({ unit }) => unit))];
  const ofUnit = actions.filter(({ unit }) => unit === draft.unit);
  const unitAt = (space) => units.find((unit) => picture.view.units[unit] === space);
  return {
    dock: () => (draft.unit ? spaceDock(context, ofUnit) : unitDock(context, units)),
    offers: () => [
      ...units.map((unit) => ({
        space: picture.view.units[unit],
        kind: unit === draft.unit ? "unit-space picked" : draft.unit ? "unit-space" : "choice",
        label: t("sniper.distract.unit", { unit: unitWord(unit) }),
      })),
      ...ofUnit.map(({ to }) => choiceLight(to, to === draft.to, t("sniper.distract.here"))),
    ],
    tap: (space) => {
      if (ofUnit.some(({ to }) => to === space)) return redraft({ ...draft, to: space });
      if (unitAt(space)) redraft({ card: DISTRACTION, unit: unitAt(space) });
    },
  };
}

function unitDock({ picture, redraft }, units) {
  const choice = [
    headline(t("sniper.distract")),
    h("div", { class: "units" }, [
      units.map((unit) => {
        const props = { testid: `distract-${unit}`, onclick: () => redraft({ card: DISTRACTION, unit }) };
        return unitButton(unit, props, h("span", { class: "at" }, picture.view.units[unit]));
      }),
    ]),
  ];
  return actionPanel(choice, { foot: button(t("menu.back"), "play-back", () => redraft({})) });
}

function spaceDock(context, ofUnit) {
  const { draft, seat, redraft } = context;
  const action = ofUnit.find(({ to }) => to === draft.to);
  const unit = unitWord(draft.unit);
  const label = action ? t("sniper.distract.sure", { unit, to: draft.to }) : t("defenders.sure.none");
  return actionPanel([headline(t("sniper.distract.where", { unit })), quiet(wordsOf(context, DISTRACTION).gives)], {
    foot: [
      button(t("menu.back"), "play-back", () => redraft({ card: DISTRACTION })),
      actionButton(seat, label, "confirm-play", action, { class: "main" }),
    ],
  });
}
