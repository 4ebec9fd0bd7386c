// A seat's menu: links, settings for the whole table, and ways to leave. Loaded when it is first opened.

import { chooseBot } from "./bots.js";
import { hasBriefing } from "./briefing.js";
import { deviceButton } from "./device.js";
import { endGameFold, glossary, request } from "./frame.js";
import { aidsLink, bookLink, healthLink, legendLink } from "./reasons.js";
import { sealedBox } from "./sealed.js";
import { t } from "./texts.js";
import { $, button, confirmed, dialog, link } from "./ui.js";

export async function menu(seat, picture) {
  const simulated = document.body.dataset.simulated === "yes";
  const lesson = Boolean(picture?.lesson);
  const running = picture && picture.stage !== "lobby" && !lesson;
  const heeded = picture && picture.board.heeded;
  const paused = running && picture.paused !== null;
  const beside = picture && picture.seats[seat].devices.length > 1;
  const answer = await dialog(t("menu.title"), "menu-dialog", (close) => [
    running &&
      picture.stage === "playing" &&
      !picture.workshop &&
      button(paused ? t("pause.end") : t("pause.call"), "menu-pause", () => close("pause"), { class: "main" }),
    link(t("menu.lobby"), "menu-lobby", "/"),
    link(t("menu.table"), "menu-table", "/table", { target: "_blank" }),
    running && hasBriefing(seat) && button(t("briefing.title"), "menu-briefing", () => close("briefing")),
    bookLink("menu-rules", "button"),
    aidsLink("menu-aids", "button"),
    legendLink("menu-legend", "button"),
    healthLink("menu-health", "button"),
    deviceButton("menu-device"),
    simulated && link(t("menu.board"), "menu-board", "/board", { target: "_blank" }),
    $("#languages").content.cloneNode(true),
    !lesson &&
      button(heeded ? t("menu.without-board") : t("menu.with-board"), "menu-use-sensors", () => close("sensors")),
    running && !beside && button(t("menu.bot"), "menu-bot", () => close("bot")),
    running && beside && button(t("menu.leave"), "menu-leave", () => close("leave")),
    picture && !lesson && sealedBox(picture.sealed),
    button(t("menu.close"), "menu-close", () => close(null)),
    running && endGameFold("menu-abandon", () => close("abandon")),
  ]);
  if (answer === "briefing") document.dispatchEvent(new Event("brief"));
  if (answer === "bot") await leave(seat);
  if (answer === "leave" && (await confirmed(t("menu.leave"), t("menu.leave.sure"))))
    if (await request("/api/release", { seat })) location.assign("/");
  if (answer === "pause") await request("/api/pause", { paused: !paused });
  if (answer === "sensors") await request("/api/heed", { heeding: !heeded });
  if (answer === "abandon") await (await import("./ending.js")).abandon(seat);
}

async function leave(seat) {
  const { bots } = await glossary();
  const bot = await chooseBot(seat, bots[seat], t("bots.hand-over"));
  if (bot && (await request("/api/hand-over", { seat, bot }))) location.assign("/");
}
