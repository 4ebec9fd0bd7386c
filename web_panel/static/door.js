// The door of the pages that want the PIN of the house, and the choosing of that PIN where there is none.

import { post } from "./net.js";
import { t } from "./texts.js";
import { h } from "./ui.js";

export const pinField = (name, label, testid, hint = null) =>
  h(
    "label",
    { class: "field" },
    label,
    h("input", {
      name,
      type: "password",
      required: true,
      maxlength: 64,
      autocomplete: name === "new" || name === "again" ? "new-password" : "current-password",
      "data-testid": testid,
    }),
    hint && h("small", {}, hint),
  );

// Sends what `read(elements)` makes of the fields to `path`; a text from it says what is wrong with them.
// `words` say why the door is shut, `opened()` looks whether it is open now.
function pinForm({ path, fields, read, send, words, opened }) {
  const fault = h("p", { class: "fault", role: "alert", "data-testid": "house-fault" }, words);
  const sent = async (event) => {
    event.preventDefault();
    const body = read(event.target.elements);
    if (typeof body === "string") return fault.replaceChildren(body);
    const answer = await post(path, body);
    if (!answer.ok) return fault.replaceChildren(answer.error.sentence);
    // Whoever is let in does not see the door any more; a browser without cookies does.
    if (!(await opened())) fault.replaceChildren(t("net.cookies"));
  };
  return h(
    "form",
    { onsubmit: sent },
    fields,
    fault,
    h("button", { class: "button main", type: "submit", "data-testid": "house-enter" }, send),
  );
}

export const door = (words, opened) =>
  pinForm({
    path: "/api/house/enter",
    fields: pinField("pin", t("house.pin"), "house-pin", t("house.pin.hint")),
    read: ({ pin }) => ({ pin: pin.value }),
    send: t("house.enter"),
    words,
    opened,
  });

// Only in the table's own Wi-Fi.
export const firstDoor = (opened) => [
  h("h2", {}, t("network.first")),
  h("p", {}, t("network.first.text")),
  pinForm({
    path: "/api/network/first-pin",
    fields: [
      pinField("new", t("house.pin"), "house-pin", t("network.pin.rule")),
      pinField("again", t("network.pin.again"), "house-pin-again"),
    ],
    read: (all) => (all.new.value === all.again.value ? { pin: all.new.value } : t("network.pin.differ")),
    send: t("network.first.send"),
    words: "",
    opened,
  }),
];
