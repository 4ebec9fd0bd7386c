// The photo under the drawing: loads it, reduces its size, and fits it to the board by its four corners. The corners
// belong to the plan (`plan.js`), so that they can be undone.

import { ARROWS, clamp } from "../camera.js";
import { t } from "../texts.js";
import { button, dialog, h } from "../ui.js";
import { WHOLE } from "./plan.js";
import { homography, rectangle, times } from "./plane.js";

const LONGEST = 2800;
const QUALITY = 0.86;
const MOST_MB = 80;
const NUDGE = 0.001;

const clamped = (value) => clamp(value, 0, 1);

export class Photo {
  // `changed()` is called after the photo or its opacity has changed, `store(picture)` to store another photo.
  constructor(sheet, changed, store) {
    this.sheet = sheet;
    this.store = store;
    this.changed = changed;
    this.corners = WHOLE;
    this.opacity = 0.7;
    this.canvas = h("canvas", { class: "photo", hidden: true, testid: "photo-below" });
    sheet.holder.prepend(this.canvas);
  }

  get there() {
    return !this.canvas.hidden;
  }

  get place() {
    return this.there ? { corners: this.corners, opacity: this.opacity } : null;
  }

  // Restores the stored photo settings; returns the corners.
  takePlace(place) {
    const sound =
      Array.isArray(place?.corners) &&
      place.corners.length === 4 &&
      place.corners.every((it) => it?.length === 2 && it.every(Number.isFinite));
    if (Number.isFinite(place?.opacity)) this.opacity = clamped(place.opacity);
    return sound ? place.corners : WHOLE;
  }

  async load(blob) {
    const picture = await createImageBitmap(blob);
    const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
    this.canvas.width = Math.round(picture.width * scale);
    this.canvas.height = Math.round(picture.height * scale);
    this.canvas.getContext("2d").drawImage(picture, 0, 0, this.canvas.width, this.canvas.height);
    this.canvas.hidden = false;
    this.lay();
  }

  // Loads a photo that someone chose, and stores it.
  async choose(file) {
    if (file.size > MOST_MB << 20) throw new Error(t("editor.photo.large", { number: MOST_MB }));
    await this.load(file).catch(() => {
      throw new Error(t("editor.photo.fault"));
    });
    await this.store(this.canvas.toDataURL("image/jpeg", QUALITY).split(",")[1]);
    this.changed();
  }

  async drop() {
    await this.store(null);
    this.canvas.hidden = true;
    this.changed();
  }

  fade(opacity) {
    this.opacity = opacity;
    this.lay();
    this.changed();
  }

  // Places the photo so that its four corners match those of the board in the camera's view.
  lay(corners = this.corners) {
    this.corners = corners;
    const { camera } = this.sheet;
    if (this.canvas.hidden || !camera.corner) return;
    const { width, height } = this.canvas;
    const flat = homography(
      this.corners.map(([x, y]) => [x * width, y * height]),
      rectangle(...camera.size),
    );
    if (!flat) return;
    const [x, y] = camera.corner;
    const s = 1 / camera.scale;
    const m = times([s, 0, -x * s, 0, s, -y * s, 0, 0, 1], flat);
    const four = [m[0], m[3], 0, m[6], m[1], m[4], 0, m[7], 0, 0, 1, 0, m[2], m[5], 0, m[8]];
    this.canvas.style.setProperty("transform", `matrix3d(${four.join()})`);
    this.canvas.style.setProperty("opacity", String(this.opacity));
  }

  // --- the four corners -----------------------------------------------------------------------------------------

  // Shows the original photo with a handle on each corner of the board. Resolves to the four corners, or to null.
  align() {
    const place = this.corners.map((it) => [...it]);
    const { width, height } = this.canvas;
    const copy = h("canvas", { class: "align-photo", width, height });
    copy.getContext("2d").drawImage(this.canvas, 0, 0);
    const shape = { "aspect-ratio": `${width} / ${height}`, "--ratio": String(width / height) };
    const frame = h("div", { class: "align-frame", style: shape }, copy);
    frame.append(...place.map((_, i) => this.handle(frame, place, i)));
    return dialog(t("editor.photo.align"), "align", (close) => [
      h("p", {}, t("editor.photo.align.about")),
      frame,
      h("div", { class: "row" }, [
        button(t("editor.cancel"), "align-cancel", () => close(null)),
        button(t("editor.photo.align.done"), "align-done", () => close(place), { class: "main" }),
      ]),
    ]);
  }

  handle(frame, place, i) {
    const name = t(["editor.photo.tl", "editor.photo.tr", "editor.photo.br", "editor.photo.bl"][i]);
    const knob = h("button", { class: "knob", testid: `knob-${i}`, "aria-label": name, title: name });
    const put = (x, y) => {
      place[i] = [clamped(x), clamped(y)];
      knob.style.setProperty("left", `${place[i][0] * 100}%`);
      knob.style.setProperty("top", `${place[i][1] * 100}%`);
    };
    knob.addEventListener("pointerdown", (event) => {
      knob.focus(); // some browsers focus it only from the keyboard
      knob.setPointerCapture(event.pointerId);
    });
    knob.addEventListener("pointermove", (event) => {
      if (!knob.hasPointerCapture(event.pointerId)) return;
      const { left, top, width, height } = frame.getBoundingClientRect();
      put((event.clientX - left) / width, (event.clientY - top) / height);
    });
    knob.addEventListener("keydown", (event) => {
      const step = ARROWS[event.key];
      if (!step) return;
      event.preventDefault();
      const far = NUDGE * (event.shiftKey ? 10 : 1);
      put(place[i][0] + step[0] * far, place[i][1] + step[1] * far);
    });
    put(...place[i]);
    return knob;
  }
}
