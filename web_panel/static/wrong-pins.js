// A seat's own screen says how many wrong PINs were tried there, until somebody who sits there has seen it.

import { tell } from "./frame.js";
import { t } from "./texts.js";
import { $, button, h, paint } from "./ui.js";

document.addEventListener("told", ({ detail: { viewer, wrong_pins: number } }) =>
  paint($("#wrong-pins"), [number], () =>
    number > 0
      ? [
          h("p", { "data-testid": "wrong-pins" }, t("seat.wrong-pins", { number })),
          button(t("seat.wrong-pins.seen"), "wrong-pins-seen", () => tell("/api/wrong-pins", { seat: viewer, seen: number }), {
            class: "small",
          }),
        ]
      : [],
  ),
);
