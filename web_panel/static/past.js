// Short descriptions of past games.

import { ask, pause } from "./net.js";
import { t } from "./texts.js";

const AGAIN_MS = 1000;
// Refusals worth retrying.
const PASSING = ["busy", "too-often"];

const language = document.documentElement.lang;

// Requests a page of past games, again while the table is busy.
export async function askPast(path) {
  for (;;) {
    const answer = await ask(path);
    if (!PASSING.includes(answer.body.error?.code)) return answer;
    await pause(AGAIN_MS);
  }
}

export const dateText = (seconds) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);

export function outcomeText({ state, outcome: sentence, rounds }) {
  if (state === "over") return sentence;
  if (state === "put-away") return rounds === null ? t("games.put-away.early") : t("games.put-away", { round: rounds });
  if (state === "damaged") return t("games.damaged");
  if (state === "too-long") return t("games.too-long");
  return state === "running" ? t("games.running") : t("games.unknown");
}

// Returns the minutes between two times in seconds.
export const minutesBetween = (started, ended) => Math.max(1, Math.round((ended - started) / 60));

export function lengthText({ started, ended, rounds, acts }) {
  const minutes = minutesBetween(started, ended);
  return rounds === null ? t("games.length.acts", { acts, minutes }) : t("games.length", { rounds, acts, minutes });
}
