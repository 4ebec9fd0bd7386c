// Bots in seats: choosing a bot, and the message if a bot fails.

import { face } from "./art.js";
import { t, tFor, tOf } from "./texts.js";
import { button, dialog, h } from "./ui.js";

// Returns a bot's name, with its level if that was measured.
export const botName = ({ name, level }) =>
  level ? `${tOf("bot", name)} · ${tOf("bots.level", level)}` : tOf("bot", name);

// Lets someone choose a bot; resolves to its name, or to null.
export function chooseBot(seat, bots, text) {
  const title = tFor("bots.title", seat);
  return dialog(title, "bot-dialog", (close) => [
    h("p", {}, text),
    bots.map(({ name, about, level }) =>
      h("button", { class: "bot-card", testid: `bot-choose-${name}`, onclick: () => close(name) }, [
        face(name),
        h("b", {}, botName({ name, level })),
        h("small", {}, about),
      ]),
    ),
    button(t("menu.cancel"), "bot-cancel", () => close(null)),
  ]);
}

export function botFailures(seats) {
  return Object.entries(seats)
    .filter(([, { trouble }]) => trouble)
    .map(([seat, { trouble }]) => h("p", { class: "trouble", role: "alert", testid: `trouble-${seat}` }, trouble));
}
