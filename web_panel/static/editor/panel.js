// The side panel of the editor: the selection, problems of the drawing, and a list of all spaces.

import { t, tOf } from "../texts.js";
import { button, check, h, paint, quiet, select, submit, toast } from "../ui.js";
import { byKey, ENTERABLE, KINDS, sectorsOf, spacesOf } from "./plan.js";

const SHOWN = 120;

const labelled = (label, control, more = null, kind = "") =>
  h("label", { class: `field ${kind}`.trim() }, h("span", {}, label), control, more);

// A text field; its old value returns if `take` returns false.
function text(testid, value, take, props = {}) {
  const onchange = () => {
    if (take(input.value.trim()) === false) input.value = input.defaultValue;
  };
  const input = h("input", { type: "text", testid, value: value ?? "", ...props, onchange });
  input.defaultValue = input.value;
  return input;
}

const flag = (testid, label, on, onchange) =>
  check(label, testid, { checked: on, onchange: (event) => onchange(event.target.checked) });

const kinds = () => KINDS.map((kind) => [kind, tOf("editor.kind", kind)]);
const sectors = (plan) => sectorsOf(plan).map((sector) => [sector, tOf("editor.sector", sector)]);
function areas(plan) {
  const all = spacesOf(plan).map(({ said }) => said.area);
  return [...new Set(all.filter(Boolean))].sort();
}

// --- the selection ----------------------------------------------------------------------------------------------

export function paintSelection(holder, editor) {
  const chosen = [...editor.selected].map((key) => byKey(editor.plan, key)).filter(Boolean);
  const features = chosen.map(({ said, at }) => [said, at]);
  const facts = [features, editor.brush, sectorsOf(editor.plan), areas(editor.plan), editor.corner];
  paint(holder, facts, () => {
    if (!chosen.length) return brush(editor);
    const [first] = chosen;
    if (chosen.length > 1) return several(editor, chosen);
    return first.role === "space" ? oneSpace(editor, first) : mark(editor, first);
  });
}

function brush(editor) {
  const set = (name) => (value) => editor.setBrush({ ...editor.brush, [name]: value || undefined });
  return [h("h2", {}, t("editor.brush")), quiet(t("editor.brush.about")), ground(editor, editor.brush, "brush-", set)];
}

// Kind, sector and room of the next space, of one, or of several.
function ground(editor, said, name, set) {
  const room = h("datalist", { id: "rooms" }, [areas(editor.plan).map((area) => h("option", { value: area }))]);
  return h("div", { class: "fields" }, [
    labelled(t("editor.kind"), select(`${name}kind`, kinds(), said.kind, set("kind"))),
    ENTERABLE.has(said.kind) &&
      labelled(t("editor.sector"), select(`${name}sector`, sectors(editor.plan), said.sector, set("sector"))),
    said.kind === "enclosed" &&
      labelled(
        t("editor.area"),
        text(`${name}area`, said.area, set("area"), { list: "rooms", maxlength: 60 }),
        room,
        "wide",
      ),
  ]);
}

function oneSpace(editor, { key, said }) {
  const set = (name) => (value) => editor.tell([key], name, value);
  const objective = (value) => {
    if (/^[1-9]?$/.test(value)) return set("objective")(Number(value) || null);
    toast(t("editor.objective.fault"), "bad");
    return false;
  };
  const starts = [
    ["", t("editor.start.none")],
    ["officer", t("editor.start.officer")],
    ["soldier", t("editor.start.soldier")],
  ];
  return [
    h("h2", {}, t("editor.space", { space: said.id })),
    labelled(
      t("editor.id"),
      text("space-id", said.id, (id) => editor.rename(key, id), { maxlength: 24 }),
    ),
    ground(editor, said, "space-", set),
    ENTERABLE.has(said.kind) &&
      h("div", { class: "fields" }, [
        labelled(
          t("editor.objective"),
          text("space-objective", said.objective, objective, { inputmode: "numeric", maxlength: 2 }),
        ),
        labelled(t("editor.start"), select("space-start", starts, said.start ?? "", set("start"))),
      ]),
    labelled(t("editor.name"), text("space-name", said.name, set("name"), { maxlength: 60 })),
    ENTERABLE.has(said.kind) &&
      h("div", { class: "checks" }, [
        flag("space-difficult", t("editor.difficult"), said.difficult === true, set("difficult")),
        flag("space-under", t("editor.under"), said.under === true, set("under")),
      ]),
    editor.corner && corner(editor),
    h("div", { class: "row" }, [
      button(t("editor.look"), "space-look", () => editor.lookFrom(said.id), { class: "small" }),
      said.spot && button(t("editor.spot.back"), "space-spot-back", () => set("spot")(null), { class: "small" }),
      removeButton(editor),
    ]),
  ];
}

