// Shows a moment of the game over the screen, to everyone who may see it: the tokens of a shot one by one, and what
// happened. A tap or a key skips it. Hidden pages, and devices that request reduced motion, don't load it.

import { capital, tOf } from "/static/texts.js";
import { h, icon } from "/static/ui.js";
import { HEART, TOKEN_MS } from "./pieces.js";
import { EYE } from "./possible.js";

const RESULT_MS = 1900;
// The time for each further line of a result.
const LINE_MS = 900;
const SKIPPING = new Set(["Escape", "Enter", " "]);
// The sign of a result, the most important one first.
const SIGNS = {
  "objective-completed": "M5 21V3M5 4h13l-3 4 3 4H5",
  wounded: [HEART, "M12 7l-2 4 4 2-3 4"],
  killed: "M12 2v6M12 16v6M2 12h6M16 12h6M19 12a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z",
  revealed: EYE,
};
let shown = null;

// `drawn` are the tokens, if any, `results` the lines that follow from them, `cause` is what they are drawn for.
export function showMoment(drawn, results, cause = "") {
  shown?.close();
  shown = overlay(drawn, results, cause);
}

function overlay(drawn, results, cause) {
  const tokens = shuffle(drawn, results);
  const wait = tokens.length * TOKEN_MS;
  const sign = Object.keys(SIGNS).find((type) => results.some(({ dataset }) => dataset.type === type));
  const props = { class: `drawing ${sign || ""}`, style: { "--after": `${wait && wait + 200}ms` } };
  const box = h("div", { ...props, "aria-hidden": "true", testid: "drawing" }, [
    sign && icon(SIGNS[sign], { class: "icon sign" }),
    cause && h("p", { class: "drawing-cause" }, cause),
    h("ul", { class: "drawing-tokens" }, [
      tokens.map((token, i) =>
        h("li", { class: `token ${token}`, style: { "animation-delay": `${i * TOKEN_MS}ms` } }, [
          h("i", { class: "disc" }, capital(tOf("token", token)[0])),
          h("span", {}, capital(tOf("token", token))),
        ]),
      ),
    ]),
    h("div", { class: "drawing-result" }, [results]),
  ]);
  const close = () => {
    clearTimeout(gone);
    box.remove();
    removeEventListener("keydown", skip, true);
  };
  // The tap or key that skips it must not press anything below, so the whole click is caught here, and the key goes no
  // further.
  const skip = (event) => {
    if (!SKIPPING.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  box.addEventListener("click", close);
  addEventListener("keydown", skip, true);
  const gone = setTimeout(close, wait + RESULT_MS + LINE_MS * Math.max(0, results.length - 1));
  document.body.append(box);
  return { close };
}

// The tokens in an order that reveals nothing and is the same on every screen, in every language: it depends only on
// what was drawn and on the kinds of results.
function shuffle(drawn, results) {
  const all = [...drawn];
  const words = JSON.stringify([drawn, results.map(({ dataset }) => dataset.type)]);
  let seed = [...words].reduce((sum, it) => (Math.imul(sum, 31) + it.charCodeAt(0)) >>> 0, 7);
  for (let i = all.length - 1; i > 0; i -= 1) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const other = seed % (i + 1);
    [all[i], all[other]] = [all[other], all[i]];
  }
  return all;
}
