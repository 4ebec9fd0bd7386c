// A seat's page before a game and after it: which seats are free, and the start button.

import { seatLines, request } from "./frame.js";
import { list, seatName, t } from "./texts.js";
import { button, h, headline, link, paint } from "./ui.js";

export { afterGame } from "./on-demand.js";

// The last player to sit down can start the game here. It follows every picture by itself, whatever the page repaints.
/** @type {any} */
let waiting = null;

export function beforeGame(picture) {
  waiting = h("div", { style: { display: "contents" } });
  fill(picture);
  return [waiting];
}

document.addEventListener("picture", ({ detail }) => waiting?.isConnected && detail.seats && fill(detail));

const fill = ({ seats }) => paint(waiting, [seats], () => gathered(seats));

function gathered(seats) {
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
