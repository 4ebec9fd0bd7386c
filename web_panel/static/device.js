// What this device does in its own way: its colours, and whether it buzzes and sounds at news that everybody hears. A
// secret never buzzes: who hears a phone in a pocket learns something.

import { t, tOf } from "./texts.js";
import { button, dialog, h } from "./ui.js";

const KEPT = "sniperboard-device";
const PALETTES = ["night", "clear"];
const USUAL = { palette: "night", buzz: false, sound: false, turn: true };
const TURN = { buzz: [70, 50, 70, 50, 140], notes: [523, 659, 784] };
// Tone of the news -> how long it buzzes, and how it sounds (hertz).
const BUZZES = { red: [180, 80, 180], amber: [90, 60, 90], brass: [240], "": [60] };
const SOUNDS = { red: [440, 220], amber: [520, 520], brass: [392, 523, 659], "": [330] };
const NOTE_S = 0.16;

const chosen = { ...USUAL, ...remembered() };
let audio = null;

dress();

export function deviceButton(testid) {
  return button(t("device.title"), testid, deviceDialog);
}

export function deviceDialog() {
  return dialog(t("device.title"), "device-dialog", (close) => [
    h("p", { class: "quiet" }, t("device.text")),
    h(
      "fieldset",
      { class: "field" },
      h("legend", {}, t("device.palette")),
      h("div", { class: "checks" }, PALETTES.map(palette)),
    ),
    flag("turn", t("device.turn"), cue),
    flag("sound", t("device.sound")),
    navigator.vibrate && flag("buzz", t("device.buzz")),
    h("p", { class: "quiet" }, t("device.secrets")),
    button(t("menu.close"), "device-close", () => close(null), { class: "main" }),
  ]);
}

function palette(name) {
  const take = () => set("palette", name);
  return h(
    "label",
    { class: "check" },
    h("input", {
      type: "radio",
      name: "palette",
      checked: chosen.palette === name,
      onchange: take,
      "data-testid": `device-${name}`,
    }),
    tOf("device.palette", name),
  );
}

// `try_` lets somebody hear what was switched on.
function flag(name, words, try_ = () => tell("")) {
  const flip = (event) => {
    set(name, event.target.checked);
    if (event.target.checked) try_();
  };
  return h(
    "label",
    { class: "check" },
    h("input", { type: "checkbox", checked: chosen[name], onchange: flip, "data-testid": `device-${name}` }),
    words,
  );
}

function set(name, value) {
  chosen[name] = value;
  dress();
  try {
    localStorage.setItem(KEPT, JSON.stringify(chosen));
  } catch {
    // It holds until the page is closed.
  }
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) || {};
  } catch {
    return {};
  }
}

function dress() {
  document.documentElement.dataset.palette = PALETTES.includes(chosen.palette) ? chosen.palette : USUAL.palette;
}

// --- buzzing and sounding ---------------------------------------------------------------------------------------

// News that everybody hears, by its tone. Call it with nothing else.
export function tell(tone) {
  if (document.hidden) return;
  if (chosen.buzz) navigator.vibrate?.(BUZZES[tone]);
  if (chosen.sound) play(SOUNDS[tone]);
}

// What the workshop has to say: it is wanted there, whatever this device does at news.
export function ring(tone) {
  if (document.hidden) return;
  navigator.vibrate?.(BUZZES[tone]);
  play(SOUNDS[tone]);
}

// It is this device's turn: also on a page that nobody looks at just now.
export function cue() {
  if (!chosen.turn) return;
  navigator.vibrate?.(TURN.buzz);
  play(TURN.notes);
}

// A browser lets a page sound only after somebody has touched it.
function play(notes) {
  if (!navigator.userActivation?.hasBeenActive && !audio) return;
  audio ??= new AudioContext();
  notes.forEach((hertz, i) => {
    const [note, loud] = [audio.createOscillator(), audio.createGain()];
    const start = audio.currentTime + i * NOTE_S;
    note.frequency.value = hertz;
    note.type = "triangle";
    loud.gain.setValueAtTime(0.15, start);
    loud.gain.exponentialRampToValueAtTime(0.001, start + NOTE_S);
    note.connect(loud).connect(audio.destination);
    note.start(start);
    note.stop(start + NOTE_S);
  });
}
