// Creates and repaints elements. It knows nothing about games.

import { t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

/** @type {(selector: string) => any} */
export const $ = (selector) => document.querySelector(selector);

/** @type {(selector: string) => any[]} */
export const $$ = (selector) => [...document.querySelectorAll(selector)];

/** @type {(tag: string, props?: Props, ...kids: Kids[]) => any} */
export function h(tag, props = {}, ...kids) {
  return dress(document.createElement(tag), tag === "button" ? { type: "button", ...props } : props, kids);
}

/** @type {(tag: string, props?: Props, ...kids: Kids[]) => any} */
export function svg(tag, props = {}, ...kids) {
  return dress(document.createElementNS(SVG, tag), props, kids);
}

// `on…` are listeners; `style` is an object, set by CSSOM because the policy forbids inline styles; `testid` is the name
// in tests. True adds an empty attribute (for `aria-…` it is a value), false and null leave it out.
function dress(element, props, kids) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, it] of Object.entries(value)) element.style.setProperty(key, it);
    else if (name === "value") element.value = value;
    else if (name === "testid") element.dataset.testid = value;
    else if (name.startsWith("aria-") && typeof value === "boolean") element.setAttribute(name, String(value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...kids.flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false));
  return element;
}

// Rebuilds a container only if `facts` have changed since the last time, and keeps the focus and an open `.for-good`.
export function paint(container, facts, build) {
  const key = JSON.stringify(facts);
  if (container.painted === key) return;
  container.painted = key;
  const focused = container.contains(document.activeElement) ? document.activeElement : null;
  // The focused element is replaced; the new one has the same test ID.
  const handle = focused?.getAttribute("data-testid");
  const open = container.querySelector(".for-good[open]");
  container.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  if (open) container.querySelector(".for-good")?.setAttribute("open", "");
  if (handle) container.querySelector(`[data-testid="${CSS.escape(handle)}"]`)?.focus();
}

// --- elements of many pages -------------------------------------------------------------------------------------

/** @type {(label: Kids, testid: string, onclick: (event: any) => any, props?: Props) => any} */
export const button = (label, testid, onclick, props = {}) =>
  h("button", { testid, ...props, class: `button ${props.class || ""}`, onclick }, label);

// A button of the form that it is in.
/** @type {(label: Kids, testid: string, props?: Props) => any} */
export const submit = (label, testid, props = {}) =>
  h("button", { class: "button main", type: "submit", testid, ...props }, label);

// A link that looks like a button.
/** @type {(label: Kids, testid: string, href: string, props?: Props) => any} */
export const link = (label, testid, href, props = {}) =>
  h("a", { href, testid, ...props, class: `button ${props.class || ""}` }, label);

/** @type {(...words: Kids[]) => any} */
export const quiet = (...words) => h("p", { class: "quiet" }, words);

/** @type {(...words: Kids[]) => any} */
export const headline = (...words) => h("p", { class: "headline", testid: "headline" }, words);

// How the game ended; `won` says whether the player at this screen has won; null on a public screen, or if no one has
// won.
/** @type {(words: Kids, won?: boolean | null) => any} */
export const verdictLine = (words, won = null) =>
  h("p", { class: won === null ? "verdict" : `verdict ${won ? "won" : "lost"}`, testid: "over" }, words);

/** @type {(label: Kids, control: any, hint?: Kids) => any} */
export const field = (label, control, hint = null) =>
  h("label", { class: "field" }, label, control, hint && h("small", {}, hint));

/** @type {(legend: Kids, checks: Kids, props?: Props) => any} */
export const fieldset = (legend, checks, props = {}) =>
  h("fieldset", { class: "field", ...props }, h("legend", {}, legend), h("div", { class: "checks" }, checks));

// A box or radio button with its label; `props` are those of the input.
/** @type {(label: Kids, testid: string, props?: Props) => any} */
export const check = (label, testid, props = {}) =>
  h("label", { class: "check" }, h("input", { type: "checkbox", testid, ...props }), label);

/** @type {(testid: string, on: boolean, onclick: () => any, props?: Props) => any} */
export const lever = (testid, on, onclick, props = {}) =>
  h("button", { class: "lever", role: "switch", "aria-checked": on, testid, onclick, ...props }, [
    h("i", { "aria-hidden": "true" }),
  ]);

/** @type {(testid: string, options: any[][], chosen: any, choose: (value: string) => any, props?: Props) => any} */
export const select = (testid, options, chosen, choose, props = {}) =>
  h("select", { testid, onchange: ({ target }) => choose(target.value), ...props }, [
    options.map(([value, title]) => h("option", { value, selected: value === chosen }, title)),
  ]);

