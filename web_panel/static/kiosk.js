// The table view on a screen that nobody touches: it stays awake, hides what is for hands, and takes on what is new of
// the table by loading itself again, only while the table answers and, but for a break of the line, nobody plays.

import { Awake } from "./awake.js";

const DAY_MS = 24 * 60 * 60 * 1000;
const LOOK_MS = 60_000;
const AWAY_MS = 15_000;

export class Kiosk {
  // `playing()` says whether a game is being watched.
  constructor(playing) {
    this.playing = playing;
    this.loadedAt = this.lostAt = Date.now();
    document.documentElement.classList.add("kiosk");
    new Awake().keep(true);
    setInterval(() => this.look(), LOOK_MS);
    window.addEventListener("error", () => (this.loadedAt = -Infinity));
  }

  // The line is there (again), or lost. A table that was away for a while may have come back newer.
  hear(live) {
    if (!live) this.lostAt ??= Date.now();
    else if (this.lostAt !== null) {
      const away = Date.now() - this.lostAt;
      this.lostAt = null;
      if (away > AWAY_MS) location.reload();
    }
  }

  // By the wall clock, so that a machine that slept has lived through that time as well.
  look() {
    const old = Date.now() - this.loadedAt > DAY_MS;
    if (old && this.lostAt === null && !this.playing()) location.reload();
  }
}
