// After an error in a page: a message and a button to reload. The game runs on the table, so nothing is lost.

import { t } from "./texts.js";
import { button, toast } from "./ui.js";

function say() {
  toast(
    t("net.fault"),
    "bad",
    button(t("net.reload"), "reload", () => location.reload(), { class: "small" }),
  );
}

window.addEventListener("error", (event) => event.error && say());
window.addEventListener("unhandledrejection", say);
