// Keeps this device's screen on, with the browser's wake lock on trusted addresses (https or the machine itself).
// Elsewhere a silent video plays in a corner, because browsers keep the screen on during videos. A browser releases the
// lock when the page is hidden.

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

  // A refused request (for example because of a low battery) is repeated at the next opportunity.
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

// A video of two grey pixels, drawn while it plays: nothing is loaded, and it never ends.
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
    for (const track of /** @type {MediaStream} */ (this.video.srcObject).getTracks()) track.stop();
    this.video.remove();
  }
}

// Keeps the screen of a game on while it is being played.
export function awakeWhilePlaying() {
  const awake = new Awake();
  document.addEventListener("picture", ({ detail }) =>
    awake.keep(detail.stage === "playing" && detail.paused === null),
  );
}
