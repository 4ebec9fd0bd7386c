// All games of this table: those played to their end can be looked through and saved, and one from elsewhere taken in.

import { sent } from "./net.js";
import { askPast, day, lasting, outcome } from "./past.js";
import { t } from "./texts.js";
import { $, button, h, paint } from "./ui.js";

const LARGEST = 1 << 20;
const AGAIN_MS = 4000;
// Games that are shown at first.
const FIRST = 24;
const page = { games: null, bests: [], more: false, said: null, busy: false };

async function load() {
  try {
    const { status, body } = await askPast("/api/games");
    if (status !== 200) return say(body.error.sentence, true);
    page.bests = body.bests;
    take(body.games, body.more);
    // The table ends a page early where games are long.
    while (page.more && page.games.length < FIRST) if (!(await older())) break;
  } catch {
    setTimeout(load, AGAIN_MS);
  }
}

async function older() {
  const { status, body } = await askPast(`/api/games/older/${page.games.at(-1).number}`);
  if (status === 200) {
    page.bests = body.bests; // after a start the table reads old games some at a time
    take([...page.games, ...body.games], body.more);
  }
  return status === 200;
}

function take(games, more) {
  page.games = games;
  page.more = more;
  show();
}

function show() {
  const { games, more, said, busy } = page;
  if (games)
    paint($("#shelf"), [games, more, page.bests], () => [
      page.bests.length > 0 && h("ul", { class: "plain", "data-testid": "bests" }, page.bests.map(best)),
      games.length === 0 && h("p", { class: "quiet", "data-testid": "no-games" }, t("games.none")),
      h("ol", { class: "shelf" }, games.map(card)),
      more && button(t("games.more"), "older", older),
    ]);
  paint($("#post"), [said, busy], post);
}

const best = ({ number, name, score }) => h("li", {}, h("a", { href: `/games/${number}` }, t("games.best", { game: name, score })));

function card(game) {
  const { number, map, name, started, state, imported, over } = game;
  const open = state === "over";
  return h(
    "li",
    { class: `past ${open ? (over?.winner ?? "") : state}`, "data-testid": `game-${number}` },
    h("img", { src: map ? `/maps/${map}.svg` : "/static/icon.svg", alt: "", loading: "lazy", width: 120, height: 85 }),
    h(
      "div",
      {},
      h("h2", {}, name, h("small", {}, ` ${t("games.number", { number })}`)),
      h("p", { class: "quiet" }, started !== null && day(started), imported && h("em", {}, t("games.imported"))),
      h("p", { class: "verdict-line" }, outcome(game)),
      open && h("p", { class: "quiet" }, lasting(game)),
    ),
    h(
      "div",
      { class: "row" },
      open && h("a", { class: "button main", href: `/games/${number}`, "data-testid": `look-${number}` }, t("games.look")),
      open &&
        h(
          "a",
          { class: "button", href: `/api/games/${number}/record`, download: "", "data-testid": `save-${number}` },
          t("games.save"),
        ),
      state === "running" && h("a", { class: "button", href: "/table", "data-testid": "watch" }, t("games.watch")),
    ),
  );
}

// --- a record from elsewhere ------------------------------------------------------------------------------------

function post() {
  const input = h("input", {
    type: "file",
    id: "record",
    class: "unseen",
    accept: ".json,application/json",
    disabled: page.busy,
    "data-testid": "record",
    onchange: (event) => send(event.target.files[0]),
  });
  const { said } = page;
  return [
    h("h2", {}, t("games.take")),
    h("p", { class: "quiet", id: "record-hint" }, t("games.take.hint")),
    h("p", {}, input, h("label", { class: "button", for: "record" }, t("games.take.choose"))),
    h(
      "p",
      { class: said && said.bad ? "fault" : "done", role: "status", "data-testid": "taken" },
      page.busy ? t("games.take.reading") : said && said.sentence,
      said && said.number && [" ", h("a", { href: `/games/${said.number}` }, t("games.look"))],
    ),
  ];
}

function say(sentence, bad = false, number = null) {
  page.said = { sentence, bad, number };
  show();
}

async function send(file) {
  if (!file || page.busy) return;
  if (file.size > LARGEST) return say(t("games.take.large"), true);
  page.busy = true;
  show();
  const answer = await sent("/api/games", file);
  page.busy = false;
  if (!answer.ok) return say(answer.error.sentence, true);
  say(t("games.take.done", answer), false, answer.number);
  load();
}

// A file dropped anywhere on the page is meant for the table, not for the browser.
for (const name of ["dragover", "drop"]) window.addEventListener(name, (event) => event.preventDefault());
window.addEventListener("dragover", () => $("#post").classList.add("over"));
for (const name of ["dragleave", "drop"]) window.addEventListener(name, () => $("#post").classList.remove("over"));
window.addEventListener("drop", (event) => send(event.dataTransfer.files[0]));

show();
load();
