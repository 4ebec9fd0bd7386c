// Keeps this device's screen on. Where the browser lets a page ask for that (addresses that it trusts: https, or the
// machine itself), it is asked; elsewhere a video without sound plays in a corner, as browsers keep the screen on while
// one does. A browser lets go of the screen whenever the page is not seen.

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
    else if (this.hold.lock instanceof Film && !document.hidden) this.hold.lock.play().catch(() => {});
  }

  letGo() {
    this.hold?.lock?.release();
    this.hold = null;
  }

  // What is refused (a low battery, say) is asked for again at the next look.
  async ask() {
    const hold = {};
    this.hold = hold;
    if (!navigator.wakeLock) return this.play(hold);
    try {
      hold.lock = await navigator.wakeLock.request("screen");
      hold.lock.addEventListener("release", () => this.forget(hold));
      if (this.hold !== hold) hold.lock.release();
    } catch {
      this.forget(hold);
    }
  }

  async play(hold) {
    const film = (hold.lock = new Film());
    try {
      await film.play();
      if (this.hold !== hold) film.release();
    } catch {
      film.release();
      this.forget(hold);
    }
  }

  forget(hold) {
    if (this.hold === hold) this.hold = null;
  }
}

// A video of two grey pixels that is drawn as it plays: nothing is loaded, and it has no end.
class Film {
  constructor() {
    const paper = document.createElement("canvas");
    [paper.width, paper.height] = [2, 2];
    const pen = paper.getContext("2d");
    const draw = () => {
      pen.fillStyle = this.dark ? "#111" : "#121212";
      this.dark = !this.dark;
      pen.fillRect(0, 0, 2, 2);
    };
    this.video = document.createElement("video");
    Object.assign(this.video, { className: "film", muted: true, playsInline: true });
    this.video.setAttribute("aria-hidden", "true");
    draw();
    this.video.srcObject = paper.captureStream(1);
    this.drawing = setInterval(draw, 1000);
  }

  play() {
    if (!this.video.isConnected) document.body.append(this.video);
    return this.video.play();
  }

  release() {
    clearInterval(this.drawing);
    this.video.pause();
    for (const track of this.video.srcObject.getTracks()) track.stop();
    this.video.remove();
  }
}

// A screen of a game stays on for as long as it is played.
export function awakeWhilePlaying() {
  const awake = new Awake();
  document.addEventListener("told", ({ detail }) => awake.keep(detail.stage === "playing" && detail.paused === null));
}
