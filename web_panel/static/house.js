// The house page: the board as it is now, choices that count at once, the way to the table, the log, the end. Everything
// here is public; the PIN keeps those out who would switch the lamps off.

import { door, pinField } from "./door.js";
import { GameMap } from "./map.js";
import { ask, post } from "./net.js";
import { healthLink, showLine, tell } from "./frame.js";
import { Lamps } from "./scene.js";
import { openStored } from "./stored.js";
import { t, tOf } from "./texts.js";
import { $, button, confirmed, h, paint, svg, toast } from "./ui.js";

const AGAIN_MS = 1000;
const LANGUAGES = document.body.dataset.languages.split(",").map((one) => one.split("="));

const page = { facts: null, open: null, ended: false };
const map = new GameMap($("#map"), { whole: true });
const lamps = new Lamps(map);
let alarm = 0;

async function refresh() {
  clearTimeout(alarm);
  if (document.hidden || page.ended) return;
  try {
    const { status, body } = await ask("/api/house");
    showLine(true);
    page.open = status === 200;
    page.facts = page.open ? body : null;
    page.words = page.open || body.error.code === "no-house" ? "" : body.error.sentence;
    show();
  } catch {
    showLine(false);
  }
  if (page.open !== false) alarm = setTimeout(refresh, AGAIN_MS);
  return page.open;
}

function show() {
  $("#door").hidden = page.open;
  $("#rooms").hidden = !page.open;
  paint($("#lock"), [page.open], () => page.open && button(t("house.leave"), "house-leave", leave, { class: "small" }));
  if (!page.open) return paint($("#door"), [page.words], () => door(page.words, refresh));
  const { facts } = page;
  paint($("#address"), [facts.addresses, facts.machine, facts.network, facts.broker, facts.version], address);
  paint($("#choices"), [facts.choices], () => facts.choices.map(choice));
  paint($("#log"), [facts.log], log);
  paint($("#end"), [facts.poweroff], end);
  paint($("#wrong-pins"), [facts.wrong_pins], () =>
    facts.wrong_pins > 0 && h("p", { "data-testid": "wrong-pins" }, t("house.wrong-pins", { number: facts.wrong_pins })),
  );
  paint($("#live"), [facts.board, facts.stage], live);
  map.load(facts.map).then(board);
}

// --- the door ---------------------------------------------------------------------------------------------------

async function leave() {
  await tell("/api/house/leave", {});
  refresh();
}

// --- the board ----------------------------------------------------------------------------------------------------

function board() {
  if (!map.ready || !page.facts) return;
  const { lamps: lit, sensors } = page.facts.board;
  lamps.show(lit.lit);
  map.draw("over", sensors.down, () =>
    sensors.down.map((space) => map.on(space, svg("g", { "data-down": space }, svg("circle", { class: "felt", r: 190 })))),
  );
}

function live() {
  const { sensors, lamps: lit, ills, quiet, heeded } = page.facts.board;
  const on = Object.values(lit.lit).filter((colour) => colour !== "000000").length;
  return [
    h("p", { "data-testid": "live-sensors" }, t("house.sensors", { ...sensors, number: sensors.down.length })),
    h("p", { "data-testid": "live-lamps" }, t("house.lamps", { ...lit, number: on })),
    quiet && h("p", {}, t("house.quiet-now")),
    !heeded && h("p", {}, t("house.unheeded")),
    ills.length
      ? h("ul", { class: "ills", "data-testid": "ills" }, ills.map((ill) => h("li", {}, ill)))
      : h("p", { class: "quiet" }, t("health.well")),
    h(
      "p",
      { class: "row" },
      h("a", { class: "button main", href: "/workshop", "data-testid": "link-workshop" }, t("workshop.title")),
      healthLink("link-health", "button"),
    ),
  ];
}

// --- choices ------------------------------------------------------------------------------------------------------

const CONTROLS = { share: slider, number: field, choice: chips, time: hour, switch: lever, text: field };
// A beginning without an end is nothing yet: both hours are sent as soon as both are there.
const HOURS = ["quiet_from", "quiet_to"];

function choice(it) {
  const id = `choice-${it.name}`;
  return h(
    "div",
    { class: `choice ${it.name}`, role: "group", "aria-labelledby": id },
    h("b", { id }, tOf("house.choice", it.name)),
    CONTROLS[it.kind](it),
    it.fixed
      ? h("small", { class: "quiet" }, t("house.fixed"))
      : it.value !== it.default && button(t("house.default"), `default-${it.name}`, () => choose({ [it.name]: null }), { class: "plain" }),
  );
}

async function choose(choices) {
  const both = HOURS.some((name) => name in choices && choices[name] === null);
  if (both) for (const name of HOURS) choices[name] = null;
  if (await tell("/api/house/choose", { choices })) toast(t("house.chosen"));
  $("#choices").painted = null;
  refresh();
}

function slider({ name, value, low, high, fixed }) {
  const said = h("output", {}, t("bag.share", { percent: Math.round(value * 100) }));
  const input = h("input", {
    type: "range",
    min: low,
    max: high,
    step: 0.01,
    value,
    disabled: fixed,
    "aria-labelledby": `choice-${name}`,
    "data-testid": `choose-${name}`,
    oninput: () => said.replaceChildren(t("bag.share", { percent: Math.round(input.value * 100) })),
    onchange: () => choose({ [name]: Number(input.value) }),
  });
  return h("span", { class: "slide" }, input, said);
}

