// Parts of all pages: a time-out, the connection, the board's strip, and who sits where.

import { askUntilAnswered, post } from "./net.js";
import { refused } from "./reasons.js";
import { capital, deviceName, list, seatName, t, tOf } from "./texts.js";
import { $, button, h, headline, link } from "./ui.js";

// A miniature's name inside a text, and on its own.
export const miniWord = (id) => tOf("unit", id);
export const miniName = (id) => capital(miniWord(id));

// A folded button that ends the game for everyone, below everything else.
export const endGameFold = (name, press) =>
  h("details", { class: "for-good", testid: "for-good" }, [
    h("summary", {}, t("menu.for-good")),
    button(t("menu.abandon"), name, press, { class: "danger" }),
  ]);

// Posts, and shows the message of a refusal; returns whether it succeeded.
export async function request(path, body, send = post) {
  const { ok, error } = await send(path, body);
  if (!ok) refused(error);
  return ok;
}

// Opens a seat's page, or the lobby for "", but only once: two events can lead there at the same moment, and the second
// would interrupt the first.
let going = false;
window.addEventListener("pageshow", () => (going = false));

export function openSeat(seat) {
  if (!going) location.assign(`/${seat}`);
  going = true;
}

// If this device no longer holds this page's seat, opens the seat that it holds now, or the lobby if the seat is free.
// If the stream reported the seat as `gone` but this device holds it with another key, for example after two seats of
// one browser have swapped sides, the page is reloaded. Returns whether a page is opened.
export async function followSeat(gone = false) {
  const { mine, seats } = await askUntilAnswered("/api/lobby");
  const here = decodeURIComponent(location.pathname.slice(1));
  if (here in mine) {
    if (gone) location.reload();
    return gone;
  }
  const [seat] = Object.keys(mine);
  const moves = Boolean(seat) || !seats[here]?.taken;
  if (moves) openSeat(seat ?? "");
  return moves;
}

// A button that sends an action of a seat; without an action, or a connection, it is disabled.
/** @type {(seat: Acting, label: Kids, testid: string, action: object | null | undefined, props?: Props) => any} */
export const actionButton = (seat, label, testid, action, props = {}) =>
  button(label, testid, () => seat.act(action), { disabled: !action || !seat.ready, ...props });

// --- a time-out -------------------------------------------------------------------------------------------------

export function pauseText({ paused, workshop }) {
  if (workshop) return t("pause.workshop", { device: workshop });
  return paused ? t("pause.by", { device: paused }) : t("pause.nobody");
}

// The dock of a seat during a time-out.
export function pausePart(picture) {
  return {
    dock: () => [
      headline(pauseText(picture)),
      h("p", {}, picture.workshop ? t("pause.workshop.more") : t("pause.more")),
      !picture.workshop &&
        button(t("pause.end"), "resume", () => request("/api/pause", { paused: false }), { class: "main big" }),
    ],
  };
}

// --- the line ---------------------------------------------------------------------------------------------------

export function showConnection(live) {
  document.body.dataset.connection = live ? "live" : "lost";
  $("#link").hidden = live;
}

// A strip on top of every screen with the reason why no action is possible at the moment.
document.addEventListener("picture", ({ detail: { halted } }) => {
  const strip = $("#halted");
  if (!strip || strip.textContent === (halted || "")) return;
  strip.textContent = halted || "";
  strip.hidden = !halted;
});

export function showGone() {
  showConnection(true);
  document.querySelectorAll("dialog").forEach((box) => box.close());
  document.body.replaceChildren(
    h("main", { class: "panel" }, [
      h("h1", {}, t("net.gone")),
      h("p", {}, link(t("net.gone.back"), "to-lobby", "/", { class: "main" })),
    ]),
  );
}

let facts = null;

// Titles and texts of cards and specialists, which don't change while a page is open.
export const glossary = async () => (facts ??= await askUntilAnswered("/api/lobby"));

// Whether the board is simulated and this isn't its own page.
const isSimulated = () => document.body.dataset.simulated === "yes" && document.body.dataset.screen !== "board";

// --- the board under it all -------------------------------------------------------------------------------------

