// The lobby: game, seats, map, options, and the start.

import { botFace } from "./art.js";
import { areAlike, chooseBot, botFailures, fillButton } from "./bots.js";
import { freeSeat, holderText, isShared, share, take, takeOver } from "./claiming.js";
import { askCareer } from "./missions.js";
import { ask, PictureStream, isCurrentGame } from "./net.js";
import { boardStrip, pauseText, endGameFold, showConnection, openSeat, request } from "./frame.js";
import { askToEnd } from "./on-demand.js";
import { OptionControls } from "./options.js";
import { busyLines, levels, playNow, takeLeftSeat, tellFree, isWaiting } from "./play-now.js";
import { aidsLink, bookLink, healthLink } from "./reasons.js";
import { sealedBox } from "./sealed.js";
import { has, list, seatName, t, tFor, tOf } from "./texts.js";
import { $, button, h, link, paint, quiet } from "./ui.js";
import { isShown, topic, topicCards } from "./topics.js";

// `chosen` is what this page has chosen of which game: the options of other groups are not those of someone who plays
// at once.
const page = { facts: null, chosen: {}, career: { beaten: {}, stars: {} } };

const controls = new OptionControls((changes) => choose(changes));

// A choice is shown at once and sent; actions and refreshes wait until it has arrived.
let sending = Promise.resolve();
let choices = 0;

function choose(changes) {
  choices += 1;
  // Shown before the table answers; if it refuses, the refresh shows the old choice again.
  const game = changes.game ?? page.facts.selection.game;
  page.chosen = { ...(page.chosen.game === game ? page.chosen : {}), game, ...changes };
  page.facts = { ...page.facts, selection: { ...page.facts.selection, ...changes } };
  show();
  sending = sending.then(() => request("/api/choose", changes));
  sending.then(refresh);
}

// The table's picture only signals that something has changed; the page then requests the details.
const stream = new PictureStream("table", { onPicture: receive, onState: showConnection });

function receive({ board, finished }) {
  page.heeded = board.heeded;
  page.board = board;
  page.finished = finished;
  refresh();
}

async function refresh() {
  try {
    await sending;
    const ownChoice = choices;
    const { status, body } = await ask("/api/lobby");
    // After another choice, this answer would show the old one for a moment.
    if (status !== 200 || ownChoice !== choices) return;
    // The page loads again for another game: it is empty at first, so the browser can't return to the place.
    if (!isCurrentGame(body)) return void history.replaceState({ top: window.scrollY }, "");
    const begun = page.facts && page.facts.stage !== "playing" && body.stage === "playing";
    page.facts = withFreeSeat(body);
    page.game = body.selection.game;
    // A player who waits here goes to their seat when any device starts the game.
    const [seat, ...others] = Object.keys(body.mine);
    if (begun && seat && !others.length) return void openSeat(seat);
    show();
    arrive();
  } catch {
    stream.lose();
  }
}

// Shows the seat of a person who has left, finished or given up a game alone as free: it is for everyone else.
function withFreeSeat(facts) {
  const { stage, left, mine, seats } = facts;
  if (!left || stage === "playing" || mine[left]) return facts;
  return { ...facts, seats: { ...seats, [left]: { ...seats[left], taken: false, devices: [] } } };
}

// Many faults are folded: people who come to play read one.
const lostLines = ([first, ...others]) =>
  others.length ? h("details", {}, h("summary", {}, first), [others.map((it) => h("p", {}, it))]) : h("p", {}, first);

const names = "lost notice topics games play seats maps setup sealing look join learn admin".split(" ");
const parts = Object.fromEntries(names.map((name) => [name, h("section", { class: name, hidden: true })]));
$("#lobby").append(...Object.values(parts));

