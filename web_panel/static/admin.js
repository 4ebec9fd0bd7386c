// The admin page: the board, settings that apply at once, addresses, the log, and shutting down. Everything here is
// public; the PIN only keeps others from changing it.

import { pinField } from "./door.js";
import { form } from "./form.js";
import { GameMap } from "./map.js";
import { post } from "./net.js";
import { request } from "./frame.js";
import { poll, showDoor } from "./polling.js";
import { Lamps, occupiedMark } from "./scene.js";
import { openStored } from "./stored.js";
import { healthLink } from "./reasons.js";
import { t, tOf } from "./texts.js";
import { $, button, chips, confirmed, h, lever, link, paint, problems, quiet, submit, toast } from "./ui.js";

const AGAIN_MS = 1000;
const LANGUAGES = document.body.dataset.languages.split(",").map((one) => one.split("="));

const page = { facts: null, shut: false, ended: false };
const map = new GameMap($("#map"), { whole: true });
const lamps = new Lamps(map);

const refresh = poll("/api/house", receive, (hidden) => (hidden || page.shut ? 0 : AGAIN_MS));

function receive(facts, error) {
  if (page.ended) return;
  page.facts = facts;
  page.shut = facts === null;
  showDoor(facts, error, refresh);
  $("#rooms").hidden = page.shut;
  paint($("#lock"), [page.shut], () => facts && button(t("admin.leave"), "admin-leave", leave, { class: "small" }));
  if (facts) show();
}

function show() {
  const { facts } = page;
  paint($("#address"), [facts.addresses, facts.machine, facts.network, facts.broker, facts.version], addressBox);
  paint($("#choices"), [facts.choices], () => facts.choices.map(choiceGroup));
  paint($("#log"), [facts.log], logList);
  paint($("#end"), [facts.poweroff], endSection);
  paint($("#wrong-pins"), [facts.wrong_pins], wrongPinsLine);
  paint($("#checking"), [facts.checking], checkingLine);
  paint($("#live"), [facts.board, facts.stage], boardFacts);
  map.load(facts.map).then(showBoard);
}

// --- the door ---------------------------------------------------------------------------------------------------

async function leave() {
  await request("/api/house/leave", {});
  refresh();
}

// --- the board ----------------------------------------------------------------------------------------------------

function showBoard() {
  if (!map.ready || !page.facts) return;
  const { lamps: lit, sensors } = page.facts.board;
  lamps.show(lit.lit);
  map.draw("over", sensors.down, () => sensors.down.map((space) => occupiedMark(map, space)));
}

const wrongPinsLine = () =>
  page.facts.wrong_pins > 0 &&
  h("p", { testid: "wrong-pins" }, t("admin.wrong-pins", { number: page.facts.wrong_pins }));

function checkingLine() {
  if (!page.facts.checking) return null;
  const [done, number] = page.facts.checking;
  return h("p", { testid: "checking" }, t("admin.checking", { done, number }));
}

function boardFacts() {
  const { sensors, lamps: lit, ills, quiet: dark, heeded } = page.facts.board;
  const on = Object.values(lit.lit).filter((colour) => colour !== "000000").length;
  return [
    h("p", { testid: "live-sensors" }, t("admin.sensors", { ...sensors, number: sensors.down.length })),
    h("p", { testid: "live-lamps" }, t("admin.lamps", { ...lit, number: on })),
    dark && h("p", {}, t("admin.quiet-now")),
    !heeded && h("p", {}, t("admin.unheeded")),
    problems(ills, t("health.well")),
    h("p", { class: "row" }, [
      link(t("workshop.title"), "link-workshop", "/workshop", { class: "main" }),
      healthLink("link-health", "button"),
    ]),
  ];
}

// --- choices ------------------------------------------------------------------------------------------------------

const CONTROLS = {
  share: slider,
  number: textInput,
  choice: optionChips,
  time: timeInput,
  switch: switchButton,
  text: textInput,
};
// A start without an end has no meaning, so both hours are sent when both are set.
const HOURS = ["quiet_from", "quiet_to"];

function choiceGroup(it) {
  const id = `choice-${it.name}`;
  return h("div", { class: `choice ${it.name}`, role: "group", "aria-labelledby": id }, [
    h("b", { id }, tOf("admin.choice", it.name)),
    CONTROLS[it.kind](it),
    it.fixed
      ? h("small", { class: "quiet" }, t("admin.fixed"))
      : it.value !== it.default &&
        button(t("admin.default"), `default-${it.name}`, () => choose({ [it.name]: null }), { class: "plain" }),
  ]);
}

async function choose(choices) {
  const both = HOURS.some((name) => name in choices && choices[name] === null);
  if (both) for (const name of HOURS) choices[name] = null;
  if (await request("/api/house/choose", { choices })) toast(t("admin.chosen"));
  $("#choices").painted = null;
  refresh();
}

// The properties that all controls share.
const controlProps = ({ name, value, fixed }) => ({
  value,
  disabled: fixed,
  "aria-labelledby": `choice-${name}`,
  testid: `choose-${name}`,
});

