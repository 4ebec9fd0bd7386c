// The editor: a plan with its history, the selection, and what the command reports (checks, sight, the draft).

import { clamp } from "../camera.js";
import { t, tOf } from "../texts.js";
import { $, $$, confirmed, paint, toast } from "../ui.js";
import * as desk from "./desk.js";
import {
  byId,
  byKey,
  documentOf,
  drawAlike,
  ENTERABLE,
  freshId,
  History,
  letterOf,
  planOf,
  renamed,
  renumbered,
  sectorsOf,
  spacesOf,
  withProperty,
  WHOLE,
  withoutFeatures,
} from "./plan.js";
import { SightTool } from "./sight-tool.js";
import { paintChecks, paintList, paintSelection } from "./panel.js";
import { removed, moved, merged } from "./shapes.js";
import { Sheet, spotOf } from "./sheet.js";
import { Hand } from "./tools.js";
import { Photo } from "./photo.js";

const CHECK_MS = 350;
const KEEP_MS = 300;

export class Editor {
  constructor() {
    this.history = new History(planOf({ size: [8410, 5940], sectors: [], features: [] }));
    this.selected = new Set();
    this.corner = null;
    this.checks = null;
    this.brush = { kind: "open" };
    this.sheet = new Sheet($("#sheet"), t("editor.sheet"));
    this.photo = new Photo(
      this.sheet,
      () => this.keep(),
      (picture) => this.storePhoto(picture),
    );
    this.hand = new Hand(this);
    this.sightTool = new SightTool(this);
    this.sheet.camera.onSee = () => {
      this.photo.lay();
      this.paintHandles();
      this.sheet.marks(this.marked ?? []);
    };
    this.dirty = this.spaceBar = false;
    this.turn = 0;
  }

  get plan() {
    return this.history.plan;
  }

  // Shows a drawing that the command has opened.
  open({ file, document, draft, photo }) {
    this.file = file;
    this.history = new History(planOf(document, this.photo.takePlace(photo)));
    this.selected.clear();
    this.dirty = draft;
    this.brush = { kind: "open", sector: sectorsOf(this.plan)[0] };
    this.repaint();
    this.check();
  }

  // --- edits ----------------------------------------------------------------------------------------------------

  // Accepts an edit and selects the feature with `key`.
  take(plan, key) {
    this.previewed = null;
    if (key !== undefined) this.selected = new Set([key]);
    if (plan !== this.plan) {
      const before = this.plan;
      this.history.take(plan);
      this.edited(before);
    }
    this.repaint();
  }

