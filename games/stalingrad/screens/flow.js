// A player's turn that goes on by itself: cards are turned over one after another, and a die is rolled where no Aid
// could change the roll. Lessons, hidden pages and devices with reduced motion wait for the player, as does a player who
// turns cards over by hand.

import { t } from "/static/texts.js";
import { button, calm, recall, store } from "/static/ui.js";

const STEP_MS = 1600;
// The device's setting to turn cards over by hand.
const BY_HAND = "stalingrad-by-hand";
const { lesson } = document.body.dataset;

export class Flow {
  // `seat` returns the player's seat, `show` repaints the page.
  constructor(seat, show) {
    this.seat = seat;
    this.show = show;
    this.timer = 0;
    this.action = null;
    this.byHand = recall(BY_HAND, /** @type {string} */ ("no")) === "yes";
    document.addEventListener("visibilitychange", () => this.take(this.action));
  }

  // Takes the action that follows by itself from the new picture; null if the player has to decide.
  take(action) {
    clearTimeout(this.timer);
    this.action = action;
    if (!action || lesson || this.byHand || calm() || document.hidden) return;
    this.timer = setTimeout(() => this.step(), STEP_MS);
  }

  // The answer to the last action can arrive after the picture that it led to. After a refusal, for example by a busy
  // table, no picture comes, so the action is tried again.
  async step() {
    if (!this.seat().ready || !(await this.seat().act(this.action))) this.take(this.action);
  }

  // Returns the button that changes the setting; nothing where turns never go on by themselves.
  switch() {
    if (lesson || calm()) return false;
    const change = () => {
      this.byHand = !this.byHand;
      store(BY_HAND, this.byHand ? "yes" : "no");
      this.take(this.action);
      this.show();
    };
    return button(t(this.byHand ? "st.by-itself" : "st.by-hand"), "by-hand", change, { class: "small" });
  }
}
