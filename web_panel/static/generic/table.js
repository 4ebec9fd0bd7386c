// What the table view tells of a game that brings no view of its own.

import { t } from "/static/texts.js";
import { h } from "/static/ui.js";
import { ending, knowledge, latest, News, showMarks, showPieces, showPossible, turnName } from "./parts.js";

const EARLIER = 4;

export function table({ map }) {
  const news = new News();
  let picture = null;
  return {
    focus: () => (picture?.generic?.pieces ?? []).map(({ space }) => space),
    hear(told) {
      picture = told;
      news.hear(told.log);
      document.body.classList.toggle("no-map", Boolean(told.generic) && !told.generic.map && !told.replay);
    },
    facts: ({ generic }) => generic?.summary,
    title: (told) => turnName(told),
    moment: () => picture.stage === "playing" && !picture.replay && picture.paused === null && picture.generic?.to_act.length > 0 && t("generic.turn.plays"),
    papers: (view) =>
      picture.generic && !picture.replay && h("section", { class: "panel" }, h("h2", {}, t("generic.known.all")), knowledge(picture.generic, view)),
    news: ({ generic, log }) => (generic.outcome ? ending(generic) : told(log)),
    draw: (told) => draw(map, told),
    replayed: ({ told }) => told.filter(({ to }) => to === null).slice(-2).map(line),
    drawReplay: ({ generic, possible }) => {
      showPieces(map, generic.referee.pieces);
      showMarks(map, generic.referee.marks);
      showPossible(map, possible ?? []);
    },
  };
}

function draw(map, { generic, possible }) {
  showPieces(map, generic?.pieces ?? []);
  showMarks(map, []);
  showPossible(map, possible ?? []);
}

const line = ({ sentence, type }) => h("p", { "data-type": type }, sentence);

function told(log) {
  const newest = latest(log);
  const earlier = log.filter((entry) => entry.public && entry.n < (newest[0]?.n ?? 0)).slice(-EARLIER);
  return [
    h("div", { class: "big", "data-testid": "latest" }, newest.slice(-1).map(line)),
    h("div", { class: "earlier" }, [...earlier, ...newest.slice(0, -1)].slice(-EARLIER).reverse().map(line)),
  ];
}
