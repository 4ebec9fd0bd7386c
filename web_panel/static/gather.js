// A seat's page before a game and after it: which seats are free, the start button, and another game with the same
// players.

import { seatLines, request } from "./frame.js";
import { ask } from "./net.js";
import { endFacts } from "./on-demand.js";
import { list, seatName, t } from "./texts.js";
import { button, h, headline, link } from "./ui.js";

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

// Other players' pages follow automatically: see `follows`.
async function again(swapped) {
  if (await request("/api/again", { swapped })) await followSeat();
}

export const afterGame = ({ seats, finished }) => [
  h("div", { class: "row end" }, [
    button(t("gather.again"), "rematch", () => again(false), { class: "main" }),
    Object.keys(seats).length > 1 && button(t("gather.swap"), "swap", () => again(true)),
    link(t("gather.lobby"), "again", "/"),
  ]),
  endFacts(finished),
];

// Goes to the seat that this device holds now, if it is a different one; returns whether it does.
export async function followSeat() {
  const [seat] = Object.keys((await ask("/api/lobby")).body.mine);
  const moves = Boolean(seat) && location.pathname !== `/${seat}`;
  if (moves) location.assign(`/${seat}`);
  return moves;
}
