// Keeps this device's screen on, where the browser lets a page do so: for addresses that it trusts (https, or the machine
// itself). Elsewhere the device's own settings do it. A browser lets go of the screen whenever the page is not seen.

export class Awake {
  constructor() {
    this.wanted = false;
    this.hold = null;
    document.addEventListener("visibilitychange", () => this.look());
  }

  keep(wanted) {
    this.wanted = wanted;
    this.look();
  }

  look() {
    if (!this.wanted) this.letGo();
    else if (!this.hold) this.ask();
  }

  letGo() {
    this.hold?.lock?.release();
    this.hold = null;
  }

  // What is refused (a low battery, say) is asked for again at the next look.
  async ask() {
    const hold = {};
    this.hold = hold;
    try {
      hold.lock = await navigator.wakeLock.request("screen");
      hold.lock.addEventListener("release", () => this.forget(hold));
      if (this.hold !== hold) hold.lock.release();
    } catch {
      this.forget(hold);
    }
  }

  forget(hold) {
    if (this.hold === hold) this.hold = null;
  }
}

// A screen of a game stays on for as long as it is played.
export function awakeWhilePlaying() {
  const awake = new Awake();
  document.addEventListener("told", ({ detail }) => awake.keep(detail.stage === "playing" && detail.paused === null));
}
