// Choosing on the board: the choices of a defenders' screen are lit on the board. Touching a space with the wand, or
// lifting its miniature, selects it on this screen. This is public, so the sniper has no wand.

import { newId, post } from "./net.js";

const AGAIN_MS = 10_000;
const LIGHTS = ["units", "choices", "chosen"];

// Returns the spaces to light on the board by kind: those with `on`.
const onBoard = (offers) =>
  Object.fromEntries(LIGHTS.map((name) => [name, offers.filter(({ on }) => on === name).map(({ space }) => space)]));

const NOTHING = onBoard([]);
const empty = (spaces) => LIGHTS.every((name) => !spaces[name].length);

export class Wand {
  // `onPick(space)` is called for each space picked on the board for this screen.
  constructor(onPick) {
    this.name = newId();
    this.onPick = onPick;
    this.heard = 0;
    this.sent = "";
    this.busy = false;
    this.seat = "";
    this.revision = 0;
    this.spaces = NOTHING;
    document.addEventListener("visibilitychange", () => this.tell());
    setInterval(() => this.tell(true), AGAIN_MS);
  }

  // The choices on the map (see `choiceLight`) for this picture of a seat; the table forgets those of older ones.
  show({ viewer, revision }, offers) {
    if (revision !== this.revision) this.sent = "";
    this.seat = viewer;
    this.revision = revision;
    this.spaces = onBoard(offers);
    this.tell();
  }

  hear(picked) {
    const mine = picked.filter(({ offer }) => offer === this.name);
    const fresh = mine.filter(({ number }) => number > this.heard);
    this.heard = mine.length ? mine.at(-1).number : 0;
    fresh.forEach(({ space }) => this.onPick(space));
  }

  // Sends one request at a time, then later changes. Failed requests are repeated.
  async tell(again = false) {
    const spaces = document.hidden ? NOTHING : this.spaces;
    const wanted = empty(spaces) ? "" : JSON.stringify([this.revision, spaces]);
    if (this.busy || (wanted === this.sent && !(again && wanted))) return;
    this.busy = true;
    const asked = { seat: this.seat, id: this.name, revision: this.revision, ...spaces };
    const answer = await post("/api/offer", asked);
    this.busy = false;
    this.sent = answer.ok ? wanted : null;
    if (answer.ok) this.tell();
  }
}
