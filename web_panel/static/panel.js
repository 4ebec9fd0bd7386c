// The action panel of a seat, the same in all games: the possible actions, a report in one line that expands, and at
// the bottom, always visible, the buttons that send or end something.

import { button, h } from "./ui.js";

// If the screen has room, the report is open.
const roomy = matchMedia("(min-width: 640px) and (min-height: 900px)");
roomy.addEventListener("change", () => {
  for (const it of document.querySelectorAll(".report")) /** @type {HTMLDetailsElement} */ (it).open = roomy.matches;
});

// The contents of a dock: `body` scrolls if it must; `report` is a line (see `reportLine`), `foot` are buttons.
/** @type {(body: Kids, parts?: { report?: Kids, foot?: Kids }) => any[]} */
export const actionPanel = (body, { report = null, foot = null } = {}) => {
  const all = h("div", { class: "panel-body" }, body);
  sizes.disconnect(); // the previous body is gone
  for (const it of [all, ...all.children]) sizes.observe(it);
  return [all, report, h("div", { class: "foot" }, foot)];
};

// A body with more content below its edge fades out there. A `spare` list is shown only if it fits.
function fade(body) {
  for (const it of body.querySelectorAll(".spare")) {
    it.hidden = false;
    it.hidden = body.clientHeight < body.scrollHeight;
  }
  body.classList.toggle("more", body.scrollTop + body.clientHeight < body.scrollHeight - 2);
}
const faded = ({ target }) => target.closest?.(".panel-body") && fade(target.closest(".panel-body"));
const sizes = new ResizeObserver((found) => found.forEach(faded));
document.addEventListener("scroll", faded, true);
document.addEventListener("toggle", faded, true);

// The latest events, folded into a line that expands. While it is closed, it shows the most important event, `gist`.
/** @type {(title: Kids, lines: Kids, props?: Props & { gist?: Kids }) => any} */
export const reportLine = (title, lines, { gist = null, ...props } = {}) =>
  h("details", { open: roomy.matches, ...props, class: `report ${props.class || ""}` }, [
    h("summary", {}, h("span", {}, h("b", {}, title), gist && h("small", {}, gist))),
    h("div", { class: "report-lines" }, lines),
  ]);

// Actions next to each other, as many in a row as fit.
/** @type {(...buttons: Kids[]) => any} */
export const actionGrid = (...buttons) => h("div", { class: "acts" }, buttons);

// The button that ends a turn, without highlight while other actions are possible (`last` is false).
/** @type {(label: Kids, testid: string, last: boolean, onclick: () => any, props?: Props) => any} */
export const endButton = (label, testid, last, onclick, props = {}) =>
  button(label, testid, onclick, { ...props, class: last ? "main" : "small ending" });