// Buttons next to each other, of which the chosen one is pressed: [value, test ID, label, more props].
/** @type {(label: string | null, all: any[][], chosen: any, choose: (value: any) => any) => any} */
export const chips = (label, all, chosen, choose) =>
  h("div", { class: "chips", role: label && "group", "aria-label": label }, [
    all.map(([value, testid, title, props = {}]) =>
      h("button", { "aria-pressed": value === chosen, testid, onclick: () => choose(value), ...props }, title),
    ),
  ]);

// A section of a page with a title.
/** @type {(title: string, ...content: Kids[]) => any} */
export const panel = (title, ...content) => h("section", { class: "panel" }, h("h2", {}, title), content);

// A list of terms with their values.
/** @type {(props: Props, pairs: Kids[][]) => any} */
export const terms = (props, pairs) =>
  h("dl", props, [pairs.map(([term, value]) => h("div", {}, h("dt", {}, term), h("dd", {}, value)))]);

// Problems of the board in a list; without any, a line that says so.
/** @type {(all: string[], none?: Kids) => any} */
export const problems = (all, none = null) =>
  all.length ? h("ul", { class: "ills", testid: "ills" }, [all.map((it) => h("li", {}, it))]) : none && quiet(none);

export function icon(paths, props = {}) {
  const lines = [paths].flat().map((d) => svg("path", { d }));
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon", ...props }, lines);
}

// --- messages and dialogs ---------------------------------------------------------------------------------------

const TOAST_MS = 7000;

// Shows a message that disappears after a while or when tapped; `more` is shown next to it.
export function toast(sentence, kind = "", more = null) {
  const words = h("button", {}, sentence);
  const note = h("div", { class: `toast ${kind}` }, words, more);
  const gone = setTimeout(() => note.remove(), TOAST_MS);
  words.addEventListener("click", () => {
    clearTimeout(gone);
    note.remove();
  });
  const holder = $("#toasts");
  // A repeated message replaces the earlier one.
  for (const old of holder.children) if (old.firstChild.textContent === sentence) old.remove();
  holder.append(note);
  while (holder.children.length > 3) holder.firstChild.remove();
}

// Reads a sentence out to screen readers.
export function announce(sentence) {
  const news = $("#news");
  news.append(h("p", {}, sentence));
  while (news.children.length > 10) news.firstChild.remove();
}

// Shows a modal dialog. `fill(close)` returns the content. Resolves to the argument of `close`, or to null if it was
// dismissed.
/** @type {(title: string, testid: string, fill: (close: (value: any) => void) => Kids) => Promise<any>} */
export function dialog(title, testid, fill) {
  return new Promise((resolve) => {
    const box = h("dialog", { class: "dialog", testid, "aria-label": title });
    let answer = null;
    const close = (value) => {
      answer = value;
      box.close();
    };
    box.append(h("h2", {}, title), ...[fill(close)].flat(Infinity).filter(Boolean));
    box.addEventListener("close", () => {
      box.remove();
      resolve(answer);
    });
    box.addEventListener("click", (event) => event.target === box && box.close());
    document.body.append(box);
    box.showModal();
    box.scrollTop = 0; // browsers scroll to the first button, which may be far below
  });
}

// Asks a question; `yes` and `no` are the labels of the buttons.
/** @type {(title: string, text: Kids, yes?: string, no?: string) => Promise<boolean>} */
export function confirmed(title, text, yes = title, no = t("menu.cancel")) {
  return dialog(title, "confirm-dialog", (close) => [
    [text]
      .flat()
      .filter(Boolean)
      .map((it) => h("p", {}, it)),
    h("div", { class: "row" }, [
      button(no, "confirm-no", () => close(false)),
      button(yes, "confirm-yes", () => close(true), { class: "main" }),
    ]),
  ]);
}

// Whether the device requests reduced motion.
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// --- storage ----------------------------------------------------------------------------------------------------

// Small values that this browser stores. If storage is forbidden, they last until the page is closed.

/** @typedef {"localStorage" | "sessionStorage"} Place */

// Returns the stored value, or `usual` if there is no value of the same type.
/** @type {<T>(key: string, usual: T, place?: Place) => T} */
export function recall(key, usual, place = "localStorage") {
  const found = read(key, place);
  const fits = typeof found === typeof usual && Array.isArray(found) === Array.isArray(usual);
  return fits && found !== null ? found : usual;
}

const storage = (place) => (place === "localStorage" ? localStorage : sessionStorage);

function read(key, place) {
  let text = null;
  try {
    text = storage(place).getItem(key);
    return JSON.parse(text);
  } catch {
    return text; // earlier versions stored some words without quotes
  }
}

/** @type {(key: string, value: any, place?: Place) => void} */
export function store(key, value, place = "localStorage") {
  try {
    storage(place).setItem(key, JSON.stringify(value));
  } catch {
    // Forbidden or full.
  }
}
