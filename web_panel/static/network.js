// The network page: the table's Wi-Fi, its name and its country, behind the house PIN. On a first start, in the table's
// own Wi-Fi, that PIN is chosen here. A password goes to the table and is kept nowhere on the page.

import { door, firstDoor } from "./door.js";
import { ask, post } from "./net.js";
import { showLine } from "./frame.js";
import { t, tOf } from "./texts.js";
import { $, button, h, icon, paint, toast } from "./ui.js";

const AGAIN_MS = 2000;
const BARS = ["M4 19h3", "M4 19h3M10 19v-5", "M4 19h3M10 19v-5M15 19v-9", "M4 19h3M10 19v-5M15 19v-9M20 19V5"];

const page = { facts: null, door: "", chosen: null, away: false };
let alarm = 0;

async function refresh() {
  clearTimeout(alarm);
  if (document.hidden) return;
  try {
    const { status, body } = await ask("/api/network");
    page.away = false;
    page.facts = status === 200 ? body : null;
    page.door = status === 200 ? "" : body.error.code;
    page.words = ["no-house", "no-pin", ""].includes(page.door) ? "" : body.error.sentence;
  } catch {
    page.away = true;
  }
  // While the table changes its Wi-Fi it cannot be reached, and the page says so itself.
  showLine(!page.away || page.facts?.mode === "joining");
  show();
  if (page.door !== "no-house") alarm = setTimeout(refresh, AGAIN_MS);
  return !page.door;
}

function show() {
  const { facts } = page;
  $("#door").hidden = !page.door;
  $("#rooms").hidden = !facts;
  if (page.door) paint($("#door"), [page.door, page.words], () => (page.door === "no-pin" ? firstDoor(refresh) : door(page.words, refresh)));
  if (!facts) return;
  paint($("#now"), [facts.mode, facts.network, facts.hotspot, facts.fault, facts.last, facts.name], now);
  paint($("#wifi"), [facts.reach, page.chosen, facts.mode === "joining"], wifi);
  paint($("#name"), [facts.name], name);
  const country = $("#country").elements.country;
  if (facts.country && !country.value) country.value = facts.country;
}

// --- how things are ---------------------------------------------------------------------------------------------

function now() {
  const { mode, network, hotspot, fault, last, name: host, address } = page.facts;
  const words = { network, hotspot, name: host, address };
  const state = mode === "connected" && !network ? "wired" : mode;
  return [
    h("p", { "data-testid": "mode", "data-mode": mode }, tOf("network.mode", state, words)),
    mode === "joining" && h("p", {}, t("network.joining.how", words)),
    mode === "hotspot" && h("p", { class: "quiet" }, t("network.hotspot.how", words)),
    fault && h("p", { class: "fault", "data-testid": "fault" }, fault),
    last && h("p", { class: last.why ? "fault" : "", role: "alert", "data-testid": "last" }, last.why || t("network.joined", { network: last.name })),
  ];
}

// --- the Wi-Fi --------------------------------------------------------------------------------------------------

function wifi() {
  const { reach, mode } = page.facts;
  const other = { name: "", strength: 0, lock: "other" };
  const fault = h("p", { class: "fault", role: "alert", "data-testid": "join-fault" });
  return h(
    "form",
    { onsubmit: (event) => join(event, fault) },
    h(
      "fieldset",
      { class: "field", disabled: mode === "joining" },
      h("legend", {}, t("network.choose")),
      [...reach, other].map((one) => choice(one)),
    ),
    page.chosen !== null && details(reach.find((one) => one.name === page.chosen) || other, fault),
  );
}

function choice({ name: ssid, strength, lock }) {
  const label = lock === "other" ? t("network.other") : ssid;
  return h(
    "label",
    { class: "wifi" },
    h("input", {
      type: "radio",
      name: "network",
      value: ssid,
      checked: page.chosen === ssid,
      disabled: lock === "unsuited",
      "data-testid": `wifi-${ssid || "other"}`,
      onchange: () => {
        page.chosen = ssid;
        show();
      },
    }),
    h("span", {}, label, lock !== "other" && h("small", {}, tOf("network.lock", lock))),
    lock !== "other" && h("span", { class: "bars" }, icon(BARS[Math.min(3, Math.floor(strength / 25))]), h("span", { class: "unseen" }, t("network.strength", { percent: strength }))),
  );
}

const details = ({ lock }, fault) => [
  lock === "other" &&
    h("label", { class: "field" }, t("network.other.name"), h("input", { name: "ssid", required: true, maxlength: 32, autocapitalize: "none", spellcheck: "false", "data-testid": "ssid" })),
  lock !== "open" &&
    h(
      "label",
      { class: "field" },
      t("network.password"),
      h("input", { name: "password", type: "password", required: lock !== "other", minlength: 8, maxlength: 64, autocomplete: "off", "data-testid": "wifi-password" }),
      lock === "other" && h("small", {}, t("network.password.none")),
    ),
  lock !== "open" && button(t("network.password.show"), "show-password", showPassword, { class: "plain" }),
  fault,
  h("button", { class: "button main", type: "submit", disabled: page.facts.mode === "joining", "data-testid": "join" }, t("network.join")),
];

function showPassword() {
  const field = $("[data-testid=wifi-password]");
  field.type = field.type === "password" ? "text" : "password";
}

async function join(event, fault) {
  event.preventDefault();
  const { ssid, password } = event.target.elements;
  const wanted = { name: ssid ? ssid.value : page.chosen, password: password ? password.value : "", hidden: Boolean(ssid) };
  const answer = await post("/api/network/join", wanted);
  if (!answer.ok) return fault.replaceChildren(answer.error.sentence);
  // What comes now may never reach this page: the table leaves the Wi-Fi that this device is in.
  page.facts = { ...page.facts, mode: "joining", network: wanted.name, last: null, fault: null };
  page.chosen = null;
  show();
  clearTimeout(alarm);
  alarm = setTimeout(refresh, AGAIN_MS);
}

// --- name and country -------------------------------------------------------------------------------------------

function name() {
  const fault = h("p", { class: "fault", role: "alert", "data-testid": "name-fault" });
  const send = async (event) => {
    event.preventDefault();
    const answer = await post("/api/network/name", { name: event.target.host.value });
    if (!answer.ok) return fault.replaceChildren(answer.error.sentence);
    toast(t("network.name.done"));
    refresh();
  };
  return h(
    "form",
    { onsubmit: send },
    h(
      "label",
      { class: "field" },
      t("network.name.label"),
      h("input", { name: "host", required: true, maxlength: 63, value: page.facts.name, autocapitalize: "none", spellcheck: "false", "data-testid": "host" }),
      h("small", {}, t("network.name.hint", { name: page.facts.name })),
    ),
    fault,
    h("button", { class: "button", type: "submit", "data-testid": "name-send" }, t("network.name.send")),
  );
}

$("#country").addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await post("/api/network/country", { country: event.target.elements.country.value });
  $("[data-testid=country-fault]").replaceChildren(answer.ok ? "" : answer.error.sentence);
  if (answer.ok) toast(t("network.country.done"));
});

document.addEventListener("visibilitychange", refresh);
refresh();
