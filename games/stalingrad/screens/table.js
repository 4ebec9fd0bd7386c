// What the table view tells: the street in the middle, every player's tracks, and the news.

import { tell as signal } from "/static/device.js";
import { announce, calm, h } from "/static/ui.js";
import { t, tOf } from "/static/texts.js";
import { ending, latestRoll, line, players, street, turnName } from "./street.js";

const EARLIER = 4;

export function table() {
  let last = null;
  let picture = null;
  document.body.classList.add("street-game");
  return {
    hear(told) {
      picture = told;
      const fresh = last === null ? [] : told.log.filter(({ n }) => n > last);
      last = told.log.at(-1)?.n ?? -1;
      fresh.forEach(({ sentence }) => announce(sentence));
      if (fresh.length) signal("");
      document.body.classList.toggle("rolling", fresh.some(({ n }) => n === latestRoll(told.log).n) && !calm());
    },
    facts: ({ log, seats }) => [log.at(-1)?.n, seats],
    title: (told) => turnName(told),
    moment: (view) => !view.over && tOf("st.phase", view.phase),
    papers: (view, words) => [
      h("section", { class: "panel street-panel" }, h("h2", {}, t("st.street")), street(view, words, latestRoll(picture.replay ? [] : picture.log))),
      h("section", { class: "panel" }, h("h2", {}, t("st.players")), players(view, picture.seats, words)),
    ],
    news: ({ view, log, seats }) => (view.over ? ending(view, seats) : news(log)),
    replayed: ({ told }) => told.filter(({ to }) => to === null).slice(-2).map(line),
  };
}

function news(log) {
  const newest = log.slice(-2);
  return [
    h("div", { class: "big", "data-testid": "latest" }, newest.map(line)),
    h("div", { class: "earlier" }, log.slice(-2 - EARLIER, -2).reverse().map(line)),
  ];
}
