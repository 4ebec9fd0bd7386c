// The page of the map editor: its buttons and keys.

import { ARROWS } from "../camera.js";
import { t, tOf } from "../texts.js";
import { $, $$, button, confirmed, dialog, field, h, terms, toast } from "../ui.js";
import * as desk from "./desk.js";
import { Editor } from "./editor.js";
import { spacesOf } from "./plan.js";
import { textOf } from "./inert.js";
import { mapForm } from "./panel.js";
import { MOST_MB, planFrom, svgOf } from "./svgfile.js";
import { TOOLS } from "./tools.js";

const KEYS = { v: "select", d: "draw", x: "split", o: "door", l: "ladder", e: "entry", p: "spot", s: "look" };
const ZOOM = { "+": 0.8, "=": 0.8, "-": 1.25 };

const editor = new Editor();

// --- buttons ----------------------------------------------------------------------------------------------------

const does = {
  undo: editor.undo,
  redo: editor.redo,
  save: () => editor.save(),
  map: () => describe(),
  photo: () => editPhoto(),
  "svg-out": () => download(`${editor.plan.members.slug || "map"}.svg`, svgOf(editor.plan)),
  "svg-in": () => $("#svg-file").click(),
  renumber: () => renumber(),
  discard: () => discard(),
  help: () => help(),
  "zoom-in": () => editor.sheet.camera.zoom(0.7),
  "zoom-out": () => editor.sheet.camera.zoom(1.43),
  "zoom-fit": () => editor.sheet.fit(),
};

for (const it of $$("[data-does]")) it.addEventListener("click", () => done(it));
for (const it of $$("[data-tool-of]")) it.addEventListener("click", () => chooseTool(it.dataset.toolOf));

function done(it) {
  it.closest("details")?.removeAttribute("open");
  does[it.dataset.does]();
}

function chooseTool(tool) {
  editor.hand.take(tool);
  editor.repaint();
}

// --- dialogs ----------------------------------------------------------------------------------------------------

async function describe() {
  const members = await dialog(t("editor.map"), "map-dialog", (close) => mapForm(editor.plan.members, close));
  if (members) editor.setMembers(members);
}

async function editPhoto() {
  const there = editor.photo.there;
  const choice = await dialog(t("editor.photo"), "photo-dialog", (close) => [
    h("p", {}, t("editor.photo.about")),
    there &&
      field(
        h("span", {}, t("editor.photo.opacity")),
        h("input", {
          type: "range",
          min: 0,
          max: 100,
          value: editor.photo.opacity * 100,
          testid: "photo-opacity",
          oninput: (event) => editor.photo.fade(event.target.value / 100),
        }),
      ),
    h("div", { class: "row" }, [
      button(t(there ? "editor.photo.other" : "editor.photo.choose"), "photo-choose", () => close("choose")),
      there && button(t("editor.photo.align"), "photo-align", () => close("align"), { class: "main" }),
      there && button(t("editor.photo.drop"), "photo-drop", () => close("drop")),
      button(t("editor.close"), "photo-close", () => close(null)),
    ]),
  ]);
  if (choice === "choose") $("#photo-file").click();
  if (choice === "align") await editor.align();
  if (choice === "drop") await editor.heard(editor.photo.drop());
  editor.repaint();
}

async function renumber() {
  const [title, about, yes] = [t("editor.renumber"), t("editor.renumber.about"), t("editor.renumber.yes")];
  if (await confirmed(title, about, yes, t("editor.cancel"))) editor.renumber();
}

async function discard() {
  const [title, about, yes] = [t("editor.discard"), t("editor.discard.about"), t("editor.discard.yes")];
  const opened = (await confirmed(title, about, yes, t("editor.cancel"))) && (await editor.heard(desk.discard()));
  if (opened) editor.open(opened);
}

function help() {
  const rows = [
    ...TOOLS.map((tool) => [
      Object.keys(KEYS)
        .find((key) => KEYS[key] === tool)
        .toUpperCase(),
      tOf("editor.tool", tool),
    ]),
    [t("editor.keys.enter"), t("editor.keys.enter.does")],
    ["Esc", t("editor.keys.escape.does")],
    ["Del", t("editor.remove")],
    [t("editor.keys.arrows"), t("editor.keys.arrows.does")],
    ["Ctrl+Z · Ctrl+Y", t("editor.keys.undo.does")],
    ["Ctrl+S", t("editor.save")],
    ["+ − 0", t("editor.keys.zoom.does")],
    [t("editor.keys.space"), t("editor.keys.space.does")],
    ["Shift", t("editor.keys.shift.does")],
    ["Alt", t("editor.keys.alt.does")],
    ["Ctrl", t("editor.keys.ctrl.does")],
  ];
  dialog(t("editor.help"), "help-dialog", (close) => [
    h("ol", { class: "steps" }, [
      ["photo", "map", "draw", "mark", "check", "save"].map((step) => h("li", {}, tOf("editor.step", step))),
    ]),
    terms({ class: "keys" }, rows),
    h("div", { class: "row" }, [button(t("editor.close"), "help-close", () => close(null), { class: "main" })]),
  ]);
}

