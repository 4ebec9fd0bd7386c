// What can be chosen for the game to come: controls drawn from the form that the game gives (see `engine/options.py`).

import { moreLink, whyLink } from "./reasons.js";
import { list, t } from "./texts.js";
import { h } from "./ui.js";

// A range of so many numbers is a list to choose from.
const SHORT = 12;

const at = (options, [name, ...rest]) => (rest.length ? at(options[name] ?? {}, rest) : options[name]);

const put = (options, [name, ...rest], value) => ({
  ...options,
  [name]: rest.length ? put(options[name] ?? {}, rest, value) : value,
});

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// How a control is known in tests: by where its option stands, and the value that it sets.
const known = (path, value) => `option-${[...path, ...(value === undefined ? [] : [value])].join("-")}`;

export class OptionControls {
  // `choose` is told what has changed: `options`, all of them, or `possible_hints`.
  constructor(choose) {
    this.choose = choose;
    this.open = {};
  }

  parts({ form, selection, possible_hints: hinted }) {
    this.form = form;
    this.options = selection.options;
    return [
      form.groups.filter(({ folded }) => !folded).map((group) => this.group(group)),
      hinted &&
        box(
          {
            checked: selection.possible_hints,
            onchange: ({ target }) => this.choose({ possible_hints: target.checked }),
            "data-testid": "option-possible",
          },
          t("lobby.possible"),
          h("small", {}, t("lobby.possible.hint")),
        ),
      form.groups.filter(({ folded }) => folded).map((group) => this.folding(group)),
    ];
  }

  value({ path, default: preset }) {
    return at(this.options, path) ?? preset;
  }

  set(path, value) {
    this.choose({ options: put(this.options, path, value) });
  }

  group({ title, about, options }) {
    return [
      title && h("h3", {}, title),
      about && h("p", { class: "quiet" }, about),
      options.map((option) => this.control(option)),
    ];
  }

  // Options that few want: folded away, with what is chosen of them in the line that stays.
  folding({ name, title, about, options }) {
    const chosen = options.flatMap((option) => this.changes(option));
    return h(
      "details",
      {
        class: "hard",
        open: Boolean(this.open[name]),
        ontoggle: ({ target }) => {
          this.open[name] = target.open;
        },
      },
      h(
        "summary",
        { "data-testid": `options-${name}` },
        h("b", {}, title),
        h("small", {}, ` ${chosen.length ? list(chosen) : (about ?? "")}`),
      ),
      h("div", { class: "hard-sides" }, options.map((option) => this.control(option))),
    );
  }

  // What is chosen otherwise than the game has it, in a word or two.
  changes(option) {
    const now = this.value(option);
    if (same(now, option.default)) return [];
    const named = (value) => option.values.find((it) => it.value === value)?.title ?? String(value);
    if (option.type === "several") return now.map((value) => `${option.title} ${named(value)}`);
    if (option.type === "choice") return [`${option.title}: ${named(now)}`];
    return [option.type === "number" ? `${option.title}: ${now}` : option.title];
  }

  control(option) {
    return { switch: this.tick, number: this.number, choice: this.choice, several: this.several }[option.type].call(this, option);
  }

  tick({ path, title, about, rule, ticked, ...option }) {
    const checked = this.value({ path, ...option }) === ticked;
    const why = checked ? null : this.barred(path, ticked);
    return box(
      {
        checked,
        disabled: Boolean(why),
        onchange: ({ target }) => this.set(path, target.checked ? ticked : !ticked),
        "data-testid": known(path),
      },
      title,
      hint(about, rule),
      barred(why),
    );
  }

  number(option) {
    const { path, title, about, rule, least, most } = option;
    const now = this.value(option);
    const change = ({ target }) => target.reportValidity() && this.set(path, Number(target.value));
    const attributes = { onchange: change, "data-testid": known(path) };
    const all = Array.from({ length: Math.min(most - least + 1, SHORT) }, (_, i) => least + i);
    return h(
      "label",
      { class: "option number" },
      h("span", {}, h("b", {}, title), hint(about, rule)),
      most - least < SHORT
        ? h("select", attributes, all.map((it) => h("option", { value: it, selected: it === now }, String(it))))
        : h("input", { type: "number", min: least, max: most, step: 1, required: true, value: now, ...attributes }),
    );
  }

  choice(option) {
    const { path } = option;
    const now = this.value(option);
    return this.fieldset(option, (it) => ({
      type: "radio",
      name: known(path),
      checked: it.value === now,
      onchange: () => this.set(path, it.value),
    }));
  }

  several(option) {
    const { path, values } = option;
    const now = this.value(option);
    const flip = (value, on) => values.map((it) => it.value).filter((it) => (it === value ? on : now.includes(it)));
    return this.fieldset(option, (it) => ({
      checked: now.includes(it.value),
      onchange: ({ target }) => this.set(path, flip(it.value, target.checked)),
    }));
  }

  fieldset({ path, title, about, rule, values }, control) {
    return h(
      "fieldset",
      { class: "field" },
      h("legend", {}, title),
      hint(about, rule),
      values.map((it) => {
        const attributes = control(it);
        const why = attributes.checked ? null : this.barred(path, it.value);
        return box(
          { ...attributes, disabled: Boolean(why), "data-testid": known(path, it.value) },
          it.title,
          hint(it.about, it.rule),
          barred(why),
        );
      }),
    );
  }

  // Why a value cannot be had beside what is chosen already; null if it can.
  barred(path, value) {
    const is = (setting) => same(setting, { path, value });
    const chosen = (setting) => {
      const now = at(this.options, setting.path);
      return Array.isArray(now) ? now.includes(setting.value) : now === setting.value;
    };
    return this.form.excludes.find(({ one, other }) => (is(one) && chosen(other)) || (is(other) && chosen(one))) ?? null;
  }
}

const box = (attributes, title, ...hints) =>
  h(
    "label",
    { class: "option" },
    h("input", { type: "checkbox", ...attributes }),
    h("span", {}, h("b", {}, title), ...hints),
  );

const hint = (about, rule) =>
  (about || rule) && h("small", {}, about, about && rule && " ", rule && moreLink(rule));

const barred = (why) => why && h("small", { class: "barred" }, why.why, " ", why.rule && whyLink(why.rule));
