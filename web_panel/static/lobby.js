// The lobby: which game, who sits where, which map, which options, and the start.

import { face } from "./art.js";
import { chooseBot, troubles } from "./bots.js";
import { freeSeat } from "./freeing.js";
import { ask, Line, ofThisGame, pause as wait, post, takes } from "./net.js";
import { abandon, boardStrip, calledBy, forGood, healthLink, showLine, sitAt, tell } from "./frame.js";
import { OptionControls } from "./options.js";
import { levels, playNow, remember, remembered, takeAlone } from "./play-now.js";
import { aidsLink, bookLink } from "./reasons.js";
import { sealedBox } from "./sealed.js";
import { deviceName, has, list, seatName, t, tFor, tOf } from "./texts.js";
import { $, button, dialog, h, paint } from "./ui.js";
import { wanted, wish, wishes } from "./wishes.js";

const page = { facts: null };

const controls = new OptionControls((changes) => choose(changes));

// What is chosen is shown at once and sent; acts wait for it, and so do questions about the lobby.
let sending = Promise.resolve();
let choices = 0;

function choose(changes) {
  choices += 1;
  page.facts = { ...page.facts, selection: { ...page.facts.selection, ...changes } };
  show();
  sending = sending.then(() => tell("/api/choose", changes));
  sending.then(refresh);
}

// The table's picture tells when something has changed; what, is asked for.
const wire = new Line("table", { onPicture: hear, onState: showLine });

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
    if (!ofThisGame(body)) return;
    const begun = page.facts && page.facts.stage !== "playing" && body.stage === "playing";
    page.facts = body;
    // Who waits here for the start goes along, wherever it was pressed.
    const [seat, ...others] = Object.keys(body.mine);
    if (begun && seat && !others.length) return void sitAt(seat);
    show();
  } catch {
    wire.lose();
  }
}

const parts = Object.fromEntries(
  ["lost", "notice", "wishes", "play", "games", "seats", "maps", "setup", "sealing", "look", "join", "learn", "house"].map((name) => [name, h("section", { class: name })]),
);
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
  for (const [name, part] of Object.entries(parts)) part.hidden = empty[name] || !(always.includes(name) || wanted(name));
  paint(parts.wishes, [wish()], wishes);
  paint(parts.lost, [facts.lost], () =>
    h(
      "div",
      { class: "notice", "data-testid": "lost" },
      facts.lost.map((sentence) => h("p", {}, sentence)),
    ),
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
    !playing && h("p", { class: "quiet" }, t("lobby.together")),
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
  paint(parts.house, [], house);
}

// Why nobody can play alone here just now. Who wants nothing in particular is told by the notice above.
const busy = (playing) => wish() !== null && h("p", { class: "quiet", "data-testid": "busy" }, playing ? t("play.busy") : t("play.people"));

function notice(stage) {
  if (stage === "over")
    return [
      h("strong", { "data-testid": "stage" }, t("lobby.over")),
      page.finished !== null &&
        h(
          "div",
          { class: "row" },
          h("a", { class: "button", href: `/games/${page.finished}`, "data-testid": "look" }, t("over.look")),
        ),
    ];
  const { paused, workshop, mine } = page.facts;
  const more = people() ? t("lobby.playing.more") : t("lobby.playing.bots");
  const resting = paused !== null;
  const mayEnd = !people() || Object.keys(mine).length > 0;
  return [
    h(
      "p",
      {},
      h("strong", { "data-testid": "stage" }, resting ? calledBy(page.facts) : t("lobby.playing")),
      ` ${workshop ? t("pause.workshop.more") : resting ? t("pause.more") : more}`,
    ),
    page.board && !resting && boardStrip(page.board, false),
    Object.keys(mine).map((seat) =>
      h("a", { class: "button main big", href: `/${seat}`, "data-testid": `back-${seat}` }, tFor("lobby.open", seat)),
    ),
    mayEnd &&
      h(
        "div",
        { class: "row" },
        !workshop && button(resting ? t("pause.end") : t("pause.call"), "pause", () => pause(!resting)),
        !people() &&
          button(page.heeded ? t("menu.heed") : t("menu.unheed"), "heed", () =>
            tell("/api/heed", { heeding: !page.heeded }),
          ),
      ),
    mayEnd && forGood("end-game", endGame),
  ];
}

