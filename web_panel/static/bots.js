// Bots at the seats: choosing one, and what is said where one has failed.

import { face } from "./art.js";
import { t, tFor, tOf } from "./texts.js";
import { button, dialog, h } from "./ui.js";

// A bot's name, and how well it plays if that was measured.
export const botName = ({ name, level }) => (level ? `${tOf("bot", name)} · ${tOf("bots.level", level)}` : tOf("bot", name));

// The name of the bot that was chosen, or null.
export function chooseBot(seat, bots, text) {
  const title = tFor("bots.title", seat);
  return dialog(title, "bot-dialog", (close) => [
    h("p", {}, text),
    bots.map(({ name, about, level }) =>
      h(
        "button",
        { type: "button", class: "bot-card", "data-testid": `bot-choose-${name}`, onclick: () => close(name) },
        face(name),
        h("b", {}, botName({ name, level })),
        h("small", {}, about),
      ),
    ),
    button(t("menu.cancel"), "bot-cancel", () => close(null)),
  ]);
}

export function troubles(seats) {
  return Object.entries(seats)
    .filter(([, { trouble }]) => trouble)
    .map(([seat, { trouble }]) => h("p", { class: "trouble", role: "alert", "data-testid": `trouble-${seat}` }, trouble));
}