// --- files ------------------------------------------------------------------------------------------------------

function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function picked(id, act) {
  $(id).addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    target.value = "";
    if (!file) return;
    try {
      await act(file);
    } catch (error) {
      toast(error.message, "bad");
    }
  });
}

picked("#photo-file", (file) => editor.choosePhoto(file));

picked("#svg-file", async (file) => {
  if (file.size > MOST_MB << 20) throw new Error(t("editor.svg.large", { number: MOST_MB }));
  const { plan, lines } = planFrom(await textOf(file), editor.plan);
  editor.selected.clear();
  editor.take(plan);
  editor.sheet.fit();
  const said = t("editor.svg.taken", { number: spacesOf(plan).length });
  if (!lines.length) return toast(said);
  return dialog(t("editor.svg.report"), "svg-report", (close) => [
    h("p", {}, said),
    h("ul", { class: "findings" }, [lines.map((line) => h("li", {}, h("p", { class: "warning" }, line)))]),
    h("div", { class: "row" }, [button(t("editor.close"), "svg-report-close", () => close(null), { class: "main" })]),
  ]);
});

// --- keys -------------------------------------------------------------------------------------------------------

const typing = ({ target }) => target.matches?.("input:not([type=checkbox], [type=range]), select, textarea");

addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const act = event.ctrlKey || event.metaKey ? commandKey(key, event) : typing(event) ? null : plainKey(key, event);
  if (!act) return;
  event.preventDefault();
  act();
});

// In a text field, undo works on the text until it becomes an edit of the plan.
const writing = ({ target }) => target.matches?.("input[type=text], textarea") && target.value !== target.defaultValue;

function commandKey(key, event) {
  if (key === "s") return () => editor.save();
  if (writing(event)) return null;
  if (key === "z") return event.shiftKey ? editor.redo : editor.undo;
  return key === "y" ? editor.redo : null;
}

function plainKey(key, event) {
  if (KEYS[key]) return () => chooseTool(KEYS[key]);
  if (ZOOM[key]) return () => editor.sheet.camera.zoom(ZOOM[key]);
  if (key === "0") return () => editor.sheet.fit();
  if (key === "?") return help;
  if (key === "Escape") return escape;
  if (key === "Delete" || key === "Backspace") return () => editor.hand.back() || editor.remove();
  if (key === "Enter" && editor.hand.points.length) return () => editor.hand.finish();
  if (key === " " && !event.target.closest("button, summary, a")) return () => (editor.spaceBar = true);
  if (ARROWS[key] && editor.corner) return () => nudge(ARROWS[key], event.shiftKey ? 10 : 1);
  return null;
}

addEventListener("keyup", (event) => {
  if (event.key === " ") editor.spaceBar = false;
});

function nudge([dx, dy], far) {
  editor.moveCorner([editor.corner[0] + dx * far, editor.corner[1] + dy * far]);
}

function escape() {
  if (editor.hand.points.length) return editor.hand.take(editor.hand.tool);
  if (editor.corner) {
    editor.corner = null;
    return editor.repaint();
  }
  if (editor.hand.tool !== "select") return chooseTool("select");
  return editor.select(null);
}

addEventListener("beforeunload", (event) => editor.waiting && event.preventDefault());

// --- begin ------------------------------------------------------------------------------------------------------

const opened = await editor.heard(desk.opened());
if (opened) {
  editor.sheet.camera.size = opened.document.size;
  if (opened.has_photo) await editor.heard(desk.photo().then((picture) => editor.photo.load(picture)));
  editor.open(opened);
  editor.sheet.fit();
  editor.hand.take("select");
  if (opened.flattened) toast(t("editor.heights"));
  if (opened.draft) toast(t(opened.stale ? "editor.draft.stale" : "editor.draft"));
  document.body.dataset.ready = "yes";
  if (opened.fresh && !opened.draft) await describe();
} else $("#hint").textContent = t("editor.closed");
