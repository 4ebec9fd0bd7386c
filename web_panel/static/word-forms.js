// Finds forms of the same word, with the tables of a language: see firmware_host/core/word_forms.py, which does the same.

const WORD = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu;

// Ignores case and accents.
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ł", "l");

// Splits a text into [is a word, part], so that all parts together are the text.
export function splitWords(text) {
  const found = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    found.push([false, text.slice(end, index)], [true, word]);
    end = index + word.length;
  }
  return [...found, [false, text.slice(end)]];
}

export const plainWords = (text) => plain(text).match(WORD) ?? [];

export class WordForms {
  constructor({ least, short, long, folds, irregular, ignored }) {
    this.least = least;
    this.short = new Set(["", ...short.split(" ")]);
    this.long = new Set(long.split(" "));
    this.folds = folds.map(([pattern, by, letters]) => [new RegExp(pattern), by.replace(/\\(\d)/g, "$$$1"), letters]);
    this.ignored = new Set(ignored.split(" "));
    this.usual = new Map(
      Object.entries(irregular).flatMap(([word, others]) => others.split(" ").map((other) => [other, word])),
    );
    this.known = new Map();
  }

  // Returns the plain words of a query. Words without meaning are left out if there are others.
  searchWords(query) {
    const found = plainWords(query);
    const kept = found.filter((word) => !this.ignored.has(word));
    return kept.length ? kept : found;
  }

  // Whether two plain words are forms of one word, or `other` begins with `word`.
  same(word, other) {
    if (other.startsWith(word)) return true;
    const stems = this.stems(other);
    return this.stems(word).some((stem) => stems.includes(stem));
  }

  stems(word) {
    let found = this.known.get(word);
    if (!found) this.known.set(word, (found = this.split(this.usual.get(word) ?? word)));
    return found;
  }

  split(word) {
    const found = [];
    for (let at = this.least; at <= word.length; at += 1) {
      const ending = word.slice(at);
      if (this.short.has(ending) || (at > this.least && this.long.has(ending))) found.push(word.slice(0, at));
    }
    return (found.length ? found : [word]).map((stem) => this.fold(stem));
  }

  fold(stem) {
    for (const [pattern, by, least] of this.folds) if (stem.length >= least) stem = stem.replace(pattern, by);
    return stem;
  }
}
