// A seat's page before a game: which seats are free, bots for them, and the start button for the last player to sit down.

import { areAlike, fillButton } from "./bots.js";
import { glossary, seatLines, request } from "./frame.js";
import { t } from "./texts.js";
import { button, h, headline, link } from "./ui.js";

export function gatherDock({ seats }) {
  const missing = Object.keys(seats).filter((seat) => !seats[seat].taken);
  return [
    headline(missing.length ? t("gather.missing") : t("gather.ready")),
    h("ul", { class: "seat-lines", testid: "gathered" }, seatLines(seats)),
    missing.length
      ? [
          h("p", { class: "quiet" }, t("gather.need")),
          areAlike(missing) && fillButton(missing, async () => (await glossary()).bots),
        ]
      : button(t("lobby.start"), "start", () => request("/api/start", {}), { class: "main big" }),
    link(t("gather.lobby"), "to-lobby", "/#together"),
  ];
}