// A corner's coordinates in millimetres.
function corner(editor) {
  const [x, y] = editor.corner;
  const set = (axis) => (value) => {
    const number = Math.round(Number(value.replace(",", ".")) * 10);
    return Number.isFinite(number) && editor.moveCorner(axis ? [x, number] : [number, y]);
  };
  return h("div", { class: "fields" }, [
    labelled(t("editor.corner.x"), text("corner-x", x / 10, set(0), { inputmode: "decimal" })),
    labelled(t("editor.corner.y"), text("corner-y", y / 10, set(1), { inputmode: "decimal" })),
    button(t("editor.corner.remove"), "corner-remove", () => editor.removeCorner(), { class: "small" }),
  ]);
}

function several(editor, chosen) {
  const spaces = chosen.filter(({ role }) => role === "space");
  const alike = (name) =>
    spaces.every(({ said }) => said[name] === spaces[0]?.said[name]) ? spaces[0]?.said[name] : undefined;
  const said = { kind: alike("kind"), sector: alike("sector"), area: alike("area") };
  const keys = spaces.map(({ key }) => key);
  const set = (name) => (value) => editor.tell(keys, name, value);
  return [
    h("h2", {}, t("editor.several", { number: chosen.length })),
    spaces.length > 0 && ground(editor, said.kind ? said : { ...said, kind: "" }, "several-", set),
    h("div", { class: "row" }, [
      spaces.length === 2 &&
        chosen.length === 2 &&
        button(t("editor.merge"), "merge", () => editor.merge(), { class: "small" }),
      removeButton(editor),
    ]),
  ];
}

function mark(editor, { role, said, key }) {
  const [one, other] = said.between ?? [];
  const title =
    role === "entry" ? t("editor.mark.entry", { space: said.entry }) : tOf("editor.mark", said.access, { one, other });
  const turn = () => editor.tell([key], "access", said.access === "door" ? "ladder" : "door");
  return [
    h("h2", {}, title),
    quiet(t("editor.mark.about")),
    h("div", { class: "row" }, [
      role === "access" && button(t("editor.mark.turn"), "turn-access", turn, { class: "small" }),
      removeButton(editor),
    ]),
  ];
}

const removeButton = (editor) => button(t("editor.remove"), "remove", () => editor.remove(), { class: "small danger" });

// --- checks -----------------------------------------------------------------------------------------------------

export function paintChecks(holder, editor) {
  const { checks } = editor;
  const bare = !spacesOf(editor.plan).length;
  paint(holder, [checks, bare], () => {
    if (bare) return quiet(t("editor.checks.none"));
    if (!checks) return quiet(t("editor.checking"));
    const { faults, warnings, more } = checks;
    const state = faults.length ? t("editor.faults", { number: faults.length + more }) : t("editor.sound");
    return [
      h("p", { class: `verdict-line ${faults.length ? "bad" : "good"}`, testid: "verdict" }, state),
      h("ul", { class: "findings" }, [faults.slice(0, SHOWN).map((it) => finding(editor, it, "fault"))]),
      faults.length + more > SHOWN && quiet(t("editor.faults.more", { number: faults.length + more - SHOWN })),
      warnings.length > 0 && h("h3", {}, t("editor.warnings")),
      h("ul", { class: "findings" }, [warnings.slice(0, SHOWN).map((it) => finding(editor, it, "warning"))]),
    ];
  });
}

const finding = (editor, found, kind) =>
  h("li", {}, [
    found.spaces.length || found.places.length
      ? h("button", { class: kind, testid: kind, onclick: () => editor.goTo(found) }, [found.sentence])
      : h("p", { class: kind, testid: kind }, found.sentence),
  ]);

