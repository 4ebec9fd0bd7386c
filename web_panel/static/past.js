// Short descriptions of past games.

import { ask, pause, retry } from "./net.js";
import { capital, has, t, tOf } from "./texts.js";
import { h } from "./ui.js";

const AGAIN_MS = 1000;
// Refusals worth retrying.
export const PASSING = ["busy", "too-often"];

// The reader's own form of the page's language: British English writes dates unlike American English.
const language = document.documentElement.lang;
const region = navigator.languages.find((it) => it.split("-")[0] === language) ?? language;

// Requests a page of past games, again while the table is busy or unreachable.
export const askPast = (path) =>
  retry(async () => {
    const answer = await ask(path);
    return !PASSING.includes(answer.body.error?.code) && answer;
  }, AGAIN_MS);

// The facts about how finished games ended, which don't change. A refused request is made again the next time.
const endings = new Map();

export function askEnding(number) {
  if (!endings.has(number)) endings.set(number, fetchEnding(number));
  return endings.get(number);
}

async function fetchEnding(number, again = true) {
  const { status, body } = await askPast(`/api/games/${number}/ending`);
  if (status !== 200) {
    endings.delete(number);
    return null;
  }
  // The table saves who won a moment after the end.
  if (again && !body.seated.length && !body.imported) {
    await pause(AGAIN_MS);
    return fetchEnding(number, false);
  }
  // A score doesn't count as a win.
  if (body.score !== null) {
    for (const it of body.seated) it.won = false;
    for (const it of body.players) it.achievements = [];
  }
  return body;
}

export const dateText = (seconds) =>
  new Intl.DateTimeFormat(region, { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);

export function outcomeText({ state, outcome, rounds, players = [] }) {
  // People's names are in the outcome; those of bots replace numbered seats here.
  const named = players.filter(({ bot, side }) => bot && /\d$/.test(side));
  if (state === "over") return named.reduce((said, { name, side }) => said.replace(side, capital(name)), outcome);
  if (state === "put-away") return rounds === null ? t("games.put-away.early") : t("games.put-away", { round: rounds });
  if (state === "damaged") return t("games.damaged");
  if (state === "too-long") return t("games.too-long");
  return state === "running" ? t("games.running") : t("games.unknown");
}

// Returns the people and bots at each seat, as in a running game. A record from elsewhere can name unknown bots.
export const seated = (seats, players) =>
  Object.fromEntries(
    seats.map(({ name: seat, title }) => {
      const known = players.filter((it) => it.seat === seat && (it.bot ? has(`bot.${it.bot}`) : it.name));
      return [seat, { title, devices: known.map(({ name, bot }) => ({ device: name, bot })) }];
    }),
  );

// Returns who played, with their sides; those who won are marked.
export const playerLines = (players) => h("ul", { class: "players" }, players.map(playerLine));

function playerLine({ side, name, bot, level, won, accuracy }) {
  const parts = [
    h("b", {}, bot ? t("seats.bot", { bot: name }) : name || t("past.guest")),
    level && h("span", {}, tOf("bots.level", level)),
    h("span", {}, capital(side)),
    won && h("em", {}, t("past.won")),
    accuracy !== null && h("span", {}, t("past.accuracy", { accuracy: Math.round(accuracy) })),
  ];
  // The dots are text: a screen reader pauses there, too.
  return h(
    "li",
    { class: won ? "won" : "" },
    parts.filter(Boolean).flatMap((part, i) => (i ? [" · ", part] : [part])),
  );
}

export function lengthText({ started, ended, rounds }) {
  const minutes = Math.max(1, Math.round((ended - started) / 60));
  return rounds === null ? t("past.minutes", { minutes }) : t("past.length", { rounds, minutes });
}
