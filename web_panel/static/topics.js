// The lobby's first question: what would you like to do? The answer is in the address, so that Back undoes it; without
// an answer the lobby shows everything.

import { t, tOf } from "./texts.js";
import { h, icon, link } from "./ui.js";

// The parts of the lobby for each answer.
const PARTS = {
  alone: ["play", "games", "maps", "setup"],
  together: ["games", "seats", "maps", "setup", "sealing", "join"],
  look: ["look"],
  learn: ["learn"],
  admin: ["admin"],
};

const ICONS = {
  alone: "M7 4l13 8-13 8Z",
  together:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2 20c0-4 3-6 7-6s7 2 7 6M16 4.500a3.5 3.5 0 0 1 0 6M18 14.500c2.5.7 4 2.5 4 5.5",
  look: "M3 5h18v11H3ZM8 20h8M12 16v4",
  learn: "M12 6c-2-1.5-5-2-9-2v14c4 0 7 .5 9 2 2-1.5 5-2 9-2V4c-4 0-7 .5-9 2ZM12 6v14",
  admin: "M4 7h10M18 7h2M4 17h2M10 17h10M14 7a2 2 0 1 0 4 0 2 2 0 0 0-4 0ZM6 17a2 2 0 1 0 4 0 2 2 0 0 0-4 0Z",
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
          icon(ICONS[name]),
          h("b", {}, tOf("topic", name)),
          h("small", {}, tOf("topic.about", name)),
        ]);
      }),
    ]),
    now && h("p", {}, link(t("topic.all"), "topic-all", "#", { class: "small plain" })),
  ];
}
