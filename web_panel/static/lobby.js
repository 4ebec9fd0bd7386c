// The lobby: who sits where, which map, which options, and the start.

import { ask, Line, post } from "./net.js";
import { showLine, SQUADS, tell } from "./parts.js";
import { list, t, tOf } from "./texts.js";
import { $, button, confirmed, dialog, h, paint } from "./ui.js";

const SEATS = ["sniper", "defenders"];
const LETTERS = ["A", "B", "C", "D"];
// Two random cards for the sniper, and one card more than usual, contradict each other.
const RIVALS = { sniper: "defenders", defenders: "sniper" };
const page = { facts: null, map: null, random: true, hard: { sniper: [], defenders: [] }, folded: true };

// The table's picture tells when something has changed; what, is asked for.
const wire = new Line("table", { onPicture: refresh, onState: showLine });

async function refresh() {
  try {
    const { status, body } = await ask("/api/lobby");
    if (status !== 200) return;
    page.facts = body;
    page.map ??= body.map;
    show();
  } catch {
    wire.lose();
  }
}

const parts = Object.fromEntries(
  ["notice", "seats", "maps", "setup", "ways"].map((name) => [name, h("section", { class: name })]),
);
$("#lobby").append(...Object.values(parts));

function show() {
  const { facts } = page;
  if (!facts) return;
  const { stage, seats, mine, maps, addresses, simulated } = facts;
  parts.notice.hidden = stage === "lobby";
  parts.maps.hidden = parts.setup.hidden = stage === "playing";
  paint(parts.notice, stage, () => notice(stage));
  paint(parts.seats, [stage, seats, mine], () => [
    h("h2", {}, t("lobby.seats")),
    h("div", { class: "seat-cards" }, SEATS.map(seatCard)),
  ]);
  paint(parts.maps, [maps, page.map], () => [
    h("h2", {}, t("lobby.map")),
    h("div", { class: "map-cards" }, maps.map(mapCard)),
  ]);
  paint(parts.setup, [stage, seats, page.random, page.hard], setup);
  paint(parts.ways, [addresses, simulated], ways);
}

function notice(stage) {
  if (stage === "over") return h("strong", { "data-testid": "stage" }, t("lobby.over"));
  return [h("strong", { "data-testid": "stage" }, t("lobby.playing")), h("span", {}, ` ${t("lobby.playing.more")}`)];
}

// --- seats ------------------------------------------------------------------------------------------------------

function seatCard(seat) {
  const { facts } = page;
  const { taken, devices } = facts.seats[seat];
  const mine = facts.mine[seat];
  const led = new Set(devices.flatMap((it) => it.squads));
  const open = seat === "sniper" ? !taken : SQUADS.some((squad) => !led.has(squad));
  return h(
    "article",
    { class: `seat-card ${seat} ${taken ? "taken" : "free"}`, "data-testid": `seat-${seat}` },
    h("h3", {}, tOf("seat", seat)),
    h("p", { class: "blurb" }, seat === "sniper" ? t("lobby.seat.sniper.text") : t("lobby.seat.defenders.text")),
    h(
      "p",
      { class: "holder", "data-testid": `holder-${seat}` },
      h("i", { class: taken ? "lamp hot" : "lamp", "aria-hidden": "true" }),
      taken ? devices.map((it) => h("span", {}, holder(seat, it))) : h("span", {}, t("lobby.free")),
    ),
    mine
      ? [
          h(
            "a",
            { class: "button main", href: `/${seat}`, "data-testid": `open-${seat}` },
            seat === "sniper" ? t("lobby.open.sniper") : t("lobby.open.defenders"),
          ),
          h("p", { class: "quiet" }, t("lobby.yours")),
        ]
      : [
          open && button(takeLabel(seat, taken), `take-${seat}`, () => take(seat, led), { class: "main" }),
          taken && button(t("lobby.take-over"), `take-over-${seat}`, () => takeOver(seat)),
        ],
    taken &&
      facts.stage === "lobby" &&
      button(t("lobby.release"), `release-${seat}`, () => release(seat), { class: "plain" }),
  );
}

