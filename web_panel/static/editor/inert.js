// Copies an untrusted SVG file into elements that only have a shape: nothing in the copy runs, loads or links. The file
// is parsed as plain XML. Only elements and attributes that affect the position of shapes are copied into SVG elements.

import { t } from "../texts.js";
import { svg } from "../ui.js";

export const LABEL = "http://www.inkscape.org/namespaces/inkscape";
export const SHAPES = "path, polygon, polyline, rect, circle, ellipse, line";
const SHAPE_NAMES = new Set(SHAPES.split(", "));
const HOLDERS = new Set(["svg", "g", "a", "switch", "symbol", "defs", "use"]);
const WORDS = new Set(["text", "image", "tspan", "textPath", "video", "audio", "canvas"]);
const LIVE = new Set(["script", "foreignObject", "animate", "animateTransform", "animateMotion", "set"]);
const ATTRIBUTES = new Set(
  (
    "id class transform transform-origin display opacity visibility viewBox preserveAspectRatio x y width height rx ry " +
    "cx cy r d points x1 y1 x2 y2 font-size systemLanguage requiredExtensions data-order data-properties data-rest " +
    "data-feature data-features data-map data-outline"
  ).split(" "),
);
const STYLES = new Set(
  (
    "display opacity visibility transform transform-origin transform-box translate rotate scale x y width height rx ry " +
    "cx cy r d font-size fill"
  ).split(" "),
);
const CUTS = new Set(["clip-path", "mask", "mask-image", "-webkit-mask-image"]);
// The property of clipped shapes; the clip path itself is not copied.
export const CUT = "--cut";
const DEEPEST = 250;
// Maximum number of elements, including all copies that `use` draws. Detailed Inkscape files have several thousand.
const MOST_ELEMENTS = 20_000;
// In this other namespace, browsers apply no styles, run no scripts and follow no addresses. It has the same length as
// the real one, so that error messages contain the right column.
const [W3, INERT] = ["//www.w3.org/", "//inert.file/"];
const SVG = "http://www.w3.org/2000/svg".replace(W3, INERT);

