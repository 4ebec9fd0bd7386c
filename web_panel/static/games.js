// All games of this table. Finished games can be watched and saved, and a game from elsewhere can be imported.

import { ask, postBody } from "./net.js";
import { askPast, dateText, lengthText, outcomeText, playerLines } from "./past.js";
import { confirmRemove } from "./stored.js";
import { t, tOf } from "./texts.js";
import { $, button, h, link, paint, quiet, select, svg } from "./ui.js";

const LARGEST = 1 << 20;
// The number of games shown at first.
const FIRST = 24;
const page = { games: null, bests: [], kinds: [], people: [], more: false, said: null, busy: false, admin: false };
// The filters of the list; they are also in the page's address.
const asked = new URLSearchParams(location.search);
const FILTERS = ["game", "with", "player", "result"];

const listAddress = (path) => `${path}${filterQuery() && "?"}${filterQuery()}`;
const filterQuery = () =>
  new URLSearchParams(FILTERS.flatMap((it) => (asked.get(it) ? [[it, asked.get(it)]] : []))).toString();

async function load() {
  const { status, body } = await askPast(listAddress("/api/games"));
  if (status !== 200) return showMessage(body.error.sentence, true);
  receive(body.games, body);
  // Pages of long games are shorter.
  while (page.more && page.games.length < FIRST) if (!(await loadOlder())) break;
}

async function loadOlder() {
  const { status, body } = await askPast(listAddress(`/api/games/older/${page.games.at(-1).number}`));
  if (status === 200) receive([...page.games, ...body.games], body);
  return status === 200;
}

// After a start the table reads old games some at a time, so the best scores may change.
function receive(games, { bests, kinds, people, more }) {
  Object.assign(page, { games, bests, kinds, people, more });
  show();
}

function show() {
  if (!page.games && !page.said) return; // nothing on the page moves after it is shown
  const { more, said, busy, bests, kinds, people, admin } = page;
  // A stopped game can't be watched; only the admin can do something with it.
  const games = page.games?.filter(({ state }) => admin || state !== "put-away");
  if (games)
    paint($("#shelf"), [games, more, bests, kinds, people, admin, filterQuery()], () => [
      bests.length > 0 && h("ul", { class: "plain", testid: "bests" }, bests.map(bestText)),
      filterRow(),
      games.length === 0 &&
        h("p", { class: "quiet", testid: "no-games" }, t(filterQuery() ? "games.none.such" : "games.none")),
      h("ol", { class: "shelf" }, games.map(gameCard)),
      more && button(t("games.more"), "older", loadOlder),
    ]);
  paint($("#post"), [said, busy], post);
}

// --- which games ------------------------------------------------------------------------------------------------

const among = (...names) => names.map((it) => [it, tOf("games.by", it)]);

function filterRow() {
  const { kinds, people } = page;
  const isChosen = (name) => asked.get(name) ?? "";
  const choice = (name, options) =>
    h("label", {}, [
      tOf("games.by", name),
      select(`by-${name}`, options, isChosen(name), (value) => choose(name, value)),
    ]);
  return h("div", { class: "filters", role: "search", testid: "filters" }, [
    kinds.length > 1 && choice("game", [["", t("games.by.all")], ...kinds.map(({ name, title }) => [name, title])]),
    (page.games.length > 0 || isChosen("with")) &&
      choice("with", [["", t("games.by.anyone")], ...among("people", "bots")]),
    people.length > 0 && choice("player", [["", t("games.by.anyone")], ...people.map((name) => [name, name])]),
    isChosen("player") && choice("result", [["", t("games.by.all")], ...among("won", "lost")]),
  ]);
}

function choose(name, value) {
  asked.set(name, value);
  if (!asked.get("player")) asked.delete("result");
  history.replaceState(null, "", listAddress(location.pathname));
  load();
}

// --- one game ---------------------------------------------------------------------------------------------------

const bestText = ({ number, name, score }) =>
  h("li", {}, h("a", { href: `/games/${number}` }, t("games.best", { game: name, score })));

function gameCard(game) {
  const { number, map, title, name, started, state, imported, score, players = [] } = game;
  const open = state === "over";
  const when = [t("games.number", { number }), started !== null && dateText(started), open && lengthText(game)];
  return h("li", { class: "past", testid: `game-${number}` }, [
    pictureOf(game),
    h("div", {}, [
      h("h2", {}, title ?? name, map && name !== title && h("small", {}, ` ${name}`)),
      h("p", { class: "verdict-line" }, outcomeText(game)),
      players.length > 0 && playerLines(score === null ? players : players.map((it) => ({ ...it, won: false }))),
      quiet(when.filter(Boolean).join(" · "), imported && h("em", {}, t("games.imported"))),
    ]),
    h("div", { class: "row" }, [
      open && link(t("games.look"), `look-${number}`, `/games/${number}`, { class: "main" }),
      open && link(t("games.save"), `save-${number}`, `/api/games/${number}/record`, { download: "" }),
      state === "running" && link(t("games.watch"), "watch", "/table", { class: "main" }),
      page.admin && state !== "running" && button(t("admin.games.delete"), `delete-${number}`, () => remove(game)),
    ]),
  ]);
}

// The map, or else the picture of the game.
function pictureOf({ map, cover }) {
  if (!map && cover)
    return svg("svg", { viewBox: "0 0 48 48", class: "art cover", "aria-hidden": "true" }, [
      svg("use", { href: cover }),
    ]);
  const src = map ? `/maps/${map}.svg` : "/static/icon.svg";
  return h("img", { src, alt: "", loading: "lazy", width: 120, height: 85 });
}

async function remove(game) {
  if (await confirmRemove(game)) load();
}

// Deleting needs the admin PIN; without it, a line says where to enter it.
async function askForAdmin() {
  try {
    page.admin = (await ask("/api/house")).status === 200;
    show();
  } catch {
    // Nothing can be deleted while the table is unreachable.
  }
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
    onchange: (event) => importRecord(event.target.files[0]),
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

function showMessage(sentence, bad = false, number = null) {
  page.said = { sentence, bad, number };
  show();
}

async function importRecord(file) {
  if (!file || page.busy) return;
  if (file.size > LARGEST) return showMessage(t("games.take.large"), true);
  page.busy = true;
  show();
  const answer = await postBody("/api/games", file);
  page.busy = false;
  if (!answer.ok) return showMessage(answer.error.sentence, true);
  showMessage(t("games.take.done", answer), false, answer.number);
  load();
}

// Accept a file dropped anywhere on the page, instead of letting the browser open it.
for (const name of ["dragover", "drop"]) window.addEventListener(name, (event) => event.preventDefault());
window.addEventListener("dragover", () => $("#post").classList.add("over"));
for (const name of ["dragleave", "drop"]) window.addEventListener(name, () => $("#post").classList.remove("over"));
window.addEventListener("drop", (event) => importRecord(event.dataTransfer.files[0]));

show();
load();
if (document.body.dataset.keyed === "yes") askForAdmin();
