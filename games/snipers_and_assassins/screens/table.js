// The game's part of the table view: all players, who hunts whom, what happened last.

import { entryLine, News, newsreel, toldToAll } from "/static/news.js";
import { t, tOf } from "/static/texts.js";
import { h, panel } from "/static/ui.js";
import { showHunts } from "./hunt.js";
import { showPieces, pieceSpaces } from "./pieces.js";
import { nearest, playerList, raceTrack, reached, turnName, verdict } from "./players.js";
import { counts, headlines, Recent, toldLine, worstTone } from "./recent.js";

const EARLIER = 3;
// As many players have room for the texts of their cards.
const FEW = 2;

export function table({ map }) {
  const reader = new News();
  const recent = new Recent();
  let picture = null;
  // The turns to the Leaders may be the answer to a puzzle.
  const isAsked = () => Boolean(picture.replay?.question);
  return {
    focus: (view) => [...pieceSpaces(view).values()],
    hear(shown) {
      picture = shown;
      reader.hear(shown.log, { toneOf: worstTone });
    },
    title: (shown) => turnName(shown),
    moment: (view) =>
      view.setup
        ? tOf("sa.setup.others", view.setup)
        : [t("sa.round", { round: view.round }), !isAsked() && nearest({ view, seats: picture.seats })]
            .filter(Boolean)
            .join(" · "),
    head: (view) => view.setup === null && raceTrack(view),
    // At the end the players are listed with the result, below the same heading.
    papers(view, words) {
      const brief = view.over || Object.keys(view.players).length > FEW;
      const cards = !isAsked() && playerList({ ...picture, view }, words, { brief });
      return cards && (view.over ? h("section", { class: "panel" }, cards) : panel(t("sa.players"), cards));
    },
    news(shown) {
      if (shown.view.over) return [verdict(shown), reached(shown)];
      const latest = headlines(shown.log);
      const earlier = shown.log.filter((entry) => counts(entry) && entry.type !== "held" && !latest.includes(entry));
      const goal = !latest.length && h("p", {}, t("briefing.win.player"));
      return newsreel([goal, latest.map(toldLine(shown))], earlier.slice(-EARLIER).reverse().map(entryLine));
    },
    draw(shown) {
      if (!shown.view) return;
      showPieces(map, shown.view);
      showHunts(map, shown.view);
      recent.show(map, shown.log, shown.view);
    },
    replayed: (replay) => toldToAll(replay).slice(-2).map(entryLine),
    drawReplay({ truth, told }) {
      showPieces(map, truth);
      showHunts(map, truth);
      new Recent().show(map, told, truth);
    },
  };
}
