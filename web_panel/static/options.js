// Controls for the options of the next game, built from the form that the game provides (`engine/options.py`).

import { moreLink, whyLink } from "./reasons.js";
import { list, t } from "./texts.js";
import { h, quiet, select } from "./ui.js";

// A range of up to this many numbers is a drop-down list.
const SHORT = 12;
// The group of the options that decide how many play.
const PLAYERS = "players";

/** @type {(options: any, path: string[]) => any} */
const valueAt = (options, [name, ...rest]) => (rest.length ? valueAt(options[name] ?? {}, rest) : options[name]);

/** @type {(options: any, path: string[], value: any) => any} */
const withValue = (options, [name, ...rest], value) => ({
  ...options,
  [name]: rest.length ? withValue(options[name] ?? {}, rest, value) : value,
});

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// The test ID of a control: its option's path and the value that it sets.
const testidOf = (path, value) => `option-${[...path, ...(value === undefined ? [] : [value])].join("-")}`;

// Whether one of these seats has a handicap.
export const hasHandicap = ({ form, selection }, seats) =>
  form.groups
    .flatMap(({ options }) => options)
    .some((option) => seats.includes(option.hampers) && valueAt(selection.options, option.path)?.length > 0);

export class OptionControls {
  // `choose` gets what has changed: all `options`, or `possible_hints`.
  constructor(choose) {
    this.choose = choose;
    this.open = {};
  }

  // The number of players, which is asked first; null in games for a fixed number.
  players({ form, selection }) {
    this.setForm(form, selection);
    const group = form.groups.find(({ name }) => name === PLAYERS);
    return group ? this.group(group) : null;
  }

  parts({ form, selection, possible_hints: hinted }) {
    this.setForm(form, selection);
    const groups = form.groups.filter(({ name }) => name !== PLAYERS);
    return [
      groups.filter(({ folded }) => !folded).map((group) => this.group(group)),
      hinted && this.hints(selection.possible_hints),
      groups.filter(({ folded }) => folded).map((group) => this.foldedGroup(group)),
    ];
  }

  // The same controls below one title, for a person who wants to play at once.
  folded(facts) {
    const parts = this.parts(facts).flat(Infinity).filter(Boolean);
    const all = facts.form.groups.filter(({ name }) => name !== PLAYERS).flatMap(({ options }) => options);
    const changes = all.flatMap((option) => this.changes(option));
    return parts.length ? this.fold("all", t("lobby.options"), list(changes), parts) : [];
  }

  setForm(form, selection) {
    this.form = form;
    this.options = selection.options;
  }

  hints(checked) {
    const onchange = ({ target }) => this.choose({ possible_hints: target.checked });
    const about = h("small", {}, t("lobby.possible.hint"));
    return optionBox({ checked, onchange, testid: "option-possible" }, t("lobby.possible"), about);
  }

  value({ path, default: preset }) {
    return valueAt(this.options, path) ?? preset;
  }

  set(path, value) {
    this.choose({ options: withValue(this.options, path, value) });
  }

  group({ title, about, options }) {
    return [title && h("h3", {}, title), about && quiet(about), options.map((option) => this.control(option))];
  }

  // Advanced options are folded; the visible line lists the changed ones.
  foldedGroup({ name, title, about, options }) {
    const isChosen = options.flatMap((option) => this.changes(option));
    const controls = h("div", { class: "hard-sides" }, [options.map((option) => this.control(option))]);
    return this.fold(name, title, isChosen.length ? list(isChosen) : (about ?? ""), [controls]);
  }

  fold(name, title, summary, content) {
    const ontoggle = ({ target }) => (this.open[name] = target.open);
    return h("details", { class: "hard", open: Boolean(this.open[name]), ontoggle }, [
      h("summary", { testid: `options-${name}` }, h("b", {}, title), h("small", {}, ` ${summary}`)),
      content,
    ]);
  }

