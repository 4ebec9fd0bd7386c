// The campaign: all missions with their stars. The briefing of the next one is open.

import { nameField, remember, remembered } from "./person.js";
import { askCareer, goals, starLine, startMission } from "./missions.js";
import { askUntilAnswered } from "./net.js";
import { capital, t } from "./texts.js";
import { $, button, h, paint, quiet } from "./ui.js";

const page = { missions: null, stars: {} };

async function load() {
  page.missions = (await askUntilAnswered("/api/campaign")).missions;
  page.stars = (await askCareer()).stars;
  show();
}

const metOf = ({ game, name }) => page.stars[game]?.[name] ?? [];

function show() {
  const next = page.missions.findIndex((mission) => !metOf(mission).length);
  paint($("#campaign"), [page.missions, page.stars], () => [
    nameLine(),
    page.missions.length === 0 && quiet(t("campaign.none")),
    h("p", { testid: "star-count" }, starCount()),
    h("ol", { class: "missions" }, [page.missions.map((mission, i) => missionCard(mission, i, i === next))]),
    quiet(t("campaign.kept")),
  ]);
}

function starCount() {
  const number = page.missions.flatMap(metOf).filter(Boolean).length;
  return t("mission.stars", { number, of: page.missions.flatMap(({ stars }) => stars).length });
}

function nameLine() {
  const onchange = ({ target }) => {
    remember({ name: target.value.trim() });
    load();
  };
  return nameField("campaign-name", { onchange, value: remembered().name ?? "" })[1];
}

function missionCard(mission, i, open) {
  const met = metOf(mission);
  const place = [capital(mission.side), mission.place].filter(Boolean).join(" · ");
  return h("li", {}, [
    h("details", { open, testid: `mission-${mission.name}` }, [
      h("summary", {}, [
        h("b", {}, `${i + 1}. ${mission.title}`),
        starLine(mission, met),
        h("small", {}, `${mission.game_title}: ${place}`),
      ]),
      h("div", { class: "briefed" }, [
        h("p", {}, mission.about),
        goals(mission, met),
        button(t("mission.start"), `start-${mission.name}`, () => startMission(mission), { class: "main big" }),
      ]),
    ]),
  ]);
}

load();
