// The line to the table: pictures come in by events, acts go out by requests. Whoever uses it sees whole pictures only.

import { t } from "./texts.js";

const SILENCE_MS = 7000;
const RETRIES_MS = [300, 1000, 2000, 4000];

export async function ask(path) {
  const answer = await fetch(path, { cache: "no-store", headers: { Accept: "application/json" } });
  return { status: answer.status, body: await answer.json() };
}

export const post = (path, body = {}) => sent(path, JSON.stringify(body));

// The same with a body that is JSON already, such as a file.
export async function sent(path, body) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body,
    });
    return await answer.json();
  } catch {
    return { ok: false, error: { code: "away", sentence: t("net.away"), rule: null } };
  }
}

export class Line {
  // `onPicture(picture)` for every new picture, `onState(live)` when the line is lost or found again, `onGone()` when
  // this browser no longer holds the seat.
  constructor(viewer, { onPicture, onState = () => {}, onGone = () => {} }) {
    this.viewer = viewer;
    this.onPicture = onPicture;
    this.onState = onState;
    this.onGone = onGone;
    this.revision = -1;
    this.live = null;
    this.tries = 0;
    this.source = null;
    this.alarm = 0;
    this.again = 0;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.sleep() : this.wake()));
    window.addEventListener("online", () => this.wake());
    window.addEventListener("offline", () => this.lose());
    window.addEventListener("pageshow", (event) => event.persisted && this.wake());
  }

  open() {
    this.shut();
    if (this.ended) return;
    const source = new EventSource(`/api/stream/${this.viewer}`);
    source.onmessage = (event) => this.take(JSON.parse(event.data), false);
    source.addEventListener("beat", () => this.hear());
    source.addEventListener("gone", () => this.end());
    source.onerror = () => this.source === source && this.lose();
    this.source = source;
    this.watch();
  }

  wake() {
    if (this.ended) return;
    this.tries = 0;
    this.open();
    this.fetch();
  }

  sleep() {
    this.shut();
    this.set(false);
  }

  shut() {
    clearTimeout(this.alarm);
    clearTimeout(this.again);
    if (this.source) this.source.close();
    this.source = null;
  }

  // The picture as it is now, asked for once; also finds out why a line does not open.
  async fetch() {
    try {
      const { status, body } = await ask(`/api/picture/${this.viewer}`);
      if (status === 403) this.end();
      else if (status === 200) this.take(body, true);
    } catch {
      this.set(false);
    }
  }

  take(picture, asked) {
    if (this.ended || (asked && picture.revision < this.revision)) return;
    this.revision = picture.revision;
    this.resting = (picture.paused ?? null) !== null;
    if (this.source) {
      this.set(true);
      this.hear();
    }
    this.onPicture(picture);
  }

  hear() {
    this.tries = 0;
    this.set(true);
    this.watch();
  }

  watch() {
    clearTimeout(this.alarm);
    this.alarm = setTimeout(() => this.lose(), SILENCE_MS);
  }

  lose() {
    if (this.ended || document.hidden) return;
    this.shut();
    this.set(false);
    const wait = RETRIES_MS[Math.min(this.tries++, RETRIES_MS.length - 1)];
    this.again = setTimeout(() => {
      this.open();
      this.fetch();
    }, wait);
  }

  end() {
    if (this.ended) return;
    this.ended = true;
    this.shut();
    this.onGone();
  }

  set(live) {
    if (this.live === live) return;
    this.live = live;
    this.onState(live);
  }
}

export class Seat {
  // Acts of one seat, one at a time, each on the picture that was shown when it was chosen.
  constructor(name, line, { onChange, onRefused }) {
    this.name = name;
    this.line = line;
    this.onChange = onChange;
    this.onRefused = onRefused;
    this.busy = false;
  }

  get ready() {
    return this.line.live === true && !this.busy && !this.line.resting;
  }

  async act(action) {
    if (!this.ready) return false;
    this.busy = true;
    this.onChange();
    const revision = this.line.revision;
    const answer = await post("/api/act", { seat: this.name, action, revision });
    if (!answer.ok) this.onRefused(answer.error);
    if (this.line.revision === revision) await this.line.fetch();
    this.busy = false;
    this.onChange();
    return answer.ok;
  }
}
