// Bots in seats: choosing a bot, and the message if a bot fails.

import { botFace } from "./art.js";
import { request } from "./frame.js";
import { t, tFor, tOf } from "./texts.js";
import { button, dialog, h } from "./ui.js";

// Returns a bot's name, with its level if that was measured.
export const botName = ({ name, level }) =>
  level ? `${tOf("bot", name)} · ${tOf("bots.level", level)}` : tOf("bot", name);

// Lets someone choose a bot; resolves to its name, or to null.
export function chooseBot(seat, bots, text, title = tFor("bots.title", seat)) {
  return dialog(title, "bot-dialog", (close) => [
    h("p", {}, text),
    bots.map(({ name, about, level }) =>
      h("button", { class: "bot-card", testid: `bot-choose-${name}`, onclick: () => close(name) }, [
        botFace(name),
        h("b", {}, botName({ name, level })),
        h("small", {}, about),
      ]),
    ),
    button(t("menu.cancel"), "bot-cancel", () => close(null)),
  ]);
}

// Seats that one bot can fill: numbered seats are all alike.
export const areAlike = (seats) => seats.length === 1 || (seats.length > 1 && seats.every((it) => /-\d+$/.test(it)));

const fillLabel = (seats) => t(seats.length > 1 ? "bots.fill" : "lobby.bot");

// A button that gives these free seats to the bot that someone chooses. `bots()` returns the bots of all seats; `done`
// is called afterwards.
export const fillButton = (seats, bots, done = () => {}) =>
  button(fillLabel(seats), "fill-seats", async () => {
    const bot = await chooseBot(seats[0], (await bots())[seats[0]], t("bots.text"), fillLabel(seats));
    if (!bot) return;
    for (const seat of seats) if (!(await request("/api/bot", { seat, bot }))) break;
    done();
  });

export function botFailures(seats) {
  return Object.entries(seats)
    .filter(([, { trouble }]) => trouble)
    .map(([seat, { trouble }]) => h("p", { class: "trouble", role: "alert", testid: `trouble-${seat}` }, trouble));
}
