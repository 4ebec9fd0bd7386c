// Settings of this device: colours, and vibration, sound and voice for public news. A secret never causes vibration,
// sound or voice, because others could hear it. `device-dialog.js` changes the settings.

import { recall, store } from "./ui.js";

const KEPT = "sniperboard-device";
export const PALETTES = ["night", "clear"];
const USUAL = { palette: "night", buzz: false, sound: false, speech: false, turn: true };
const TURN = { buzz: [70, 50, 70, 50, 140], notes: [523, 659, 784] };
// Vibration pattern (milliseconds) and notes (hertz) for each tone of news.
const BUZZES = { red: [180, 80, 180], amber: [90, 60, 90], brass: [240], "": [60] };
const SOUNDS = { red: [440, 220], amber: [520, 520], brass: [392, 523, 659], "": [330] };
const NOTE_S = 0.16;

export const chosen = { ...USUAL, ...recall(KEPT, {}) };
// For a TV without input, the address switches this on.
if (new URLSearchParams(location.search).has("speak")) chosen.speech = true;
let audio = null;

applyPalette();

export function setChoice(name, value) {
  chosen[name] = value;
  applyPalette();
  store(KEPT, chosen);
}

function applyPalette() {
  document.documentElement.dataset.palette = PALETTES.includes(chosen.palette) ? chosen.palette : USUAL.palette;
}

// --- buzzing and sounding ---------------------------------------------------------------------------------------

// Signals public news by its tone. Never call it for secrets.
export function signal(tone) {
  if (document.hidden) return;
  if (chosen.buzz) navigator.vibrate?.(BUZZES[tone]);
  if (chosen.sound) play(SOUNDS[tone]);
}

// Signals a message of the workshop, regardless of the settings.
export function signalWorkshop(tone) {
  if (document.hidden) return;
  navigator.vibrate?.(BUZZES[tone]);
  play(SOUNDS[tone]);
}

// Signals that it's this device's turn, also on hidden pages.
export function signalTurn() {
  if (!chosen.turn) return;
  navigator.vibrate?.(TURN.buzz);
  play(TURN.notes);
}

// Browsers allow sound only after the first tap on a page.
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

// --- speaking ---------------------------------------------------------------------------------------------------

// The most sentences that wait for the voice. Bots can act faster than it speaks; then older ones are dropped.
const WAITING = 4;
export const voice = window.speechSynthesis;
const waiting = new Set();

// Speaks public sentences in the language of the page (Web Speech), if this device is to. Never call it for secrets.
export function speak(...sentences) {
  if (!voice || !chosen.speech || document.hidden) return;
  if (waiting.size + sentences.length > WAITING) {
    voice.cancel();
    waiting.clear();
  }
  for (const sentence of sentences.slice(-WAITING)) say(sentence);
}

function say(sentence) {
  const words = new SpeechSynthesisUtterance(sentence);
  words.lang = document.documentElement.lang;
  words.voice = voice.getVoices().find(({ lang }) => lang.toLowerCase().startsWith(words.lang)) ?? null;
  words.onend = words.onerror = () => waiting.delete(words);
  waiting.add(words);
  voice.speak(words);
}

// iOS allows speech only after a first speech during a tap.
window.addEventListener("pointerdown", () => chosen.speech && say(""), { once: true });