function holder(seat, { device, squads }) {
  if (seat === "sniper" || !squads.length) return t("lobby.taken", { device });
  const led =
    squads.length === SQUADS.length ? t("lobby.all-squads") : list(squads.map((squad) => tOf("squad", squad)));
  return t("lobby.taken.squads", { device, squads: led });
}

function takeLabel(seat, taken) {
  if (seat === "sniper") return t("lobby.take.sniper");
  return taken ? t("lobby.join.defenders") : t("lobby.take.defenders");
}

async function take(seat, led) {
  const title = seat === "sniper" ? t("lobby.take.sniper") : t("lobby.take.defenders");
  const done = await dialog(title, "claim-dialog", (close) =>
    form(
      seat,
      "/api/claim",
      close,
      SQUADS.filter((squad) => !led.has(squad)),
    ),
  );
  if (done) location.assign(`/${seat}`);
}

async function takeOver(seat) {
  const done = await dialog(t("lobby.take-over.title"), "claim-dialog", (close) => [
    h("p", {}, t("lobby.take-over.text")),
    form(seat, "/api/take-over", close, []),
  ]);
  if (done) location.assign(`/${seat}`);
}

function form(seat, path, close, free) {
  const fault = h("p", { class: "fault", role: "alert", "data-testid": "claim-fault" });
  const device = h("input", {
    name: "device",
    required: true,
    maxlength: 40,
    autocomplete: "off",
    "data-testid": "claim-device",
    value: seat === "sniper" ? t("lobby.default.sniper") : t("lobby.default.defenders"),
  });
  const pin = h("input", {
    name: "pin",
    type: "password",
    inputmode: "numeric",
    required: true,
    minlength: 4,
    maxlength: 64,
    autocomplete: "off",
    "data-testid": "claim-pin",
  });
  const boxes =
    seat === "defenders" && free.length
      ? free.map((squad) =>
          h("input", { type: "checkbox", name: "squad", value: squad, checked: true, "data-testid": `claim-${squad}` }),
        )
      : [];
  const send = async (event) => {
    event.preventDefault();
    const squads = boxes.filter((box) => box.checked).map((box) => box.value);
    const answer = await post(path, { seat, pin: pin.value, device: device.value, squads });
    if (answer.ok) close(true);
    else fault.textContent = answer.error.sentence;
  };
  return h(
    "form",
    { onsubmit: send },
    h("label", { class: "field" }, t("lobby.device"), device, h("small", {}, t("lobby.device.hint"))),
    h("label", { class: "field" }, t("lobby.pin"), pin, h("small", {}, t("lobby.pin.hint"))),
    boxes.length > 0 &&
      h(
        "fieldset",
        { class: "field" },
        h("legend", {}, t("lobby.squads")),
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
        path === "/api/claim" ? t("lobby.take") : t("lobby.take-over"),
      ),
    ),
  );
}

async function release(seat) {
  if (await confirmed(t("lobby.release"), t("lobby.release.sure"), t("lobby.release.yes"), t("menu.cancel"))) {
    await tell("/api/release", { seat });
    refresh();
  }
}

// --- the game to come -------------------------------------------------------------------------------------------

