// The lobby: game, seats, map, options, and the start.

import { face } from "./art.js";
import { chooseBot, botFailures } from "./bots.js";
import { form, pinInput } from "./form.js";
import { freeSeat } from "./freeing.js";
import { ask, PictureStream, isCurrentGame, pause as wait, post, postSeat } from "./net.js";
import { boardStrip, pauseText, endGameFold, showLine, openSeat, request } from "./frame.js";
import { askToEnd } from "./on-demand.js";
import { OptionControls } from "./options.js";
import { levels, playNow, remember, remembered, takeAlone } from "./play-now.js";
import { aidsLink, bookLink, healthLink } from "./reasons.js";
import { sealedBox } from "./sealed.js";
import { deviceName, has, list, seatName, t, tFor, tOf } from "./texts.js";
import { $, button, check, dialog, field, fieldset, h, link, paint, quiet, submit } from "./ui.js";
import { wanted, wish, wishes } from "./wishes.js";

const page = { facts: null };

const controls = new OptionControls((changes) => choose(changes));

// A choice is shown at once and sent; actions and refreshes wait until it has arrived.
let sending = Promise.resolve();
let choices = 0;

function choose(changes) {
  choices += 1;
  page.facts = { ...page.facts, selection: { ...page.facts.selection, ...changes } };
  show();
  sending = sending.then(() => request("/api/choose", changes));
  sending.then(refresh);
}

// The table's picture says when something has changed; the details are requested.
const stream = new PictureStream("table", { onPicture: hear, onState: showLine });

function hear({ board, finished }) {
  page.heeded = board.heeded;
  page.board = board;
  page.finished = finished;
  refresh();
}

async function refresh() {
  try {
    await sending;
    const chosen = choices;
    const { status, body } = await ask("/api/lobby");
    if (status !== 200 || chosen !== choices) return;
    if (!isCurrentGame(body)) return;
    const begun = page.facts && page.facts.stage !== "playing" && body.stage === "playing";
    page.facts = body;
    // A player who waits here goes to their seat when any device starts the game.
    const [seat, ...others] = Object.keys(body.mine);
    if (begun && seat && !others.length) return void openSeat(seat);
    show();
  } catch {
    stream.lose();
  }
}

const names = "lost notice wishes play games seats maps setup sealing look join learn admin".split(" ");
const parts = Object.fromEntries(names.map((name) => [name, h("section", { class: name })]));
$("#lobby").append(...Object.values(parts));

function show() {
  const { facts } = page;
  if (!facts) return;
  const { stage, seats, mine, games, maps, addresses, simulated, selection } = facts;
  const playing = stage === "playing";
  const alone = Object.entries(seats).every(([seat, { devices }]) => mine[seat] || devices.every((it) => it.bot));
  const empty = {
    notice: stage === "lobby",
    lost: facts.lost.length === 0,
    games: playing || games.length < 2,
    maps: playing || maps.length === 0,
    setup: playing,
    sealing: !facts.sealed,
    join: addresses.length === 0,
  };
  const always = ["lost", "notice", "wishes"];
  for (const [name, part] of Object.entries(parts))
    part.hidden = empty[name] || !(always.includes(name) || wanted(name));
  paint(parts.wishes, [wish()], wishes);
  paint(parts.lost, [facts.lost], () =>
    h("div", { class: "notice", testid: "lost" }, [facts.lost.map((sentence) => h("p", {}, sentence))]),
  );
  paint(parts.notice, [stage, seats, facts.paused, mine, page.board, page.finished], () => notice(stage));
  paint(parts.play, [playing, alone, facts.title, Object.keys(seats), facts.bots, levels], () =>
    playing || !alone ? busy(playing) : playNow(facts, show),
  );
  paint(parts.games, [games, selection.game], () => [
    h("h2", {}, t("lobby.game")),
    h("div", { class: "game-cards" }, games.map(gameCard)),
  ]);
  paint(parts.seats, [stage, seats, mine], () => [
    h("h2", {}, t("lobby.seats")),
    !playing && quiet(t("lobby.together")),
    h("div", { class: "seat-cards" }, Object.keys(seats).map(seatCard)),
  ]);
  paint(parts.maps, [maps, selection.map], () => [
    h("h2", {}, t("lobby.map")),
    h("div", { class: "map-cards" }, maps.map(mapCard)),
  ]);
  paint(parts.setup, [stage, seats, facts.form, selection, facts.possible_hints, wish()], setup);
  paint(parts.sealing, [facts.sealed], () => sealedBox(facts.sealed));
  paint(parts.look, [simulated], look);
  paint(parts.join, [addresses], join);
  paint(parts.learn, [], learn);
  paint(parts.admin, [], settings);
}

