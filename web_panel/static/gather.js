// A seat's page before a game and after it: which seats are free, the start button, and another game with the same
// players.

import { seatLines, request } from "./frame.js";
import { ask } from "./net.js";
import { endFacts } from "./on-demand.js";
import { deviceName, list, seatName, t } from "./texts.js";
import { button, h, headline, link, paint } from "./ui.js";

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

// A person alone plays again at once; others are asked first, and keep the end of the game on their screens until then.
// Their pages follow automatically: see `follows`.
async function again(swapped) {
  if (await request("/api/rematch", { swapped })) await followSeat();
}

const decline = () => request("/api/rematch/decline", {});

// What follows a game: always the same element, which follows the table by itself.
const next = h("div", { class: "after-game" });

export function afterGame(picture) {
  showNext(picture);
  return [next, endFacts(picture.finished)];
}

/** @param {Picture} picture */
function showNext({ seats, rematch, viewer }) {
  paint(next, [seats, rematch], () => (rematch ? answering(seats, rematch, viewer) : offering(seats)));
}

document.addEventListener("picture", ({ detail }) => next.isConnected && detail.stage === "over" && showNext(detail));

const people = (seats) => Object.keys(seats).filter((seat) => seats[seat].devices.some(({ bot }) => !bot));

function offering(seats) {
  const together = people(seats).length > 1;
  return h("div", { class: "row end" }, [
    button(t(together ? "gather.offer" : "gather.again"), "rematch", () => again(false), { class: "main" }),
    Object.keys(seats).length > 1 && button(t("gather.swap"), "swap", () => again(true)),
    link(t("gather.lobby"), "again", "/"),
  ]);
}

function answering(seats, { swapped, agreed, missing, declined }, viewer) {
  const names = (some) => list(some.flatMap((seat) => seats[seat].devices.map(deviceName)));
  if (declined)
    return [
      h("p", { class: "offer", testid: "declined" }, t("gather.declined", { name: names([declined]) })),
      offering(seats),
    ];
  const mine = agreed.includes(viewer);
  const said = mine
    ? t("gather.asked", { names: names(missing) })
    : t(swapped ? "gather.offers-swap" : "gather.offers", { names: names(agreed) });
  return h("section", { class: "offer", testid: "offer" }, [
    h("p", { role: "status" }, said),
    h("div", { class: "row end" }, [
      !mine && button(t("gather.accept"), "rematch-accept", () => again(swapped), { class: "main" }),
      button(t(mine ? "gather.withdraw" : "gather.decline"), "rematch-decline", decline),
      link(t("gather.lobby"), "again", "/"),
    ]),
  ]);
}

// Goes to the seat that this device holds now, if it is a different one; returns whether it does.
export async function followSeat() {
  const [seat] = Object.keys((await ask("/api/lobby")).body.mine);
  const moves = Boolean(seat) && location.pathname !== `/${seat}`;
  if (moves) location.assign(`/${seat}`);
  return moves;
}
