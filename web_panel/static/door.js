// The door of the pages that want the PIN of the house.

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
      autocomplete: name === "new" ? "new-password" : "current-password",
      "data-testid": testid,
    }),
    hint && h("small", {}, hint),
  );

// `words` say why it is shut, `opened()` looks whether the PIN has opened it.
export function door(words, opened) {
  const fault = h("p", { class: "fault", role: "alert", "data-testid": "house-fault" }, words);
  const send = async (event) => {
    event.preventDefault();
    const answer = await post("/api/house/enter", { pin: event.target.pin.value });
    if (!answer.ok) return fault.replaceChildren(answer.error.sentence);
    // Whoever is let in does not see the door any more; a browser without cookies does.
    if (!(await opened())) fault.replaceChildren(t("net.cookies"));
  };
  return h(
    "form",
    { onsubmit: send },
    pinField("pin", t("house.pin"), "house-pin", t("house.pin.hint")),
    fault,
    h("button", { class: "button main", type: "submit", "data-testid": "house-enter" }, t("house.enter")),
  );
}
