// What the pages have alike: the menu, a time-out, the line to the table, the board's strip, who sits where.

import { ask, post } from "./net.js";
import { refused } from "./reasons.js";
import { deviceName, list, seatName, t, tOf } from "./texts.js";
import { $, button, h, toast } from "./ui.js";

export const miniName = (id) => tOf("unit", id);

// The menu of a seat, loaded once somebody opens it.
export async function menu(seat, picture) {
  try {
    await (await import("./menu.js")).menu(seat, picture);
  } catch {
    toast(t("net.away"), "bad");
  }
}

const facts = { of: null, place: null };

// What the table tells of the `finished` game; the same element each time, which is filled once it has been told.
export function endFacts(finished) {
  if (finished !== facts.of) {
    facts.of = finished;
    facts.place = h("div", { class: "end-facts" });
    if (finished !== null) fillIn(facts.place, finished);
  }
  return facts.place;
}

async function fillIn(place, finished) {
  try {
    await (await import("./ending.js")).fill(place, finished);
  } catch {
    // The result stands there all the same.
  }
}

// The end of a game for everybody: folded away, below everything else.
export const forGood = (name, press) =>
  h(
    "details",
    { class: "for-good", "data-testid": "for-good" },
    h("summary", {}, t("menu.for-good")),
    button(t("menu.abandon"), name, press, { class: "danger" }),
  );

export const abandon = async (seat) => (await import("./abandon.js")).abandon(seat);

// Posts, and shows the sentence of a refusal.
export async function tell(path, body, send = post) {
  const answer = await send(path, body);
  if (!answer.ok) refused(answer.error);
  return answer.ok;
}

// Goes to the page of a seat, once: two ways may lead there at the same moment.
let going = false;
window.addEventListener("pageshow", () => (going = false));

export function sitAt(seat) {
  if (!going) location.assign(`/${seat}`);
  going = true;
}

// --- a time-out -------------------------------------------------------------------------------------------------

export function calledBy({ paused, workshop }) {
  if (workshop) return t("pause.workshop", { device: workshop });
  return paused ? t("pause.by", { device: paused }) : t("pause.nobody");
}

// What a seat shows instead of all acts while nobody may act.
export function resting(picture) {
  return {
    dock: () => [
      h("p", { class: "headline", "data-testid": "headline" }, calledBy(picture)),
      h("p", {}, picture.workshop ? t("pause.workshop.more") : t("pause.more")),
      !picture.workshop && button(t("pause.end"), "resume", () => tell("/api/pause", { paused: false }), { class: "main big" }),
    ],
  };
}

// --- the line ---------------------------------------------------------------------------------------------------

export function showLine(live) {
  document.body.dataset.line = live ? "live" : "lost";
  $("#link").hidden = live;
}

// Why no act counts just now, over every screen for as long as it lasts.
document.addEventListener("told", ({ detail: { halted } }) => {
  const strip = $("#halted");
  if (!strip || strip.textContent === (halted || "")) return;
  strip.textContent = halted || "";
  strip.hidden = !halted;
});

// The turn clock and the bots' pace, for those who wait; loaded once there is one of them.
let pace = null;
document.addEventListener("told", async ({ detail }) => {
  if (!$("#pace") || (!pace && !detail.clock && !detail.bots_act)) return;
  pace ??= import("./pace.js");
  try {
    (await pace).showPace(detail);
  } catch {
    pace = null;
  }
});

export function showGone() {
  showLine(true);
  document.querySelectorAll("dialog").forEach((box) => box.close());
  document.body.replaceChildren(
    h(
      "main",
      { class: "closed" },
      h("h1", {}, t("net.gone")),
      h("p", {}, h("a", { class: "button main", href: "/", "data-testid": "to-lobby" }, t("net.gone.back"))),
    ),
  );
}

const AGAIN_MS = 2000;
let lobbyFacts = null;

// Titles and texts of cards and specialists never change while a page is open. Asked for until the table answers.
export async function glossary() {
  while (!lobbyFacts) {
    try {
      const { status, body } = await ask("/api/lobby");
      if (status === 200) lobbyFacts = body;
    } catch {
      // The line says that the table is away.
    }
    if (!lobbyFacts) await new Promise((done) => setTimeout(done, AGAIN_MS));
  }
  return lobbyFacts;
}