function show() {
  const { facts } = page;
  if (!facts) return;
  const { stage, seats, mine, games, maps, addresses, simulated, selection } = facts;
  const playing = stage === "playing";
  const alone = isAlone();
  const empty = {
    notice: stage === "lobby",
    lost: facts.lost.length === 0,
    // If no topic is chosen, the notice above says that others play.
    play: topic() === null && !canStart(),
    games: playing || games.length < 2,
    maps: playing || mapsFor(maps, selection).length < Math.min(2, maps.length) || !maps.length,
    setup: playing || (topic() === "alone" && !alone),
    sealing: !facts.sealed,
    join: addresses.length === 0,
  };
  const always = ["lost", "notice", "topics"];
  for (const [name, part] of Object.entries(parts))
    part.hidden = empty[name] || !(always.includes(name) || isShown(name));
  paint(parts.topics, [topic()], topicCards);
  paint(parts.lost, [facts.lost], () => h("div", { class: "notice", testid: "lost" }, lostLines(facts.lost)));
  paint(parts.notice, [stage, seats, facts.paused, mine, page.board, page.finished], () => noticePart(stage));
  // Until the table has answered, the buttons still show the previous game.
  const changing = selection.game !== page.game;
  const others = [hasPeople(), openSeatName(), Object.keys(mine), topic(), facts.left, isWaiting(), changing];
  const { career } = page;
  paint(
    parts.play,
    [playing, alone, facts.title, Object.keys(seats), facts.bots, levels, optionValues(), career, ...others],
    () =>
      canStart()
        ? playNow(facts, {
            players: isShown("play") && controls.players(optionValues()),
            values: optionValues(),
            chosen,
            changing,
            show,
            career,
            ask: askAgain,
          })
        : busyPart(),
  );
  if (canStart()) tellFree();
  paint(parts.games, [games, selection.game], () => [
    h("h2", {}, t("lobby.game")),
    h("div", { class: "game-cards" }, games.map(gameCard)),
    h("p", { class: "quiet game-about" }, games.find(({ name }) => name === selection.game)?.about),
  ]);
  const counted = !playing && !(canStart() && isShown("play"));
  paint(parts.seats, [stage, seats, mine, counted && optionValues()], () => [
    h("h2", {}, t("lobby.seats")),
    counted && controls.players(optionValues()),
    !playing && quiet(t("lobby.together")),
    !playing && fillPart(),
    h("div", { class: "seat-cards" }, Object.keys(seats).map(seatCard)),
  ]);
  paint(parts.maps, [mapsFor(maps, selection), selection.map], () => [
    h("h2", {}, t("lobby.map")),
    h("div", { class: "map-cards" }, mapsFor(maps, selection).map(mapCard)),
  ]);
  paint(parts.setup, [stage, seats, optionValues(), topic()], setupPart);
  paint(parts.sealing, [facts.sealed], () => sealedBox(facts.sealed));
  paint(parts.look, [simulated], lookLinks);
  paint(parts.join, [addresses], joinPart);
  paint(parts.learn, [], learnLinks);
  paint(parts.admin, [], adminLinks);
}

// Asks for the person's career; until the table answers, the last one stays.
async function askAgain() {
  page.career = await askCareer();
  show();
}

// Whether one person can start a game here.
const canStart = () => page.facts.stage !== "playing" && isAlone();
const isAlone = () =>
  Object.entries(page.facts.seats).every(([seat, it]) => page.facts.mine[seat] || it.devices.every(({ bot }) => bot));

const chosen = () => (page.chosen.game === page.facts.selection.game ? page.chosen : {});

// The form of the options with their values. For a game alone they are the defaults, except for this page's choices
// and the number of players.
function optionValues() {
  const { form, possible_hints, selection } = page.facts;
  if (topic() !== "alone") return { form, possible_hints, selection };
  const { players } = selection.options;
  const options = chosen().options ?? (players === undefined ? {} : { players });
  return { form, possible_hints, selection: { ...selection, possible_hints: false, ...chosen(), options } };
}

// The maps for the chosen number of players.
const mapsFor = (maps, { options }) =>
  maps.filter((map) => Object.entries(map.options ?? {}).every(([name, value]) => (options[name] ?? value) === value));

const openSeatName = () =>
  Object.keys(page.facts.seats).find((seat) => page.facts.seats[seat].taken && isOpen(seat) && hasPerson(seat));
const hasPerson = (seat) => page.facts.seats[seat].devices.some((it) => !it.bot);
const peopleNames = () =>
  Object.values(page.facts.seats).flatMap(({ devices }) => devices.filter((it) => !it.bot).map((it) => it.device));

const busyPart = () =>
  busyLines(page.facts, {
    people: peopleNames(),
    open: openSeatName(),
    mine: Object.keys(page.facts.mine),
    show,
    refresh,
  });

