// The legal actions of a seat as buttons: names, spaces on the map, and order.

import { art } from "/static/art.js";
import { actionButton } from "/static/frame.js";
import { whyLink } from "/static/reasons.js";
import { capital, decimal, has, list, t, tOf } from "/static/texts.js";
import { h, quiet, terms } from "/static/ui.js";

// Up to this many actions of a type are shown; more are folded away.
const OPEN = 4;

const readable = (word) => capital(word).replaceAll(/[-_]/g, " ");

// Returns the name of a type of actions: the game's text, or else the type itself.
const typeName = (type) => (has(`act.${type}`) ? tOf("act", type) : readable(type));

const valueText = (value) => {
  if (Array.isArray(value)) return list(value.map(valueText));
  if (value !== null && typeof value === "object") return list(Object.values(value).map(valueText));
  return typeof value === "boolean" ? t(value ? "generic.yes" : "generic.no") : String(value ?? "–");
};

const fields = ({ type, ...rest }) => Object.values(rest).filter((value) => value !== null);

// Returns the actions of a picture: `action` to send, `caption`, `place` (the last space that it names, or null),
// `handle` (stable for the same action), `outlook` (sentences about its effects), and `card` ([name, text] of the first
// card that it names).
export function actsOf({ legal, generic, foresight }, spaces) {
  const numbers = {};
  return legal.map((action, i) => {
    const number = (numbers[action.type] = (numbers[action.type] ?? -1) + 1);
    const values = fields(action);
    const places = values.flat(Infinity).filter((value) => spaces.has(value));
    const plain = [typeName(action.type), ...values.map(valueText)].join(" · ");
    const handle = [action.type, ...values.map(valueText)]
      .join("-")
      .replaceAll(/[^\w-]+/g, "-")
      .slice(0, 60);
    const outlook = foresight?.[action.type]?.outlook?.[number] ?? [];
    const caption = capital(generic?.captions?.[i] ?? plain);
    const [card] = values.filter((value) => Object.hasOwn(generic?.named ?? {}, value));
    return {
      action,
      caption,
      place: places.at(-1) ?? null,
      handle,
      outlook,
      card: card && [card, generic.named[card].text],
    };
  });
}

const append = (lists, key, item) => lists.set(key, [...(lists.get(key) ?? []), item]);

// Groups actions by type, in the game's order.
export function groupByType(acts) {
  const found = new Map();
  for (const act of acts) append(found, act.action.type, act);
  return found;
}

// --- buttons ----------------------------------------------------------------------------------------------------

export function actButton({ action, caption, handle, outlook, card }, seat, name = "") {
  const more = [card?.[1], ...(outlook ?? [])].filter(Boolean).join(" ");
  const label = [card && art(card[0]), h("span", {}, caption), more && h("small", { class: "outlook" }, more)];
  const look = `${name}${more ? " telling" : ""}${card ? " card" : ""}`;
  return actionButton(seat, more || card ? label : caption, `act-${handle}`, action, { class: look });
}

// The actions of a type: folded, unless none of them is on the map and there are few or this type is `alone`. `folds`
// are the types that someone opened.
export function typeGroup(type, acts, { seat, folds, foresight, alone }) {
  const about = knownLines(foresight?.[type]);
  const onMap = acts.some(({ place }) => place);
  if (acts.length === 1 && !onMap) return h("div", { class: "act-type" }, actButton(acts[0], seat), about);
  const buttons = h("div", { class: "act-list" }, [acts.map((act) => actButton(act, seat))]);
  if ((alone || acts.length <= OPEN) && !onMap)
    return h("div", { class: "act-type", role: "group", "aria-label": typeName(type) }, [
      h("h2", { class: "act-name" }, typeName(type)),
      about,
      buttons,
    ]);
  const number = acts.length;
  const toggle = ({ target }) => {
    if (target.open && !folds.has(type)) target.scrollIntoView({ block: "nearest" }); // its acts may be below the panel
    folds[target.open ? "add" : "delete"](type);
  };
  return h("div", { class: "act-type" }, [
    h("details", { class: "fold", open: folds.has(type), ontoggle: toggle }, [
      h("summary", { testid: `fold-${type}` }, [
        h("b", {}, typeName(type)),
        h("small", {}, onMap ? t("generic.on-map", { number }) : t("generic.choices", { number })),
      ]),
      buttons,
    ]),
    about,
  ]);
}

// What a seat can know about a type of actions in advance: its odds, and what it reveals.
function knownLines(it) {
  if (!it) return null;
  return [
    it.gives_away && quiet(it.gives_away),
    it.odds?.length > 0 &&
      terms(
        { class: "odds" },
        it.odds.map(([label, chance]) => [label, percent(chance)]),
      ),
  ];
}

const percent = (chance) =>
  t("generic.percent", { percent: decimal(chance * 100, chance > 0 && chance < 0.1 ? 1 : 0) });

// Actions that aren't possible now, with reason and rule. Types with the same reason share a line.
export function barredLines(foresight, offered) {
  const barred = new Map();
  for (const [type, it] of Object.entries(foresight ?? {}))
    if (it?.why && !offered.has(type)) append(barred, `${it.rule} ${it.why}`, { type, ...it });
  const line = (same) => {
    const handle = `barred-${same.map(({ type }) => type).join("-")}`;
    return h("li", { class: same.length > 1 ? "several" : "", testid: handle }, [
      h("b", {}, list(same.map(({ type }) => typeName(type)))),
      h("span", {}, same[0].why),
      same[0].rule && whyLink(same[0].rule),
    ]);
  };
  const props = { class: "barred-acts", "aria-label": t("generic.barred"), testid: "barred" };
  return barred.size > 0 && h("ul", props, [...barred.values()].map(line));
}
