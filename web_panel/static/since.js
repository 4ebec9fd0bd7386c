// What everybody was told since this seat acted last: shown when it is to act again, also after a reload or a long sleep.
// Only the number of a public line is remembered.

import { t } from "./texts.js";
import { h } from "./ui.js";

const KEPT = "sniperboard-since";
const MOST = 6;

export class Since {
  constructor(seat) {
    this.seat = seat;
    this.acted = false;
    try {
      this.mark = JSON.parse(localStorage.getItem(KEPT));
    } catch {
      this.mark = null;
    }
  }

  // The lines of `log` after the last act of this seat; `acting` says whether it is to act now.
  hear({ log, sealed }, acting) {
    const of = `${this.seat} ${sealed?.promise ?? ""}`;
    const last = log.filter((entry) => entry.public).at(-1)?.n ?? -1;
    if (this.mark?.of !== of) this.mark = { of, n: acting ? last : -1 };
    // What is told while one acts oneself is no news when the next turn comes.
    else if (this.acting && last > this.heard) this.mark.n = last;
    this.acting = acting;
    this.heard = last;
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.mark));
    } catch {
      // Then a reload forgets where it was.
    }
    this.lines = log.filter((entry) => entry.public && entry.n > this.mark.n);
  }

  // The card, or nothing where there is no news.
  card(line = ({ sentence, type }) => h("p", { "data-type": type }, sentence)) {
    if (!this.lines?.length) return null;
    const [early, late] = [this.lines.slice(0, -MOST), this.lines.slice(-MOST)];
    return h(
      "section",
      { class: "latest since", "data-testid": "recap" },
      h("p", { class: "recap-title" }, t("since.title")),
      early.length > 0 && h("details", {}, h("summary", {}, t("since.more", { number: early.length })), early.map(line)),
      late.map(line),
    );
  }
}
