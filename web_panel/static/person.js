// The person who uses this browser: the name and preferred PIN, and the input for the name.

import { t } from "./texts.js";
import { field, h, recall, store } from "./ui.js";

// The person's name and preferred PIN, stored in this browser. The name has no default, because a default would be stored
// in one language and shown in all.
const KEPT = "sniperboard.person";
// Earlier versions stored a device's name there, often a default one.
const FORMER = "sniperboard.device";

/** @type {() => { name?: string, pin?: string }} */
export const remembered = () => ({ pin: /** @type {any} */ (recall(FORMER, {})).pin, ...recall(KEPT, {}) });
export const remember = (known) => store(KEPT, { ...remembered(), ...known });

// Returns the input for the name, and the field that it is in.
/** @type {(testid: string, props?: Props) => [any, any]} */
export function nameField(testid, props = {}) {
  const input = h("input", {
    name: "device",
    maxlength: 20,
    autocomplete: "nickname",
    testid,
    value: remembered().name ?? "",
    ...props,
  });
  return [input, field(t("names.yours"), input, props.required ? null : t("names.hint"))];
}
