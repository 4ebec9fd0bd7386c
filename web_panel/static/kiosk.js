// The table view on a screen that nobody touches: it stays awake, hides what is for hands, and takes on what is new of
// the table by loading itself again, only while the table answers and, but for a break of the line, nobody plays.

const DAY_MS = 24 * 60 * 60 * 1000;
const LATER_MS = 60_000;
const AWAY_MS = 15_000;

export class Kiosk {
  // `playing()` says whether a game is being watched.
  constructor(playing) {
    this.playing = playing;
    this.lostAt = Date.now();
    document.documentElement.classList.add("kiosk");
    this.wake();
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    setTimeout(() => this.refresh(), DAY_MS);
    window.addEventListener("error", () => setTimeout(() => this.refresh(), LATER_MS));
  }

  // Browsers let a page keep its screen on for addresses that they trust; elsewhere the machine's own settings do it.
  async wake() {
    try {
      await navigator.wakeLock?.request("screen");
    } catch {
      // The screen goes dark as it always did.
    }
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

  refresh() {
    if (this.lostAt === null && !this.playing()) location.reload();
    else setTimeout(() => this.refresh(), LATER_MS);
  }
}
