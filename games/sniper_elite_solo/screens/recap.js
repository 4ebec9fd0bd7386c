// What the defenders' last turn did, step by step: on request, and by itself on the map where no board is carried.

import { t } from "/static/texts.js";
import { $, announce, calm, h } from "/static/ui.js";
import { die } from "./parts.js";

const STEP_MS = 1100;
// The device's own choice to be led through a turn step by step, instead of seeing it play by itself.
const LED = "solo-step-by-step";
const OVER = new Set(["game-over", "opened"]);

// The lines of the last defenders' turn, in order; [] before the first.
export function lastTurn(log) {
  const first = log.findLastIndex(({ type }) => type === "die");
  if (first < 0) return [];
  const rest = log.slice(first);
  const end = rest.findIndex(({ type }, i) => i > 0 && (type === "turn-ended" || OVER.has(type)));
  return end < 0 ? rest : rest.slice(0, end);
}

// Walks through the steps; `show` paints the page anew.
export class Recap {
  constructor(show) {
    Object.assign(this, { show, steps: [], at: null, timer: 0, heard: null, led: localStorage.getItem(LED) === "yes" });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // While a step is shown, the arrows go through the steps and Escape ends it.
  key(event) {
    const acts = { ArrowRight: () => this.go(this.at + 1), ArrowLeft: () => this.go(this.at - 1), Escape: () => this.close() };
    const elsewhere = event.defaultPrevented || $("dialog") || event.target.closest?.("input, textarea, #map");
    if (this.at === null || elsewhere || !acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  lead(led) {
    this.led = led;
    localStorage.setItem(LED, led ? "yes" : "no");
    this.show();
  }

  // Takes in a picture. A turn that has just come plays by itself, where nobody has to carry it out; whoever wants no
  // motion asks for it.
  hear({ log, board, stage }) {
    const steps = lastTurn(log);
    const first = steps[0]?.n ?? -1;
    const news = this.heard !== null && first !== this.heard;
    this.steps = steps;
    if (news) this.stop();
    this.heard = first;
    const carried = board.heeded && board.state !== "away";
    if (!news || stage === "over" || carried) return;
    if (this.led) this.at = 0;
    else if (!calm() && !document.hidden) this.play();
  }

  // Where the defenders are shown: before the steps that are still to come.
  units(units) {
    if (this.at === null) return units;
    const found = { ...units };
    for (const { unit, from } of this.steps.slice(this.at + 1).reverse()) if (unit) found[unit] = from ?? null;
    return found;
  }

  // The spaces that the step is about.
  spaces(units) {
    const step = this.at === null ? null : this.steps[this.at];
    if (!step) return [];
    const shown = this.units(units);
    return [step.to, step.from, ...(step.spaces ?? []), ...(step.units ?? []).map((unit) => shown[unit])].filter(Boolean);
  }

  go(step) {
    this.stop();
    this.at = Math.max(0, Math.min(this.steps.length - 1, step));
    this.show();
    announce(this.steps[this.at].sentence);
  }

  play() {
    this.at = 0;
    const on = () => {
      if (this.at >= this.steps.length - 1) this.stop();
      else {
        this.at += 1;
        this.timer = setTimeout(on, STEP_MS);
      }
      this.show();
    };
    this.timer = setTimeout(on, STEP_MS);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.at = null;
  }

  close() {
    this.stop();
    this.show();
  }

  // The paper: every step as a sentence, and the keys that go through them on the map.
  paper() {
    if (!this.steps.length) return h("p", { class: "quiet" }, t("solo.recap.none"));
    const at = this.at ?? -1;
    return [
      h(
        "div",
        { class: "row", role: "group", "aria-label": t("solo.recap") },
        key("back", t("solo.recap.back"), () => this.go(at - 1), { disabled: at <= 0 }),
        key("on", t("solo.recap.on"), () => this.go(at + 1), { disabled: at >= this.steps.length - 1 }),
      ),
      h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", "data-testid": "recap-led", checked: this.led, onchange: ({ target }) => this.lead(target.checked) }),
        h("span", {}, t("solo.recap.led")),
      ),
      h(
        "ol",
        { class: "retold", "data-testid": "recap" },
        this.steps.map((step, i) =>
          h("li", { class: i === at ? "now" : i < at ? "past" : "", "aria-current": i === at ? "step" : null, "data-type": step.type }, step.die && die(step.die), step.sentence),
        ),
      ),
    ];
  }

  // The step that is shown, over the controls.
  line() {
    const step = this.at === null ? null : this.steps[this.at];
    if (!step) return null;
    return h(
      "div",
      { class: "recap-line", "data-testid": "recap-line" },
      step.die && die(step.die),
      h("p", {}, h("small", {}, `${t("solo.recap.step", { step: this.at + 1, of: this.steps.length })} `), step.sentence),
      h(
        "div",
        { class: "row", role: "group", "aria-label": t("solo.recap") },
        key("earlier", t("solo.recap.back"), () => this.go(this.at - 1), { disabled: this.at === 0 }),
        key("later", t("solo.recap.on"), () => this.go(this.at + 1), { disabled: this.at >= this.steps.length - 1 }),
        key("skip", t("solo.recap.close"), () => this.close()),
      ),
    );
  }

  // Beside what the player does now: the way into the last turn.
  offer() {
    if (this.at !== null || !this.steps.length) return null;
    return key("open", t("solo.recap.open"), () => this.go(0));
  }
}

const key = (name, label, act, props = {}) =>
  h("button", { type: "button", class: "button small", "data-testid": `recap-${name}`, onclick: act, ...props }, label);

