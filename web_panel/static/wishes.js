// The lobby's first question: what somebody wants to do. The answer stands in the address, so that "back" undoes it;
// without one the lobby shows everything.

import { t, tOf } from "./texts.js";
import { h } from "./ui.js";

// Wish -> the parts of the lobby that it needs.
const PARTS = {
  alone: ["play", "games", "maps", "setup"],
  together: ["games", "seats", "maps", "setup", "sealing", "join"],
  look: ["look"],
  learn: ["learn"],
  house: ["house"],
};

// The answer; null before there is one.
export const wish = () => (location.hash.slice(1) in PARTS ? location.hash.slice(1) : null);

// Whether a part of the lobby belongs to what somebody wants.
export const wanted = (part) => wish() === null || PARTS[wish()].includes(part);

export function wishes() {
  const now = wish();
  return [
    h("h2", {}, t("wish.title")),
    h(
      "nav",
      { class: now ? "wish-cards chosen" : "wish-cards", "aria-label": t("wish.title") },
      Object.keys(PARTS).map((name) =>
        h(
          "a",
          { class: "wish-card", href: now === name ? "#" : `#${name}`, "aria-current": now === name ? "true" : null, "data-testid": `wish-${name}` },
          h("b", {}, tOf("wish", name)),
          h("small", {}, tOf("wish.about", name)),
        ),
      ),
    ),
    now && h("p", {}, h("a", { href: "#", "data-testid": "wish-all" }, t("wish.all"))),
  ];
}