// Returns the text of a file: in the encoding of its byte order mark, or else the one that its first line names.
export async function textOf(file) {
  const bytes = await file.arrayBuffer();
  const start = new TextDecoder("latin1").decode(bytes.slice(0, 200));
  const mark = { "\u00ff\u00fe": "utf-16le", "\u00fe\u00ff": "utf-16be" }[start.slice(0, 2)];
  const named = /^<\?xml[^>]*\sencoding=["'](?!utf-16)([\w-]+)/i.exec(start)?.[1];
  try {
    return new TextDecoder(mark ?? named ?? "utf-8").decode(bytes);
  } catch {
    return file.text(); // an encoding that doesn't exist
  }
}

// Returns {root, sheets, left}: the copy, its style sheets, and the numbers of skipped texts (`words`) and active parts
// (`live`).
export function inertCopy(text) {
  if (/^\s*<(!doctype\s+)?html/i.test(text)) throw new Error(t("editor.svg.other", { name: "html" }));
  const read = new DOMParser().parseFromString(text.trim().replaceAll(W3, INERT), "application/xml");
  const fault = read.querySelector("parsererror");
  if (fault) throw new Error(t("editor.svg.xml", { why: reasonOf(fault) }));
  const top = read.documentElement;
  if (top.localName !== "svg") throw new Error(t("editor.svg.other", { name: top.localName.slice(0, 40) }));
  if (top.namespaceURI !== SVG) throw new Error(t("editor.svg.namespace"));
  const copy = { left: { words: 0, live: 0 }, sheets: [], budget: MOST_ELEMENTS };
  for (const it of read.childNodes) if (it.nodeName === "xml-stylesheet") copy.left.live++;
  const root = copied(top, copy);
  root.dataset.root = "";
  for (const use of [...root.querySelectorAll("use")]) drawUse(use, root, copy, []);
  return { root, ...copy };
}

// Browsers report the reason as an error page, between other sentences.
function reasonOf(fault) {
  const firefox = /^XML Parsing Error: (.*?)\.?\s+Location: .*\s+Line Number (\d+), Column (\d+)[^]*/;
  const text = fault.textContent.replace(firefox, "error on line $2 at column $3: $1");
  const [line] = /(error on )?line \d+.*?(?=\.? *Below|$)|XML.*/im.exec(text) ?? ["–"];
  return line.replaceAll(INERT, W3).trim().slice(0, 160);
}

function spend(copy, number) {
  copy.budget -= number;
  if (copy.budget < 0) throw new Error(t("editor.svg.elements", { number: MOST_ELEMENTS }));
}

function copied(element, copy, depth = 1) {
  spend(copy, 1);
  if (depth > DEEPEST) throw new Error(t("editor.svg.deep", { number: DEEPEST }));
  const name = element.localName;
  const shape = SHAPE_NAMES.has(name);
  if (WORDS.has(name)) copy.left.words++;
  if (LIVE.has(name)) copy.left.live++;
  if (name === "style") takeSheet(element, copy);
  // A removed element is replaced by an empty group, so that `switch` and selectors that count still find the right
  // element.
  const found = svg(shape || HOLDERS.has(name) ? name : "g");
  for (const { localName, namespaceURI, value } of element.attributes) {
    if (localName === "href" && name === "use")
      found.dataset.use = value; // with a real one, the browser would load it
    else if (namespaceURI === LABEL && localName === "label") found.setAttributeNS(LABEL, "inkscape:label", value);
    else if (namespaceURI) continue;
    else if (localName === "style") styled(found, value);
    else if (CUTS.has(localName) && value !== "none") found.style.setProperty(CUT, "yes");
    else if (localName === "fill") found.setAttribute("fill", plainFill(value));
    else if (ATTRIBUTES.has(localName)) found.setAttribute(localName, value);
  }
  if (shape || !HOLDERS.has(name)) return found;
  for (const child of element.children) if (child.namespaceURI === SVG) found.append(copied(child, copy, depth + 1));
  return found;
}

// --- styles -----------------------------------------------------------------------------------------------------

// The policy of the page forbids style attributes, but not styles that a script sets.
function styled(element, text) {
  element.style.cssText = text;
  restrictStyle(element.style);
}

function takeSheet(element, copy) {
  const text = element.textContent;
  if (/@import/i.test(text)) copy.left.live++;
  const sheet = new CSSStyleSheet({ media: element.getAttribute("media") ?? "" });
  sheet.replaceSync(text.replace(/@import[^;]*;/gi, ""));
  restrictRules(sheet.cssRules);
  copy.sheets.push(sheet);
}

function restrictRules(rules) {
  for (const rule of rules ?? []) {
    // The root of the copy is not that of a document.
    if (rule.selectorText?.includes(":root")) rule.selectorText = rule.selectorText.replaceAll(":root", "[data-root]");
    if (rule.style) restrictStyle(rule.style);
    restrictRules(rule.cssRules);
  }
}

// Keeps properties that affect where and whether something is drawn. Of these, only `fill` can contain an address.
function restrictStyle(style) {
  for (const name of [...style]) {
    const value = style.getPropertyValue(name);
    // Shapes inherit this property from their groups.
    const kept = STYLES.has(name) || (name.startsWith("--") && !/url|src|image/i.test(value));
    if (CUTS.has(name) && value !== "none") style.setProperty(CUT, "yes");
    if (!kept) style.removeProperty(name);
    else if (name === "fill") style.setProperty(name, plainFill(value), style.getPropertyPriority(name));
  }
}

// For the outline, it only matters whether a shape is filled.
const plainFill = (value) => (value.includes("(") ? "black" : value);

// --- use --------------------------------------------------------------------------------------------------------

// Replaces `use` with a copy of its target, moved by its x and y.
function drawUse(use, root, copy, within) {
  const name = use.dataset.use ?? "";
  const target = name.startsWith("#") ? root.querySelector(`#${CSS.escape(name.slice(1))}`) : null;
  if (!target || target.contains(use) || within.includes(target)) {
    copy.left.live += name.startsWith("#") ? 0 : 1;
    return;
  }
  spend(copy, target.querySelectorAll("*").length + 3);
  const inside = target.cloneNode(true);
  const group = svg("g");
  const port = svg("svg");
  const frame = target.localName === "symbol" ? port : inside;
  if (frame === port) {
    for (const { name, value } of target.attributes) if (name !== "id") port.setAttribute(name, value);
    port.append(...inside.childNodes);
  } else port.append(inside);
  for (const { name, value, namespaceURI } of use.attributes) {
    if (name === "data-use") continue;
    if (name === "x" || name === "y") port.setAttribute(name, value);
    // The size counts only for a target with a view of its own.
    else if (name === "width" || name === "height") frame.localName === "svg" && frame.setAttribute(name, value);
    else if (name === "style") group.style.cssText = use.style.cssText;
    else group.setAttributeNS(namespaceURI, name, value);
  }
  group.dataset.use = "";
  // Within a named copy, names inside the target would be duplicates of another shape's.
  if (use.id || use.hasAttributeNS(LABEL, "label") || !target.closest("defs, symbol")) {
    inside.removeAttribute("id");
    inside.removeAttributeNS(LABEL, "label");
  }
  group.append(port);
  use.replaceWith(group);
  for (const it of [...group.querySelectorAll("use")]) drawUse(it, root, copy, [...within, target]);
}