// --- the list ---------------------------------------------------------------------------------------------------

export function paintList(holder, editor) {
  const spaces = spacesOf(editor.plan).map(({ key, said: { id, kind, name, sector } }) => {
    return { key, id, kind, name, sector, on: editor.selected.has(key) };
  });
  paint(holder, spaces, () => [
    h("h2", {}, t("editor.spaces", { number: spaces.length })),
    h("ul", { class: "all-spaces" }, [spaces.map((space) => h("li", {}, listButton(editor, space)))]),
  ]);
}

function listButton(editor, { key, id, kind, name, sector, on }) {
  const title = [tOf("editor.kind", kind), name].filter(Boolean).join(", ");
  const onclick = (event) => editor.pick(key, event.shiftKey);
  return h("button", { class: sector ?? kind, "aria-pressed": on, testid: `list-${id}`, title, onclick }, id ?? "?");
}

// --- the map itself ---------------------------------------------------------------------------------------------

const SIZES = { A1: [8410, 5940], A2: [5940, 4200], A3: [4200, 2970] };
const SUITS = ["diamonds", "hearts", "spades", "clubs"];

// The form for name, size, sectors and author; it returns the changed members.
export function mapForm(members, close) {
  const own = Object.entries(SIZES).find(([, size]) => size.join() === members.size.join())?.[0] ?? "";
  const entry = (name, maxlength, props = {}) => text(`map-${name}`, members[name], () => {}, { maxlength, ...props });
  const limits = { type: "number", min: 20, max: 10000, step: "any", required: true };
  const side = (name, value) => h("input", { ...limits, value: value / 10, testid: `map-${name}` });
  const inputs = {
    name: entry("name", 60, { required: true }),
    slug: entry("slug", 64, { required: true, pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]*" }),
    code: entry("code", 6, { required: true }),
    author: entry("author", 80),
    licence: entry("licence", 40),
    sectors: entry("sectors", 200, { required: true, value: sectorsOf({ members }).join(", ") }),
    width: side("width", members.size[0]),
    height: side("height", members.size[1]),
  };
  const sheets = [...Object.keys(SIZES).map((name) => [name, name]), ["", t("editor.map.own")]];
  const preset = select("map-sheet", sheets, own, (name) => {
    if (SIZES[name]) [inputs.width.value, inputs.height.value] = SIZES[name].map((side) => side / 10);
  });
  const send = (event) => {
    event.preventDefault();
    close(changed(members, inputs));
  };
  const named = (name, control = inputs[name], more = null) => labelled(tOf("editor.map", name), control, more);
  return h("form", { class: "map-form", onsubmit: send }, [
    h("div", { class: "fields" }, named("name"), named("code")),
    named("slug"),
    h("div", { class: "fields" }, named("sheet", preset), named("width"), named("height")),
    named("sectors", inputs.sectors, h("small", {}, t("editor.map.sectors.about"))),
    h("div", { class: "fields" }, named("author"), named("licence")),
    h("div", { class: "row" }, [
      button(t("editor.cancel"), "map-cancel", () => close(null)),
      submit(t("editor.map.done"), "map-done"),
    ]),
  ]);
}

function changed(members, inputs) {
  const names = inputs.sectors.value.split(",").map((name) => name.trim());
  const sectors = [...new Set(names.filter(Boolean))];
  const size = [inputs.width, inputs.height].map(({ value }) => Math.round(Number(value) * 10));
  const [slug, name, code] = [inputs.slug.value, inputs.name.value, inputs.code.value];
  const now = { ...members, slug, name, code, size, sectors };
  if (sectors.join() !== sectorsOf({ members }).join() && members.suits) {
    const free = SUITS.filter((suit) => !sectors.some((sector) => members.suits[sector] === suit));
    now.suits = Object.fromEntries(
      sectors.map((sector) => [sector, members.suits[sector] ?? free.shift()]).filter(([, suit]) => suit),
    );
  }
  for (const optional of ["licence", "author"]) {
    if (inputs[optional].value) now[optional] = inputs[optional].value;
    else delete now[optional];
  }
  return now;
}