// Why nobody can play alone now. Without a chosen topic, the notice above says it.
const busy = (playing) =>
  wish() !== null && h("p", { class: "quiet", testid: "busy" }, playing ? t("play.busy") : t("play.people"));

function notice(stage) {
  if (stage === "over")
    return [
      h("strong", { testid: "stage" }, t("lobby.over")),
      page.finished !== null && h("div", { class: "row" }, [link(t("over.look"), "look", `/games/${page.finished}`)]),
    ];
  const { paused, workshop, mine } = page.facts;
  const more = people() ? t("lobby.playing.more") : t("lobby.playing.bots");
  const resting = paused !== null;
  const mayEnd = !people() || Object.keys(mine).length > 0;
  return [
    h("p", {}, [
      h("strong", { testid: "stage" }, resting ? pauseText(page.facts) : t("lobby.playing")),
      ` ${workshop ? t("pause.workshop.more") : resting ? t("pause.more") : more}`,
    ]),
    page.board && !resting && boardStrip(page.board, false),
    Object.keys(mine).map((seat) => link(tFor("lobby.open", seat), `back-${seat}`, `/${seat}`, { class: "main big" })),
    mayEnd &&
      h("div", { class: "row" }, [
        !workshop && button(resting ? t("pause.end") : t("pause.call"), "pause", () => pause(!resting)),
        !people() && button(page.heeded ? t("menu.without-board") : t("menu.with-board"), "use-sensors", toggleSensors),
      ]),
    mayEnd && endGameFold("end-game", endGame),
  ];
}

const toggleSensors = () => request("/api/heed", { heeding: !page.heeded });

async function pause(paused) {
  if (await request("/api/pause", { paused })) refresh();
}

const people = () => Object.values(page.facts.seats).some(({ devices }) => devices.some((it) => !it.bot));

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
      taken ? devices.map((it) => h("span", {}, holder(seat, it))) : h("span", {}, t("lobby.free")),
    ]),
    bot && h("p", { class: "opponent quiet" }, face(bot.bot), h("span", {}, about(seat, bot.bot))),
    botFailures({ [seat]: facts.seats[seat] }),
    mine
      ? [link(tFor("lobby.open", seat), `open-${seat}`, `/${seat}`, { class: "main" }), quiet(t("lobby.yours"))]
      : ways(seat, led),
    taken && facts.stage !== "playing" && releaseButton(seat, { mine, bot, open: openToAll(seat) }),
  ]);
}

// The ways for this device to take or share a seat, or to give it to a bot.
function ways(seat, led) {
  const { taken, devices, parts: squads } = page.facts.seats[seat];
  const [pin, bot] = [devices.some((it) => it.pin), devices.some((it) => it.bot)];
  const open = shared(seat) ? squads.some((squad) => !led.has(squad)) : !taken;
  const label = taken ? tFor("lobby.join", seat) : tFor("lobby.take", seat);
  const alone = taken && !bot && openToAll(seat);
  return [
    open && button(label, `take-${seat}`, () => take(seat, led), { class: "main" }),
    !taken && button(t("lobby.bot"), `bot-${seat}`, () => seatBot(seat)),
    taken && pin && button(t("lobby.take-over"), `take-over-${seat}`, () => takeOver(seat)),
    alone && button(t("play.take"), `take-alone-${seat}`, () => playOn(seat)),
    taken && pin && !bot && shared(seat) && button(t("lobby.share"), `share-${seat}`, () => share(seat)),
  ];
}

