// A seat's menu in three groups: this game, this device, help. Loaded when it is first opened.

import { chooseBot } from "./bots.js";
import { deviceButton } from "./device-dialog.js";
import { endGameFold, glossary, request } from "./frame.js";
import { aidsLink, bookLink, healthLink, legendLink } from "./reasons.js";
import { sealedBox } from "./sealed.js";
import { hasBriefing, t } from "./texts.js";
import { $, button, confirmed, dialog, h, icon, link } from "./ui.js";

// Whether only one person plays, alone or against bots: then a new game affects no one else.
const isAlone = ({ seats }) =>
  Object.values(seats)
    .flatMap(({ devices }) => devices)
    .filter(({ bot }) => !bot).length <= 1;

const menuGroup = (title, ...choices) =>
  h("section", { class: "menu-group" }, h("h3", {}, title), h("div", { class: "menu-choices" }, choices));

// Entries about the table's game; lessons don't have them.
function gameGroup(seat, picture, close) {
  if (!picture || picture.lesson) return menuGroup(t("menu.game"), link(t("menu.lobby"), "menu-lobby", "/"));
  const running = picture.stage !== "lobby";
  const over = picture.stage === "over";
  const playing = picture.stage === "playing" && !picture.workshop;
  const beside = picture.seats[seat].devices.length > 1;
  const single = running && isAlone(picture);
  const choice = (key, testid, answer = key, props = {}) => button(t(key), testid, () => close(answer), props);
  return menuGroup(
    t("menu.game"),
    playing && choice(picture.paused !== null ? "pause.end" : "pause.call", "menu-pause", "pause"),
    single && choice("menu.new", "menu-new", "new"),
    single && !over && choice("menu.abandon", "menu-abandon", "abandon", { class: "danger" }),
    running && !over && !beside && choice("menu.bot", "menu-bot", "bot"),
    running && beside && choice("menu.leave", "menu-leave", "leave"),
    picture.board.open &&
      choice(picture.board.heeded ? "menu.without-board" : "menu.with-board", "menu-use-sensors", "sensors"),
    link(t("menu.lobby"), "menu-lobby", isAlone(picture) ? "/#alone" : "/#together"),
    link(t("menu.table"), "menu-table", "/table", { target: "_blank" }),
    document.body.dataset.simulated === "yes" && link(t("menu.board"), "menu-board", "/board", { target: "_blank" }),
    running && !single && endGameFold("menu-abandon", () => close("abandon")),
    sealedBox(picture.sealed),
  );
}

const helpGroup = (seat, picture, close) =>
  menuGroup(
    t("menu.help"),
    picture &&
      picture.stage !== "lobby" &&
      !picture.lesson &&
      hasBriefing(seat) &&
      button(t("briefing.title"), "menu-briefing", () => close("briefing")),
    bookLink("menu-rules", "button"),
    aidsLink("menu-aids", "button"),
    picture?.map && legendLink("menu-legend", "button"),
    healthLink("menu-health", "button"),
  );

export async function openMenu(seat, picture) {
  const answer = await dialog(t("menu.title"), "menu-dialog", (close) => [
    gameGroup(seat, picture, close),
    menuGroup(t("menu.device"), deviceButton("menu-device"), $("#languages").content.cloneNode(true)),
    helpGroup(seat, picture, close),
    h(
      "button",
      { class: "round shut", testid: "menu-close", "aria-label": t("menu.close"), onclick: () => close(null) },
      icon("M6 6l12 12M18 6L6 18"),
    ),
  ]);
  if (answer) await ANSWERS[answer](seat, picture);
}

const ANSWERS = {
  briefing: () => document.dispatchEvent(new Event("brief")),
  bot: leave,
  abandon: async (seat) => (await import("./ending.js")).abandon(seat),
  new: restart,
  pause: (_, { paused }) => request("/api/pause", { paused: paused === null }),
  sensors: (_, { board }) => request("/api/heed", { heeding: !board.heeded }),
  leave: async (seat) => {
    if ((await confirmed(t("menu.leave"), t("menu.leave.sure"))) && (await request("/api/release", { seat })))
      location.assign("/");
  },
};

// Ends a running game and starts the same game again, with the same options.
async function restart(seat, { stage }) {
  if (stage === "over") return request("/api/again", { swapped: false });
  if (!(await confirmed(t("menu.new"), t("menu.new.sure"), t("menu.new.yes")))) return false;
  return (await request("/api/abandon", { seat })) && request("/api/start", {});
}

async function leave(seat) {
  const { bots } = await glossary();
  const bot = await chooseBot(seat, bots[seat], t("bots.hand-over"));
  if (bot && (await request("/api/hand-over", { seat, bot }))) location.assign("/");
}
