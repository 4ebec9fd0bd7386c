// The sight tool: lights what a space sees, and explains the line to a second space.

import { t } from "../texts.js";
import { $ } from "../ui.js";
import * as desk from "./desk.js";
import { byId, documentOf } from "./plan.js";

const hint = (text) => ($("#hint").textContent = text);

export class SightTool {
  // `editor` has the plan and the sheet. `eye` is the ID of the space looked from, `seen` the command's answer.
  constructor(editor) {
    this.editor = editor;
    this.eye = this.seen = this.seenOn = null;
  }

  // Lights what a space sees. With `second`, it explains the line to that space or what blocks it.
  async look(id, second = false) {
    const { plan, sheet } = this.editor;
    if (second && this.eye && id && id !== this.eye) return this.ask(id);
    if (id !== this.eye) {
      sheet.lights(plan, null);
      document.body.dataset.eye = "";
    }
    this.eye = id;
    this.seenOn = null;
    if (!id) return undefined;
    hint(t("editor.looking", { space: id }));
    const found = await this.editor.heard(desk.sight(documentOf(plan), id));
    if (!found || this.eye !== id || this.editor.plan !== plan) return undefined;
    this.seen = found;
    this.seenOn = plan;
    sheet.lights(plan, found);
    document.body.dataset.eye = id;
    const left = found.left.length ? ` ${t("editor.looked.left", { number: found.left.length })}` : "";
    return hint(t("editor.looked", { space: id, number: found.seen.length - 1 }) + left);
  }

  // Looks again after the drawing has changed.
  again() {
    const { plan } = this.editor;
    if (this.eye && this.seenOn !== plan) this.look(byId(plan, this.eye) ? this.eye : null);
  }

  async ask(other) {
    const { plan, sheet } = this.editor;
    const seen = this.seen?.seen.find(({ space }) => space === other);
    if (seen) {
      sheet.line(seen.line);
      return hint(t("editor.sees", { one: this.eye, other, distance: seen.distance }));
    }
    const found = await this.editor.heard(desk.blame(documentOf(plan), this.eye, other));
    if (!found) return undefined;
    sheet.line(found.line);
    return hint(found.why);
  }
}
