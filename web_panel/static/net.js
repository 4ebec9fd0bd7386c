// The connection to the table: pictures arrive as events, actions are sent as requests. Callers always get whole
// pictures.

import { openStream } from "./stream.js";
import { namePlayers, t } from "./texts.js";
import { button, toast } from "./ui.js";

const SILENCE_MS = 7000;
// How often to retry while the table is unreachable. A request sent during a network failure may never be answered, so
// a retry doesn't wait for it.
const SEEK_MS = 500;
const SLOWEST_SEEK_MS = 4000;
const PATIENCE_MS = 5000;
// How long an action without an answer is repeated.
const PERSISTENCE_MS = 20000;
// How long the answer to a claim is awaited: a busy table may draw its maps before it handles the claim.
const SEAT_MS = 60000;
// Every body is padded to a multiple of this many bytes. Even with https, anyone on the network sees the length of a
// request, and a longer action or plan must not reveal where the sniper is. The longest plan that the table stores
// fits.
const BODY = 4096;

export async function ask(path, more = {}) {
  const answer = await fetch(path, { cache: "no-store", headers: { Accept: "application/json" }, ...more });
  return { status: answer.status, body: await answer.json() };
}

const AGAIN_MS = 2000;

// Calls `attempt` again, with pauses, until it returns something; an error counts as nothing.
/** @type {<T>(attempt: () => Promise<T>, ms?: number) => Promise<NonNullable<T>>} */
export async function retry(attempt, ms = AGAIN_MS) {
  for (;;) {
    const found = await attempt().catch(() => null);
    if (found) return found;
    await pause(ms);
  }
}

// Asks the table until it answers with facts. Meanwhile the connection strip says that the table is unreachable.
export const askUntilAnswered = (path) =>
  retry(async () => {
    const { status, body } = await ask(path);
    return status === 200 && body;
  });

export const post = (path, body = {}) => postBody(path, padded(body), PATIENCE_MS);

// For requests that take a seat: hashing the PIN takes time, and a key whose answer is lost would be lost with the
// seat.
export const postSeat = (path, body) => postBody(path, padded(body), SEAT_MS);

// Returns JSON text padded with spaces.
export function padded(body) {
  const text = JSON.stringify(body);
  const size = new TextEncoder().encode(text).length;
  return text + " ".repeat(BODY * Math.ceil(size / BODY) - size);
}

// The same with a body that is JSON already, such as a file, for which the table may need more time.
export async function postBody(path, body, patience = PERSISTENCE_MS) {
  try {
    return await sendBody(path, body, patience);
  } catch {
    return unreachable();
  }
}

// The address for lessons; a lesson's page sends all its requests there.
export const LESSON_PATH = "/api/lesson";

async function sendBody(path, body, patience = PATIENCE_MS) {
  if (document.body.dataset.lesson && path !== LESSON_PATH) return unreachable();
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body,
    signal: AbortSignal.timeout(patience),
  });
  return await answer.json();
}

const unreachable = () => ({ ok: false, error: { code: "away", sentence: t("net.away"), rule: null } });

