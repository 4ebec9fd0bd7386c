// A seat's page before a game: which seats are free, and the start button for the last player to sit down.

import { seatLines, request } from "./frame.js";
import { list, seatName, t } from "./texts.js";
import { button, h, headline, link } from "./ui.js";

export function gatherDock({ seats }) {
  const missing = Object.keys(seats).filter((seat) => !seats[seat].taken);
  return [
    headline(missing.length ? t("gather.missing") : t("gather.ready")),
    h("ul", { class: "seat-lines", testid: "gathered" }, seatLines(seats)),
    missing.length
      ? h("p", { testid: "start-need" }, [
          t("gather.need", { seats: list(missing.map((seat) => seatName(seats, seat))) }),
        ])
      : button(t("lobby.start"), "start", () => request("/api/start", {}), { class: "main big" }),
    link(t("gather.lobby"), "to-lobby", "/"),
  ];
}
