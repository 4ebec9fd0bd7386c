// The line to the table: pictures come in by events, acts go out by requests. Whoever uses it sees whole pictures only.

import "./fault.js";
import { unpressed } from "./press.js";
import { t } from "./texts.js";

const SILENCE_MS = 7000;
// A lost table is asked again this often, whether it answered before or not: a question that went out while the network
// was gone may never be answered.
const SEEK_MS = 500;
const SLOWEST_SEEK_MS = 4000;
const PATIENCE_MS = 5000;
// So long an act is asked for again whose answer did not come.
const PERSISTENCE_MS = 20000;
// So long the answer to a claim is waited for: a busy table may draw its maps before it comes to the claim.
const SEAT_MS = 60000;
// Bytes of every body that a page sends, or a multiple of it: over https, too, everyone on the network sees how long a
// body is, and a longer act or plan must not tell where the sniper is. Room for the longest plan that the table keeps.
const BODY = 4096;

export async function ask(path, more = {}) {
  const answer = await fetch(path, { cache: "no-store", headers: { Accept: "application/json" }, ...more });
  return { status: answer.status, body: await answer.json() };
}

export const post = (path, body = {}) => sent(path, padded(body), PATIENCE_MS);

// The same where a seat is taken: the table hashes a PIN, and a key whose answer nobody waits for is lost with the seat.
export const takes = (path, body) => sent(path, padded(body), SEAT_MS);

// JSON text with blanks after it.
export function padded(body) {
  const text = JSON.stringify(body);
  const size = new TextEncoder().encode(text).length;
  return text + " ".repeat(BODY * Math.ceil(size / BODY) - size);
}

// The same with a body that is JSON already, such as a file, over which the table may have to think.
export async function sent(path, body, patience = PERSISTENCE_MS) {
  try {
    return await posted(path, body, patience);
  } catch {
    return away();
  }
}

// Where a lesson is played; its page tells the table nothing at all.
export const LESSON = "/api/lesson";

async function posted(path, body, patience = PATIENCE_MS) {
  if (document.body.dataset.lesson && path !== LESSON) return away();
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body,
    signal: AbortSignal.timeout(patience),
  });
  return await answer.json();
}

const away = () => ({ ok: false, error: { code: "away", sentence: t("net.away"), rule: null } });

// Not `randomUUID`, which browsers keep for addresses that they trust.
export const freshName = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

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
    this.refusals = 0;
    this.told = 0; // pictures that came by a line
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
    source.onmessage = (event) => {
      this.refusals = 0;
      this.told += 1;
      this.take(JSON.parse(event.data), false);
    };
    source.addEventListener("beat", () => this.hear());
    source.addEventListener("gone", () => this.end());
    source.onerror = () => this.source === source && this.refuse();
    this.source = source;
    this.watch();
  }

  wake() {
    if (this.ended) return;
    this.refusals = 0;
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

  // The picture as it is now, asked for once; also finds out why a line does not open, and opens it again. What a line
  // has brought meanwhile is newer, or comes over it once more.
  async fetch() {
    const before = this.told;
    try {
      const { status, body } = await ask(`/api/picture/${this.viewer}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (status === 403) return this.end();
      if (status !== 200 || document.hidden) return;
      if (!this.source) this.open();
      if (this.told === before) this.take(body, true);
    } catch {
      if (!this.source) this.set(false);
    }
  }

  // Revision and picture change together: an act is on what its button was made of.
  take(picture, asked) {
    if (this.source) this.hear();
    unpressed(() => this.show(picture, asked));
  }

  show(picture, asked) {
    if (this.ended || (asked && picture.revision < this.revision)) return;
    this.revision = picture.revision;
    this.resting = (picture.paused ?? null) !== null;
    document.dispatchEvent(new CustomEvent("told", { detail: picture }));
    this.onPicture(picture);
  }

  hear() {
    this.set(true);
    this.watch();
  }

  watch() {
    clearTimeout(this.alarm);
    this.alarm = setTimeout(() => this.lose(), SILENCE_MS);
  }

  // A table that answers but opens no line (it has too many screens) is left in peace for longer and longer.
  refuse() {
    this.refusals += 1;
    this.lose();
  }

  lose() {
    if (this.ended || document.hidden) return;
    this.shut();
    this.set(false);
    this.seek();
  }

  seek() {
    const wait = Math.min(SEEK_MS * Math.max(1, this.refusals - 1), SLOWEST_SEEK_MS);
    this.again = setTimeout(() => {
      this.seek();
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
    unpressed(() => this.onState(live));
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
    const answer = await this.deliver({ seat: this.name, action, revision, id: freshName() });
    if (!answer.ok) this.onRefused(answer.error);
    if (this.line.revision === revision) await this.line.fetch();
    this.busy = false;
    unpressed(this.onChange);
    return answer.ok;
  }

  // An answer that does not come may still mean that the act was done: it is asked for again under the same name, and
  // the table does nothing twice.
  async deliver(act) {
    const end = performance.now() + PERSISTENCE_MS;
    for (;;) {
      try {
        return await posted("/api/act", padded(act));
      } catch {
        if (this.line.live) this.line.lose();
        if (this.line.ended || performance.now() > end) return away();
        await pause(SEEK_MS);
      }
    }
  }
}

// Whether this page was made for the game that the table shows; a page for another one is loaded anew.
export function ofThisGame({ game }) {
  const same = game === document.documentElement.dataset.ofGame;
  if (!same) location.reload();
  return same;
}
