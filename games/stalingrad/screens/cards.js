// The card faces and the die: title, picture, and the numbers with a sign for their stat.

import { art } from "/static/art.js";
import { t, tOf } from "/static/texts.js";
import { h, svg } from "/static/ui.js";

// Signs around (0, 0), 100 wide, one for each stat.
const SIGNS = {
  S: () => [
    svg("circle", { r: 34 }),
    svg("circle", { r: 12 }),
    svg("path", { d: "M0-48V-20M0 20V48M-48 0H-20M20 0H48" }),
  ],
  H: () => [
    svg("circle", { cx: -20, cy: 12, r: 18 }),
    svg("circle", { cx: 20, cy: 12, r: 18 }),
    svg("path", { d: "M-34 0-24-30H-8L-4 2M34 0 24-30H8L4 2M-4 8H4" }),
  ],
  E: () => svg("path", { d: "M0-42 36-28V0C36 22 20 36 0 44-20 36-36 22-36 0V-28Z" }),
  X: () => svg("path", { d: "M0-44 11-14 43-13 18 7 27 38 0 20-27 38-18 7-43-13-11-14Z" }),
};

const withSign = (amount) => (amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : "±0");

export const sign = (name) =>
  svg("svg", { viewBox: "-52 -52 104 104", class: "sign", "aria-hidden": "true" }, SIGNS[name]());

// Returns a card in one line, for labels and screen readers.
function cardLine(card, words) {
  const it = words?.cards?.[card];
  if (!it) return card;
  return tOf("st.card", it.kind, {
    title: it.title,
    stars: it.stars,
    amount: withSign(it.amount),
    stat: it.letter ? tOf("st.letter", it.letter) : "",
  });
}

const cardNumbers = (it) => [
  it.kind === "target" && h("span", { class: "stars" }, "★".repeat(it.stars)),
  it.kind === "target" && h("span", { class: "amount" }, sign("S"), withSign(it.amount)),
  it.kind === "danger" && h("span", { class: "amount" }, sign("E"), withSign(it.amount)),
  it.kind === "aid" && h("span", { class: "amount" }, sign(it.letter), withSign(it.amount)),
];

const cardContent = (card, it) =>
  it ? [h("b", {}, it.title), art(card), h("span", { class: "numbers" }, cardNumbers(it))] : [h("b", {}, card)];

// A face-up card.
export function cardFace(card, words, name = "") {
  const it = words?.cards?.[card];
  const label = { role: "img", "aria-label": cardLine(card, words), "data-card": card };
  return h("div", { class: `st-card ${it?.kind ?? ""} ${name}`, ...label }, cardContent(card, it));
}

// A card of the hand that can be chosen.
export function cardButton(card, words, { pressed = null, ...props }) {
  const it = words?.cards?.[card];
  const label = { "aria-label": cardLine(card, words), "aria-pressed": pressed, testid: `card-${card}` };
  return h("button", { class: `st-card ${it?.kind ?? ""}`, ...label, ...props }, cardContent(card, it));
}

export const cardBack = (name = "") =>
  h("div", { class: `st-card back ${name}`, "aria-hidden": "true" }, [
    svg("svg", { viewBox: "-52 -52 104 104", class: "sign" }, [
      svg("path", { d: "M0-40 10-12 40-12 16 6 25 36 0 18-25 36-16 6-40-12-10-12Z" }),
    ]),
  ]);

// A ten-sided die; `state` is "good" or "bad".
export const die = (value, state = "") =>
  svg("svg", { viewBox: "-50 -56 100 112", class: `d10 ${state}`, role: "img", "aria-label": t("st.die", { value }) }, [
    svg("path", { class: "side", d: "M0-52 46-8 46 10 0 52-46 10-46-8Z" }),
    svg("path", { class: "front", d: "M0-52 28 4 0 24-28 4Z" }),
    svg("path", { class: "edge", d: "M-46-8-28 4M46-8 28 4M0 24V52" }),
    svg("text", { y: 2 }, String(value)),
  ]);