  // Returns the changes of an option from its default, in a few words.
  changes(option) {
    const now = this.value(option);
    if (isSame(now, option.default)) return [];
    const titleOf = (value) => option.values.find((it) => it.value === value)?.title ?? String(value);
    if (option.type === "several") return now.map((value) => `${option.title} ${titleOf(value)}`);
    if (option.type === "choice") return [`${option.title}: ${titleOf(now)}`];
    if (option.type === "number") return [`${option.title}: ${now}`];
    return [now === option.ticked ? option.title : t("lobby.options.off", { option: option.title })];
  }

  control(option) {
    if (option.type === "switch") return this.checkbox(option);
    if (option.type === "number") return this.number(option);
    return option.type === "choice" ? this.choice(option) : this.several(option);
  }

  checkbox(option) {
    const { path, title, about, rule, ticked } = option;
    const checked = this.value(option) === ticked;
    const why = checked ? null : this.barred(path, ticked);
    const onchange = ({ target }) => this.set(path, target.checked ? ticked : !ticked);
    const props = { checked, disabled: Boolean(why), onchange, testid: testidOf(path) };
    return optionBox(props, title, hintText(about, rule), reasonText(why));
  }

  number(option) {
    const { path, title, about, rule, least, most } = option;
    const now = this.value(option);
    const change = ({ target }) => target.reportValidity() && this.set(path, Number(target.value));
    const limits = { min: least, max: most, step: 1, required: true };
    const all = Array.from({ length: Math.min(most - least + 1, SHORT) }, (_, i) => [least + i, String(least + i)]);
    return h("label", { class: "option number" }, [
      h("span", {}, h("b", {}, title), hintText(about, rule)),
      most - least < SHORT
        ? select(testidOf(path), all, now, (value) => this.set(path, Number(value)))
        : h("input", { type: "number", ...limits, value: now, onchange: change, testid: testidOf(path) }),
    ]);
  }

  choice(option) {
    const { path } = option;
    const now = this.value(option);
    return this.fieldset(option, (it) => ({
      type: "radio",
      name: testidOf(path),
      checked: it.value === now,
      onchange: () => this.set(path, it.value),
    }));
  }

  several(option) {
    const { path, values } = option;
    const now = this.value(option);
    const flipped = (value, on) => values.map((it) => it.value).filter((it) => (it === value ? on : now.includes(it)));
    return this.fieldset(option, (it) => ({
      checked: now.includes(it.value),
      onchange: ({ target }) => this.set(path, flipped(it.value, target.checked)),
    }));
  }

  fieldset({ path, title, about, rule, values }, control) {
    return h("fieldset", { class: "field" }, [
      h("legend", {}, title),
      hintText(about, rule),
      values.map((it) => {
        const attributes = control(it);
        const why = attributes.checked ? null : this.barred(path, it.value);
        const props = { ...attributes, disabled: Boolean(why), testid: testidOf(path, it.value) };
        return optionBox(props, it.title, hintText(it.about, it.rule), reasonText(why));
      }),
    ]);
  }

  // Returns why a value can't be combined with the current choices; null if it can.
  barred(path, value) {
    const isNew = (setting) => isSame(setting, { path, value });
    const chosen = (setting) => {
      const now = valueAt(this.options, setting.path);
      return Array.isArray(now) ? now.includes(setting.value) : now === setting.value;
    };
    return (
      this.form.excludes.find(({ one, other }) => (isNew(one) && chosen(other)) || (isNew(other) && chosen(one))) ??
      null
    );
  }
}

const optionBox = (attributes, title, ...hints) =>
  h("label", { class: "option" }, [
    h("input", { type: "checkbox", ...attributes }),
    h("span", {}, h("b", {}, title), ...hints),
  ]);

const hintText = (about, rule) =>
  (about || rule) && h("small", {}, about, about && rule && " ", rule && moreLink(rule));

const reasonText = (why) => why && h("small", { class: "barred" }, why.why, " ", why.rule && whyLink(why.rule));
