// Who leads which part of a shared seat: shown next to it, changed by its leader, and announced on every screen when it
// changes. So is a device that joins a seat.

import { request } from "./frame.js";
import { deviceName, list, seatName, t, tOf } from "./texts.js";
import { button, dialog, h, toast } from "./ui.js";

const people = ({ seats }, seat) => seats[seat].devices.filter((it) => !it.bot);
const everybody = (picture) => Object.keys(picture.seats).flatMap((seat) => people(picture, seat));
const leadersOf = (devices, squad) => devices.filter(({ squads }) => squads.includes(squad));
const deviceNames = (devices) => list(devices.map(deviceName));
const squadNames = (squads) => list(squads.map((squad) => tOf("squad", squad)));

// Returns the names of the devices that lead a part, or null if device `number` may act for it.
export function leaderOf(picture, squad, number) {
  const led = leadersOf(everybody(picture), squad);
  return led.length && !led.some((it) => it.number === number) ? deviceNames(led) : null;
}

export function leaderLine({ picture, number, seat }, squad) {
  const all = people(picture, seat.name);
  const led = leadersOf(all, squad);
  const mine = led.some((it) => it.number === number);
  const others = all.filter((it) => it.number !== number);
  if (!led.length)
    return [
      h("small", { class: "leader" }, t("lead.nobody")),
      button(t("lead.take"), `lead-${squad}`, () => lead(squad, number), { class: "small plain" }),
    ];
  if (!mine) return h("small", { class: "leader" }, t("lead.by", { device: deviceNames(led) }));
  const beside = led.filter((it) => it.number !== number);
  return [
    beside.length > 0 && h("small", { class: "leader" }, t("lead.with", { device: deviceNames(beside) })),
    others.length > 0 &&
      button(t("lead.give"), `lead-${squad}`, () => giveLead(squad, others), { class: "small plain" }),
  ];
}

const lead = (squad, number) => request("/api/lead", { squad, number });

async function giveLead(squad, others) {
  const number = await dialog(t("lead.title", { squad: tOf("squad", squad) }), "lead-dialog", (close) => [
    others.map((it) => button(it.device, `lead-to-${it.number}`, () => close(it.number), { class: "main" })),
    button(t("menu.cancel"), "lead-cancel", () => close(null)),
  ]);
  if (number !== null) await lead(squad, number);
}

// --- told to every screen ---------------------------------------------------------------------------------------

let known = null;

document.addEventListener("picture", ({ detail: picture }) => {
  if (!picture.seats) return;
  const now = JSON.stringify([picture.stage, everybody(picture)]);
  if (known && known.key !== now && known.stage === "playing" && picture.stage === "playing")
    for (const seat of Object.keys(picture.seats))
      if (known.seats[seat]) tellChanges(people(known, seat), people(picture, seat), seatName(picture.seats, seat));
  known = { key: now, stage: picture.stage, seats: picture.seats };
});

function tellChanges(before, after, seat) {
  for (const it of after) {
    const was = before.find(({ number }) => number === it.number);
    const had = was?.squads || [];
    // Every screen shows who can read a seat's secrets now.
    if (before.length && !was && !it.squads.length) toast(t("seats.joined", { device: it.device, seat }));
    if (it.squads.some((squad) => !had.includes(squad)))
      toast(t("seats.lead", { device: it.device, squads: squadNames(it.squads) }));
  }
  const led = [...new Set(before.flatMap(({ squads }) => squads))];
  const free = led.filter((squad) => !leadersOf(after, squad).length);
  if (after.length && free.length) toast(t("seats.unled", { squads: squadNames(free) }));
}