async function pause(paused) {
  if (await tell("/api/pause", { paused })) refresh();
}

const people = () => Object.values(page.facts.seats).some(({ devices }) => devices.some((it) => !it.bot));

async function endGame() {
  if (await abandon()) refresh();
}

// --- seats ------------------------------------------------------------------------------------------------------

function seatCard(seat) {
  const { facts } = page;
  const { taken, devices, parts: squads } = facts.seats[seat];
  const mine = facts.mine[seat];
  const bot = devices.find((it) => it.bot);
  const led = new Set(devices.flatMap((it) => it.squads));
  const open = shared(seat) ? squads.some((squad) => !led.has(squad)) : !taken;
  return h(
    "article",
    { class: `seat-card ${seat} ${taken ? "taken" : "free"}`, "data-testid": `seat-${seat}` },
    h("h3", {}, seatName(facts.seats, seat)),
    has(`lobby.about.${seat}`) && h("p", { class: "blurb" }, tOf("lobby.about", seat)),
    h(
      "p",
      { class: "holder", "data-testid": `holder-${seat}` },
      h("i", { class: taken ? "lamp hot" : "lamp", "aria-hidden": "true" }),
      taken ? devices.map((it) => h("span", {}, holder(seat, it))) : h("span", {}, t("lobby.free")),
    ),
    bot && h("p", { class: "opponent quiet" }, face(bot.bot), h("span", {}, about(seat, bot.bot))),
    troubles({ [seat]: facts.seats[seat] }),
    mine
      ? [
          h(
            "a",
            { class: "button main", href: `/${seat}`, "data-testid": `open-${seat}` },
            tFor("lobby.open", seat),
          ),
          h("p", { class: "quiet" }, t("lobby.yours")),
        ]
      : [
          open && button(takeLabel(seat, taken), `take-${seat}`, () => take(seat, led), { class: "main" }),
          !taken && button(t("lobby.bot"), `bot-${seat}`, () => seatBot(seat)),
          taken && devices.some((it) => it.pin) && button(t("lobby.take-over"), `take-over-${seat}`, () => takeOver(seat)),
          taken && !bot && openToAll(seat) && button(t("play.take"), `take-alone-${seat}`, () => playOn(seat)),
          taken && devices.some((it) => it.pin) && !bot && shared(seat) && button(t("lobby.share"), `share-${seat}`, () => share(seat)),
        ],
    taken &&
      facts.stage !== "playing" &&
      button(bot ? t("lobby.bot.away") : t("lobby.release"), `release-${seat}`, () => release(seat, { mine, bot, open: openToAll(seat) }), {
        class: "plain",
      }),
  );
}

// Several devices may share out its parts.
function shared(seat) {
  const { secret, parts: squads } = page.facts.seats[seat];
  return squads.length > 0 && !secret;
}

// Who plays alone, without a PIN, has no secret to lose: the game goes on at another device.
const openToAll = (seat) =>
  Object.entries(page.facts.seats).every(([name, { devices }]) => devices.every((it) => it.bot || (name === seat && !it.pin)));

async function playOn(seat) {
  if (await takeAlone(seat)) sitAt(seat);
}

const about = (seat, name) => page.facts.bots[seat].find((it) => it.name === name).about;

function holder(seat, { device, squads, bot }) {
  if (bot) return deviceName({ device, bot });
  if (!squads.length) return t("lobby.taken", { device });
  const led =
    squads.length === page.facts.seats[seat].parts.length ? t("lobby.all-squads") : list(squads.map((squad) => tOf("squad", squad)));
  return t("lobby.taken.squads", { device, squads: led });
}

function takeLabel(seat, taken) {
  return taken ? tFor("lobby.join", seat) : tFor("lobby.take", seat);
}

async function take(seat, led) {
  const free = page.facts.seats[seat].parts.filter((squad) => !led.has(squad));
  const done = await dialog(tFor("lobby.take", seat), "claim-dialog", (close) => form(seat, "/api/claim", close, free));
  if (done) sitAt(seat);
}

