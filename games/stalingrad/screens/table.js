// The game's part of the table view: the street, the players' tracks, and the news.

import { entryLine, News, newsreel, toldToAll } from "/static/news.js";
import { h, panel } from "/static/ui.js";
import { t, tOf } from "/static/texts.js";
import {
  animate,
  latestRoll,
  oddsPanel,
  playerList,
  ranking,
  readingOf,
  rollPanel,
  street,
  toldOfRoll,
  toneOf,
  turnName,
  verdict,
} from "./street.js";

const EARLIER = 4;
const MOST = 2;

// The headline: what the last dice did, or else what came last.
function headlines(log) {
  const told = toldOfRoll(log);
  return (told.length ? told : log).slice(-MOST);
}

const toldLine = (entry) => h("p", { class: toneOf([entry]), "data-type": entry.type }, entry.sentence);

export function table({ show }) {
  const news = new News();
  // While dice roll, an earlier picture than the `latest` one is shown.
  let picture = null;
  let latest = null;
  document.body.classList.add("street-game");
  return {
    hear(now) {
      const { log } = now;
      picture = animate(news.hear(log, readingOf(log)), now, latest, (released) => {
        picture = released;
        show();
      });
      latest = now;
    },
    shown: () => picture,
    facts: ({ log, seats }) => [log.at(-1)?.n, seats],
    title: (shown) => turnName(shown),
    // Above the phase stands whose turn it is, or that this is a replay.
    moment: (view) =>
      !view.over && (picture.replay ? turnName({ view, seats: picture.seats }) : tOf("st.phase", view.phase)),
    papers: (view, words) => [
      h("section", { class: "panel street-panel" }, [
        h("h2", {}, t("st.street")),
        view.over
          ? ranking(view, picture.seats, words)
          : [
              street(view, words, latestRoll(picture.replay?.told ?? picture.log)),
              oddsPanel(view, words),
              rollPanel(view, picture.seats),
            ],
      ]),
      // At the end the ranking names everyone.
      !view.over && panel(t("st.players"), playerList(view, picture.seats, words)),
    ],
    news: ({ view, log, seats }) => {
      if (view.over) return [verdict(view, seats), h("p", {}, tOf("st.end", view.over.reason))];
      const latest = headlines(log);
      const earlier = log.filter((entry) => !latest.includes(entry)).slice(-EARLIER);
      return newsreel(latest.map(toldLine), earlier.reverse().map(entryLine));
    },
    replayed: (replay) => toldToAll(replay).slice(-2).map(entryLine),
  };
}