// `randomUUID` exists only on trusted addresses.
export const newId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class PictureStream {
  // `onPicture(picture)` gets every new picture, `onState(live)` is called when the connection is lost or restored, and
  // `onGone()` when this browser no longer holds the seat.
  // A page has one stream; `more` are functions for the pictures of other viewers, by name.
  /** @type {(viewer: string, listeners: { onPicture: (picture: Picture) => any, onState?: (live: boolean) => any, onGone?: () => any, more?: Record<string, (picture: any) => any> }) => void} */
  constructor(viewer, { onPicture, onState = () => {}, onGone = () => {}, more = {} }) {
    this.viewer = viewer;
    this.more = more;
    this.onPicture = onPicture;
    /** @type {(live: boolean) => any} */
    this.onState = onState;
    this.onGone = onGone;
    this.revision = -1;
    this.live = null;
    this.refusals = 0;
    this.told = 0; // pictures received from the stream
    this.source = null;
    this.alarm = 0;
    this.again = 0;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.sleep() : this.wake()));
    window.addEventListener("online", () => this.wake());
    window.addEventListener("offline", () => this.lose());
    // If Back restores a page from memory, its stream is dead.
    window.addEventListener("pageshow", (event) => event.persisted && this.wake());
  }

  open() {
    this.shut();
    if (this.ended) return;
    const source = openStream([this.viewer, ...Object.keys(this.more)], (kind, data) => {
      if (this.source === source) this.receive(kind, data);
    });
    this.source = source;
    this.watch();
  }

  // Follows another viewer, too.
  add(viewer, hear) {
    this.more[viewer] = hear;
    if (this.source) this.open();
  }

  receive(kind, data) {
    if (kind === "error") return this.refuse();
    if (kind === "gone") return data === this.viewer && this.end();
    if (kind === "beat") return this.markAlive();
    this.refusals = 0;
    if (data.viewer !== this.viewer) return this.passOn(data);
    this.told += 1;
    this.accept(data, false);
  }

  passOn(picture) {
    this.markAlive();
    whenReleased(() => this.more[picture.viewer]?.(picture));
  }

  wake() {
    if (this.ended) return;
    this.refusals = 0;
    this.open();
    this.fetch();
  }

  sleep() {
    this.shut();
    this.setLive(false);
  }

  shut() {
    clearTimeout(this.alarm);
    clearTimeout(this.again);
    if (this.source) this.source.close();
    this.source = null;
  }

  // Requests the current picture once. Also finds out why a stream doesn't open, and opens it again. If the stream
  // brought a picture in the meantime, that one is newer.
  async fetch() {
    const before = this.told;
    try {
      const { status, body } = await ask(`/api/picture/${this.viewer}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (status === 403) return this.end();
      if (status !== 200 || document.hidden) return;
      if (!this.source) this.open();
      if (this.told === before) this.accept(body, true);
    } catch {
      if (!this.source) this.setLive(false);
    }
  }

  // Revision and picture change together, so an action belongs to the picture of its button.
  accept(picture, asked) {
    if (this.source) this.markAlive();
    whenReleased(() => this.show(picture, asked));
  }

  show(picture, asked) {
    // An answer can be older than what the stream has shown.
    if (this.ended || (asked && picture.revision < this.revision)) return;
    this.revision = picture.revision;
    this.resting = (picture.paused ?? null) !== null;
    namePlayers(picture);
    document.dispatchEvent(new CustomEvent("picture", { detail: picture }));
    this.onPicture(picture);
  }

  markAlive() {
    this.setLive(true);
    this.watch();
  }

  watch() {
    clearTimeout(this.alarm);
    this.alarm = setTimeout(() => this.lose(), SILENCE_MS);
  }

  // Waits longer and longer if the table answers but opens no stream because it has too many.
  refuse() {
    this.refusals += 1;
    this.lose();
  }

  lose() {
    if (this.ended || document.hidden) return;
    this.shut();
    this.setLive(false);
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

  setLive(live) {
    if (this.live === live) return;
    this.live = live;
    whenReleased(() => this.onState(live));
  }
}

export class Seat {
  // Sends the actions of a seat, one at a time, each with the revision of the picture that it was chosen on.
  constructor(name, stream, { onChange, onRefused }) {
    this.name = name;
    this.stream = stream;
    this.onChange = onChange;
    this.onRefused = onRefused;
    this.busy = false;
  }

  get ready() {
    return this.stream.live === true && !this.busy && !this.stream.resting;
  }

  async act(action) {
    if (!this.ready) return false;
    this.busy = true;
    this.onChange();
    const revision = this.stream.revision;
    const answer = await this.deliver({ seat: this.name, action, revision, id: newId() });
    if (!answer.ok) this.onRefused(answer.error);
    // The buttons become active again only with the picture after the action.
    if (this.stream.revision === revision) await this.stream.fetch();
    this.busy = false;
    whenReleased(this.onChange);
    return answer.ok;
  }

  // An action without an answer may have been done. It is repeated with the same ID, so the table does nothing twice.
  async deliver(act) {
    const end = performance.now() + PERSISTENCE_MS;
    for (;;) {
      try {
        return await sendBody("/api/act", padded(act));
      } catch {
        if (this.stream.live) this.stream.lose();
        if (this.stream.ended || performance.now() > end) return unreachable();
        await pause(SEEK_MS);
      }
    }
  }
}

// Whether this page was made for the table's current game; otherwise it reloads.
export function isCurrentGame({ game }) {
  const same = game === document.documentElement.dataset.ofGame;
  if (!same) location.reload();
  return same;
}

// --- pressed buttons --------------------------------------------------------------------------------------------

// Delays repaints while a button is pressed: a button replaced under a finger would not be clicked.

// The longest press; a longer one is a resting finger.
const LONGEST_MS = 1000;
// After a finger is lifted, the browser may still decide whether it was a tap.
const TAP_MS = 100;
const PRESSED = "button, a, label, summary";

const waiting = [];
let alarm = 0;

// Runs `work` now. While a button is pressed, it waits for the release; work that waits keeps its order.
export function whenReleased(work) {
  if (alarm) waiting.push(work);
  else work();
}

function hold(ms) {
  clearTimeout(alarm);
  alarm = setTimeout(release, ms);
}

function release() {
  alarm = 0;
  for (const work of waiting.splice(0)) whenReleased(work);
}

window.addEventListener("pointerdown", (/** @type {any} */ { button, target }) => {
  if (button === 0 && target.closest(PRESSED)) hold(LONGEST_MS);
});
window.addEventListener("click", () => alarm && hold(0));
for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => alarm && hold(TAP_MS));

// --- errors -----------------------------------------------------------------------------------------------------

// After an error in a page: a message and a button to reload. The game runs on the table, so nothing is lost.

function reportFault() {
  toast(
    t("net.fault"),
    "bad",
    button(t("net.reload"), "reload", () => location.reload(), { class: "small" }),
  );
}

window.addEventListener("error", (event) => event.error && reportFault());
window.addEventListener("unhandledrejection", reportFault);