async function takeOver(seat) {
  const places = page.facts.seats[seat].devices;
  const done = await dialog(t("lobby.take-over.title"), "claim-dialog", (close) => [
    h("p", {}, t("lobby.take-over.text")),
    form(seat, "/api/take-over", close, [], { places }),
  ]);
  if (done) sitAt(seat);
}

// Another device beside: both play on, with all squads together or each with some of its own.
async function share(seat) {
  const done = await dialog(t("lobby.share"), "claim-dialog", (close) => [
    h("p", {}, t("lobby.share.text")),
    form(seat, "/api/take-over", close, page.facts.seats[seat].parts, {
      label: t("lobby.share.send"),
      legend: t("lobby.share.squads"),
      share: true,
    }),
  ]);
  if (done) sitAt(seat);
}

// Whether this browser has kept the key that it was given.
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

function form(seat, path, close, free, { label = null, legend = t("lobby.squads"), places = [], share = false } = {}) {
  const fault = h("p", { class: "fault", role: "alert", "data-testid": "claim-fault" });
  const device = h("input", {
    name: "device",
    required: true,
    maxlength: 40,
    autocomplete: "off",
    "data-testid": "claim-device",
    value: remembered().device || tFor("lobby.default", seat),
  });
  const asked = page.facts.pins || path !== "/api/claim";
  const pin = h("input", {
    name: "pin",
    type: "password",
    inputmode: "numeric",
    required: asked,
    value: (path === "/api/claim" && remembered().pin) || "",
    minlength: 4,
    maxlength: 64,
    autocomplete: "off",
    "data-testid": "claim-pin",
  });
  const boxes =
    shared(seat) && free.length
      ? free.map((squad) =>
          h("input", {
            type: "checkbox",
            name: "squad",
            value: squad,
            checked: !share,
            "data-testid": `claim-${squad}`,
          }),
        )
      : [];
  const send = async (event) => {
    event.preventDefault();
    const squads = boxes.filter((box) => box.checked).map((box) => box.value);
    const place = event.target.elements.place?.value;
    const more = path === "/api/claim" ? {} : { share, instead: place ? Number(place) : null };
    const answer = await takes(path, { seat, pin: pin.value, device: device.value, squads, ...more });
    if (!answer.ok) fault.textContent = answer.error.sentence;
    else if (await sits(seat)) {
      remember(path === "/api/claim" && pin.value ? { device: device.value, pin: pin.value } : { device: device.value });
      close(true);
    }
    else {
      // The key was lost at once: nobody could ever sit there.
      if (path === "/api/claim") await post("/api/release", { seat, pin: pin.value });
      fault.textContent = t("net.cookies");
    }
  };
  return h(
    "form",
    { onsubmit: send },
    h("label", { class: "field" }, t("lobby.device"), device, h("small", {}, t("lobby.device.hint"))),
    h("label", { class: "field" }, t("lobby.pin"), pin, h("small", {}, asked ? t("lobby.pin.hint") : t("lobby.pin.free"))),
    places.length > 1 &&
      h(
        "fieldset",
        { class: "field" },
        h("legend", {}, t("lobby.take-over.instead")),
        h("div", { class: "checks" }, places.map((it, i) => place(seat, it, i === 0))),
      ),
    boxes.length > 0 &&
      h(
        "fieldset",
        { class: "field" },
        h("legend", {}, legend),
        h(
          "div",
          { class: "checks" },
          boxes.map((box) => h("label", { class: `check ${box.value}` }, box, tOf("squad", box.value))),
        ),
      ),
    fault,
    h(
      "div",
      { class: "row" },
      button(t("menu.cancel"), "claim-cancel", () => close(false)),
      h(
        "button",
        { class: "button main", type: "submit", "data-testid": "claim-send" },
        label || (path === "/api/claim" ? t("lobby.take") : t("lobby.take-over")),
      ),
    ),
  );
}

const place = (seat, it, checked) =>
  h(
    "label",
    { class: "check" },
    h("input", { type: "radio", name: "place", value: it.number, checked, "data-testid": `claim-place-${it.number}` }),
    holder(seat, it),
  );

async function release(seat, who) {
  if (await freeSeat(seat, who)) refresh();
}

