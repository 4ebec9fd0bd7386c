// All tables of a club, as reported by their broker. Refreshes every few seconds while the page is visible.

import { poll } from "./polling.js";
import { t, tOf } from "./texts.js";
import { $, h, paint } from "./ui.js";

const AGAIN_MS = 2000;

poll("/api/club", receive, (hidden) => (hidden ? 0 : AGAIN_MS));

function receive(facts, error) {
  paint($("#tables"), [facts, error], () =>
    facts ? tableList(facts.tables) : h("p", { class: "panel" }, error.sentence),
  );
}

const tableList = (tables) =>
  tables.length
    ? h("ol", { class: "tables" }, tables.map(tableCard))
    : h("p", { class: "quiet", testid: "no-tables" }, t("club.none"));

// States are shown in words, never by colour alone.
function tableCard({
  table,
  name,
  online,
  game,
  stage,
  to_act,
  round,
  countdown,
  paused,
  trouble,
  sentence,
  outcome,
  url,
}) {
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
