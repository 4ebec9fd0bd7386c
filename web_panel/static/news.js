// Log entries on the screens: the whole log, reading out new entries, and the report since the last turn.

import { signal, speak } from "./device.js";
import { reportLine } from "./panel.js";
import { t } from "./texts.js";
import { announce, h, quiet, recall, store } from "./ui.js";

// An entry as a paragraph.
export const entryLine = ({ sentence, type }) => h("p", { "data-type": type }, sentence);

// The entries without those that begin or end a turn, which is said elsewhere; all of them if there are no others.
export function withoutTurns(entries) {
  const told = entries.filter(({ type }) => !type.startsWith("turn-"));
  return told.length ? told : entries;
}

// What a closed report shows of its entries: the newest two, the newest first, because a long line is cut off.
export function newestFirst(entries) {
  const shown = withoutTurns(entries).slice(-2).reverse();
  return shown.map(({ sentence }) => sentence).join(" ");
}

// The table view's news: the latest lines in large letters, earlier ones below.
export const newsreel = (latest, earlier) => [
  h("div", { class: "big", testid: "latest" }, latest),
  h("div", { class: "earlier" }, earlier),
];

// The public messages of a step of a past game.
export const toldToAll = ({ told }) => told.filter(({ to }) => to === null);

// The log, the newest entry first; `look(entry)` returns the class of a line and what follows its sentence.
/** @type {(entries: LogEntry[], look?: (entry: LogEntry) => any[]) => any} */
export function entryList(entries, look = () => [""]) {
  if (!entries.length) return quiet(t("log.none"));
  return h("ol", { class: "dispatches", reversed: true, testid: "log" }, [
    [...entries].reverse().map((entry) => {
      const [name, more] = look(entry);
      return h("li", { class: name, "data-type": entry.type }, entry.sentence, more);
    }),
  ]);
}

// Tells a public sentence: to screen readers, and with this device's voice.
export function tell(sentence) {
  announce(sentence);
  speak(sentence);
}

// Reads new public entries out and signals them; old entries are skipped when a page opens.
export class News {
  last = null;
  /** @type {Promise<any>} */
  read = Promise.resolve();

  // Takes the log; returns the new entries that pass the filter `among`. Routine entries are not read out, and
  // `toneOf(entries)` chooses the signal. They are read out in order, after `delayOf(entries)` milliseconds: a result is
  // no news before its dice lie still.
  /** @type {(log: LogEntry[], choice?: Reading) => LogEntry[]} */
  hear = (log, { among = (entry) => entry.public, routine = () => false, toneOf = () => "", delayOf } = {}) => {
    const fresh = this.last === null ? [] : log.filter((entry) => entry.n > this.last && among(entry));
    this.last = log.at(-1)?.n ?? -1;
    const news = fresh.filter((entry) => !routine(entry));
    const delay = delayOf?.(fresh) ?? 0;
    const seen = delay > 0 && new Promise((resolve) => setTimeout(resolve, delay));
    // News that cannot be read out do not stop later ones.
    this.read = Promise.all([this.read.catch(() => {}), seen]).then(() => readOut(news, toneOf));
    return fresh;
  };
}

function readOut(news, toneOf) {
  for (const { sentence } of news) announce(sentence);
  // Other people hear these, so they are only for public entries, even if a page reads out more.
  const told = news.filter((entry) => entry.public);
  speak(...told.map(({ sentence }) => sentence));
  if (told.length) signal(toneOf(told));
}

// --- since the last turn ----------------------------------------------------------------------------------------

// What happened since this seat's last action, shown at the start of its next turn, also after a reload. Only the
// number of a public entry is stored: that of a private one stays in the page.
const SINCE = "sniperboard-since";

export class Since {
  constructor(seat) {
    this.seat = seat;
    this.read = -1;
    this.mark = recall(SINCE, null);
  }

  // Takes the log; `acting` says whether it's this seat's turn.
  hear({ log, sealed }, acting) {
    const of = `${this.seat} ${sealed?.promise ?? ""}`;
    const last = log.filter((entry) => entry.public).at(-1)?.n ?? -1;
    const newest = log.at(-1)?.n ?? -1;
    if (this.mark?.of !== of) this.mark = { of, n: (this.read = acting ? last : -1) };
    // Entries during the seat's own turn are not news in its next turn.
    else if (this.acting && newest > this.heard) [this.mark.n, this.read] = [last, newest];
    this.acting = acting;
    this.heard = newest;
    store(SINCE, this.mark);
    this.lines = log.filter(({ n }) => n > Math.max(this.mark.n, this.read));
  }

  // The report on the entries that pass the filter `among`; null if there are none. A closed report shows only what
  // `gistOf` returns; `lineOf` makes a line of an entry.
  /** @type {(choice?: { among?: (entry: LogEntry) => boolean, gistOf?: (lines: LogEntry[]) => Kids, lineOf?: (entry: LogEntry) => any }) => any} */
  card({ among = (entry) => entry.public, gistOf = newestFirst, lineOf = entryLine } = {}) {
    const lines = this.lines?.filter(among) ?? [];
    if (!lines.length) return null;
    return reportLine(t("since.title"), lines.map(lineOf), { testid: "recap", gist: gistOf(lines) });
  }
}
