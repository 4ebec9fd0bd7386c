// The side of the editor: what the selection is, what is wrong with the drawing, and all spaces as a list.

import { t, tOf } from "../texts.js";
import { button, h, paint, toast } from "../ui.js";
import { byKey, ENTERABLE, KINDS, sectorsOf, spacesOf } from "./plan.js";

const SHOWN = 120;

const field = (label, control, more = null, kind = "") => h("label", { class: `field ${kind}`.trim() }, h("span", {}, label), control, more);

function choice(testid, options, value, onchange) {
  const select = h("select", { "data-testid": testid, onchange: () => onchange(select.value) });
  select.append(...options.map(([name, label]) => h("option", { value: name, selected: name === value }, label)));
  return select;
}

// A field for words; where `take` answers false it goes back to what it was.
function text(testid, value, take, props = {}) {
  const onchange = () => {
    if (take(input.value.trim()) === false) input.value = input.defaultValue;
  };
  const input = h("input", { type: "text", "data-testid": testid, value: value ?? "", ...props, onchange });
  input.defaultValue = input.value;
  return input;
}

const flag = (testid, label, on, onchange) =>
  h("label", { class: "check" }, h("input", { type: "checkbox", "data-testid": testid, checked: on, onchange: (event) => onchange(event.target.checked) }), label);

const kinds = () => KINDS.map((kind) => [kind, tOf("editor.kind", kind)]);
const sectors = (plan) => sectorsOf(plan).map((sector) => [sector, tOf("editor.sector", sector)]);
const areas = (plan) => [...new Set(spacesOf(plan).map(({ said }) => said.area).filter(Boolean))].sort();

// --- the selection ----------------------------------------------------------------------------------------------

export function paintSelection(holder, editor) {
  const chosen = [...editor.selected].map((key) => byKey(editor.plan, key)).filter(Boolean);
  const facts = [chosen.map(({ said, at }) => [said, at]), editor.brush, sectorsOf(editor.plan), areas(editor.plan), editor.corner];
  paint(holder, facts, () => {
    if (!chosen.length) return brush(editor);
    const [first] = chosen;
    if (chosen.length > 1) return several(editor, chosen);
    return first.role === "space" ? oneSpace(editor, first) : mark(editor, first);
  });
}

function brush(editor) {
  const set = (name) => (value) => editor.setBrush({ ...editor.brush, [name]: value || undefined });
  return [
    h("h2", {}, t("editor.brush")),
    h("p", { class: "quiet" }, t("editor.brush.about")),
    ground(editor, editor.brush, "brush-", set),
  ];
}

// Kind, sector and room: of the next space, of one, or of several.
function ground(editor, said, name, set) {
  const room = h("datalist", { id: "rooms" }, areas(editor.plan).map((area) => h("option", { value: area })));
  return h(
    "div",
    { class: "fields" },
    field(t("editor.kind"), choice(`${name}kind`, kinds(), said.kind, set("kind"))),
    ENTERABLE.has(said.kind) && field(t("editor.sector"), choice(`${name}sector`, sectors(editor.plan), said.sector, set("sector"))),
    said.kind === "enclosed" && field(t("editor.area"), text(`${name}area`, said.area, set("area"), { list: "rooms", maxlength: 60 }), room, "wide"),
  );
}

function oneSpace(editor, { key, said }) {
  const set = (name) => (value) => editor.tell([key], name, value);
  const objective = (value) => {
    if (/^[1-9]?$/.test(value)) return set("objective")(Number(value) || null);
    toast(t("editor.objective.fault"), "bad");
    return false;
  };
  const starts = [["", t("editor.start.none")], ["officer", t("editor.start.officer")], ["soldier", t("editor.start.soldier")]];
  return [
    h("h2", {}, t("editor.space", { space: said.id })),
    field(t("editor.id"), text("space-id", said.id, (id) => editor.rename(key, id), { maxlength: 24 })),
    ground(editor, said, "space-", set),
    ENTERABLE.has(said.kind) &&
      h(
        "div",
        { class: "fields" },
        field(t("editor.objective"), text("space-objective", said.objective, objective, { inputmode: "numeric", maxlength: 2 })),
        field(t("editor.start"), choice("space-start", starts, said.start ?? "", set("start"))),
      ),
    field(t("editor.name"), text("space-name", said.name, set("name"), { maxlength: 60 })),
    ENTERABLE.has(said.kind) &&
      h(
        "div",
        { class: "checks" },
        flag("space-difficult", t("editor.difficult"), said.difficult === true, set("difficult")),
        flag("space-under", t("editor.under"), said.under === true, set("under")),
      ),
    editor.corner && corner(editor),
    h(
      "div",
      { class: "row" },
      button(t("editor.look"), "space-look", () => editor.lookFrom(said.id), { class: "small" }),
      said.spot && button(t("editor.spot.back"), "space-spot-back", () => set("spot")(null), { class: "small" }),
      button(t("editor.remove"), "remove", () => editor.remove(), { class: "small danger" }),
    ),
  ];
}

