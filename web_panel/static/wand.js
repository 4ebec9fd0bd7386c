// Choosing on the board as well: what a screen of the defenders lets people choose is lit there, and what a wand touches
// there, or a hand lifts and sets back, comes back to this screen as its choice. Public; the sniper's phone has no wand.

import { freshName, post } from "./net.js";

const AGAIN_MS = 10_000;
const LIGHTS = ["units", "choices", "chosen"];

// What of the spaces to choose from is lit on the board: those that say as what they are `on` there.
export const onBoard = (offers) =>
  Object.fromEntries(LIGHTS.map((name) => [name, offers.filter(({ on }) => on === name).map(({ space }) => space)]));

const NOTHING = onBoard([]);
const empty = (spaces) => LIGHTS.every((name) => !spaces[name].length);

export class Wand {
  // `onPick(space)` for each space that somebody picks on the board for this screen.
  constructor(onPick) {
    this.name = freshName();
    this.onPick = onPick;
    this.heard = 0;
    this.sent = "";
    this.busy = false;
    this.revision = 0;
    this.spaces = NOTHING;
    document.addEventListener("visibilitychange", () => this.tell());
    setInterval(() => this.tell(true), AGAIN_MS);
  }

  // What may be chosen now, on the picture of this revision; the table has forgotten what was on an older one.
  show(revision, spaces) {
    if (revision !== this.revision) this.sent = "";
    this.revision = revision;
    this.spaces = spaces;
    this.tell();
  }

  hear(picked) {
    const mine = picked.filter(({ offer }) => offer === this.name);
    const fresh = mine.filter(({ number }) => number > this.heard);
    this.heard = mine.length ? mine.at(-1).number : 0;
    fresh.forEach(({ space }) => this.onPick(space));
  }

  // One at a time, and then what has changed meanwhile. Who does not answer is told again.
  async tell(again = false) {
    const spaces = document.hidden ? NOTHING : this.spaces;
    const wanted = empty(spaces) ? "" : JSON.stringify([this.revision, spaces]);
    if (this.busy || (wanted === this.sent && !(again && wanted))) return;
    this.busy = true;
    const answer = await post("/api/offer", { id: this.name, revision: this.revision, ...spaces });
    this.busy = false;
    this.sent = answer.ok ? wanted : null;
    if (answer.ok) this.tell();
  }
}
