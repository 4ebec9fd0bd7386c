// What the sniper decides outside the usual course of a turn: objectives, loadout, the arrow, a card to keep.

import { cardOf } from "./nest.js";
import { secondShot } from "./sniper-shot.js";
import { art } from "/static/art.js";
import { t, tOf } from "/static/texts.js";
import { button, h } from "/static/ui.js";

// A part of the screen for the decision that is waited for: `dock()` its controls, `offers()` lit spaces, `tap(space)`.
export function choosing(context) {
  const { pending } = context.picture.view;
  if (!pending) return entry(context);
  return CHOICES[pending.for]?.(context) || { dock: () => [headline("turn.waiting")] };
}

const CHOICES = {
  "return-objective": returning,
  "choose-loadout": loadout,
  "show-objective": showing,
  keep: keeping,
  "shoot-second": secondShot,
};

const headline = (key, values) => h("p", { class: "headline", "data-testid": "headline" }, t(key, values));

const of = ({ picture }, type) => picture.legal.filter((action) => action.type === type);

function returning(context) {
  return {
    dock: () => [
      headline("sniper.return"),
      h(
        "div",
        { class: "row" },
        of(context, "return-objective").map((action) =>
          button(
            t("sniper.return.one", { objective: action.objective }),
            `return-${action.objective}`,
            () => context.seat.act(action),
            { disabled: !context.seat.ready },
          ),
        ),
      ),
    ],
  };
}

// A card that is none of the sniper's objectives, shown to all.
function showing(context) {
  const { seat, map, draft, redraft } = context;
  const actions = of(context, "show-objective");
  const at = (objective) => [...map.spaces.values()].find((it) => it.objective === String(objective))?.id;
  const chosen = actions.find(({ objective }) => objective === draft.objective);
  return {
    dock: () => [
      headline("sniper.show"),
      h("p", {}, t("sniper.show.more")),
      h(
        "div",
        { class: "chips" },
        actions.map(({ objective }) =>
          h(
            "button",
            {
              type: "button",
              "aria-pressed": String(objective === draft.objective),
              "data-testid": `show-${objective}`,
              onclick: () => redraft({ objective }),
            },
            String(objective),
          ),
        ),
      ),
      button(
        chosen
          ? t("sniper.show.one", { objective: chosen.objective, space: at(chosen.objective) })
          : t("sniper.show.none"),
        "confirm-show",
        () => seat.act(chosen),
        { class: "main", disabled: !chosen || !seat.ready },
      ),
    ],
    offers: () =>
      actions.map(({ objective }) => ({
        space: at(objective),
        kind: objective === draft.objective ? "choice picked" : "choice",
        label: t("sniper.show.light", { objective }),
      })),
    tap: (space) => {
      const action = actions.find(({ objective }) => at(objective) === space);
      if (action) redraft({ objective: action.objective });
    },
  };
}

function loadout(context) {
  const { draft, seat, words, redraft } = context;
  const offers = of(context, "choose-loadout");
  const size = offers.length ? offers[0].cards.length : 0;
  const chosen = draft.cards || {};
  const number = Object.values(chosen).reduce((sum, count) => sum + count, 0);
  const set = (card, count) => redraft({ ...draft, cards: { ...chosen, [card]: count } });
  const keep = () =>
    seat.act({
      type: "choose-loadout",
      cards: Object.entries(chosen).flatMap(([card, count]) => Array(count).fill(card)),
    });
  const deal = () => seat.act(any(offers));
  return {
    dock: () => [
      headline("sniper.loadout", { number: size }),
      h(
        "ul",
        { class: "cards choose" },
        dealable(words, offers).map(([card, it]) =>
          choice(card, it, chosen[card] || 0, size - number, set),
        ),
      ),
      h("p", { class: "quiet", "data-testid": "loadout-count" }, t("sniper.loadout.count", { number, size })),
      h(
        "div",
        { class: "row" },
        button(t("sniper.random"), "loadout-random", deal, { disabled: !seat.ready }),
        button(t("sniper.loadout.keep"), "loadout-keep", keep, {
          class: "main",
          disabled: !seat.ready || number !== size,
        }),
      ),
    ],
  };
}

const any = (items) => items[crypto.getRandomValues(new Uint32Array(1))[0] % items.length];

// A tap takes one copy more, and after the last copy none.
function choice(card, { title, text, copies }, count, missing, set) {
  const next = count < copies && missing > 0 ? count + 1 : 0;
  const many = count ? `${count} ${t("sniper.copies", { copies })}` : t("sniper.hand.copies", { number: copies });
  return h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: count ? "card chosen" : "card",
        "aria-pressed": String(count > 0),
        "data-testid": `loadout-${card}`,
        onclick: () => set(card, next),
        disabled: !count && missing <= 0,
      },
      art(card),
      h("b", {}, title, h("small", {}, many)),
      h("p", {}, text),
    ),
  );
}

function keeping(context) {
  const { seat, words } = context;
  return {
    dock: () => [
      headline("sniper.keep"),
      h(
        "ul",
        { class: "cards choose" },
        of(context, "keep").map((action) => {
          const it = cardOf(words, action.card) || { title: action.card, text: "" };
          return h(
            "li",
            {},
            h(
              "button",
              {
                type: "button",
                class: "card",
                "data-testid": `keep-${action.card}`,
                disabled: !seat.ready,
                onclick: () => seat.act(action),
              },
              art(action.card),
              h("b", {}, t("sniper.keep.one", { card: it.title })),
              h("p", {}, it.text),
            ),
          );
        }),
      ),
    ],
  };
}

function entry(context) {
  const { seat, map } = context;
  const actions = of(context, "choose-entry");
  const at = (sector) => map.ready && map.entries.get(sector);
  return {
    dock: () => [
      headline("sniper.enter"),
      h("p", {}, t("sniper.enter.more")),
      h(
        "div",
        { class: "row" },
        actions.map((action) =>
          button(
            t("sniper.enter.by", { sector: tOf("sector", action.sector) }),
            `enter-${action.sector}`,
            () => seat.act(action),
            { disabled: !seat.ready, class: `sector ${action.sector}` },
          ),
        ),
      ),
    ],
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

// The cards of this game by id, gear only where it is among what may be kept.
const dealable = (words, offers) =>
  Object.entries(words ? { ...words.cards, ...words.gear } : {}).filter(
    ([card]) => card in words.cards || offers.some(({ cards }) => cards.includes(card)),
  );