// A corner by its numbers, in millimetres.
function corner(editor) {
  const [x, y] = editor.corner;
  const set = (axis) => (value) => {
    const number = Math.round(Number(value.replace(",", ".")) * 10);
    return Number.isFinite(number) && editor.moveCorner(axis ? [x, number] : [number, y]);
  };
  return h(
    "div",
    { class: "fields" },
    field(t("editor.corner.x"), text("corner-x", x / 10, set(0), { inputmode: "decimal" })),
    field(t("editor.corner.y"), text("corner-y", y / 10, set(1), { inputmode: "decimal" })),
    button(t("editor.corner.remove"), "corner-remove", () => editor.removeCorner(), { class: "small" }),
  );
}

function several(editor, chosen) {
  const spaces = chosen.filter(({ role }) => role === "space");
  const alike = (name) => (spaces.every(({ said }) => said[name] === spaces[0]?.said[name]) ? spaces[0]?.said[name] : undefined);
  const said = { kind: alike("kind"), sector: alike("sector"), area: alike("area") };
  const set = (name) => (value) => editor.tell(spaces.map(({ key }) => key), name, value);
  return [
    h("h2", {}, t("editor.several", { number: chosen.length })),
    spaces.length > 0 && ground(editor, said.kind ? said : { ...said, kind: "" }, "several-", set),
    h(
      "div",
      { class: "row" },
      spaces.length === 2 && chosen.length === 2 && button(t("editor.merge"), "merge", () => editor.merge(), { class: "small" }),
      button(t("editor.remove"), "remove", () => editor.remove(), { class: "small danger" }),
    ),
  ];
}

function mark(editor, { role, said, key }) {
  const title = role === "entry" ? t("editor.mark.entry", { space: said.entry }) : tOf("editor.mark", said.access, { one: said.between[0], other: said.between[1] });
  return [
    h("h2", {}, title),
    h("p", { class: "quiet" }, t("editor.mark.about")),
    h(
      "div",
      { class: "row" },
      role === "access" && button(t("editor.mark.turn"), "turn-access", () => editor.tell([key], "access", said.access === "door" ? "ladder" : "door"), { class: "small" }),
      button(t("editor.remove"), "remove", () => editor.remove(), { class: "small danger" }),
    ),
  ];
}

// --- checks -----------------------------------------------------------------------------------------------------

export function paintChecks(holder, editor) {
  const { checks } = editor;
  const bare = !spacesOf(editor.plan).length;
  paint(holder, [checks, bare], () => {
    if (bare) return h("p", { class: "quiet" }, t("editor.checks.none"));
    if (!checks) return h("p", { class: "quiet" }, t("editor.checking"));
    const { faults, warnings, more } = checks;
    const state = faults.length ? t("editor.faults", { number: faults.length + more }) : t("editor.sound");
    return [
      h("p", { class: `verdict-line ${faults.length ? "bad" : "good"}`, "data-testid": "verdict" }, state),
      h("ul", { class: "findings" }, faults.slice(0, SHOWN).map((it) => finding(editor, it, "fault"))),
      faults.length + more > SHOWN && h("p", { class: "quiet" }, t("editor.faults.more", { number: faults.length + more - SHOWN })),
      warnings.length > 0 && h("h3", {}, t("editor.warnings")),
      h("ul", { class: "findings" }, warnings.slice(0, SHOWN).map((it) => finding(editor, it, "warning"))),
    ];
  });
}

const finding = (editor, found, kind) =>
  h(
    "li",
    {},
    found.spaces.length || found.places.length
      ? h("button", { type: "button", class: kind, "data-testid": kind, onclick: () => editor.goTo(found) }, found.sentence)
      : h("p", { class: kind, "data-testid": kind }, found.sentence),
  );

