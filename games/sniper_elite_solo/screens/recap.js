// The defenders' last turn, step by step: on request, and automatically if nobody moves miniatures on a board.

import { actionPanel } from "/static/panel.js";
import { t, tOf } from "/static/texts.js";
import { $, announce, button, calm, check, h, headline, icon, quiet, recall, store } from "/static/ui.js";
import { die } from "./parts.js";

// A step stays until a sentence of its length can be read.
const STEP_MS = 1200;
const LETTER_MS = 22;
// The device's setting to step through a turn by hand.
const LED = "solo-step-by-step";
const OVER = new Set(["game-over", "opened"]);

// Returns the entries of the defenders' last turn in order; empty before the first.
export function lastTurn(log) {
  const first = log.findLastIndex(({ type }) => type === "die");
  if (first < 0) return [];
  const rest = log.slice(first);
  const end = rest.findIndex(({ type }, i) => i > 0 && (type === "turn-ended" || OVER.has(type)));
  return joined(end < 0 ? rest : rest.slice(0, end));
}

// Joins a choice by chance with the move that it leads to.
function joined(turn) {
  const leadsTo = ({ tie }, move) => tie && tie[0] === move?.unit && tie[1] === move.to;
  return turn.flatMap((step, i) => {
    if (leadsTo(step, turn[i + 1])) return [];
    return i > 0 && leadsTo(turn[i - 1], step) ? [{ ...step, chance: true }] : [step];
  });
}