// Whether the board is simulated, and this is not its own page.
const simulated = () => document.body.dataset.simulated === "yes" && document.body.dataset.screen !== "board";

// --- the board under it all -------------------------------------------------------------------------------------

export function boardStrip(board, answers) {
  const { hint, state, held } = board;
  // Where no miniatures are there is nothing to say of them.
  if (state === "ignored" && !board.ills.length && simulated()) return null;
  const busy = hint !== null || ["asking", "correcting", "away", "setting-up"].includes(state);
  const names = held.flat().map(miniName);
  const sentence = (hint && hint.sentence) || board.sentence || tOf("board", state);
  const doubted = answers && hint && hint.kind === "sensor" ? hint.spaces.slice(0, 1) : [];
  const taps = answers && hint && hint.kind === "question" ? hint.between : [];
  const orders = hint && hint.kind === "orders" ? hint.orders : [];
  return h(
    "div",
    { class: `board-strip ${busy ? "busy" : ""}`, "data-testid": "board-strip", "data-state": state },
    h("i", { class: "lamp", "aria-hidden": "true" }),
    h(
      "p",
      { "data-testid": "board-sentence" },
      sentence,
      names.length ? h("span", {}, ` ${t("board.hand", { units: list(names) })}`) : null,
      board.ills.filter((ill) => ill !== sentence).map((ill) => h("span", { class: "ill" }, ` ${ill}`)),
    ),
    orders.length > 0 &&
      h(
        "ul",
        { class: "orders", "data-testid": "orders", tabindex: "0", "aria-label": sentence },
        orders.map(({ unit, to, squad, waits, sentence: words }) =>
          h(
            "li",
            { class: waits ? `${squad} waits` : squad, "data-testid": `order-${unit}`, "data-to": to },
            words,
            waits && h("small", {}, ` (${t("board.waits")})`),
          ),
        ),
      ),
    orders.length > 0 &&
      answers &&
      simulated() &&
      button(t("bench.tidy"), "orders-tidy", () => tell("/api/tidy", {}), { class: "small" }),
    taps.length > 0 &&
      h(
        "div",
        { class: "row" },
        taps.map(({ unit, tap }) =>
          button(t("board.pick", { unit: miniName(unit), space: tap }), `answer-${tap}`, () =>
            tell("/api/answer", { space: tap }),
          ),
        ),
      ),
    doubted.map((space) =>
      button(
        t("board.manual", { space }),
        `set-manual-${space}`,
        () => tell("/api/manual", { space, manual: true }),
        { class: "small" },
      ),
    ),
  );
}

// How the sensors are, beside the game.
export const healthLink = (testid, name = "") =>
  h("a", { class: name, href: "/health", target: "_blank", rel: "noopener", "data-testid": testid }, t("health.title"));

// --- seats and the end ------------------------------------------------------------------------------------------

// What a device is called where it is told who sits where; with its squads where several lead some.
const held = (it, devices) =>
  it.bot || devices === 1 || !it.squads.length
    ? deviceName(it)
    : t("lobby.taken.squads", { device: it.device, squads: list(it.squads.map((squad) => tOf("squad", squad))) });

export function seatLines(seats) {
  return Object.entries(seats).map(([seat, { taken, devices, trouble, acted }]) =>
    h(
      "li",
      { class: taken ? "taken" : "free" },
      h("b", {}, seatName(seats, seat)),
      taken
        ? h("div", {}, devices.map((it) => h("span", {}, held(it, devices.length))))
        : h("span", {}, trouble || t("lobby.free")),
      taken && trouble && h("small", {}, trouble),
      lastActor(acted),
    ),
  );
}

// Who acted last where all may see it: a device, or somebody at the board.
export const lastActor = (acted) =>
  acted &&
  h(
    "small",
    { class: "last-actor", "data-testid": "last-actor" },
    acted.device ? t("seats.acted", { device: acted.device }) : t("seats.acted.board"),
  );