// --- the list ---------------------------------------------------------------------------------------------------

export function paintList(holder, editor) {
  const spaces = spacesOf(editor.plan).map(({ key, said }) => ({ key, id: said.id, kind: said.kind, name: said.name, sector: said.sector, on: editor.selected.has(key) }));
  paint(holder, spaces, () => [
    h("h2", {}, t("editor.spaces", { number: spaces.length })),
    h(
      "ul",
      { class: "all-spaces" },
      spaces.map(({ key, id, kind, name, sector, on }) =>
        h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: sector ?? kind, "aria-pressed": String(on), "data-testid": `list-${id}`, title: `${tOf("editor.kind", kind)}${name ? `, ${name}` : ""}`, onclick: (event) => editor.pick(key, event.shiftKey) },
            id ?? "?",
          ),
        ),
      ),
    ),
  ]);
}

// --- the map itself ---------------------------------------------------------------------------------------------

const SIZES = { A1: [8410, 5940], A2: [5940, 4200], A3: [4200, 2970] };
const SUITS = ["diamonds", "hearts", "spades", "clubs"];

// Name, size, sectors and who has drawn it; gives what was changed.
export function mapForm(members, close) {
  const own = Object.entries(SIZES).find(([, size]) => size.join() === members.size.join())?.[0] ?? "";
  const inputs = {
    name: text("map-name", members.name, () => {}, { required: true, maxlength: 60 }),
    slug: text("map-slug", members.slug, () => {}, { required: true, maxlength: 64, pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]*" }),
    code: text("map-code", members.code, () => {}, { required: true, maxlength: 6 }),
    author: text("map-author", members.author, () => {}, { maxlength: 80 }),
    licence: text("map-licence", members.licence, () => {}, { maxlength: 40 }),
    sectors: text("map-sectors", sectorsOf({ members }).join(", "), () => {}, { required: true, maxlength: 200 }),
    width: h("input", { type: "number", min: 20, max: 10000, step: "any", required: true, value: members.size[0] / 10, "data-testid": "map-width" }),
    height: h("input", { type: "number", min: 20, max: 10000, step: "any", required: true, value: members.size[1] / 10, "data-testid": "map-height" }),
  };
  const sheets = [...Object.keys(SIZES).map((name) => [name, name]), ["", t("editor.map.own")]];
  const preset = choice("map-sheet", sheets, own, (name) => {
    if (SIZES[name]) [inputs.width.value, inputs.height.value] = SIZES[name].map((side) => side / 10);
  });
  const send = (event) => {
    event.preventDefault();
    close(changed(members, inputs));
  };
  return h(
    "form",
    { class: "map-form", onsubmit: send },
    h("div", { class: "fields" }, field(t("editor.map.name"), inputs.name), field(t("editor.map.code"), inputs.code)),
    field(t("editor.map.slug"), inputs.slug),
    h("div", { class: "fields" }, field(t("editor.map.sheet"), preset), field(t("editor.map.width"), inputs.width), field(t("editor.map.height"), inputs.height)),
    field(t("editor.map.sectors"), inputs.sectors, h("small", {}, t("editor.map.sectors.about"))),
    h("div", { class: "fields" }, field(t("editor.map.author"), inputs.author), field(t("editor.map.licence"), inputs.licence)),
    h("div", { class: "row" }, button(t("editor.cancel"), "map-cancel", () => close(null)), h("button", { class: "button main", "data-testid": "map-done" }, t("editor.map.done"))),
  );
}

function changed(members, inputs) {
  const names = inputs.sectors.value.split(",").map((name) => name.trim()).filter(Boolean);
  const sectors = [...new Set(names)];
  const size = [inputs.width, inputs.height].map(({ value }) => Math.round(Number(value) * 10));
  const now = { ...members, slug: inputs.slug.value, name: inputs.name.value, code: inputs.code.value, size, sectors };
  if (sectors.join() !== sectorsOf({ members }).join() && members.suits) {
    const free = SUITS.filter((suit) => !sectors.some((sector) => members.suits[sector] === suit));
    now.suits = Object.fromEntries(sectors.map((sector) => [sector, members.suits[sector] ?? free.shift()]).filter(([, suit]) => suit));
  }
  for (const name of ["licence", "author"]) {
    if (inputs[name].value) now[name] = inputs[name].value;
    else delete now[name];
  }
  return now;
}
