// Starts a game against bots from the lobby with one tap: no PIN, no board, no options. While someone else plays, it
// says who, and offers to watch, to wait, or to free a seat that was left.

import { botFace } from "./art.js";
import { botName } from "./bots.js";
import { signalTurn } from "./device.js";
import { openSeat, request } from "./frame.js";
import { freeSeat } from "./claiming.js";
import { postSeat } from "./net.js";
import { hasHandicap } from "./options.js";
import { nameField, remember, remembered } from "./person.js";
import { list, seatName, t } from "./texts.js";
import { button, h, link, quiet, recall, select, store, toast } from "./ui.js";

// The bot chosen as opponent of each seat; without a choice, it is the next one on the ladder.
export const levels = {};

// The seats that a person can take, with their opponents; `show` repaints them. `players` is the control for their
// number, `values` the form of the options with their values, `chosen()` the choice of this page, `changing` whether
// the facts still describe the previous game. `career` contains the person's results, and `ask` requests them again.
export function playNow({ game, seats, bots }, { players, values, chosen, changing, show, career, ask }) {
  const choose = (seat, name) => {
    levels[seat] = name;
    show();
  };
  const names = Object.keys(seats);
  // Numbered seats are all alike, so only the first is shown.
  const offered = names[0].endsWith("-1") ? names.slice(0, 1) : names;
  const alike = {}; // seats with the same opponents
  for (const seat of offered) (alike[opponents(seat, names, bots).map((it) => it.name)] ??= []).push(seat);
  const oninput = ({ target }) => remember({ name: target.value.trim() });
  const [, name] = nameField("play-name", { oninput, onchange: ask });
  const beaten = career.beaten[game] ?? {};
  return [
    h("h2", {}, t("play.title")),
    players,
    h("div", { class: "play-cards" }, [
      Object.values(alike).map((it) =>
        playCard(it, names, { seats, bots, choose, values, chosen, changing, offered, beaten }),
      ),
    ]),
    name,
    h("p", {}, link(t("play.campaign"), "link-campaign", "/campaign", { class: "small" })),
  ];
}

const opponents = (seat, names, bots) => bots[names.find((it) => it !== seat)] ?? [];

function playCard(alike, names, { seats, bots, choose, values, chosen, changing, offered, beaten }) {
  const [seat] = alike;
  const known = opponents(seat, names, bots);
  const others = names.filter((it) => it !== seat);
  const level = levels[seat] ?? nextRung(known, beaten) ?? known[0]?.name;
  const label = (it) => (offered.length > 1 ? t("play.as", { seat: seatName(seats, it) }) : t("play.alone"));
  return h("div", { class: "play-card" }, [
    alike.map((it) =>
      button(label(it), `play-${it}`, () => start(it, level, names, bots, chosen()), {
        class: "main big",
        disabled: changing,
      }),
    ),
    known.length > 1 &&
      h("label", { class: "field" }, [
        t("play.against"),
        select(
          `level-${seat}`,
          known.map((bot) => [bot.name, botName(bot)]),
          level,
          (name) => choose(seat, name),
        ),
        h("span", { class: "opponent" }, [
          botFace(level),
          h("small", { testid: `rung-${seat}` }, [
            h("b", {}, rungText(known, beaten, level)),
            known.find(({ name }) => name === level)?.about,
          ]),
        ]),
        hasHandicap(values, others) && h("small", { testid: `unequal-${seat}` }, t("play.unequal")),
      ]),
  ]);
}

// --- the ladder: the bots with a level, the easiest first --------------------------------------------------------

const rungNames = (known) => known.filter(({ level }) => level).map(({ name }) => name);

// The rung above the highest one that the person has beaten, or the last rung.
function nextRung(known, beaten) {
  const all = rungNames(known);
  return all[Math.min(all.map((name) => name in beaten).lastIndexOf(true) + 1, all.length - 1)];
}

function rungText(known, beaten, level) {
  const all = rungNames(known);
  const [number, of, wins] = [all.indexOf(level) + 1, all.length, beaten[level] ?? 0];
  if (!number || of < 2) return null; // a single bot isn't a ladder
  return `${t("play.rung", { number, of })}${wins ? ` ${t("play.rung.wins", { number: wins })}` : ""} `;
}

async function start(seat, wanted, names, bots, chosen) {
  const playing = wanted
    ? names.filter((it) => it !== seat && bots[it].some(({ name }) => name === wanted)).map((it) => [it, wanted])
    : [];
  const asked = { seat, device: remembered().name ?? "", bots: Object.fromEntries(playing), ...chosen };
  if (await request("/api/play-now", asked, postSeat)) openSeat(seat);
}

// Takes over the seat of a single player without a PIN who has left.
export async function takeLeftSeat(seat) {
  if (await request("/api/take-over", { seat, device: remembered().name ?? "" }, postSeat)) openSeat(seat);
}

// --- while others are here ----------------------------------------------------------------------------------------

const WAITS = "waits-for-table";
export const isWaiting = () => recall(WAITS, false, "sessionStorage");

function setWaiting(on) {
  store(WAITS, on, "sessionStorage");
}

// `open` is the seat of someone who plays alone without a PIN, if there is one; `people` are the names of all.
export function busyLines({ title, seats, stage, left }, { people, open, mine, show, refresh }) {
  const playing = stage === "playing";
  const free = async () => (await freeSeat(left, { mine: false, bot: false, open: true })) && refresh();
  const toggle = () => {
    setWaiting(!isWaiting());
    show();
  };
  const who = people.length ? t("play.busy.by", { names: list(people), game: title }) : t("play.busy", { game: title });
  return [
    h("h2", {}, t("play.title")),
    h("p", { testid: "busy" }, playing ? who : t("play.people", { names: list(people) })),
    left ? quiet(t("play.left", { seat: seatName(seats, left) })) : open && !mine.length && quiet(t("play.take.later")),
    h("div", { class: "row" }, [
      playing && mine[0] && link(t("play.back"), "play-back", `/${mine[0]}`, { class: "main" }),
      playing && link(t("play.watch"), "play-watch", "/table", { class: "main" }),
      !playing && link(t("topic.together"), "play-together", "#together", { class: "main" }),
      !mine.length && button(isWaiting() ? t("play.wait.not") : t("play.wait"), "play-wait", toggle),
      !mine.length && left && button(t("play.free"), "play-free", free),
      !mine.length && left && button(t("play.take"), "play-take", () => takeLeftSeat(left)),
    ]),
    isWaiting() && h("p", { class: "quiet", role: "status", testid: "waiting" }, t("play.waiting")),
  ];
}

// Notifies a waiting person that the table is free.
export function tellFree() {
  if (!isWaiting()) return;
  setWaiting(false);
  signalTurn();
  toast(t("play.free.now"));
}
