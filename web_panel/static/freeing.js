// Frees a seat before a game: one's own at once, another player's with its PIN or the admin PIN.

import { form, pinInput } from "./form.js";
import { ask, post } from "./net.js";
import { request } from "./frame.js";
import { t, tOf } from "./texts.js";
import { button, check, confirmed, dialog, field, fieldset, h, submit } from "./ui.js";

// Frees a seat; returns whether it is free now. Bots are removed without a question, because they are easily added
// again. `open` is true for the seat of a single player without a PIN.
export async function freeSeat(seat, { mine, bot, open }) {
  if (!bot && !mine && !open && !(await hasAdminKey()))
    return dialog(t("lobby.release"), "release-dialog", (close) => pinForm(seat, close));
  const sure = () => confirmed(t("lobby.release"), t("lobby.release.sure"), t("lobby.release.yes"));
  return (bot || (await sure())) && request("/api/release", { seat });
}

// Whether this device has entered the admin PIN.
async function hasAdminKey() {
  try {
    return (await ask("/api/house")).status === 200;
  } catch {
    return false;
  }
}

const WAYS = { seat: (seat, pin) => post("/api/release", { seat, pin }), admin: asAdmin };

// Enters the admin PIN for this request only.
async function asAdmin(seat, pin) {
  const entered = await post("/api/house/enter", { pin });
  if (!entered.ok) return entered;
  const answer = await post("/api/release", { seat });
  await post("/api/house/leave");
  return answer;
}

function pinForm(seat, close) {
  const whose = (way) => {
    const radio = { type: "radio", name: "whose", value: way, checked: way === "seat" };
    return check(tOf("lobby.release", way), `release-by-${way}`, radio);
  };
  const fields = [
    fieldset(t("lobby.release.whose"), Object.keys(WAYS).map(whose)),
    field(t("lobby.pin"), pinInput({ testid: "release-pin" })),
    h("div", { class: "row" }, [
      button(t("menu.cancel"), "release-cancel", () => close(false)),
      submit(t("lobby.release.yes"), "release-send"),
    ]),
  ];
  const send = (all) => WAYS[all.whose.value](seat, all.pin.value);
  return [h("p", {}, t("lobby.release.ask")), form("release-fault", fields, send, () => close(true))];
}
