// Missions and careers: a person's results against bots, the stars of a mission, and starting a mission.

import { remembered } from "./person.js";
import { openSeat, request } from "./frame.js";
import { postSeat } from "./net.js";
import { askPast } from "./past.js";
import { t } from "./texts.js";
import { h } from "./ui.js";

// Returns the results of the person whose name this device stores; nothing without a name.
export async function askCareer() {
  const { name } = remembered();
  if (!name) return { beaten: {}, stars: {} };
  const { status, body } = await askPast(`/api/career?name=${encodeURIComponent(name)}`);
  return status === 200 ? body : { beaten: {}, stars: {} };
}

export async function startMission({ game, map, options, bots, seat }) {
  const asked = { seat, device: remembered().name ?? "", game, options, bots, ...(map ? { map } : {}) };
  if (await request("/api/play-now", asked, postSeat)) openSeat(seat);
}

// The earned stars of a mission; `met` says which.
export const starLine = ({ stars }, met) => {
  const number = met.filter(Boolean).length;
  const label = t("mission.stars", { number, of: stars.length });
  return h("span", { class: "mission-stars", role: "img", "aria-label": label, testid: "mission-stars" }, [
    "★".repeat(number) + "☆".repeat(stars.length - number),
  ]);
};

// The goals of a mission, one for each star.
export const goals = ({ stars }, met) =>
  h("ul", { class: "plain mission-goals" }, [
    stars.map((goal, i) =>
      h("li", { class: met[i] ? "met" : "" }, [
        h("b", { role: "img", "aria-label": met[i] ? t("mission.met") : t("mission.open") }, met[i] ? "★" : "☆"),
        ` ${goal}`,
      ]),
    ),
  ]);
