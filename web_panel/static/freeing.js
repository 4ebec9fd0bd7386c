// Freeing a seat before a game: one's own at once, another's with its PIN or the house's.

import { ask, post } from "./net.js";
import { tell } from "./frame.js";
import { t, tOf } from "./texts.js";
import { button, confirmed, dialog, h } from "./ui.js";

// Whether the seat is free now. A bot is sent away without a question: nobody has to sit down again. `open` is the seat of
// a person alone who has no PIN.
export async function freeSeat(seat, { mine, bot, open }) {
  if (!bot && !mine && !open && !(await keepsHouse())) return dialog(t("lobby.release"), "release-dialog", (close) => form(seat, close));
  const sure = () => confirmed(t("lobby.release"), t("lobby.release.sure"), t("lobby.release.yes"), t("menu.cancel"));
  return (bot || (await sure())) && tell("/api/release", { seat });
}

// Whether this device has shown the house PIN.
async function keepsHouse() {
  try {
    return (await ask("/api/house")).status === 200;
  } catch {
    return false;
  }
}

const WAYS = { seat: (seat, pin) => post("/api/release", { seat, pin }), house: asHouse };

// A device that was lent the house PIN for this keeps no key to the house.
async function asHouse(seat, pin) {
  const entered = await post("/api/house/enter", { pin });
  if (!entered.ok) return entered;
  const answer = await post("/api/release", { seat });
  await post("/api/house/leave");
  return answer;
}

function form(seat, close) {
  const fault = h("p", { class: "fault", role: "alert", "data-testid": "release-fault" });
  const pin = h("input", {
    name: "pin",
    type: "password",
    required: true,
    maxlength: 64,
    autocomplete: "off",
    "data-testid": "release-pin",
  });
  const send = async (event) => {
    event.preventDefault();
    const answer = await WAYS[event.target.whose.value](seat, pin.value);
    if (answer.ok) close(true);
    else fault.textContent = answer.error.sentence;
  };
  const whose = (way) =>
    h(
      "label",
      { class: "check" },
      h("input", { type: "radio", name: "whose", value: way, checked: way === "seat", "data-testid": `release-by-${way}` }),
      tOf("lobby.release", way),
    );
  return [
    h("p", {}, t("lobby.release.ask")),
    h(
      "form",
      { onsubmit: send },
      h("fieldset", { class: "field" }, h("legend", {}, t("lobby.release.whose")), h("div", { class: "checks" }, Object.keys(WAYS).map(whose))),
      h("label", { class: "field" }, t("lobby.pin"), pin),
      fault,
      h(
        "div",
        { class: "row" },
        button(t("menu.cancel"), "release-cancel", () => close(false)),
        h("button", { class: "button main", type: "submit", "data-testid": "release-send" }, t("lobby.release.yes")),
      ),
    ),
  ];
}
