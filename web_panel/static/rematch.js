// After a game: the offer of another one with the same people.

import { followSeat, request } from "./frame.js";
import { deviceName, list, t } from "./texts.js";
import { button, h, link, paint } from "./ui.js";

/** @type {(place: any, picture: Picture) => void} */
export const showNext = (place, { seats, rematch, viewer, gone }) =>
  paint(place, [seats, rematch, gone], () =>
    rematch && !gone ? answerRow(seats, rematch, viewer) : offerRow(seats, gone),
  );

// A person alone plays again at once; others are asked first, and keep the end of the game on their screens until then.
// Their pages follow automatically: see `followSeat`.
async function playAgain(swapped) {
  if (await request("/api/rematch", { swapped })) await followSeat();
}

const decline = () => request("/api/rematch/decline", {});

const seatsOfPeople = (seats) => Object.keys(seats).filter((seat) => seats[seat].devices.some(({ bot }) => !bot));

// After the seat is `gone`, only the lobby is left.
function offerRow(seats, gone = false) {
  const together = seatsOfPeople(seats).length > 1;
  const names = Object.keys(seats);
  // Numbered seats are all alike.
  const sides = names.length > 1 && !names[0].endsWith("-1");
  return h("div", { class: "row end" }, [
    gone && h("p", { role: "status" }, t("lobby.over")),
    !gone &&
      button(t(together ? "gather.offer" : "gather.again"), "rematch", () => playAgain(false), { class: "main" }),
    !gone && sides && button(t("gather.swap"), "swap", () => playAgain(true)),
    link(t("gather.lobby"), "again", together ? "/#together" : "/#alone"),
  ]);
}

function answerRow(seats, { swapped, agreed, missing, declined, changed }, viewer) {
  const names = (some) => list(some.flatMap((seat) => seats[seat].devices.map(deviceName)));
  if (declined)
    return [
      h("p", { class: "offer", testid: "declined" }, t("gather.declined", { name: names([declined]) })),
      offerRow(seats),
    ];
  const mine = agreed.includes(viewer);
  const said = mine
    ? t("gather.asked", { names: names(missing) })
    : t(swapped ? "gather.offers-swap" : "gather.offers", { names: names(agreed) });
  return h("section", { class: "offer", testid: "offer" }, [
    h("p", { role: "status" }, said),
    changed && h("p", {}, t("gather.changed")),
    h("div", { class: "row end" }, [
      !mine && button(t("gather.accept"), "rematch-accept", () => playAgain(swapped), { class: "main" }),
      button(t(mine ? "gather.withdraw" : "gather.decline"), "rematch-decline", decline),
      link(t("gather.lobby"), "again", "/#together"),
    ]),
  ]);
}