function field({ name, value, kind, low, high, fixed }) {
  const number = kind === "number";
  return h("input", {
    type: kind,
    min: number && low,
    max: number && high,
    maxlength: !number && 200,
    value,
    disabled: fixed,
    "aria-labelledby": `choice-${name}`,
    "data-testid": `choose-${name}`,
    onchange: (event) => choose({ [name]: number ? Number(event.target.value) : event.target.value }),
  });
}

function chips({ name, value, choices, fixed }) {
  const word = (one) => (name === "language" ? Object.fromEntries(LANGUAGES)[one] || t("house.english") : tOf("house.palette", one));
  return h(
    "div",
    { class: "chips" },
    choices.map((one) =>
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(one === value),
          disabled: fixed,
          onclick: () => choose({ [name]: one }),
          "data-testid": `choose-${name}-${one || "none"}`,
        },
        word(one),
      ),
    ),
  );
}

function hour({ name, value, fixed }) {
  const input = h("input", {
    type: "time",
    value,
    disabled: fixed,
    "aria-labelledby": `choice-${name}`,
    "data-testid": `choose-${name}`,
    onchange: () => {
      const hours = Object.fromEntries(HOURS.map((one) => [one, $(`[data-testid=choose-${one}]`).value]));
      if (Object.values(hours).every(Boolean)) choose(hours);
      else if (!Object.values(hours).some(Boolean)) choose({ quiet_from: null, quiet_to: null });
    },
  });
  return input;
}

function lever({ name, value, fixed }) {
  return h(
    "button",
    {
      type: "button",
      class: "lever",
      role: "switch",
      "aria-checked": String(value),
      "aria-labelledby": `choice-${name}`,
      disabled: fixed,
      onclick: () => choose({ [name]: !value }),
      "data-testid": `choose-${name}`,
    },
    h("i", { "aria-hidden": "true" }),
  );
}

// --- where, what was, and the end -------------------------------------------------------------------------------

function address() {
  const { addresses, machine, network, broker, version } = page.facts;
  const networked = document.body.dataset.networked === "yes";
  return h(
    "div",
    { class: "join" },
    addresses.length > 0 && h("img", { class: "qr", src: "/qr.svg", alt: t("lobby.qr"), width: 180, height: 180 }),
    h(
      "div",
      {},
      addresses.map((one) => h("p", { class: "address" }, one)),
      h("p", { "data-testid": "network" }, network ? t("house.network", { network }) : t("house.wired")),
      h("p", {}, t("house.machine", { machine })),
      networked && h("p", {}, h("a", { class: "button small", href: "/network", "data-testid": "to-network" }, t("house.to-network"))),
      broker && h("p", { "data-testid": "broker" }, broker.fault ?? t(broker.connected ? "house.broker" : "house.broker.soon", { where: broker.where })),
      broker && h("p", {}, h("a", { class: "button small", href: "/club", "data-testid": "to-club" }, t("house.to-club"))),
      h("p", { "data-testid": "version" }, t("house.version", { version })),
    ),
  );
}

function log() {
  const lines = [...page.facts.log].reverse();
  return lines.length
    ? h("ol", { class: "log-lines", "data-testid": "log" }, lines.map((line) => h("li", {}, line)))
    : h("p", { class: "quiet" }, t("log.none"));
}

function end() {
  const said = h("p", { class: "fault", role: "alert", "data-testid": "pin-fault" });
  const change = async (event) => {
    event.preventDefault();
    const form = event.target;
    const answer = await post("/api/house/pin", { old: form.old.value, new: form.new.value });
    if (!answer.ok) return said.replaceChildren(answer.error.sentence);
    form.reset();
    said.replaceChildren();
    toast(t("house.pin.changed"));
  };
  return [
    h(
      "details",
      {},
      h("summary", { "data-testid": "pin-open" }, t("house.pin.change")),
      h(
        "form",
        { onsubmit: change },
        pinField("old", t("house.pin.old"), "pin-old"),
        pinField("new", t("house.pin.new"), "pin-new", t("house.pin.new.hint")),
        said,
        h("button", { class: "button", type: "submit", "data-testid": "pin-change" }, t("house.pin.change")),
      ),
    ),
    h("p", { class: "quiet" }, t("house.results.text")),
    button(t("house.results"), "forget-results", forgetResults),
    h("p", { class: "quiet" }, t("house.end.text")),
    button(t("house.end"), "shut-down", () => shutDown(false), { class: "danger" }),
    page.facts.poweroff && button(t("house.off"), "power-off", () => shutDown(true), { class: "danger" }),
  ];
}

async function forgetResults() {
  if (!(await confirmed(t("house.results"), t("house.results.sure"), t("house.results"), t("menu.cancel")))) return;
  if (await tell("/api/house/forget-results", {})) toast(t("house.results.done"));
}

async function shutDown(power_off) {
  const words = power_off ? t("house.off") : t("house.end");
  if (!(await confirmed(words, t("house.end.sure"), words, t("menu.cancel")))) return;
  if (!(await tell("/api/house/shut-down", { power_off }))) return;
  page.ended = true;
  clearTimeout(alarm);
  $("#rooms").replaceChildren(h("p", { class: "panel", role: "status", "data-testid": "ended" }, power_off ? t("house.off.done") : t("house.end.done")));
}

$("#games").addEventListener("toggle", () => $("#games").open && openStored($("#stored")));
document.addEventListener("visibilitychange", refresh);
refresh();