function noticePart(stage) {
  if (stage === "over")
    return [
      h("strong", { testid: "stage" }, t("lobby.over")),
      page.finished !== null && h("div", { class: "row" }, [link(t("over.look"), "look", `/games/${page.finished}`)]),
    ];
  const { paused, workshop, mine } = page.facts;
  // A seat without a PIN can be taken over by anyone.
  const more = hasPeople() ? !openSeatName() && t("lobby.playing.more") : t("lobby.playing.bots");
  const resting = paused !== null;
  const mayEnd = !hasPeople() || Object.keys(mine).length > 0;
  return [
    h("p", {}, [
      h("strong", { testid: "stage" }, resting ? pauseText(page.facts) : t("lobby.playing")),
      ` ${workshop ? t("pause.workshop.more") : resting ? t("pause.more") : more || ""}`,
    ]),
    page.board && !resting && boardStrip(page.board, false),
    Object.keys(mine).map((seat) => link(tFor("lobby.open", seat), `back-${seat}`, `/${seat}`, { class: "main big" })),
    mayEnd &&
      h("div", { class: "row" }, [
        !workshop && button(resting ? t("pause.end") : t("pause.call"), "pause", () => setPause(!resting)),
        !hasPeople() &&
          page.board?.open &&
          button(page.heeded ? t("menu.without-board") : t("menu.with-board"), "use-sensors", toggleSensors),
      ]),
    mayEnd && endGameFold("end-game", endGame),
  ];
}

const toggleSensors = () => request("/api/heed", { heeding: !page.heeded });

async function setPause(paused) {
  if (await request("/api/pause", { paused })) refresh();
}

const hasPeople = () => Object.keys(page.facts.seats).some(hasPerson);

async function endGame() {
  if (await askToEnd()) refresh();
}

// --- seats ------------------------------------------------------------------------------------------------------

function seatCard(seat) {
  const { facts } = page;
  const { taken, devices } = facts.seats[seat];
  const mine = facts.mine[seat];
  const bot = devices.find((it) => it.bot);
  const led = new Set(devices.flatMap((it) => it.squads));
  return h("article", { class: `seat-card ${seat} ${taken ? "taken" : "free"}`, testid: `seat-${seat}` }, [
    h("h3", {}, seatName(facts.seats, seat)),
    has(`lobby.about.${seat}`) && h("p", { class: "blurb" }, tOf("lobby.about", seat)),
    h("p", { class: "holder", testid: `holder-${seat}` }, [
      h("i", { class: taken ? "lamp hot" : "lamp", "aria-hidden": "true" }),
      taken ? devices.map((it) => h("span", {}, holderText(facts, seat, it))) : h("span", {}, t("lobby.free")),
    ]),
    bot && h("p", { class: "opponent quiet" }, botFace(bot.bot), h("span", {}, botText(seat, bot.bot))),
    botFailures({ [seat]: facts.seats[seat] }),
    mine
      ? [link(tFor("lobby.open", seat), `open-${seat}`, `/${seat}`, { class: "main" }), quiet(t("lobby.yours"))]
      : claimButtons(seat, led),
    taken && facts.stage !== "playing" && releaseButton(seat, { mine, bot }),
  ]);
}

// The ways for this device to take or share a seat, or to give it to a bot.
function claimButtons(seat, led) {
  const { taken, devices, parts: squads } = page.facts.seats[seat];
  const [pin, bot] = [devices.some((it) => it.pin), devices.some((it) => it.bot)];
  const open = isShared(page.facts, seat) ? squads.some((squad) => !led.has(squad)) : !taken;
  const label = taken ? tFor("lobby.join", seat) : tFor("lobby.take", seat);
  const alone = (taken && page.facts.left === seat) || page.facts.back.includes(seat);
  return [
    open && button(label, `take-${seat}`, () => take(page.facts, seat, led), { class: "main" }),
    !taken && button(t("lobby.bot"), `bot-${seat}`, () => seatBot(seat)),
    taken && pin && button(t("lobby.take-over"), `take-over-${seat}`, () => takeOver(page.facts, seat)),
    alone && button(t("play.take"), `take-alone-${seat}`, () => takeLeftSeat(seat)),
    taken && pin && !bot && button(t("lobby.share"), `share-${seat}`, () => share(page.facts, seat)),
  ];
}

// Once someone has sat down, one choice fills all other seats.
function fillPart() {
  const free = Object.keys(page.facts.seats).filter((seat) => !page.facts.seats[seat].taken);
  return free.length > 1 && hasPeople() && areAlike(free) && fillButton(free, () => page.facts.bots, refresh);
}

function releaseButton(seat, who) {
  const label = who.bot ? t("lobby.bot.away") : t("lobby.release");
  return button(label, `release-${seat}`, () => release(seat, who), { class: "plain" });
}

// A single player without a PIN has no secret to protect: another device can continue the game.
const isOpen = (seat) =>
  Object.entries(page.facts.seats).every(([name, { devices }]) =>
    devices.every((it) => it.bot || (name === seat && !it.pin)),
  );

const botText = (seat, name) => page.facts.bots[seat].find((it) => it.name === name).about;

async function release(seat, who) {
  if (await freeSeat(seat, who)) refresh();
}

async function seatBot(seat) {
  const bot = await chooseBot(seat, page.facts.bots[seat], t("bots.text"));
  if (bot && (await request("/api/bot", { seat, bot }))) refresh();
}