async function seatBot(seat) {
  const bot = await chooseBot(seat, page.facts.bots[seat], t("bots.text"));
  if (bot && (await tell("/api/bot", { seat, bot }))) refresh();
}

// --- the game to come -------------------------------------------------------------------------------------------

function setup() {
  const { facts } = page;
  const missing = Object.keys(facts.seats).filter((seat) => !facts.seats[seat].taken);
  const start = async () => {
    await sending;
    if (!(await tell("/api/start", {}))) return;
    const [mine, ...more] = Object.keys(facts.mine);
    if (mine && !more.length) sitAt(mine);
    else refresh();
  };
  return [
    h("h2", {}, t("lobby.options")),
    controls.parts(facts),
    // Alone one starts at the seat that one takes.
    wish() !== "alone" &&
      button(facts.stage === "over" ? t("lobby.start.again") : t("lobby.start"), "start", start, {
        class: "main big",
        disabled: missing.length > 0,
      }),
    wish() !== "alone" &&
      missing.length > 0 &&
      h(
        "p",
        { class: "quiet", "data-testid": "start-need" },
        t("lobby.start.need", { seats: list(missing.map((seat) => seatName(facts.seats, seat))) }),
      ),
  ];
}

function gameCard({ name, title, about }) {
  return h(
    "button",
    {
      type: "button",
      class: "game-card",
      "aria-pressed": String(page.facts.selection.game === name),
      onclick: () => page.facts.selection.game !== name && choose({ game: name }),
      "data-testid": `game-${name}`,
    },
    h("b", {}, title),
    about && h("small", {}, about),
  );
}

function mapCard({ slug, name, spaces, fault, options }) {
  // A board that is made for so many players brings their number along.
  const pick = () => choose({ map: slug, options: { ...page.facts.selection.options, ...options } });
  return h(
    "button",
    {
      type: "button",
      class: "map-card",
      "aria-pressed": String(page.facts.selection.map === slug),
      disabled: Boolean(fault),
      onclick: pick,
      "data-testid": `map-${slug}`,
    },
    !fault && h("img", { src: `/maps/${slug}.svg`, alt: t("lobby.map.alt", { name }), loading: "lazy" }),
    h("b", {}, name),
    h("small", {}, fault || t("lobby.map.spaces", { number: spaces })),
  );
}

function look() {
  return [
    h("h2", {}, t("lobby.look")),
    h("p", {}, h("a", { class: "button", href: "/table", "data-testid": "link-table" }, t("lobby.tv"))),
    page.facts.simulated && h("p", {}, h("a", { class: "button", href: "/board", "data-testid": "link-board" }, t("lobby.board"))),
    h("p", {}, h("a", { class: "button", href: "/games", "data-testid": "link-games" }, t("games.title"))),
  ];
}

function learn() {
  return [
    h("h2", {}, tOf("wish", "learn")),
    h("p", {}, h("a", { class: "button main", href: "/learn", "data-testid": "lessons" }, t("wish.lessons"))),
    [bookLink("link-rules", "button"), aidsLink("link-aids", "button"), manualLink()].filter(Boolean).map((it) => h("p", {}, it)),
  ];
}

function manualLink() {
  const { manual } = document.body.dataset;
  return manual && h("a", { class: "button", href: manual, "data-testid": "link-manual" }, t("lobby.manual"));
}

function house() {
  return [
    h("h2", {}, tOf("wish", "house")),
    h("p", {}, h("a", { class: "button", href: "/house", "data-testid": "link-house" }, t("house.title"))),
    h("p", {}, healthLink("link-health", "button")),
    h("p", {}, h("a", { class: "button", href: "/trust", "data-testid": "link-trust" }, t("device.trust"))),
  ];
}

function join() {
  return [
    h("img", { class: "qr", src: "/qr.svg", alt: t("lobby.qr"), width: 180, height: 180, "data-testid": "qr" }),
    h("div", {}, h("h2", {}, t("lobby.address")), page.facts.addresses.map((address) => h("p", { class: "address" }, address))),
  ];
}

window.addEventListener("hashchange", () => {
  show();
  window.scrollTo({ top: 0 });
});
wire.open();
refresh();
