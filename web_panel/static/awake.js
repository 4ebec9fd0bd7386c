// Keeps this device's screen on, with the browser's wake lock on trusted addresses (https or the machine itself).
// Elsewhere, and where the lock is refused (apps on the home screen of iOS, a low battery), a silent video plays in a
// corner, because browsers keep the screen on during videos. A browser releases the lock when the page is hidden.

export class Awake {
  constructor() {
    this.wanted = false;
    this.hold = null;
    document.addEventListener("visibilitychange", () => this.look());
    for (const tap of ["pointerup", "keydown"])
      window.addEventListener(tap, () => this.hold?.lock instanceof Film && this.hold.lock.tapped());
  }

  keep(wanted) {
    this.wanted = wanted;
    this.look();
  }

  // A video may be stuck after the page was hidden, so a new one is made; the lock may be granted by then.
  look() {
    const stale = this.hold?.lock instanceof Film && document.hidden;
    if (!this.wanted || stale) this.letGo();
    if (this.wanted && !this.hold && !document.hidden) this.ask();
  }

  letGo() {
    this.hold?.lock?.release();
    this.hold = null;
  }

  async ask() {
    const hold = {};
    this.hold = hold;
    try {
      hold.lock = await navigator.wakeLock.request("screen");
      hold.lock.addEventListener("release", () => this.forget(hold));
    } catch {
      // There is no lock, or it was refused.
      if (document.hidden) return this.forget(hold);
      hold.lock = new Film();
    }
    if (this.hold !== hold) hold.lock.release();
  }

  forget(hold) {
    if (this.hold === hold) this.hold = null;
  }
}

// A video of two grey pixels, drawn while it plays: nothing is loaded, and it never ends. Browsers keep the screen on
// only for a video that is visible, doesn't loop, and has sound that isn't muted (Chrome, and Safari on iOS). They allow
// sound only after a tap, and in the low power mode of iOS even a muted video.
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
    this.stream = paper.captureStream(1);
    this.video = document.createElement("video");
    Object.assign(this.video, { className: "film", muted: true, playsInline: true, srcObject: this.stream });
    // An attribute, because older versions of iOS would open the video in full screen.
    this.video.setAttribute("playsinline", "");
    this.video.setAttribute("aria-hidden", "true");
    this.video.disablePictureInPicture = this.video.disableRemotePlayback = true;
    // A call, or a key on headphones, pauses it.
    this.video.addEventListener("pause", () => !document.hidden && this.play());
    draw();
    this.drawing = setInterval(draw, 1000);
    document.body.append(this.video);
    if (navigator.userActivation?.hasBeenActive) this.tapped();
    else this.play();
  }

  play() {
    this.video.play().catch(() => {}); // the next tap tries again
  }

  // Adds silence to the video: only then does a browser treat it as one with sound.
  tapped() {
    if (!this.sound) {
      this.sound = new AudioContext();
      this.stream.addTrack(this.sound.createMediaStreamDestination().stream.getAudioTracks()[0]);
      this.video.muted = false;
    }
    if (this.video.paused) this.play();
  }

  release() {
    clearInterval(this.drawing);
    this.video.remove();
    for (const track of this.stream.getTracks()) track.stop();
    this.video.srcObject = null; // otherwise iOS keeps the screen on
    this.sound?.close();
  }
}

// Keeps the screen of a game on while it is being played.
export function awakeWhilePlaying() {
  const awake = new Awake();
  document.addEventListener("picture", ({ detail }) =>
    awake.keep(detail.stage === "playing" && detail.paused === null),
  );
}
