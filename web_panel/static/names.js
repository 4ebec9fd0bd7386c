// The name of the person at this device, and their preferred PIN, stored in this browser. The name is what they typed:
// there is no default, because it would be stored in one language and shown in all.

import { t } from "./texts.js";
import { field, h, recall, store } from "./ui.js";

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
    ...{ name: "device", maxlength: 20, autocomplete: "nickname", testid, value: remembered().name ?? "" },
    ...props,
  });
  return [input, field(t("names.yours"), input, t("names.hint"))];
}
