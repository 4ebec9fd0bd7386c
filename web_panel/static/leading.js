// Who leads which squad: shown beside it, told to every screen when it changes, and changed by who leads it.

import { SQUADS, tell } from "./parts.js";
import { list, t, tOf } from "./texts.js";
import { button, dialog, h, toast } from "./ui.js";

const people = ({ seats }) => seats.defenders.devices.filter((it) => !it.bot);
const leaders = (picture, squad) => people(picture).filter(({ squads }) => squads.includes(squad));
const names = (devices) => list(devices.map(({ device }) => device));
const squadNames = (squads) => list(squads.map((squad) => tOf("squad", squad)));

// Who leads a squad that the device of this number does not lead: its name, or null where this device may act for it.
export function leaderOf(picture, squad, number) {
  const led = leaders(picture, squad);
  return led.length && !led.some((it) => it.number === number) ? names(led) : null;
}

export function ledLine({ picture, number }, squad) {
  const led = leaders(picture, squad);
  const mine = led.some((it) => it.number === number);
  const others = people(picture).filter((it) => it.number !== number);
  if (!led.length)
    return [
      h("small", { class: "leader" }, t("defenders.led.nobody")),
      button(t("defenders.lead.take"), `lead-${squad}`, () => lead(squad, number), { class: "small plain" }),
    ];
  if (!mine) return h("small", { class: "leader" }, t("defenders.led", { device: names(led) }));
  const beside = led.filter((it) => it.number !== number);
  return [
    beside.length > 0 && h("small", { class: "leader" }, t("defenders.led.with", { device: names(beside) })),
    others.length > 0 &&
      button(t("defenders.lead.give"), `lead-${squad}`, () => give(squad, others), { class: "small plain" }),
  ];
}

const lead = (squad, number) => tell("/api/lead", { squad, number });

async function give(squad, others) {
  const number = await dialog(t("defenders.lead.title", { squad: tOf("squad", squad) }), "lead-dialog", (close) => [
    others.map((it) => button(it.device, `lead-to-${it.number}`, () => close(it.number), { class: "main" })),
    button(t("menu.cancel"), "lead-cancel", () => close(null)),
  ]);
  if (number !== null) await lead(squad, number);
}

// --- told to every screen ---------------------------------------------------------------------------------------

let known = null;

document.addEventListener("told", ({ detail: picture }) => {
  const now = JSON.stringify([picture.stage, people(picture)]);
  if (known && known.key !== now && known.stage === "playing" && picture.stage === "playing") news(known, picture);
  known = { key: now, stage: picture.stage, seats: picture.seats };
});

function news(before, after) {
  for (const it of people(after)) {
    const had = people(before).find(({ number }) => number === it.number)?.squads || [];
    if (it.squads.some((squad) => !had.includes(squad)))
      toast(t("seats.lead", { device: it.device, squads: squadNames(it.squads) }));
  }
  const free = SQUADS.filter((squad) => leaders(before, squad).length && !leaders(after, squad).length);
  if (people(after).length && free.length) toast(t("seats.unled", { squads: squadNames(free) }));
}
