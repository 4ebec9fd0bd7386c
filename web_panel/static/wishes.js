// The lobby's first question: what would you like to do? The answer is in the address, so that Back undoes it; without
// an answer the lobby shows everything.

import { t, tOf } from "./texts.js";
import { h, link } from "./ui.js";

// The parts of the lobby for each answer.
const PARTS = {
  alone: ["play", "games", "maps", "setup"],
  together: ["games", "seats", "maps", "setup", "sealing", "join"],
  look: ["look"],
  learn: ["learn"],
  admin: ["admin"],
};

// Returns the answer, or null.
export const wish = () => (location.hash.slice(1) in PARTS ? location.hash.slice(1) : null);

// Whether a part of the lobby belongs to the answer.
export const isWanted = (part) => wish() === null || PARTS[wish()].includes(part);

export function wishCards() {
  const now = wish();
  return [
    h("h2", {}, t("wish.title")),
    h("nav", { class: now ? "wish-cards chosen" : "wish-cards", "aria-label": t("wish.title") }, [
      Object.keys(PARTS).map((name) => {
        const chosen = now === name;
        const to = { href: chosen ? "#" : `#${name}`, "aria-current": chosen ? "true" : null };
        return h("a", { class: "wish-card", ...to, testid: `wish-${name}` }, [
          h("b", {}, tOf("wish", name)),
          h("small", {}, tOf("wish.about", name)),
        ]);
      }),
    ]),
    now && h("p", {}, link(t("wish.all"), "wish-all", "#", { class: "small plain" })),
  ];
}
