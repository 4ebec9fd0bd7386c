// Starts a game against bots from the lobby with one tap: no PIN, no board, no options.

import { face } from "./art.js";
import { botName } from "./bots.js";
import { postSeat } from "./net.js";
import { openSeat, request } from "./frame.js";
import { seatName, t, tFor } from "./texts.js";
import { button, h, quiet, recall, store } from "./ui.js";

const KEPT = "sniperboard.device";

// The device's name and preferred PIN, stored in this browser.
/** @type {() => { device?: string, pin?: string }} */
export const remembered = () => recall(KEPT, {});
export const remember = (known) => store(KEPT, { ...remembered(), ...known });

// The bot chosen as opponent of each seat.
export const levels = {};

// The seats that a person can take, each with its opponent; `show` repaints them.
export function playNow({ title, seats, bots }, show) {
  const choose = (seat, name) => {
    levels[seat] = name;
    show();
  };
  const names = Object.keys(seats);
  return [
    h("h2", {}, t("play.title")),
    quiet(t("play.text", { game: title })),
    h("div", { class: "play-cards" }, [names.map((seat) => choice(seat, names, seats, bots, choose))]),
  ];
}

function choice(seat, names, seats, bots, choose) {
  const others = names.filter((it) => it !== seat);
  const known = others.length ? bots[others[0]] : [];
  const chosen = levels[seat] ?? known[0]?.name;
  const label = names.length > 1 ? t("play.as", { seat: seatName(seats, seat) }) : t("play.alone");
  return h("div", { class: "play-card" }, [
    button(label, `play-${seat}`, () => start(seat, others, bots), { class: "main big" }),
    known.length > 1 &&
      h("label", { class: "field" }, [
        t("play.against"),
        h("select", { testid: `level-${seat}`, onchange: ({ target }) => choose(seat, target.value) }, [
          known.map((bot) => h("option", { value: bot.name, selected: bot.name === chosen }, botName(bot))),
        ]),
        h("span", { class: "opponent" }, [
          face(chosen),
          h("small", {}, known.find(({ name }) => name === chosen)?.about),
        ]),
      ]),
  ]);
}

async function start(seat, others, bots) {
  const wanted = levels[seat];
  const playing = wanted
    ? others.filter((it) => bots[it].some(({ name }) => name === wanted)).map((it) => [it, wanted])
    : [];
  const device = remembered().device || tFor("lobby.default", seat);
  if (await request("/api/play-now", { seat, device, bots: Object.fromEntries(playing) }, postSeat)) openSeat(seat);
}

export const takeAlone = async (seat) =>
  (await postSeat("/api/take-over", { seat, device: remembered().device || tFor("lobby.default", seat) })).ok;
