// A fault of a page of ours: a sentence, and the way out. The game is the table's, so nothing is lost with a page.

import { t } from "./texts.js";
import { button, toast } from "./ui.js";

function say() {
  toast(t("net.fault"), "bad", button(t("net.reload"), "reload", () => location.reload(), { class: "small" }));
}

window.addEventListener("error", (event) => event.error && say());
window.addEventListener("unhandledrejection", say);