// --- the game to come -------------------------------------------------------------------------------------------

function setupPart() {
  const { facts } = page;
  const missing = Object.keys(facts.seats).filter((seat) => !facts.seats[seat].taken);
  const label = facts.stage === "over" ? t("lobby.start.again") : t("lobby.start");
  const alone = topic() === "alone";
  return [
    !alone && h("h2", {}, t("lobby.options")),
    alone ? controls.folded(optionValues()) : controls.parts(optionValues()),
    // In a game alone, taking a seat starts it.
    !alone && [
      button(label, "start", start, { class: "main big", disabled: missing.length > 0 }),
      missing.length > 0 &&
        h("p", { class: "quiet", testid: "start-need" }, [
          t("lobby.start.need", { seats: list(missing.map((seat) => seatName(facts.seats, seat))) }),
        ]),
    ],
  ];
}

async function start() {
  await sending;
  if (!(await request("/api/start", {}))) return;
  const [mine, ...more] = Object.keys(page.facts.mine);
  if (mine && !more.length) openSeat(mine);
  else refresh();
}

function gameCard({ name, title, about: words }) {
  const chosen = page.facts.selection.game === name;
  const onclick = () => !chosen && choose({ game: name });
  return h("button", { class: "game-card", "aria-pressed": chosen, onclick, testid: `game-${name}` }, [
    h("b", {}, title),
    words && h("small", {}, words),
  ]);
}

function mapCard({ slug, name, spaces, fault, options }) {
  // A map made for a number of players also sets that number.
  const onclick = () => choose({ map: slug, options: { ...page.facts.selection.options, ...options } });
  const state = { "aria-pressed": page.facts.selection.map === slug, disabled: Boolean(fault) };
  return h("button", { class: "map-card", ...state, onclick, testid: `map-${slug}` }, [
    !fault && h("img", { src: `/maps/${slug}.svg`, alt: t("lobby.map.alt", { name }), loading: "lazy" }),
    h("b", {}, name),
    h("small", {}, fault || t("lobby.map.spaces", { number: spaces })),
  ]);
}

// A part of the lobby that consists of links.
const links = (title, ...all) => [h("h2", {}, title), all.filter(Boolean).map((it) => h("p", {}, it))];

const lookLinks = () =>
  links(
    t("lobby.look"),
    link(t("lobby.tv"), "link-table", "/table"),
    page.facts.simulated && link(t("lobby.board"), "link-board", "/board"),
    link(t("lobby.games"), "link-games", "/games"),
  );

function learnLinks() {
  const { manual } = document.body.dataset;
  return links(
    tOf("topic", "learn"),
    link(t("topic.lessons"), "lessons", "/learn", { class: "main" }),
    link(t("topic.puzzles"), "puzzles", "/puzzles"),
    bookLink("link-rules", "button"),
    aidsLink("link-aids", "button"),
    manual && link(t("lobby.manual"), "link-manual", manual),
  );
}

const adminLinks = () =>
  links(
    tOf("topic", "admin"),
    link(t("lobby.admin"), "link-admin", "/admin"),
    healthLink("link-health", "button"),
    link(t("device.trust"), "link-trust", "/trust"),
  );

function joinPart() {
  return [
    h("img", { class: "qr", src: "/qr.svg", alt: t("lobby.qr"), width: 180, height: 180, testid: "qr" }),
    h("div", {}, [
      h("h2", {}, t("lobby.address")),
      page.facts.addresses.map((address) => h("p", { class: "address" }, address)),
    ]),
  ];
}

// After the first facts have arrived. A lesson links to its own game.
let arrived = false;

function arrive() {
  if (arrived) return;
  arrived = true;
  if (topic()) scrollToAnswer();
  else window.scrollTo({ top: history.state?.top ?? 0 });
  const game = new URLSearchParams(location.search).get("game");
  if (!game) return;
  history.replaceState(null, "", location.pathname + location.hash);
  const { selection, games } = page.facts;
  if (canStart() && game !== selection.game && games.some(({ name }) => name === game)) choose({ game });
}

// Scrolls to the parts that belong to the answer: on a phone they are below the other answers.
function scrollToAnswer() {
  const { games, play, look, learn, admin } = parts;
  const first = topic() && [games, play, look, learn, admin].find((part) => !part.hidden && part.childElementCount);
  if (first) first.scrollIntoView({ block: "start" });
  else window.scrollTo({ top: 0 });
}

window.addEventListener("hashchange", () => {
  show();
  scrollToAnswer();
});
stream.open();
refresh();
askAgain();