function releaseButton(seat, who) {
  const label = who.bot ? t("lobby.bot.away") : t("lobby.release");
  return button(label, `release-${seat}`, () => release(seat, who), { class: "plain" });
}

// Whether several devices can share its parts.
function shared(seat) {
  const { secret, parts: squads } = page.facts.seats[seat];
  return squads.length > 0 && !secret;
}

// A single player without a PIN has no secret to protect: another device can continue the game.
const openToAll = (seat) =>
  Object.entries(page.facts.seats).every(([name, { devices }]) =>
    devices.every((it) => it.bot || (name === seat && !it.pin)),
  );

async function playOn(seat) {
  if (await takeAlone(seat)) openSeat(seat);
}

const about = (seat, name) => page.facts.bots[seat].find((it) => it.name === name).about;

function holder(seat, { device, squads, bot }) {
  if (bot) return deviceName({ device, bot });
  if (!squads.length) return t("lobby.taken", { device });
  const led =
    squads.length === page.facts.seats[seat].parts.length
      ? t("lobby.all-squads")
      : list(squads.map((squad) => tOf("squad", squad)));
  return t("lobby.taken.squads", { device, squads: led });
}

async function take(seat, led) {
  const free = page.facts.seats[seat].parts.filter((squad) => !led.has(squad));
  const done = await dialog(tFor("lobby.take", seat), "claim-dialog", (close) =>
    seatForm(seat, "/api/claim", close, free),
  );
  if (done) openSeat(seat);
}

async function takeOver(seat) {
  const places = page.facts.seats[seat].devices;
  const done = await dialog(t("lobby.take-over.title"), "claim-dialog", (close) => [
    h("p", {}, t("lobby.take-over.text")),
    seatForm(seat, "/api/take-over", close, [], { places }),
  ]);
  if (done) openSeat(seat);
}

// Adds a device: both play on, with all squads together or each with some.
async function share(seat) {
  const done = await dialog(t("lobby.share"), "claim-dialog", (close) => [
    h("p", {}, t("lobby.share.text")),
    seatForm(seat, "/api/take-over", close, page.facts.seats[seat].parts, {
      label: t("lobby.share.send"),
      legend: t("lobby.share.squads"),
      share: true,
    }),
  ]);
  if (done) openSeat(seat);
}

const ASK_AGAIN_MS = 1000;

// Whether this browser holds the seat. A busy table is asked again: its answer to the claim may have kept the seat.
async function sits(seat) {
  for (;;) {
    try {
      const { status, body } = await ask("/api/lobby");
      if (status === 200) return Boolean(body.mine[seat]);
    } catch {
      // The network is away; the seat stays as it is.
    }
    await wait(ASK_AGAIN_MS);
  }
}

