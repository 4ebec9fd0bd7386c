// Saves an analysis as one self-contained HTML file: texts, graphs, and the key moments on small maps.

import { adviceOn, findings, keyMoments, momentTitle, truthOn } from "./analysis.js";
import { t } from "./texts.js";
import { $, h, svg } from "./ui.js";

const SHEET = "link[href*='/analysis.']";
const STYLES = "styles";
const COLOURS = ["night", "deep", "panel", "raised", "edge", "bone", "mute", "brass", "amber", "red", "moon", "good"];
const FONTS = ["body", "label"];
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";
// Style properties of drawings that come from the page's style sheets, which the file doesn't have.
const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
];
LOOKS.push("stroke-linejoin", "opacity", "paint-order", "font-family", "font-size", "font-weight", "text-anchor");
// The layers of a map that show a step.
const LAYERS = ["under", "trail", "lines", "pieces", "over"];
const BOARD = "board";
const NAMES = "names";
// The width of a small map for which the names of spaces are laid out, in pixels: between a phone's and the widest.
const SMALL_PX = 440;

/**
 * Saves the analysis. `course` is that of `showAnalysis`, with the `title` of the game, sentences `about` it, `told(step)`,
 * an element with the events of a step, and `drawn(step)`, a map that shows the truth at a step; null without a map.
 */
export async function saveAnalysis({ go: _, ...course }) {
  const page = document.implementation.createHTMLDocument(`${t("analysis.title")}: ${course.title}`);
  const sheet = await (await fetch($(SHEET).href)).text();
  page.documentElement.lang = document.documentElement.lang;
  page.head.prepend(
    h("meta", { charset: "utf-8" }),
    h("meta", { "http-equiv": "Content-Security-Policy", content: POLICY }),
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
  );
  // The page's policy also forbids style elements made by scripts, so the styles are added as text.
  page.head.append(page.createComment(STYLES));
  page.body.className = "analysis-file";
  page.body.append(h("main", { class: "study" }, report(course)));
  // eslint-disable-next-line no-restricted-properties -- it is only read
  const text = page.documentElement.outerHTML;
  const styles = [variables(), sheet, course.drawn(0) ? rulesOfMap() : ""].join("\n");
  const whole = text.replace(`<!--${STYLES}-->`, () => `<style>${styles}</style>`);
  save(`<!doctype html>\n${whole}`, `sniperboard-${course.number}.html`);
}

function variables() {
  const now = getComputedStyle(document.documentElement);
  const all = [...COLOURS, ...FONTS].map((name) => `--${name}:${now.getPropertyValue(`--${name}`)}`);
  return `:root{color-scheme:${now.colorScheme};${all.join(";")}}`;
}

const rulesOfMap = () =>
  document.adoptedStyleSheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join("\n");

const report = (course) => [
  h("h1", {}, `${t("analysis.title")}: ${course.title}`),
  course.about.map((words) => h("p", {}, words)),
  h("p", { class: "quiet" }, t("analysis.about")),
  findings(course),
  keyMoments().length > 0 && h("h2", {}, t("replay.moments")),
  boardOf(course.drawn(0)),
  keyMoments().map((it) =>
    h("article", {}, [
      h("h3", {}, momentTitle(it, course.last)),
      course.told(it.step),
      adviceOn(it.step),
      truthOn(it.step),
      smallMap(course.drawn(it.step)),
    ]),
  ),
];

// The board is in the file once, and so are the names of its spaces; each small map uses both.
function boardOf(map) {
  if (!map) return null;
  const drawing = map.view.firstElementChild.cloneNode(true);
  const { width, height } = map.view.firstElementChild.viewBox.baseVal;
  const { scale } = map.names;
  map.names.fit(width / SMALL_PX);
  const above = map.above.cloneNode(true);
  map.names.fit(scale);
  drawing.setAttribute("id", BOARD);
  above.setAttribute("id", NAMES);
  return svg("svg", { class: "store", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, drawing, above);
}

function smallMap(map) {
  if (!map) return null;
  const { width, height } = map.view.firstElementChild.viewBox.baseVal;
  return svg("svg", { class: "small-map", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, [
    svg("use", { href: `#${BOARD}` }),
    styledCopy(map.layers.marks),
    svg("use", { href: `#${NAMES}` }),
    LAYERS.map((name) => styledCopy(map.layers[name])),
  ]);
}

// A copy of a drawing that looks the same without style sheets.
function styledCopy(drawing) {
  const copy = drawing.cloneNode(true);
  const all = [drawing, ...drawing.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const now = getComputedStyle(all[i]);
    for (const name of LOOKS) element.style.setProperty(name, now.getPropertyValue(name));
    element.removeAttribute("class");
  });
  return copy;
}

function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  h("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
