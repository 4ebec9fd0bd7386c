// How a past game is told in a line.

import { t, tOf } from "./texts.js";

const language = document.documentElement.lang;

export const day = (seconds) =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(seconds * 1000);

export function outcome({ state, over, rounds }) {
  if (state === "over") return `${tOf("over", over.winner)} ${tOf("over", over.reason)}`;
  if (state === "put-away") return t("games.put-away", { round: rounds });
  if (state === "damaged") return t("games.damaged");
  return state === "running" ? t("games.running") : t("games.unknown");
}

export function lasting({ started, ended, rounds, acts }) {
  const minutes = Math.max(1, Math.round((ended - started) / 60));
  return t("games.length", { rounds, acts, minutes });
}