function setup() {
  const { facts } = page;
  const missing = SEATS.filter((seat) => !facts.seats[seat].taken);
  const start = async () => {
    const { sniper, defenders } = page.hard;
    const options = { random_setup: page.random, experienced_sniper: sniper, experienced_defenders: defenders };
    if (await tell("/api/start", { map: page.map, options })) refresh();
  };
  const flip = (event) => {
    page.random = event.target.checked;
  };
  return [
    h("h2", {}, t("lobby.options")),
    h(
      "label",
      { class: "option" },
      h("input", { type: "checkbox", checked: page.random, onchange: flip, "data-testid": "option-random" }),
      h("span", {}, h("b", {}, t("lobby.random")), h("small", {}, t("lobby.random.hint"))),
    ),
    difficulty(),
    button(facts.stage === "over" ? t("lobby.start.again") : t("lobby.start"), "start", start, {
      class: "main big",
      disabled: missing.length > 0,
    }),
    missing.length > 0 &&
      h(
        "p",
        { class: "quiet", "data-testid": "start-need" },
        t("lobby.start.need", { seats: list(missing.map((seat) => tOf("seat", seat))) }),
      ),
  ];
}

function difficulty() {
  const name = (seat) => (letter) => t("lobby.hard.chosen", { seat: tOf("seat", seat), letter });
  const chosen = SEATS.flatMap((seat) => page.hard[seat].map(name(seat)));
  const fold = (event) => {
    page.folded = !event.target.open;
  };
  return h(
    "details",
    { class: "hard", open: !page.folded, ontoggle: fold },
    h(
      "summary",
      { "data-testid": "options-hard" },
      h("b", {}, t("lobby.hard")),
      h("small", {}, ` ${chosen.length ? list(chosen) : t("lobby.hard.hint")}`),
    ),
    h("div", { class: "hard-sides" }, SEATS.map(hardSide)),
  );
}

function hardSide(seat) {
  return h(
    "fieldset",
    { class: "field" },
    h("legend", {}, tOf("lobby.hard.for", seat)),
    LETTERS.map((letter) => hardOption(seat, letter)),
  );
}

function hardOption(seat, letter) {
  const barred = letter === "A" && page.hard[RIVALS[seat]].includes("A");
  const flip = (event) => {
    page.hard[seat] = LETTERS.filter((it) => (it === letter ? event.target.checked : page.hard[seat].includes(it)));
    show();
  };
  return h(
    "label",
    { class: "option" },
    h("input", {
      type: "checkbox",
      checked: page.hard[seat].includes(letter),
      disabled: barred,
      onchange: flip,
      "data-testid": `option-${seat}-${letter}`,
    }),
    h(
      "span",
      {},
      h("b", {}, letter),
      h("small", {}, seat === "sniper" ? tOf("lobby.hard.sniper", letter) : tOf("lobby.hard.defenders", letter)),
      barred && h("small", { class: "barred" }, t("lobby.hard.barred")),
    ),
  );
}

function mapCard({ slug, name, spaces, fault }) {
  const choose = () => {
    page.map = slug;
    show();
  };
  return h(
    "button",
    {
      type: "button",
      class: "map-card",
      "aria-pressed": String(page.map === slug),
      disabled: Boolean(fault),
      onclick: choose,
      "data-testid": `map-${slug}`,
    },
    !fault && h("img", { src: `/maps/${slug}.svg`, alt: t("lobby.map.alt", { name }), loading: "lazy" }),
    h("b", {}, name),
    h("small", {}, fault || t("lobby.map.spaces", { spaces })),
  );
}

function ways() {
  const { facts } = page;
  return [
    h(
      "div",
      {},
      h("h2", {}, t("lobby.look")),
      h("p", {}, h("a", { class: "button", href: "/table", "data-testid": "link-table" }, t("lobby.tv"))),
      facts.simulated &&
        h("p", {}, h("a", { class: "button", href: "/board", "data-testid": "link-board" }, t("lobby.board"))),
    ),
    facts.addresses.length > 0 &&
      h(
        "div",
        { class: "join" },
        h("img", { class: "qr", src: "/qr.svg", alt: t("lobby.qr"), width: 180, height: 180, "data-testid": "qr" }),
        h(
          "div",
          {},
          h("h2", {}, t("lobby.address")),
          facts.addresses.map((address) => h("p", { class: "address" }, address)),
        ),
      ),
  ];
}

wire.open();
refresh();
