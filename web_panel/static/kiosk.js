// The table view on an unattended screen: it stays awake, hides controls, and reloads itself to get updates. It reloads
// only while the table answers, and only if nobody plays, except after a lost connection.

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

  // Called when the connection is lost or restored. After a longer outage the table may have been updated.
  hear(live) {
    if (!live) this.lostAt ??= Date.now();
    else if (this.lostAt !== null) {
      const away = Date.now() - this.lostAt;
      this.lostAt = null;
      if (away > AWAY_MS) location.reload();
    }
  }

  // Uses the wall clock, so that time asleep counts too.
  look() {
    const old = Date.now() - this.loadedAt > DAY_MS;
    if (old && this.lostAt === null && !this.playing()) location.reload();
  }
}
