// All games of this table. Finished games can be watched and saved, and a game from elsewhere can be imported.

import { postBody } from "./net.js";
import { askPast, dateText, lengthText, outcomeText } from "./past.js";
import { t } from "./texts.js";
import { $, button, h, link, paint, quiet } from "./ui.js";

const LARGEST = 1 << 20;
const AGAIN_MS = 4000;
// The number of games shown at first.
const FIRST = 24;
const page = { games: null, bests: [], more: false, said: null, busy: false };

async function load() {
  try {
    const { status, body } = await askPast("/api/games");
    if (status !== 200) return say(body.error.sentence, true);
    page.bests = body.bests;
    take(body.games, body.more);
    // Pages of long games are shorter.
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
      page.bests.length > 0 && h("ul", { class: "plain", testid: "bests" }, page.bests.map(best)),
      games.length === 0 && h("p", { class: "quiet", testid: "no-games" }, t("games.none")),
      h("ol", { class: "shelf" }, games.map(card)),
      more && button(t("games.more"), "older", older),
    ]);
  paint($("#post"), [said, busy], post);
}

const best = ({ number, name, score }) =>
  h("li", {}, h("a", { href: `/games/${number}` }, t("games.best", { game: name, score })));

function card(game) {
  const { number, map, name, started, state, imported, over } = game;
  const open = state === "over";
  return h("li", { class: `past ${open ? (over?.winner ?? "") : state}`, testid: `game-${number}` }, [
    h("img", { src: map ? `/maps/${map}.svg` : "/static/icon.svg", alt: "", loading: "lazy", width: 120, height: 85 }),
    h("div", {}, [
      h("h2", {}, name, h("small", {}, ` ${t("games.number", { number })}`)),
      quiet(started !== null && dateText(started), imported && h("em", {}, t("games.imported"))),
      h("p", { class: "verdict-line" }, outcomeText(game)),
      open && quiet(lengthText(game)),
    ]),
    h("div", { class: "row" }, [
      open && link(t("games.look"), `look-${number}`, `/games/${number}`, { class: "main" }),
      open && link(t("games.save"), `save-${number}`, `/api/games/${number}/record`, { download: "" }),
      state === "running" && link(t("games.watch"), "watch", "/table"),
    ]),
  ]);
}

// --- a record from elsewhere ------------------------------------------------------------------------------------

function post() {
  const input = h("input", {
    type: "file",
    id: "record",
    class: "unseen",
    accept: ".json,application/json",
    disabled: page.busy,
    testid: "record",
    onchange: (event) => send(event.target.files[0]),
  });
  const { said } = page;
  return [
    h("h2", {}, t("games.take")),
    h("p", { class: "quiet", id: "record-hint" }, t("games.take.hint")),
    h("p", {}, input, h("label", { class: "button", for: "record" }, t("games.take.choose"))),
    h("p", { class: said && said.bad ? "fault" : "done", role: "status", testid: "taken" }, [
      page.busy ? t("games.take.reading") : said && said.sentence,
      said && said.number && [" ", h("a", { href: `/games/${said.number}` }, t("games.look"))],
    ]),
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
  const answer = await postBody("/api/games", file);
  page.busy = false;
  if (!answer.ok) return say(answer.error.sentence, true);
  say(t("games.take.done", answer), false, answer.number);
  load();
}

// Accept a file dropped anywhere on the page, instead of letting the browser open it.
for (const name of ["dragover", "drop"]) window.addEventListener(name, (event) => event.preventDefault());
window.addEventListener("dragover", () => $("#post").classList.add("over"));
for (const name of ["dragleave", "drop"]) window.addEventListener(name, () => $("#post").classList.remove("over"));
window.addEventListener("drop", (event) => send(event.dataTransfer.files[0]));

show();
load();
