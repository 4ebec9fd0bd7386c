// The table's commitments for this game: numbers to write down and compare after the game.

import { t, tOf } from "./texts.js";
import { h, quiet } from "./ui.js";

const PARTS = ["promise", "seal", "seed", "nonce"];

// Stays open when the page is repainted.
let open = false;

// All numbers, folded away; `sealed` is null for a game without commitments.
export function sealedBox(sealed) {
  if (!sealed) return null;
  const known = PARTS.filter((part) => sealed[part]);
  const ontoggle = ({ target }) => (open = target.open);
  return h("details", { class: "sealed", open, ontoggle, testid: "sealed" }, [
    h("summary", {}, t("sealed.title")),
    quiet(sealed.seed ? t("sealed.opened") : `${t("sealed.lead")} ${t("sealed.write")}`),
    h("dl", {}, [
      known.flatMap((part) => [
        h("dt", {}, tOf("sealed.part", part)),
        h("dd", { testid: `sealed-${part}` }, digitGroups(sealed[part])),
      ]),
    ]),
  ]);
}

const digitGroups = (text) => h("code", {}, text.match(/.{1,4}/g).join(" "));
