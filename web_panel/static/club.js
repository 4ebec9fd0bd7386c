// All tables of a club, as reported by their broker. Refreshes every few seconds while the page is visible.

import { showLine } from "./frame.js";
import { ask } from "./net.js";
import { t, tOf } from "./texts.js";
import { $, h, paint } from "./ui.js";

const AGAIN_MS = 2000;
let alarm = 0;

async function refresh() {
  clearTimeout(alarm);
  if (document.hidden) return;
  try {
    const { status, body } = await ask("/api/club");
    showLine(true);
    paint($("#tables"), [status, body], () =>
      status === 200 ? shelf(body.tables) : h("p", { class: "panel" }, body.error.sentence),
    );
  } catch {
    showLine(false);
  }
  clearTimeout(alarm);
  alarm = setTimeout(refresh, AGAIN_MS);
}

const shelf = (tables) =>
  tables.length
    ? h("ol", { class: "tables" }, tables.map(card))
    : h("p", { class: "quiet", testid: "no-tables" }, t("club.none"));

// States are shown in words, never by colour alone.
function card({ table, name, online, game, stage, to_act, round, countdown, paused, trouble, sentence, outcome, url }) {
  const facts = [
    online ? tOf("club.stage", paused ? "paused" : stage) : t("club.offline"),
    stage !== "lobby" && round !== null && t("club.round", { number: round }),
    stage === "playing" && countdown !== null && t("club.countdown", { number: countdown }),
    to_act.length > 0 && t("club.to-act", { seats: to_act.join(", ") }),
  ];
  return h("li", { class: online ? "" : "away", testid: `table-${table}` }, [
    h("h2", {}, name),
    h("p", {}, game),
    h("p", { testid: `facts-${table}` }, facts.filter(Boolean).join(" · ")),
    online && (outcome || sentence) && h("p", {}, outcome || sentence),
    online && trouble.length > 0 && h("ul", { class: "ills" }, [trouble.map((one) => h("li", {}, one))]),
    online && url && h("p", {}, h("a", { class: "button small", href: url }, t("club.watch"))),
  ]);
}

document.addEventListener("visibilitychange", refresh);
refresh();
