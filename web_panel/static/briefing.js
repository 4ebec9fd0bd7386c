// A seat's briefing: how it wins, how it plays, what to look out for. The game provides the texts for each seat.

import { t, tOf } from "./texts.js";
import { button, dialog, h } from "./ui.js";

// Resolves to true if the player wants to see the task on the map. `goals` and `spaces` are the seat's secret task.
/** @type {(role: string, task?: { goals?: string[], spaces?: string[] }) => Promise<boolean>} */
export const showBriefing = (role, { goals = [], spaces = [] } = {}) =>
  dialog(t("briefing.title"), "briefing-dialog", (close) => [
    part(t("briefing.win"), tOf("briefing.win", role)),
    goals.length > 0 &&
      h("ul", { class: "plain goals", testid: "briefing-goals" }, [goals.map((goal) => h("li", {}, goal))]),
    part(t("briefing.way"), tOf("briefing.way", role)),
    part(t("briefing.beware"), tOf("briefing.beware", role)),
    spaces.length > 0 && button(t("briefing.look"), "briefing-look", () => close(true)),
    button(t("briefing.done"), "briefing-done", () => close(false), { class: "main" }),
  ]);

const part = (title, words) => [h("h3", {}, title), h("p", {}, words)];
