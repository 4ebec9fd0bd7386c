// The sniper's decisions outside a normal turn: objectives, loadout, entry arrow, a card to keep.

import { cardOf } from "./nest.js";
import { randomOf, objectiveName, reportOf, siteOf } from "./parts.js";
import { secondPart } from "./sniper-shot.js";
import { art } from "/static/art.js";
import { actionButton } from "/static/frame.js";
import { actionGrid, actionPanel } from "/static/panel.js";
import { choiceLight } from "/static/scene.js";
import { capital, t, tOf } from "/static/texts.js";
import { chips, h, headline } from "/static/ui.js";

// Returns the screen part for the pending decision: `dock()` returns the controls, `offers()` the lit spaces, and
// `tap(space)` selects one.
export function choicePart(context) {
  const { pending } = context.picture.view;
  if (!pending) return entryPart(context);
  return CHOICES[pending.for]?.(context) || { dock: () => [headline(t("turn.waiting"))] };
}

const CHOICES = {
  "return-objective": returnPart,
  "choose-loadout": loadoutPart,
  "show-objective": showPart,
  keep: keepPart,
  "shoot-second": secondPart,
};

const legalOf = ({ picture }, type) => picture.legal.filter((action) => action.type === type);

function returnPart(context) {
  const choice = (action) =>
    actionButton(
      context.seat,
      t("sniper.return.one", { objective: objectiveName(context.map, action.objective) }),
      `return-${action.objective}`,
      action,
    );
  return {
    dock: () => [
      headline(t("sniper.return")),
      h("div", { class: "row" }, legalOf(context, "return-objective").map(choice)),
    ],
  };
}

// Shows everyone an objective that is not the sniper's.
function showPart(context) {
  const { seat, map, draft, redraft } = context;
  const actions = legalOf(context, "show-objective");
  const at = (objective) => siteOf(map, objective)?.id;
  const chosen = actions.find(({ objective }) => objective === draft.objective);
  const label = chosen
    ? t("sniper.show.one", { objective: chosen.objective, space: at(chosen.objective) })
    : t("sniper.show.none");
  const numbers = actions.map(({ objective }) => [objective, `show-${objective}`, String(objective)]);
  return {
    dock: () =>
      actionPanel(
        [
          headline(t("sniper.show")),
          chips(null, numbers, draft.objective, (objective) => redraft({ objective })),
          h("p", {}, t("sniper.show.more")),
        ],
        { foot: actionButton(seat, label, "confirm-show", chosen, { class: "main" }) },
      ),
    offers: () =>
      actions.map(({ objective }) =>
        choiceLight(at(objective), objective === draft.objective, t("sniper.show.light", { objective })),
      ),
    tap: (space) => {
      const action = actions.find(({ objective }) => at(objective) === space);
      if (action) redraft({ objective: action.objective });
    },
  };
}

function loadoutPart(context) {
  const { draft, seat, words, redraft } = context;
  const offers = legalOf(context, "choose-loadout");
  const size = offers.length ? offers[0].cards.length : 0;
  const chosen = draft.cards || {};
  const number = Object.values(chosen).reduce((sum, count) => sum + count, 0);
  const set = (card, count) => redraft({ ...draft, cards: { ...chosen, [card]: count } });
  const cards = Object.entries(chosen).flatMap(([card, count]) => Array(count).fill(card));
  const kept = number === size && { type: "choose-loadout", cards };
  return {
    dock: () =>
      actionPanel(
        [
          headline(t("sniper.loadout", { number: size })),
          h("ul", { class: "cards choose" }, [
            dealable(words, offers).map(([card, it]) => choice(card, it, chosen[card] || 0, size - number, set)),
          ]),
        ],
        {
          foot: [
            actionButton(seat, t("sniper.random"), "loadout-random", randomOf(offers)),
            // The count is in view while the list scrolls.
            actionButton(
              seat,
              kept ? t("sniper.loadout.keep") : t("sniper.loadout.count", { number, size }),
              "loadout-keep",
              kept,
              { class: "main" },
            ),
          ],
        },
      ),
  };
}

// Each tap takes one more copy; after the last copy, none.
function choice(card, { title, text, copies }, count, missing, set) {
  const next = count < copies && missing > 0 ? count + 1 : 0;
  const many = count ? `${count} ${t("sniper.copies", { copies })}` : t("sniper.hand.copies", { number: copies });
  const state = { "aria-pressed": count > 0, disabled: !count && missing <= 0, onclick: () => set(card, next) };
  return h("li", {}, [
    h("button", { class: count ? "card chosen" : "card", testid: `loadout-${card}`, ...state }, [
      art(card),
      h("b", {}, title, h("small", {}, many)),
      h("p", {}, text),
    ]),
  ]);
}

function keepPart(context) {
  const choice = (action) => {
    const { title, text } = cardOf(context.words, action.card) || { title: action.card, text: "" };
    const onclick = () => context.seat.act(action);
    return h("li", {}, [
      h("button", { class: "card", testid: `keep-${action.card}`, disabled: !context.seat.ready, onclick }, [
        art(action.card),
        h("b", {}, t("sniper.keep.one", { card: title })),
        h("p", {}, text),
      ]),
    ]);
  };
  return {
    dock: () => [headline(t("sniper.keep")), h("ul", { class: "cards choose" }, legalOf(context, "keep").map(choice))],
  };
}

function entryPart(context) {
  const { seat, map } = context;
  const actions = legalOf(context, "choose-entry");
  const at = (sector) => map.ready && map.entries.get(sector);
  const choice = (action) => {
    const sector = tOf("sector", action.sector);
    const props = { class: `sector ${action.sector}`, "aria-label": t("sniper.enter.by", { sector }) };
    return actionButton(seat, capital(sector), `enter-${action.sector}`, action, props);
  };
  return {
    dock: () =>
      actionPanel([headline(t("sniper.enter")), actionGrid(actions.map(choice)), h("p", {}, t("sniper.enter.more"))], {
        report: reportOf(context),
      }),
    offers: () =>
      actions
        .filter(({ sector }) => at(sector))
        .map(({ sector }) => ({
          space: at(sector),
          kind: "arrow",
          label: t("sniper.step.arrow", { sector: tOf("sector", sector) }),
        })),
    tap: (space) => {
      const action = actions.find(({ sector }) => at(sector) === space);
      if (action) seat.act(action);
    },
  };
}

// The cards of this game by ID; gear only if it may be kept.
const dealable = (words, offers) =>
  Object.entries(words ? { ...words.cards, ...words.gear } : {}).filter(
    ([card]) => card in words.cards || offers.some(({ cards }) => cards.includes(card)),
  );
