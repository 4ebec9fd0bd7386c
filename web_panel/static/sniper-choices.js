// What the sniper decides outside the usual course of a turn: objectives, loadout, the arrow, a card to keep.

import { t, tOf } from "./texts.js";
import { button, h } from "./ui.js";

// A part of the screen for the decision that is waited for: `dock()` its controls, `offers()` lit spaces, `tap(space)`.
export function choosing(context) {
  const { pending } = context.picture.view;
  if (!pending) return entry(context);
  return (
    { "return-objective": returning, "choose-loadout": loadout, keep: keeping }[pending.for]?.(context) || {
      dock: () => [headline("turn.waiting")],
    }
  );
}

const headline = (key) => h("p", { class: "headline", "data-testid": "headline" }, t(key));

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

function loadout(context) {
  const { draft, seat, words, redraft } = context;
  const chosen = draft.cards || {};
  const number = Object.values(chosen).reduce((sum, count) => sum + count, 0);
  const set = (card, count) => redraft({ ...draft, cards: { ...chosen, [card]: count } });
  const keep = () =>
    seat.act({
      type: "choose-loadout",
      cards: Object.entries(chosen).flatMap(([card, count]) => Array(count).fill(card)),
    });
  const deal = () => seat.act(any(of(context, "choose-loadout")));
  return {
    dock: () => [
      headline("sniper.loadout"),
      h(
        "ul",
        { class: "cards choose" },
        Object.entries(words ? words.cards : {}).map(([card, it]) => choice(card, it, chosen[card] || 0, number, set)),
      ),
      h("p", { class: "quiet", "data-testid": "loadout-count" }, t("sniper.loadout.count", { number })),
      h(
        "div",
        { class: "row" },
        button(t("sniper.random"), "loadout-random", deal, { disabled: !seat.ready }),
        button(t("sniper.loadout.keep"), "loadout-keep", keep, {
          class: "main",
          disabled: !seat.ready || number !== 3,
        }),
      ),
    ],
  };
}

const any = (items) => items[crypto.getRandomValues(new Uint32Array(1))[0] % items.length];

// A tap takes one copy more, and after the last copy none.
function choice(card, { title, text, copies }, count, number, set) {
  const next = count < copies && number < 3 ? count + 1 : 0;
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
        disabled: !count && number >= 3,
      },
      h("b", {}, title, h("small", {}, `${count ? `${count} ` : ""}${t("sniper.copies", { copies })}`)),
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
          const it = (words && words.cards[action.card]) || { title: action.card, text: "" };
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
