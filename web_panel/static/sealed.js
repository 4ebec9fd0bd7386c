// What the table has promised of this game and sealed so far: digits to write down, and to look up when it has ended.

import { t, tOf } from "./texts.js";
import { h } from "./ui.js";

const PARTS = ["promise", "seal", "seed", "nonce"];

// A page that is drawn anew leaves the box as it was.
let open = false;

// All digits, folded away; `sealed` is null for a game of which nothing was promised.
export function sealedBox(sealed) {
  if (!sealed) return null;
  const known = PARTS.filter((part) => sealed[part]);
  return h(
    "details",
    {
      class: "sealed",
      open,
      ontoggle: ({ target }) => {
        open = target.open;
      },
      "data-testid": "sealed",
    },
    h("summary", {}, t("sealed.title")),
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

const digits = (text) => h("code", {}, text.match(/.{1,4}/g).join(" "));