// The form for taking a seat, or with `path` "/api/take-over" for sharing it or replacing a device.
function seatForm(
  seat,
  path,
  close,
  free,
  { label = "", legend = t("lobby.squads"), places = [], share = false } = {},
) {
  const claims = path === "/api/claim";
  const known = remembered();
  const device = h("input", {
    ...{ name: "device", required: true, maxlength: 40, autocomplete: "off", testid: "claim-device" },
    value: known.device || tFor("lobby.default", seat),
  });
  const asked = page.facts.pins || !claims;
  const value = (claims && known.pin) || "";
  const pin = pinInput({ inputmode: "numeric", required: asked, value, minlength: 4, testid: "claim-pin" });
  const boxes = (shared(seat) ? free : []).map((squad) =>
    h("input", { type: "checkbox", name: "squad", value: squad, checked: !share, testid: `claim-${squad}` }),
  );
  const send = ({ place: replaced }) => {
    const squads = boxes.filter((box) => box.checked).map((box) => box.value);
    const more = claims ? {} : { share, instead: replaced?.value ? Number(replaced.value) : null };
    return postSeat(path, { seat, pin: pin.value, device: device.value, squads, ...more });
  };
  const done = async () => {
    if (await sits(seat)) {
      remember(claims && pin.value ? { device: device.value, pin: pin.value } : { device: device.value });
      return close(true);
    }
    // The key is lost, so the seat must be freed.
    if (claims) await post("/api/release", { seat, pin: pin.value });
    return t("net.cookies");
  };
  const fields = [
    field(t("lobby.device"), device, t("lobby.device.hint")),
    field(t("lobby.pin"), pin, asked ? t("lobby.pin.hint") : t("lobby.pin.free")),
    places.length > 1 &&
      fieldset(
        t("lobby.take-over.instead"),
        places.map((it, i) => place(seat, it, i === 0)),
      ),
    boxes.length > 0 &&
      fieldset(
        legend,
        boxes.map((box) => h("label", { class: `check ${box.value}` }, box, tOf("squad", box.value))),
      ),
    h("div", { class: "row" }, [
      button(t("menu.cancel"), "claim-cancel", () => close(false)),
      submit(label || (claims ? t("lobby.take") : t("lobby.take-over")), "claim-send"),
    ]),
  ];
  return form("claim-fault", fields, send, done);
}

const place = (seat, it, checked) =>
  check(holder(seat, it), `claim-place-${it.number}`, { type: "radio", name: "place", value: it.number, checked });

async function release(seat, who) {
  if (await freeSeat(seat, who)) refresh();
}

async function seatBot(seat) {
  const bot = await chooseBot(seat, page.facts.bots[seat], t("bots.text"));
  if (bot && (await request("/api/bot", { seat, bot }))) refresh();
}

// --- the game to come -------------------------------------------------------------------------------------------

function setup() {
  const { facts } = page;
  const missing = Object.keys(facts.seats).filter((seat) => !facts.seats[seat].taken);
  const label = facts.stage === "over" ? t("lobby.start.again") : t("lobby.start");
  return [
    h("h2", {}, t("lobby.options")),
    controls.parts(facts),
    // In a game alone, taking a seat starts it.
    wish() !== "alone" && [
      button(label, "start", start, { class: "main big", disabled: missing.length > 0 }),
      missing.length > 0 &&
        h(
          "p",
          { class: "quiet", testid: "start-need" },
          t("lobby.start.need", { seats: seatNames(facts.seats, missing) }),
        ),
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

const seatNames = (seats, some) => list(some.map((seat) => seatName(seats, seat)));

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

const look = () =>
  links(
    t("lobby.look"),
    link(t("lobby.tv"), "link-table", "/table"),
    page.facts.simulated && link(t("lobby.board"), "link-board", "/board"),
    link(t("games.title"), "link-games", "/games"),
  );

function learn() {
  const { manual } = document.body.dataset;
  return links(
    tOf("wish", "learn"),
    link(t("wish.lessons"), "lessons", "/learn", { class: "main" }),
    bookLink("link-rules", "button"),
    aidsLink("link-aids", "button"),
    manual && link(t("lobby.manual"), "link-manual", manual),
  );
}

const settings = () =>
  links(
    tOf("wish", "admin"),
    link(t("admin.title"), "link-admin", "/admin"),
    healthLink("link-health", "button"),
    link(t("device.trust"), "link-trust", "/trust"),
  );

function join() {
  return [
    h("img", { class: "qr", src: "/qr.svg", alt: t("lobby.qr"), width: 180, height: 180, testid: "qr" }),
    h("div", {}, [
      h("h2", {}, t("lobby.address")),
      page.facts.addresses.map((address) => h("p", { class: "address" }, address)),
    ]),
  ];
}

window.addEventListener("hashchange", () => {
  show();
  window.scrollTo({ top: 0 });
});
stream.open();
refresh();
