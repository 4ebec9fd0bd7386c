// Making and repainting parts of a page. Nothing here knows the game.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (selector) => document.querySelector(selector);

export function h(tag, props = {}, ...kids) {
  return dress(document.createElement(tag), props, kids);
}

export function svg(tag, props = {}, ...kids) {
  return dress(document.createElementNS(SVG, tag), props, kids);
}

// `on…` are listeners, `style` an object set by CSSOM (markup styles are forbidden by the policy), true and false
// make an attribute come and go, null leaves it out.
function dress(element, props, kids) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, it] of Object.entries(value)) element.style.setProperty(key, it);
    else if (name === "value") element.value = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...kids.flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false));
  return element;
}

// Rebuilds a container only when `facts` differ from those it was painted for, and keeps the focus where it was.
export function paint(container, facts, build) {
  const key = JSON.stringify(facts);
  if (container.painted === key) return;
  container.painted = key;
  const focused = container.contains(document.activeElement) ? document.activeElement : null;
  const handle = focused && focused.dataset.testid;
  const top = container.scrollTop;
  container.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  container.scrollTop = top;
  if (handle) container.querySelector(`[data-testid="${CSS.escape(handle)}"]`)?.focus();
}

export function button(label, testid, onclick, props = {}) {
  return h(
    "button",
    { type: "button", "data-testid": testid, ...props, class: `button ${props.class || ""}`, onclick },
    label,
  );
}

export function icon(paths, props = {}) {
  const lines = [paths].flat().map((d) => svg("path", { d }));
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon", ...props }, lines);
}

const TOAST_MS = 7000;

// A sentence that goes away by itself or at a tap; `more` stands beside it.
export function toast(sentence, kind = "", more = null) {
  const said = h("button", { type: "button" }, sentence);
  const note = h("div", { class: `toast ${kind}` }, said, more);
  const gone = setTimeout(() => note.remove(), TOAST_MS);
  said.addEventListener("click", () => {
    clearTimeout(gone);
    note.remove();
  });
  const holder = $("#toasts");
  for (const old of holder.children) if (old.firstChild.textContent === sentence) old.remove();
  holder.append(note);
  while (holder.children.length > 3) holder.firstChild.remove();
}

export function announce(sentence) {
  const news = $("#news");
  news.append(h("p", {}, sentence));
  while (news.children.length > 10) news.firstChild.remove();
}

// A modal question. `fill(close)` gives the content; the promise is what `close` was called with, null if it was left.
export function dialog(title, testid, fill) {
  return new Promise((resolve) => {
    const box = h("dialog", { class: "dialog", "data-testid": testid, "aria-label": title });
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
    box.scrollTop = 0; // the first button may lie far below, and a browser would show that
  });
}

export function confirmed(title, text, yes, no) {
  return dialog(title, "confirm-dialog", (close) => [
    [text].flat().filter(Boolean).map((it) => h("p", {}, it)),
    h(
      "div",
      { class: "row" },
      button(no, "confirm-no", () => close(false)),
      button(yes, "confirm-yes", () => close(true), { class: "main" }),
    ),
  ]);
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