function slider(it) {
  const percent = (share) => t("bag.share", { percent: Math.round(share * 100) });
  const shown = h("output", {}, percent(it.value));
  const input = h("input", {
    type: "range",
    min: it.low,
    max: it.high,
    step: 0.01,
    ...controlProps(it),
    oninput: () => shown.replaceChildren(percent(input.value)),
    onchange: () => choose({ [it.name]: Number(input.value) }),
  });
  return h("span", { class: "slide" }, input, shown);
}

function textInput(it) {
  const number = it.kind === "number";
  const limits = number ? { min: it.low, max: it.high } : { maxlength: 200 };
  const onchange = ({ target: { value } }) => choose({ [it.name]: number ? Number(value) : value });
  return h("input", { type: it.kind, ...limits, ...controlProps(it), onchange });
}

function optionChips({ name, value, choices, fixed }) {
  const words = (one) =>
    name === "language" ? Object.fromEntries(LANGUAGES)[one] || t("admin.english") : tOf("admin.palette", one);
  const all = choices.map((one) => [one, `choose-${name}-${one || "none"}`, words(one), { disabled: fixed }]);
  return chips(null, all, value, (one) => choose({ [name]: one }));
}

function timeInput(it) {
  const onchange = () => {
    const hours = Object.fromEntries(HOURS.map((one) => [one, $(`[data-testid=choose-${one}]`).value]));
    if (Object.values(hours).every(Boolean)) choose(hours);
    else if (!Object.values(hours).some(Boolean)) choose({ quiet_from: null, quiet_to: null });
  };
  return h("input", { type: "time", ...controlProps(it), onchange });
}

function switchButton({ name, value, fixed }) {
  return lever(`choose-${name}`, value, () => choose({ [name]: !value }), {
    "aria-labelledby": `choice-${name}`,
    disabled: fixed,
  });
}

// --- where, what was, and the end -------------------------------------------------------------------------------

function addressBox() {
  const { addresses, machine, network, broker, version } = page.facts;
  const networked = document.body.dataset.networked === "yes";
  return h("div", { class: "join" }, [
    addresses.length > 0 && h("img", { class: "qr", src: "/qr.svg", alt: t("lobby.qr"), width: 180, height: 180 }),
    h("div", {}, [
      addresses.map((one) => h("p", { class: "address" }, one)),
      h("p", { testid: "network" }, network ? t("admin.network", { network }) : t("admin.wired")),
      h("p", {}, t("admin.machine", { machine })),
      networked && h("p", {}, link(t("admin.to-network"), "to-network", "/network", { class: "small" })),
      broker &&
        h("p", { testid: "broker" }, [
          broker.fault ?? t(broker.connected ? "admin.broker" : "admin.broker.soon", { where: broker.where }),
        ]),
      broker && h("p", {}, link(t("admin.to-club"), "to-club", "/club", { class: "small" })),
      h("p", { testid: "version" }, t("admin.version", { version })),
    ]),
  ]);
}

function logList() {
  const lines = [...page.facts.log].reverse().map((line) => h("li", {}, line));
  return lines.length ? h("ol", { class: "log-lines", testid: "log" }, lines) : quiet(t("log.none"));
}

function endSection() {
  const changed = (sent) => {
    sent.reset();
    toast(t("admin.pin.changed"));
  };
  const fields = [
    pinField("old", t("admin.pin.old"), "pin-old"),
    pinField("new", t("admin.pin.new"), "pin-new", t("admin.pin.new.hint")),
    submit(t("admin.pin.change"), "pin-change", { class: "button" }),
  ];
  const change = (all) => post("/api/house/pin", { old: all.old.value, new: all.new.value });
  return [
    h("details", {}, [
      h("summary", { testid: "pin-open" }, t("admin.pin.change")),
      form("pin-fault", fields, change, changed),
    ]),
    quiet(t("admin.results.text")),
    button(t("admin.results"), "forget-results", forgetResults),
    quiet(t("admin.end.text")),
    button(t("admin.end"), "shut-down", () => shutDown(false), { class: "danger" }),
    page.facts.poweroff && button(t("admin.off"), "power-off", () => shutDown(true), { class: "danger" }),
  ];
}

async function forgetResults() {
  if (!(await confirmed(t("admin.results"), t("admin.results.sure")))) return;
  if (await request("/api/house/forget-results", {})) toast(t("admin.results.done"));
}

async function shutDown(power_off) {
  const words = power_off ? t("admin.off") : t("admin.end");
  if (!(await confirmed(words, t("admin.end.sure")))) return;
  if (!(await request("/api/house/shut-down", { power_off }))) return;
  page.shut = page.ended = true;
  $("#rooms").replaceChildren(
    h("p", { class: "panel", role: "status", testid: "ended" }, [
      power_off ? t("admin.off.done") : t("admin.end.done"),
    ]),
  );
}

$("#games").addEventListener("toggle", () => $("#games").open && openStored($("#stored")));
