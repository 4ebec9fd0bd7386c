// Before a game and after it, on a page of a seat: who is still missing, the start, and another game with the same people.

import { endFacts, seatLines, tell } from "./frame.js";
import { ask } from "./net.js";
import { list, seatName, t } from "./texts.js";
import { button, h } from "./ui.js";

// Start stands here too: whoever sits down last starts.
export function gathering({ seats }) {
  const missing = Object.keys(seats).filter((seat) => !seats[seat].taken);
  return [
    h("p", { class: "headline", "data-testid": "headline" }, missing.length ? t("gather.missing") : t("gather.ready")),
    h("ul", { class: "seats", "data-testid": "gathered" }, seatLines(seats)),
    missing.length
      ? h("p", { "data-testid": "start-need" }, t("gather.need", { seats: list(missing.map((seat) => seatName(seats, seat))) }))
      : button(t("lobby.start"), "start", () => tell("/api/start", {}), { class: "main big" }),
    h("a", { class: "button", href: "/", "data-testid": "to-lobby" }, t("gather.lobby")),
  ];
}

// Everybody else's page follows by itself: see `follows`.
async function again(swapped) {
  if (await tell("/api/again", { swapped })) await follows();
}

export const afterGame = ({ seats, finished }) => [
  h(
    "div",
    { class: "row end" },
    button(t("gather.again"), "rematch", () => again(false), { class: "main" }),
    Object.keys(seats).length > 1 && button(t("gather.swap"), "swap", () => again(true)),
    h("a", { class: "button", href: "/", "data-testid": "again" }, t("gather.lobby")),
  ),
  endFacts(finished),
];

// Goes to the seat that this device holds now, if that is another one than this page's; whether it does.
export async function follows() {
  const [seat] = Object.keys((await ask("/api/lobby")).body.mine);
  const moves = Boolean(seat) && location.pathname !== `/${seat}`;
  if (moves) location.assign(`/${seat}`);
  return moves;
}
