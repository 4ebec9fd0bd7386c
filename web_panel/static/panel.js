// The action panel of a seat, the same in all games: what can be done now, a report of what happened in one line that
// opens, and at the bottom, always in view, what sends or ends something.

import { button, h } from "./ui.js";

// On a screen with room the report is open.
const roomy = matchMedia("(orientation: landscape) and (min-width: 640px) and (min-height: 900px)");
roomy.addEventListener("change", () => {
  for (const it of document.querySelectorAll(".report")) /** @type {HTMLDetailsElement} */ (it).open = roomy.matches;
});

// The contents of a dock: `body` scrolls if it must; `report` is a line (see `reportLine`), `foot` are buttons.
/** @type {(body: Kids, parts?: { report?: Kids, foot?: Kids }) => any[]} */
export const actionPanel = (body, { report = null, foot = null } = {}) => {
  const all = h("div", { class: "panel-body" }, body);
  sizes.disconnect(); // the body before is gone
  for (const it of [all, ...all.children]) sizes.observe(it);
  return [all, report, h("div", { class: "foot" }, foot)];
};

// A body that goes on below its edge fades out there.
const fade = (body) => body.classList.toggle("more", body.scrollTop + body.clientHeight < body.scrollHeight - 2);
const faded = ({ target }) => target.closest?.(".panel-body") && fade(target.closest(".panel-body"));
const sizes = new ResizeObserver((found) => found.forEach(faded));
document.addEventListener("scroll", faded, true);
document.addEventListener("toggle", faded, true);

// What happened, folded into a line that opens. While it is closed, `gist` says the most important of it.
/** @type {(title: Kids, lines: Kids, props?: Props & { gist?: Kids }) => any} */
export const reportLine = (title, lines, { gist = null, ...props } = {}) =>
  h("details", { open: roomy.matches, ...props, class: `report ${props.class || ""}` }, [
    h("summary", {}, h("span", {}, h("b", {}, title), gist && h("small", {}, gist))),
    h("div", { class: "report-lines" }, lines),
  ]);

// Actions next to each other, as many in a row as fit.
/** @type {(...buttons: Kids[]) => any} */
export const actionGrid = (...buttons) => h("div", { class: "acts" }, buttons);

// The button that ends a turn: quiet as long as something else can be done (`last` is false).
/** @type {(label: Kids, testid: string, last: boolean, onclick: () => any, props?: Props) => any} */
export const endButton = (label, testid, last, onclick, props = {}) =>
  button(label, testid, onclick, { ...props, class: last ? "main" : "small ending" });
