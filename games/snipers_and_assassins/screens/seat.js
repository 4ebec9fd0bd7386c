// A player's screen: the map with everybody's pieces, the player's turn, all players, the log.

import { SeatScreen } from "/static/drawer.js";
import { actionButton, lastActor } from "/static/frame.js";
import { afterGame } from "/static/on-demand.js";
import { News, Since, entryList } from "/static/news.js";
import { actionPanel } from "/static/panel.js";
import { showManual } from "/static/scene.js";
import { t, tOf } from "/static/texts.js";
import { announce, h, headline } from "/static/ui.js";
import { Wand } from "/static/wand.js";
import { showHunts } from "./hunt.js";
import { KINDS, showPieces } from "./pieces.js";
import { hunterOf, playerList, raceTrack, reached, standingLine, turnName, verdict } from "./players.js";
import { counts, gistFor, headlines, ownerOf, Recent, toldLine, worstTone } from "./recent.js";
import { setupPart } from "./setup.js";
import { turnPart } from "./turn.js";

const FEW = 3;
const news = new News();
const recent = new Recent();
const narrow = matchMedia("(max-width: 479px)");

// `fresh` are the spaces of what the picture `drawn` has brought.
let page, map, seat, since, fresh, drawn;

export function screen(shell) {
  ({ map, seat } = shell);
  since = new Since(seat.name);
  page = new SeatScreen(shell, {
    hear,
    acting,
    head,
    part,
    over,
    draw,
    look: followGame,
    places,
    wand: new Wand(pick),
    title: () => turnName(page.picture, seat.name),
    lift: (id) => page.plan({ marker: id.split("-")[0] }),
    sections: { players: ["sa.players", playerCards], log: ["sa.log", () => entryList(page.picture.log, owned)] },
  });
  return page;
}

function hear(picture, before) {
  news.hear(picture.log, { toneOf: worstTone });
  if (before?.view?.setup && picture.view?.setup === null && map.ready) map.frame();
  if (picture.view) since.hear(picture, acting());
}

/** @type {(entry: any) => any[]} */
const owned = ({ marker }) => ["", ownerOf(page.picture, marker)];

const acting = () => page.rest === null && page.picture.view.turn === seat.name;

function part() {
  if (!acting()) return { dock: waitDock };
  const { picture, words, draft, plan: redraft } = page;
  const lineOf = toldLine(picture);
  const report = { among: counts, gistOf: (lines) => gistFor(seat.name, lines)?.sentence, lineOf };
  const context = { picture, words, draft, redraft, seat, news: () => since.card(report), race: raceList };
  return picture.view.setup ? setupPart(context) : turnPart(context);
}

function head() {
  const { view } = page.picture;
  const { setup, round, turns_to_go: turns } = view;
  if (setup !== null) return [];
  const [number, hunter] = [turns[seat.name], hunterOf(view, seat.name)];
  const race = hunter ? t("sa.race", { own: number, hunter: turns[hunter] }) : t("sa.past.to-go", { number });
  return [
    h("span", { class: "race" }, [
      t("sa.round", { round }),
      page.rest !== "hud.over" && h("span", { class: "unseen" }, ` · ${race}`),
      raceTrack(view, seat.name),
    ]),
  ];
}

// Shown where there is room below the choices, and the drawer with the same cards is closed.
const raceList = () => [
  standingLine(page.picture, seat.name),
  playerList(page.picture, page.words, { own: seat.name, brief: true }),
];

function waitDock() {
  const { view, log, undo, take_back: back } = page.picture;
  const last = headlines(log);
  const props = { class: `outlook-list ${worstTone(last)}`, testid: "latest" };
  const told = last.length > 0 && h("div", props, last.map(toldLine(page.picture)));
  const foot = (undo || back) && actionButton(seat, t("sa.take-back"), "take-back", { type: "take-back" });
  return actionPanel([view.setup && headline(tOf("sa.setup.others", view.setup)), told, ...raceList()], { foot });
}

const over = () => ({
  dock: () => [
    page.picture.view.over && [verdict(page.picture, seat.name), reached(page.picture, seat.name), raceList()],
    afterGame(page.picture),
  ],
});

// --- the map ----------------------------------------------------------------------------------------------------

function draw(shown) {
  const { view, board, log } = page.picture;
  showManual(map, board.manual);
  showPieces(map, view, seat.name);
  showHunts(map, view, seat.name);
  const brought = recent.show(map, log, view);
  // A picture is drawn several times, and the map follows after the last.
  if (drawn !== page.picture) fresh = brought;
  drawn = page.picture;
  if (shown.draw) return shown.draw(map);
  map.draw("lines", [], () => []);
}

// Keeps what matters in view: the choices of one's own turn, or else what has just happened.
function followGame() {
  const { players: all, over: end } = page.picture.view;
  const winner = end?.winner && [all[end.winner].assassin];
  // A phone shows what others do from close by, until they do something else.
  if (!acting() && !winner && narrow.matches) return void (fresh?.length && map.camera.find(fresh));
  // Of a board for many, all markers at once are too small.
  const last = Object.keys(all).length > FEW ? fresh : markerSpaces();
  // A shot stays in view next to the choices that follow it.
  const spaces = acting() ? [...part().places(), ...(fresh ?? [])] : (winner ?? last);
  if (spaces?.length) map.reveal(spaces);
}

function places() {
  const own = acting() ? part().places() : [];
  return own.length ? own : markerSpaces();
}

// Where the markers of all players are, or of many only one's own. Leaders are at the far end: with them a phone shows
// everything too small.
function markerSpaces() {
  const { players } = page.picture.view;
  const all = Object.values(players);
  const shown = all.length > FEW ? [players[seat.name]] : all;
  return shown.flatMap((player) => KINDS.map((kind) => player[kind]).filter(Boolean));
}

// Someone picked a space on the board. It is chosen here, but nothing is done yet.
function pick(space) {
  if (!acting()) return;
  announce(t("sa.picked", { space }));
  part().tap(space);
}

// --- the drawer -------------------------------------------------------------------------------------------------

const playerCards = () => [
  lastActor(page.picture.seats[seat.name]),
  playerList(page.picture, page.words, { own: seat.name }),
];
