// What the table has promised of this game and sealed so far: digits to write down, and to look up when it has ended.

import { t, tOf } from "./texts.js";
import { h } from "./ui.js";

const SHORT = 16;
const PARTS = ["promise", "seal", "seed", "nonce"];

// All digits, folded away; `sealed` is null for a game of which nothing was promised.
export function sealedBox(sealed) {
  if (!sealed) return null;
  const known = PARTS.filter((part) => sealed[part]);
  return h(
    "details",
    { class: "sealed", "data-testid": "sealed" },
    h("summary", {}, t("sealed.title"), " ", digits(sealed.promise.slice(0, SHORT))),
    h("p", { class: "quiet" }, sealed.seed ? t("sealed.opened") : `${t("sealed.lead")} ${t("sealed.write")}`),
    h(
      "dl",
      {},
      known.flatMap((part) => [
        h("dt", {}, tOf("sealed.part", part)),
        h("dd", { "data-testid": `sealed-${part}` }, digits(sealed[part])),
      ]),
    ),
  );
}

// The first digits of both in one line, for a wall.
export function sealedLine(sealed) {
  if (!sealed) return null;
  const both = [sealed.promise, sealed.seal].map((text) => digits(text.slice(0, SHORT)));
  return h("small", { class: "sealed short", "data-testid": "sealed" }, t("sealed.title"), " ", both[0], " · ", both[1]);
}

const digits = (text) => h("code", {}, text.match(/.{1,4}/g).join(" "));