// Steps through a turn; `show` repaints the page.
export class Recap {
  constructor(show) {
    this.show = show;
    this.steps = [];
    this.at = this.heard = null;
    this.reached = Infinity;
    this.timer = 0;
    this.led = recall(LED, /** @type {string} */ ("no")) === "yes";
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // While a step is shown, the arrow keys change it and Escape closes the recap.
  key(event) {
    const acts = {
      ArrowRight: () => this.go(this.at + 1),
      ArrowLeft: () => this.go(this.at - 1),
      Escape: () => this.close(),
    };
    const elsewhere = event.defaultPrevented || $("dialog") || event.target.closest?.("input, textarea, #map");
    if (this.at === null || elsewhere || !acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  lead(led) {
    this.led = led;
    store(LED, led ? "yes" : "no");
    this.show();
  }

  // Takes a new picture. A new turn plays automatically, unless people move miniatures on a board or the device
  // requests reduced motion.
  hear({ log, board, stage }) {
    const steps = lastTurn(log);
    const first = steps[0]?.n ?? -1;
    const news = this.heard !== null && first !== this.heard;
    this.steps = steps;
    // The end of the game shows the sniper's path.
    if (news || (stage === "over" && this.timer)) this.stop();
    this.heard = first;
    const carried = board.heeded && board.state !== "away";
    // A new game has no turn of the defenders yet.
    if (!news || !steps.length || stage === "over" || carried) return;
    if (!this.led && (calm() || document.hidden)) return;
    this.at = 0;
    this.reached = first;
    if (!this.led) this.play();
  }

  // Returns the log without the steps of a new turn that are still to come.
  told(log) {
    return log.filter(({ n }) => n <= this.reached);
  }

  // Returns how many entries of a type are still to come.
  ahead(type) {
    return this.at === null ? 0 : this.steps.slice(this.at + 1).filter((step) => step.type === type).length;
  }

  // Returns the defenders' positions before the steps that are still to come.
  units(units) {
    if (this.at === null) return units;
    const found = { ...units };
    for (const { unit, from } of this.steps.slice(this.at + 1).reverse()) if (unit) found[unit] = from ?? null;
    return found;
  }

  // Returns the current step, or all of them before and after the recap.
  get moves() {
    return this.at === null ? this.steps : [this.steps[this.at]];
  }

  // Returns the spaces of the current step.
  spaces(units) {
    const step = this.at === null ? null : this.steps[this.at];
    if (!step) return [];
    const shown = this.units(units);
    return [step.to, step.from, ...(step.spaces ?? []), ...(step.units ?? []).map((unit) => shown[unit])].filter(
      Boolean,
    );
  }

  go(step) {
    clearTimeout(this.timer);
    this.timer = 0;
    this.turnTo(Math.max(0, Math.min(this.steps.length - 1, step)));
    // A new step is read out as news.
    if (this.reached === Infinity) announce(this.steps[this.at].sentence);
  }

  turnTo(step) {
    this.at = step;
    this.reached = Math.max(this.reached, this.steps[step].n);
    this.show();
  }

  play() {
    const stay = () => {
      this.timer = setTimeout(isOn, STEP_MS + LETTER_MS * this.steps[this.at].sentence.length);
    };
    const isOn = () => {
      if (this.at >= this.steps.length - 1) return this.close();
      // A moment that fills the screen hides the step.
      if (!$(".drawing")) this.turnTo(this.at + 1);
      stay();
    };
    stay();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.at = null;
    this.reached = Infinity;
  }

  close() {
    this.stop();
    this.show();
  }

  // The section in the drawer: every step as a sentence, with buttons to step through them on the map.
  paper() {
    if (!this.steps.length) return quiet(t("solo.recap.none"));
    const at = this.at ?? -1;
    return [
      this.keys("back", "on"),
      check(h("span", {}, t("solo.recap.led")), "recap-led", {
        checked: this.led,
        onchange: ({ target }) => this.lead(target.checked),
      }),
      h("ol", { class: "retold", testid: "recap" }, [
        this.steps.map((step, i) => {
          const state = { class: i === at ? "now" : i < at ? "past" : "", "aria-current": i === at ? "step" : null };
          const chance = step.chance && h("small", {}, t("solo.recap.chance"));
          return h("li", { ...state, "data-type": step.type }, step.die && die(step.die), step.sentence, chance);
        }),
      ]),
    ];
  }

  // The current step, shown above the controls.
  line() {
    const step = this.at === null ? null : this.steps[this.at];
    if (!step) return null;
    return h("div", { class: "recap-line", testid: "recap-line" }, [
      step.die && die(step.die),
      this.keys("earlier", "later"),
      h("small", {}, [
        t("solo.recap.step", { step: this.at + 1, of: this.steps.length }),
        step.chance && ` · ${t("solo.recap.chance")}`,
      ]),
      h("p", {}, step.sentence),
    ]);
  }

  // What is below the line: the steps before, the newest first, and the way on, to the sniper's turn.
  way() {
    const close = () => this.close();
    const before = this.steps.slice(0, this.at).reverse();
    const told = h("ol", { class: "retold", reversed: true, testid: "recap-before" }, [
      before.map(({ sentence }) => h("li", { class: "past" }, sentence)),
    ]);
    return actionPanel([headline(t("solo.recap.wait")), told], {
      foot: button(t("solo.recap.close"), "recap-skip", close, { class: "main" }),
    });
  }

  // The buttons to the steps before and after.
  keys(back, on) {
    const at = this.at ?? -1;
    return h("div", { class: "row", role: "group", "aria-label": t("solo.recap") }, [
      sign(back, "back", "M15 5l-7 7 7 7", () => this.go(at - 1), at <= 0),
      sign(on, "on", "M9 5l7 7-7 7", () => this.go(at + 1), at >= this.steps.length - 1),
    ]);
  }

  // A button that opens the last turn.
  offer() {
    if (this.at !== null || !this.steps.length) return null;
    const open = { class: "opens", testid: "recap-open", onclick: () => this.go(0) };
    return h("div", { class: "report" }, h("button", open, t("solo.recap")));
  }
}

// A button with a sign in place of words: on a phone the map needs the room.
const sign = (name, word, path, act, disabled = false) =>
  key(name, icon(path), act, { "aria-label": tOf("solo.recap", word), disabled });

const key = (name, label, act, props = {}) =>
  h("button", { class: "button small", testid: `recap-${name}`, onclick: act, ...props }, label);
