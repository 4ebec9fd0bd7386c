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
export const topic = () => (location.hash.slice(1) in PARTS ? location.hash.slice(1) : null);

// Whether a part of the lobby belongs to the answer.
export const isShown = (part) => topic() === null || PARTS[topic()].includes(part);

export function topicCards() {
  const now = topic();
  return [
    h("h2", {}, t("topic.title")),
    h("nav", { class: now ? "topic-cards chosen" : "topic-cards", "aria-label": t("topic.title") }, [
      Object.keys(PARTS).map((name) => {
        const chosen = now === name;
        const to = { href: chosen ? "#" : `#${name}`, "aria-current": chosen ? "true" : null };
        return h("a", { class: "topic-card", ...to, testid: `topic-${name}` }, [
          h("b", {}, tOf("topic", name)),
          h("small", {}, tOf("topic.about", name)),
        ]);
      }),
    ]),
    now && h("p", {}, link(t("topic.all"), "topic-all", "#", { class: "small plain" })),
  ];
}
