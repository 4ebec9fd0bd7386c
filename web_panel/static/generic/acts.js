// The legal acts of a seat as buttons: what each is called, where on the map it is, and in which order they stand.

import { whyLink } from "/static/reasons.js";
import { decimal, has, list, t, tOf } from "/static/texts.js";
import { button, h } from "/static/ui.js";

// So many acts of a type stand open, more are folded away.
const OPEN = 4;

const readable = (word) => word.charAt(0).toUpperCase() + word.slice(1).replaceAll(/[-_]/g, " ");

// What acts of a type are called: a word of the game's, else the type itself.
export const typeName = (type) => (has(`act.${type}`) ? tOf("act", type) : readable(type));

const said = (value) => {
  if (Array.isArray(value)) return list(value.map(said));
  if (value !== null && typeof value === "object") return list(Object.values(value).map(said));
  return typeof value === "boolean" ? t(value ? "generic.yes" : "generic.no") : String(value ?? "–");
};

const fields = ({ type, ...rest }) => Object.values(rest).filter((value) => value !== null);

// The acts of a picture: `action` as it is sent, `caption`, `place` (the last space that it names, null for none),
// `handle`, which is the same whenever the same act is on offer, and `outlook`, sentences of what else comes of it.
export function actsOf({ legal, generic, foresight }, spaces) {
  const numbers = {};
  return legal.map((action, i) => {
    const number = (numbers[action.type] = (numbers[action.type] ?? -1) + 1);
    const values = fields(action);
    const places = values.flat(Infinity).filter((value) => spaces.has(value));
    const plain = [typeName(action.type), ...values.map(said)].join(" · ");
    const handle = [action.type, ...values.map(said)].join("-").replaceAll(/[^\w-]+/g, "-").slice(0, 60);
    const outlook = foresight?.[action.type]?.outlook?.[number] ?? [];
    return { action, caption: generic?.captions?.[i] ?? plain, place: places.at(-1) ?? null, handle, outlook };
  });
}

// Type -> its acts, in the order of the game.
export function byType(acts) {
  const found = new Map();
  for (const act of acts) found.set(act.action.type, [...(found.get(act.action.type) ?? []), act]);
  return found;
}

// --- buttons ----------------------------------------------------------------------------------------------------

export const actButton = ({ action, caption, handle, outlook }, seat, name = "") => {
  const words = outlook?.length ? [h("span", {}, caption), h("small", { class: "outlook" }, outlook.join(" "))] : caption;
  return button(words, `act-${handle}`, () => seat.act(action), { disabled: !seat.ready, class: `${name}${outlook?.length ? " telling" : ""}` });
};

// All acts of a type: open where they are few and none of them is on the map, else folded. `page.folds` are the types
// that somebody has opened.
export function typeGroup(type, acts, { seat, page, foresight }) {
  const about = known(foresight?.[type]);
  const onMap = acts.some(({ place }) => place);
  if (acts.length === 1 && !onMap) return h("div", { class: "act-type" }, actButton(acts[0], seat), about);
  const buttons = h("div", { class: "act-list" }, acts.map((act) => actButton(act, seat)));
  if (acts.length <= OPEN && !onMap)
    return h("div", { class: "act-type", role: "group", "aria-label": typeName(type) }, h("h2", { class: "act-name" }, typeName(type)), about, buttons);
  const toggle = (event) => page.folds[event.target.open ? "add" : "delete"](type);
  return h(
    "div",
    { class: "act-type" },
    h(
      "details",
      { class: "fold", open: page.folds.has(type), ontoggle: toggle },
      h(
        "summary",
        { "data-testid": `fold-${type}` },
        h("b", {}, typeName(type)),
        h("small", {}, onMap ? t("generic.on-map", { number: acts.length }) : t("generic.choices", { number: acts.length })),
      ),
      buttons,
    ),
    about,
  );
}

// What a seat can know of a type of acts before it makes one: odds, and what it gives away.
function known(it) {
  if (!it) return null;
  return [
    it.gives_away && h("p", { class: "quiet" }, it.gives_away),
    it.odds?.length > 0 &&
      h(
        "dl",
        { class: "odds" },
        it.odds.map(([label, chance]) => h("div", {}, h("dt", {}, label), h("dd", {}, percent(chance)))),
      ),
  ];
}

const percent = (chance) => t("generic.percent", { percent: decimal(chance * 100, chance > 0 && chance < 0.1 ? 1 : 0) });

// What can be done at other times and not now: why, and by which rule. Types with one reason stand together.
export function barredLines(foresight, offered) {
  const barred = new Map();
  for (const [type, it] of Object.entries(foresight ?? {}))
    if (it?.why && !offered.has(type)) barred.set(`${it.rule} ${it.why}`, [...(barred.get(`${it.rule} ${it.why}`) ?? []), { type, ...it }]);
  return (
    barred.size > 0 &&
    h(
      "ul",
      { class: "barred-acts", "aria-label": t("generic.barred"), "data-testid": "barred" },
      [...barred.values()].map((same) =>
        h(
          "li",
          { class: same.length > 1 ? "several" : "", "data-testid": `barred-${same.map(({ type }) => type).join("-")}` },
          h("b", {}, list(same.map(({ type }) => typeName(type)))),
          h("span", {}, same[0].why),
          same[0].rule && whyLink(same[0].rule),
        ),
      ),
    )
  );
}