// `answers` are the buttons for seats that play on the board, with those of the board's questions if the seat is to act
// (`asked`); `badge(id)` draws a miniature.
/** @type {(board: any, answers: boolean, badge?: (id: string) => any, asked?: boolean) => any} */
export function boardStrip(board, answers, badge = null, asked = true) {
  const { hint, state, held } = board;
  if (!board.open) return null; // without a board, no one hears of one
  // Without miniatures there is nothing to report.
  if (state === "ignored" && !board.ills.length && isSimulated()) return null;
  const busy = hint !== null || ["asking", "correcting", "away", "setting-up"].includes(state);
  const names = held.flat().map(miniWord);
  const sentence = hint?.sentence || board.sentence || tOf("board", state);
  return h("div", { class: `board-strip ${busy ? "busy" : ""}`, testid: "board-strip", "data-state": state }, [
    h("i", { class: "lamp", "aria-hidden": "true" }),
    h("p", { testid: "board-sentence" }, [
      sentence,
      names.length > 0 && h("span", {}, ` ${t("board.hand", { units: list(names) })}`),
      board.ills.filter((ill) => ill !== sentence).map((ill) => h("span", { class: "ill" }, ` ${ill}`)),
    ]),
    hint?.kind === "orders" && orderList(hint.orders, sentence, badge),
    answers && isSimulated() && ["orders", "setup"].includes(hint?.kind) && tidyButton(),
    answers && asked && hint?.kind === "question" && h("div", { class: "row" }, hint.between.map(answerButton)),
    answers && hint?.kind === "sensor" && hint.spaces.slice(0, 1).map(manualButton),
  ]);
}

const orderList = (orders, label, badge) =>
  orders.length > 0 &&
  h("ul", { class: "orders", testid: "orders", tabindex: "0", "aria-label": label }, [
    orders.map((it) => orderLine(it, badge)),
  ]);

// On a simulated board one tap puts all pieces where they belong.
const tidyButton = () => button(t("bench.tidy"), "orders-tidy", () => request("/api/tidy", {}), { class: "small" });

// A drawing of the miniature and its way replaces the sentence and needs a third of the room.
const orderLine = ({ unit, from, to, squad, waits, sentence }, badge) =>
  h("li", { class: waits ? `${squad} waits` : squad, testid: `order-${unit}`, "data-to": to }, [
    badge && from && to
      ? [badge(unit), h("span", { class: "unseen" }, sentence), h("b", { "aria-hidden": "true" }, `${from} → ${to}`)]
      : sentence,
    waits && h("small", {}, ` (${t("board.waits")})`),
  ]);

const answerButton = ({ unit, tap, caption }) =>
  button(caption ?? t("board.pick", { unit: miniWord(unit), space: tap }), `answer-${tap}`, () =>
    request("/api/answer", { space: tap }),
  );

const manualButton = (space) =>
  button(t("board.manual", { space }), `set-manual-${space}`, () => request("/api/manual", { space, manual: true }), {
    class: "small",
  });

// --- seats and the end ------------------------------------------------------------------------------------------

// Returns a device's name for the list of seats, with its squads if several devices lead some.
const nameInSeat = (it, devices) =>
  it.bot || devices === 1 || !it.squads.length
    ? deviceName(it)
    : t("lobby.taken.squads", { device: it.device, squads: list(it.squads.map((squad) => tOf("squad", squad))) });

// `playing`: whether a game is running in which someone has acted.
export function seatLines(seats, playing = false) {
  return Object.entries(seats).map(([seat, { taken, devices, trouble, acted }]) =>
    h("li", { class: taken ? "taken" : "free" }, [
      h("b", {}, seatName(seats, seat)),
      taken
        ? h("div", {}, [devices.map((it) => h("span", {}, nameInSeat(it, devices.length)))])
        : h("span", {}, trouble || t("lobby.free")),
      taken && trouble && h("small", {}, trouble),
      playing && lastActor({ acted, devices }),
    ]),
  );
}

// Who acted last for a seat, if that is public and can be more than one: a device, or someone at the board. For a seat
// with one device, it would read as if no other seat had acted since.
export const lastActor = (seat) =>
  seat?.acted &&
  (!seat.acted.device || seat.devices.length > 1) &&
  h("small", { class: "last-actor", testid: "last-actor" }, [
    seat.acted.device ? t("seats.acted", { device: seat.acted.device }) : t("seats.acted.board"),
  ]);
