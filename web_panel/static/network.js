// The network page: the table's Wi-Fi, name and country, behind the admin PIN. On a first start, in the table's own
// Wi-Fi, the admin PIN is set here. Wi-Fi passwords are not stored on the page.

import { form, pinInput } from "./form.js";
import { post } from "./net.js";
import { poll, showDoor } from "./polling.js";
import { showConnection } from "./frame.js";
import { t, tOf } from "./texts.js";
import { $, button, field, h, icon, paint, quiet, submit, toast } from "./ui.js";

const AGAIN_MS = 2000;
const BARS = ["M4 19h3", "M4 19h3M10 19v-5", "M4 19h3M10 19v-5M15 19v-9", "M4 19h3M10 19v-5M15 19v-9M20 19V5"];

const page = { facts: null, chosen: null, shut: false };

const refresh = poll("/api/network", receive, (hidden) => {
  // While the table changes its Wi-Fi it is unreachable; the page shows that already.
  if (page.facts?.mode === "joining") showConnection(true);
  return hidden || page.shut ? 0 : AGAIN_MS;
});

function receive(facts, error) {
  page.facts = facts;
  page.shut = error?.code === "no-house";
  $("#rooms").hidden = !facts;
  showDoor(facts, error, refresh);
  if (facts) show();
}

function show() {
  const { facts } = page;
  paint($("#now"), [facts.mode, facts.network, facts.hotspot, facts.fault, facts.last, facts.name], networkState);
  paint($("#wifi"), [facts.reach, page.chosen, facts.mode === "joining"], wifiForm);
  paint($("#name"), [facts.name], nameForm);
  const country = $("#country").elements.country;
  if (facts.country && !country.value) country.value = facts.country;
}

// --- how things are ---------------------------------------------------------------------------------------------

function networkState() {
  const { mode, network, hotspot, fault, last, name: host, address } = page.facts;
  const words = { network, hotspot, name: host, address };
  const state = mode === "connected" && !network ? "wired" : mode;
  return [
    h("p", { testid: "mode", "data-mode": mode }, tOf("network.mode", state, words)),
    mode === "joining" && h("p", {}, t("network.joining.how", words)),
    mode === "hotspot" && quiet(t("network.hotspot.how", words)),
    fault && h("p", { class: "fault", testid: "fault" }, fault),
    last &&
      h("p", { class: last.why ? "fault" : "", role: "alert", testid: "last" }, [
        last.why || t("network.joined", { network: last.name }),
      ]),
  ];
}

// --- the Wi-Fi --------------------------------------------------------------------------------------------------

const OTHER = { name: "", strength: 0, lock: "other" };

function wifiForm() {
  const { reach, mode } = page.facts;
  const choices = h("fieldset", { class: "field", disabled: mode === "joining" }, [
    h("legend", {}, t("network.choose")),
    [...reach, OTHER].map((one) => networkRadio(one)),
  ]);
  if (page.chosen === null) return h("form", {}, choices);
  return form(
    "join-fault",
    [choices, ...passwordFields(reach.find((one) => one.name === page.chosen) || OTHER)],
    sendJoin,
    showJoining,
  );
}

function networkRadio({ name: ssid, strength, lock }) {
  const state = { checked: page.chosen === ssid, disabled: lock === "unsuited" };
  const onchange = () => {
    page.chosen = ssid;
    show();
  };
  return h("label", { class: "wifi" }, [
    h("input", { type: "radio", name: "network", value: ssid, testid: `wifi-${ssid || "other"}`, onchange, ...state }),
    h("span", {}, ssid || t("network.other"), lock !== "other" && h("small", {}, tOf("network.lock", lock))),
    lock !== "other" &&
      h("span", { class: "bars" }, [
        icon(BARS[Math.min(3, Math.floor(strength / 25))]),
        h("span", { class: "unseen" }, t("network.strength", { percent: strength })),
      ]),
  ]);
}

// A field for a name that is entered as it is.
const nameInput = (name, props) =>
  h("input", { name, required: true, autocapitalize: "none", spellcheck: "false", testid: name, ...props });

const passwordFields = ({ lock }) => [
  lock === "other" && field(t("network.other.name"), nameInput("ssid", { maxlength: 32 })),
  lock !== "open" &&
    field(
      t("network.password"),
      pinInput({ name: "password", testid: "wifi-password", required: lock !== "other", minlength: 8 }),
      lock === "other" && t("network.password.none"),
    ),
  lock !== "open" && button(t("network.password.show"), "show-password", showPassword, { class: "plain" }),
  submit(t("network.join"), "join", { disabled: page.facts.mode === "joining" }),
];

function showPassword() {
  const input = $("[data-testid=wifi-password]");
  input.type = input.type === "password" ? "text" : "password";
}

const sendJoin = ({ ssid, password }) =>
  post("/api/network/join", {
    name: ssid?.value ?? page.chosen,
    password: password?.value ?? "",
    hidden: Boolean(ssid),
  });

// Later answers may not arrive, because the table leaves the Wi-Fi that this device uses.
function showJoining({ elements: { ssid } }) {
  page.facts = { ...page.facts, mode: "joining", network: ssid?.value ?? page.chosen, last: null, fault: null };
  page.chosen = null;
  show();
}

// --- name and country -------------------------------------------------------------------------------------------

function nameForm() {
  const input = nameInput("host", { maxlength: 63, value: page.facts.name });
  const fields = [
    field(t("network.name.label"), input, t("network.name.hint", { name: page.facts.name })),
    submit(t("network.name.send"), "name-send", { class: "button" }),
  ];
  const send = ({ host }) => post("/api/network/name", { name: host.value });
  return form("name-fault", fields, send, () => {
    toast(t("network.name.done"));
    refresh();
  });
}

$("#country").addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await post("/api/network/country", { country: event.target.elements.country.value });
  $("[data-testid=country-fault]").replaceChildren(answer.ok ? "" : answer.error.sentence);
  if (answer.ok) toast(t("network.country.done"));
});
