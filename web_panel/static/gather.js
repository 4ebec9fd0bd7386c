// A seat's page before a game and after it: which seats are free, and the start button.

import { seatLines, request } from "./frame.js";
import { list, seatName, t } from "./texts.js";
import { button, h, headline, link } from "./ui.js";

export { afterGame } from "./on-demand.js";

// The last player to sit down can start the game here.
export function beforeGame({ seats }) {
  const missing = Object.keys(seats).filter((seat) => !seats[seat].taken);
  return [
    headline(missing.length ? t("gather.missing") : t("gather.ready")),
    h("ul", { class: "seats", testid: "gathered" }, seatLines(seats)),
    missing.length
      ? h("p", { testid: "start-need" }, [
          t("gather.need", { seats: list(missing.map((seat) => seatName(seats, seat))) }),
        ])
      : button(t("lobby.start"), "start", () => request("/api/start", {}), { class: "main big" }),
    link(t("gather.lobby"), "to-lobby", "/"),
  ];
}
