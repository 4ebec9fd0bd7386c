// The form for the admin PIN, and the one that sets the first admin PIN.

import { form, pinInput } from "./form.js";
import { post } from "./net.js";
import { t } from "./texts.js";
import { field, h, submit } from "./ui.js";

export const pinField = (name, label, testid, hint = null) =>
  field(
    label,
    pinInput({ name, testid, autocomplete: name === "new" || name === "again" ? "new-password" : "current-password" }),
    hint,
  );

// `opened()` checks whether the page is unlocked now. After success the form is hidden, unless the browser doesn't keep
// cookies.
const pinForm = (fields, label, send, opened, words) =>
  form(
    "admin-fault",
    [fields, submit(label, "admin-enter")],
    send,
    async () => ((await opened()) ? "" : t("net.cookies")),
    words,
  );

// `words` is the reason why access was refused.
export const door = (words, opened) =>
  pinForm(
    pinField("pin", t("admin.pin"), "admin-pin", t("admin.pin.hint")),
    t("admin.enter"),
    ({ pin }) => post("/api/house/enter", { pin: pin.value }),
    opened,
    words,
  );

// Only in the table's own Wi-Fi.
export const firstDoor = (opened) => [
  h("h2", {}, t("network.first")),
  h("p", {}, t("network.first.text")),
  pinForm(
    [
      pinField("new", t("admin.pin"), "admin-pin", t("network.pin.rule")),
      pinField("again", t("network.pin.again"), "admin-pin-again"),
    ],
    t("network.first.send"),
    (all) =>
      all.new.value === all.again.value
        ? post("/api/network/first-pin", { pin: all.new.value })
        : t("network.pin.differ"),
    opened,
    "",
  ),
];
