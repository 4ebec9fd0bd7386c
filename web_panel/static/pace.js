// Below the panel: the turn clock, who the bots wait for, and a button to hurry them.

import { signal as sound } from "./device.js";
import { request } from "./frame.js";
import { ask } from "./net.js";
import { list, playerName, t } from "./texts.js";
import { $, button, h, paint } from "./ui.js";

const SECOND_MS = 1000;

let ahead = 0;
let now = null;
let alarm = 0;
let late = null;

export async function showPace({ clock, bots_act: bots, readers = [], viewer, seats }) {
  const began = now?.began;
  now = clock;
  const others = readers.filter((seat) => seat !== viewer).map((seat) => playerName(seats, seat));
  paint($("#pace"), [clock, bots, viewer, others], () => [
    clock && h("span", { class: "clock", role: "timer", testid: "clock" }),
    others.length > 0 && h("p", { class: "quiet", testid: "readers" }, t("turn.readers", { players: list(others) })),
    bots &&
      !others.length &&
      viewer !== "table" &&
      button(bots.hurry ? t("turn.hurried") : t("turn.hurry"), "hurry", () => request("/api/hurry", {}), {
        class: "small",
        disabled: bots.hurry,
      }),
  ]);
  late = null;
  clearTimeout(alarm);
  if (clock && clock.began !== began) await compareClocks();
  tick();
}

// The table uses a monotonic clock. The device's clock can be set at any time.
async function compareClocks() {
  try {
    const { body } = await ask("/api/clock");
    ahead = body.now * SECOND_MS - Date.now() || 0;
  } catch {
    // Without a connection, use the last comparison of the clocks.
  }
}

function tick() {
  clearTimeout(alarm);
  if (!now) return;
  const left = now.seconds - Math.floor((Date.now() + ahead) / SECOND_MS - now.began);
  const clock = $("#pace .clock");
  clock.textContent = `${left < 0 ? "−" : ""}${Math.floor(Math.abs(left) / 60)}:${String(Math.abs(left) % 60).padStart(2, "0")}`;
  clock.title = left < 0 ? t("turn.clock.late") : t("turn.clock");
  clock.classList.toggle("late", left < 0);
  if (late === false && left < 0) sound("amber");
  late = left < 0;
  alarm = setTimeout(tick, SECOND_MS);
}
