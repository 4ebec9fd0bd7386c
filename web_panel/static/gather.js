// A seat's page before a game and after it: which seats are free, the start button, and another game with the same
// players.

import { endFacts, seatLines, request } from "./frame.js";
import { ask } from "./net.js";
import { list, seatName, t } from "./texts.js";
import { button, h, headline, link, paint } from "./ui.js";

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

// Goes to the seat that this device holds now, if it is a different one, or to the lobby if no one holds this one;
// returns whether it does.
export async function followSeat() {
  const { mine, seats } = (await ask("/api/lobby")).body;
  const [seat] = Object.keys(mine);
  const here = decodeURIComponent(location.pathname.slice(1));
  const moves = seat ? seat !== here : !seats[here]?.taken;
  if (moves) location.assign(`/${seat ?? ""}`);
  return moves;
}
