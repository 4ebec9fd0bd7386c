// Taking a free seat, sharing one with another device, or taking one over; and freeing a seat before a game.

import { form, pinInput } from "./form.js";
import { openSeat, request } from "./frame.js";
import { ask, askUntilAnswered, post, postSeat } from "./net.js";
import { nameField, remember, remembered } from "./person.js";
import { deviceName, list, t, tFor, tOf } from "./texts.js";
import { button, check, confirmed, dialog, field, fieldset, h, submit } from "./ui.js";

// Whether several devices can share out the parts of a seat.
export function isShared(facts, seat) {
  const { secret, parts: squads } = facts.seats[seat];
  return squads.length > 0 && !secret;
}

// The people at a seat, with the parts that they lead.
export function holderText(facts, seat, { device, squads, bot }) {
  if (bot) return deviceName({ device, bot });
  if (!squads.length) return t("lobby.taken", { device });
  const led =
    squads.length === facts.seats[seat].parts.length
      ? t("lobby.all-squads")
      : list(squads.map((squad) => tOf("squad", squad)));
  return t("lobby.taken.squads", { device, squads: led });
}

export const take = (facts, seat, led) =>
  claim(facts, seat, tFor("lobby.take", seat), { free: facts.seats[seat].parts.filter((squad) => !led.has(squad)) });

export const takeOver = (facts, seat) =>
  claim(facts, seat, t("lobby.take-over.title"), {
    path: "/api/take-over",
    about: t("lobby.take-over.text"),
    label: t("lobby.take-over"),
    places: facts.seats[seat].devices,
  });

// Adds a device: both play on, each for the whole seat, or with some of its squads.
export const share = (facts, seat) =>
  claim(facts, seat, t("lobby.share"), {
    path: "/api/take-over",
    about: t(isShared(facts, seat) ? "lobby.share.text" : "lobby.share.whole"),
    label: t("lobby.share.send"),
    free: facts.seats[seat].parts,
    legend: t("lobby.share.squads"),
    share: true,
  });

async function claim(facts, seat, title, asked) {
  const fill = (close) => [asked.about && h("p", {}, asked.about), seatForm(facts, seat, close, asked)];
  if (await dialog(title, "claim-dialog", fill)) openSeat(seat);
}

const CLAIM = "/api/claim";

// Whether this browser holds the seat. A busy table is asked again: the claim may have succeeded although its answer
// was lost.
const isSeated = async (seat) => Boolean((await askUntilAnswered("/api/lobby")).mine[seat]);

// The form for taking a seat, or with `path` "/api/take-over" for sharing it or replacing a device.
function seatForm(facts, seat, close, asked) {
  const { path = CLAIM, label = t("lobby.take"), legend = t("lobby.squads") } = asked;
  const { free = [], places = [], share = false } = asked;
  const claims = path === CLAIM;
  const known = { name: places.find(({ bot }) => !bot)?.device ?? "", ...remembered() };
  const [device, nameLine] = nameField("claim-device", { required: true, value: known.name });
  const needed = facts.pins || !claims;
  const value = (claims && known.pin) || "";
  const pin = pinInput({ inputmode: "numeric", required: needed, value, minlength: 4, testid: "claim-pin" });
  const boxes = (isShared(facts, seat) ? free : []).map((squad) =>
    h("input", { type: "checkbox", name: "squad", value: squad, checked: !share, testid: `claim-${squad}` }),
  );
  const send = ({ place: replaced }) => {
    const squads = boxes.filter((box) => box.checked).map((box) => box.value);
    const more = claims ? {} : { share, instead: replaced?.value ? Number(replaced.value) : null };
    return postSeat(path, { seat, pin: pin.value, device: device.value, squads, ...more });
  };
  const finish = async () => {
    if (await isSeated(seat)) {
      remember(claims && pin.value ? { name: device.value, pin: pin.value } : { name: device.value });
      return close(true);
    }
    // The key is lost, so the seat must be freed.
    if (claims) await post("/api/release", { seat, pin: pin.value });
    return t("net.cookies");
  };
  const fields = [
    nameLine,
    field(t("lobby.pin"), pin, needed ? t("lobby.pin.hint") : t("lobby.pin.free")),
    places.length > 1 &&
      fieldset(
        t("lobby.take-over.instead"),
        places.map((it, i) => {
          const radio = { type: "radio", name: "place", value: it.number, checked: i === 0 };
          return check(holderText(facts, seat, it), `claim-place-${it.number}`, radio);
        }),
      ),
    boxes.length > 0 &&
      fieldset(
        legend,
        boxes.map((box) => h("label", { class: `check ${box.value}` }, box, tOf("squad", box.value))),
      ),
    h("div", { class: "row" }, [
      button(t("menu.cancel"), "claim-cancel", () => close(false)),
      submit(label, "claim-send"),
    ]),
  ];
  return form("claim-fault", fields, send, finish);
}

// --- freeing a seat ------------------------------------------------------------------------------------------------

// Frees a seat; returns whether it is free now. Bots are removed without a question, because they are easily added
// again. `open` is true for the seat of a single player without a PIN who has left.
export async function freeSeat(seat, { mine, bot, open }) {
  if (!bot && !mine && !open && !(await hasAdminKey()))
    return dialog(t("lobby.release"), "release-dialog", (close) => freeForm(seat, close));
  const confirmFree = () => confirmed(t("lobby.release"), t("lobby.release.sure"), t("lobby.release.yes"));
  return (bot || (await confirmFree())) && request("/api/release", { seat });
}

// Whether this device has entered the admin PIN.
async function hasAdminKey() {
  try {
    return (await ask("/api/house")).status === 200;
  } catch {
    return false;
  }
}

const WAYS = { seat: (seat, pin) => post("/api/release", { seat, pin }), admin: freeAsAdmin };

// Enters the admin PIN for this request only.
async function freeAsAdmin(seat, pin) {
  const entered = await post("/api/house/enter", { pin });
  if (!entered.ok) return entered;
  const answer = await post("/api/release", { seat });
  await post("/api/house/leave");
  return answer;
}

function freeForm(seat, close) {
  const wayRadio = (way) => {
    const radio = { type: "radio", name: "whose", value: way, checked: way === "seat" };
    return check(tOf("lobby.release", way), `release-by-${way}`, radio);
  };
  const fields = [
    fieldset(t("lobby.release.whose"), Object.keys(WAYS).map(wayRadio)),
    field(t("lobby.pin"), pinInput({ testid: "release-pin" })),
    h("div", { class: "row" }, [
      button(t("menu.cancel"), "release-cancel", () => close(false)),
      submit(t("lobby.release.yes"), "release-send"),
    ]),
  ];
  const send = (all) => WAYS[all.whose.value](seat, all.pin.value);
  return [h("p", {}, t("lobby.release.ask")), form("release-fault", fields, send, () => close(true))];
}
