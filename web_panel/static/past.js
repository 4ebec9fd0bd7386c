// How a past game is told in a line.

import { ask, pause } from "./net.js";
import { t } from "./texts.js";

const AGAIN_MS = 1000;
// Refusals that pass by themselves.
const PASSING = ["busy", "too-often"];

const language = document.documentElement.lang;

// The answer, asked for again while the table is busy with other games.
export async function askPast(path) {
  for (;;) {
    const answer = await ask(path);
    if (!PASSING.includes(answer.body.error?.code)) return answer;
    await pause(AGAIN_MS);
  }
}

export const day = (seconds) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);

export function outcome({ state, outcome: sentence, rounds }) {
  if (state === "over") return sentence;
  if (state === "put-away") return rounds === null ? t("games.put-away.early") : t("games.put-away", { round: rounds });
  if (state === "damaged") return t("games.damaged");
  if (state === "too-long") return t("games.too-long");
  return state === "running" ? t("games.running") : t("games.unknown");
}

// Minutes, from one time to another in seconds.
export const lasted = (started, ended) => Math.max(1, Math.round((ended - started) / 60));

export function lasting({ started, ended, rounds, acts }) {
  const minutes = lasted(started, ended);
  return rounds === null ? t("games.length.acts", { acts, minutes }) : t("games.length", { rounds, acts, minutes });
}