  // Shows an unfinished edit; null returns to the plan.
  preview(plan) {
    this.previewed = plan;
    // A drag may report many positions per frame; only the latest one is painted.
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      this.paintSheet();
    });
  }

  settle() {
    this.sheet.draft([], null);
    this.take(this.previewed ?? this.plan);
  }

  edited(before) {
    this.keep();
    if (drawAlike(before, this.plan)) return;
    this.dirty = true;
    this.check();
  }

  stepped(step) {
    const before = this.plan;
    // While an outline is being drawn, undo takes back its last corner instead.
    if (this.hand.back() || !step()) return;
    this.corner = null;
    this.selected = new Set([...this.selected].filter((key) => byKey(this.plan, key)));
    this.edited(before);
    this.repaint();
  }

  undo = () => this.stepped(this.history.undo);
  redo = () => this.hand.points.length || this.stepped(this.history.redo);

  tell(keys, name, value) {
    let plan = withProperty(this.plan, keys, name, value);
    if (name === "kind" || name === "sector") plan = keys.reduce((now, key) => this.suited(now, key), plan);
    if (name in this.brush || name === "area") this.brush = { ...this.brush, [name]: value || undefined };
    this.take(plan);
  }

  // Gives an enterable space a sector, and a new ID if its ID began with the letter of its old sector.
  suited(plan, key) {
    const before = byKey(this.plan, key).said;
    const { said } = byKey(plan, key);
    const wants = ENTERABLE.has(said.kind) && !said.sector;
    const now = wants ? withProperty(plan, [key], "sector", this.brush.sector ?? sectorsOf(plan)[0]) : plan;
    const own = byKey(now, key).said;
    const [old, letter] = [before, own].map((it) => letterOf(now, it));
    const named = old !== letter && new RegExp(`^${old}\\d+$`).test(own.id);
    return named ? this.named(now, key, freshId(now, own)) : now;
  }

  // Renames a space everywhere. If two spaces have the same ID, only this one is renamed.
  named(plan, key, id) {
    const { said } = byKey(plan, key);
    // Doors and entries refer to IDs, so it is unknown which of two spaces with the same ID they mean.
    const alone = spacesOf(plan).filter((it) => it.said.id === said.id).length === 1;
    return alone ? renamed(plan, new Map([[said.id, id]])) : withProperty(plan, [key], "id", id);
  }

  // Returns false if the ID can't be used.
  rename(key, id) {
    const { said } = byKey(this.plan, key);
    if (id === said.id) return true;
    if (/^\S{1,24}$/.test(id) && !byId(this.plan, id)) return this.take(this.named(this.plan, key, id));
    toast(t("editor.id.fault", { id }), "bad");
    return false;
  }

  renumber() {
    this.take(renumbered(this.plan, spotOf));
  }

  remove() {
    if (this.corner) return this.removeCorner();
    const plan = withoutFeatures(this.plan, this.selected);
    this.selected = new Set();
    return this.take(plan);
  }

  merge() {
    const [one, other] = [...this.selected];
    const plan = merged(this.plan, one, other);
    if (!plan) return toast(t("editor.merge.fault"), "bad");
    return this.take(plan, one);
  }

  moveCorner(to) {
    const from = this.corner;
    const [width, height] = this.plan.members.size;
    this.corner = [clamp(to[0], 0, width), clamp(to[1], 0, height)];
    this.take(moved(this.plan, from, this.corner));
  }

  removeCorner() {
    const plan = removed(this.plan, this.corner);
    this.corner = null;
    this.take(plan);
  }

  setMembers(members) {
    this.take({ ...this.plan, members });
    this.sheet.camera.size = members.size;
    this.sheet.fit();
    if (!members.sectors.includes(this.brush.sector)) this.setBrush({ ...this.brush, sector: members.sectors[0] });
  }

  // --- the photo ------------------------------------------------------------------------------------------------

  // Asks for the corners of the board on the photo.
  async align() {
    const corners = await this.photo.align();
    if (corners) this.take({ ...this.plan, corners });
  }

  // The corners on a new photo are unknown, so they are removed from every step of the history.
  async choosePhoto(file) {
    await this.photo.choose(file);
    this.history.everywhere((plan) => ({ ...plan, corners: WHOLE }));
    this.repaint();
    await this.align();
  }

  // --- choosing -------------------------------------------------------------------------------------------------

  select(key, more = false) {
    this.corner = null;
    if (!more) this.selected = new Set(key === null ? [] : [key]);
    else if (key !== null && !this.selected.delete(key)) this.selected.add(key);
    this.repaint();
  }

  // Selects a space in the list and shows it on the sheet.
  pick(key, more) {
    this.select(key, more);
    const { ring, said } = byKey(this.plan, key);
    if (this.hand.tool === "look") return this.sightTool.look(said.id);
    const all = more ? [...this.selected].flatMap((it) => byKey(this.plan, it).ring ?? []) : ring;
    return all.length && this.sheet.camera.around(all, 2.4);
  }

  setBrush(brush) {
    this.brush = brush;
    this.repaint();
  }

  goTo({ spaces, places }) {
    const found = spacesOf(this.plan).filter(({ said }) => spaces.includes(said.id));
    this.corner = null;
    this.selected = new Set(found.map(({ key }) => key));
    this.repaint();
    this.marked = places;
    this.sheet.marks(places);
    const points = places.length ? places : found.flatMap(({ ring }) => ring);
    if (points.length) this.sheet.camera.around(points, 1.8);
  }

  changedTool(tool) {
    document.body.dataset.tool = tool;
    if (tool !== "look") this.sightTool.look(null);
    this.paintSheet();
    for (const it of $$("[data-tool-of]")) it.setAttribute("aria-pressed", String(it.dataset.toolOf === tool));
    const bare = tool === "select" && !spacesOf(this.plan).length;
    $("#hint").textContent = bare ? t("editor.begin") : tOf("editor.hint", tool);
  }

  pointed([x, y]) {
    $("#where").textContent = t("editor.where", { x: (x / 10).toFixed(1), y: (y / 10).toFixed(1) });
  }

  // --- asking the command ---------------------------------------------------------------------------------------

  lookFrom(id) {
    this.hand.take("look");
    this.sightTool.look(id);
  }

  // Resolves to the command's answer, or to null after showing why it refused.
  async heard(answer) {
    try {
      return await answer;
    } catch (error) {
      toast(error.message, "bad");
      return null;
    }
  }

  // --- checks, draft, file --------------------------------------------------------------------------------------

  check() {
    const turn = ++this.turn;
    document.body.dataset.checked = "";
    clearTimeout(this.checking);
    this.checking = setTimeout(async () => {
      const found = await desk.check(documentOf(this.plan)).catch(() => null);
      // The drawing has changed since; another check follows.
      if (turn !== this.turn || !found) return;
      this.checks = found;
      document.body.dataset.checked = "yes";
      this.paintSide();
      this.sightTool.again();
    }, CHECK_MS);
  }

  keep() {
    document.body.dataset.kept = "";
    clearTimeout(this.keeping);
    this.waiting = true;
    this.keeping = setTimeout(() => this.kept(), KEEP_MS);
    this.paintHead();
  }

  async kept(over = false) {
    const plan = this.plan;
    try {
      await desk.keep(this.dirty ? documentOf(plan) : null, this.photo.place, over);
    } catch (error) {
      if (await this.mayOverwrite(error)) return void this.kept(true);
      toast(error.message, "bad");
      return;
    }
    // The newer plan is stored by its own timer.
    if (plan !== this.plan) return;
    this.waiting = false;
    document.body.dataset.kept = "yes";
    this.paintHead();
  }

  async save(over = false) {
    clearTimeout(this.keeping);
    const plan = this.plan;
    document.body.dataset.saved = "";
    $("#state").textContent = t("editor.saving");
    try {
      const { said, backup } = await desk.save(documentOf(plan), this.photo.place, over);
      // Edits made while the file was written are still unsaved.
      this.dirty = !drawAlike(plan, this.plan);
      this.waiting = false;
      if (plan !== this.plan) this.keep();
      toast(backup ? `${said} ${t("editor.backup", { file: backup })}` : said);
      document.body.dataset.saved = "yes";
    } catch (error) {
      if (await this.mayOverwrite(error)) return this.save(true);
      toast(error.message, "bad");
    }
    return this.paintHead();
  }

  async storePhoto(picture, over = false) {
    try {
      await desk.takePhoto(picture, over);
    } catch (error) {
      if (!(await this.mayOverwrite(error))) throw error;
      await this.storePhoto(picture, true);
    }
  }

  // Asks about changes of another page or program, once at a time.
  async mayOverwrite({ code, message }) {
    if (code !== "stale" || this.asking) return false;
    this.asking = true;
    const question = [message, t("editor.stale.about")];
    const answer = await confirmed(t("editor.stale"), question, t("editor.stale.over"), t("editor.cancel"));
    this.asking = false;
    return answer;
  }

  // --- the page -------------------------------------------------------------------------------------------------

  repaint() {
    if (this.corner && !this.selectedRing()?.some((p) => p.join() === this.corner.join())) this.corner = null;
    this.marked = [];
    this.sheet.marks([]);
    this.paintSheet();
    this.paintSide();
    this.paintHead();
  }

  selectedRing(plan = this.plan) {
    const [only, ...others] = this.selected;
    return others.length ? null : (byKey(plan, only)?.ring ?? null);
  }

  paintSheet() {
    const plan = this.previewed ?? this.plan;
    document.body.dataset.photo = this.photo.there ? "yes" : "";
    this.photo.lay(plan.corners);
    this.sheet.paint(plan, this.selected);
    this.paintHandles();
    document.body.dataset.spaces = String(spacesOf(plan).length);
  }

  // Handles have the same size on the screen at every scale.
  paintHandles() {
    const ring = this.selectedRing(this.previewed ?? this.plan);
    if (ring && this.hand?.tool === "select") this.sheet.handles(ring, this.corner);
    else this.sheet.show("handles");
  }

  paintSide() {
    paintSelection($("#selection"), this);
    paintChecks($("#checks"), this);
    paintList($("#list"), this);
  }

  paintHead() {
    const { past, future } = this.history;
    $("[data-testid=undo]").disabled = !past.length;
    $("[data-testid=redo]").disabled = !future.length;
    $("#state").textContent = this.waiting ? t("editor.keeping") : this.dirty ? t("editor.kept") : t("editor.saved");
    paint($("#title"), [this.plan.members.name, this.file], () => [String(this.plan.members.name || this.file || "")]);
  }
}
