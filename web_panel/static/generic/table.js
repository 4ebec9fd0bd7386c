// The table view of a game without its own.

import { entryLine, News, newsreel, toldToAll, withoutTurns } from "/static/news.js";
import { t } from "/static/texts.js";
import { panel, quiet } from "/static/ui.js";
import { ending, knownFacts, showAll, turnName } from "./parts.js";

const EARLIER = 4;

export function table({ map }) {
  const reader = new News();
  let picture = null;
  return {
    focus: () => (picture?.generic?.pieces ?? []).map(({ space }) => space),
    hear(shown) {
      picture = shown;
      reader.hear(shown.log);
      document.body.classList.toggle("no-map", !shown.replay && !(shown.generic ?? shown).map);
    },
    facts: ({ generic }) => generic?.summary,
    title: (shown) => turnName(shown),
    moment: () =>
      picture.stage === "playing" &&
      !picture.replay &&
      picture.paused === null &&
      picture.generic?.to_act.length > 0 &&
      t("generic.turn.plays", { number: picture.generic.to_act.length }),
    papers: (view) =>
      picture.generic && !picture.replay && panel(t("generic.known.all"), knownFacts(picture.generic, view)),
    news: ({ generic, log }) => (generic.outcome ? ending(generic) : news(log)),
    draw: ({ generic, possible }) => showAll(map, generic, possible, []),
    replayed: (replay) => toldToAll(replay).slice(-2).map(entryLine),
    drawReplay: ({ generic, possible }) => showAll(map, generic.referee, possible),
  };
}

function news(log) {
  const told = withoutTurns(log.filter((entry) => entry.public));
  const [newest, ...earlier] = told.slice(-EARLIER - 1).reverse();
  return newest ? newsreel(entryLine(newest), earlier.map(entryLine)) : quiet(t("log.none"));
}
