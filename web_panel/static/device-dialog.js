// The dialog with the settings of this device.

import { chosen, PALETTES, setChoice, signal, signalTurn, speak, voice } from "./device.js";
import { t, tOf } from "./texts.js";
import { button, check, dialog, fieldset, quiet } from "./ui.js";

export function deviceButton(testid) {
  return button(t("device.title"), testid, deviceDialog);
}

function deviceDialog() {
  return dialog(t("device.title"), "device-dialog", (close) => [
    quiet(t("device.text")),
    fieldset(t("device.palette"), PALETTES.map(palette)),
    flag("turn", t("device.turn"), signalTurn),
    flag("sound", t("device.sound")),
    voice && flag("speech", t("device.speech"), () => speak(t("device.speech.sample"))),
    navigator.vibrate && flag("buzz", t("device.buzz")),
    quiet(t("device.secrets")),
    button(t("menu.close"), "device-close", () => close(null), { class: "main" }),
  ]);
}

const palette = (name) =>
  check(tOf("device.palette", name), `device-${name}`, {
    type: "radio",
    name: "palette",
    checked: chosen.palette === name,
    onchange: () => setChoice("palette", name),
  });

// `try_` demonstrates the setting once when it is switched on.
function flag(name, words, try_ = () => signal("")) {
  const onchange = ({ target: { checked } }) => {
    setChoice(name, checked);
    if (checked) try_();
  };
  return check(words, `device-${name}`, { checked: chosen[name], onchange });
}
