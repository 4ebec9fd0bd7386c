// For pages that refresh their data regularly while they are visible. Some of them need the admin PIN.

import { door, firstDoor } from "./door.js";
import { showConnection } from "./frame.js";
import { ask } from "./net.js";
import { $, paint } from "./ui.js";

// Requests `path` now, and again after `pause(hidden)` milliseconds, which may depend on the last answer; 0 stops.
// `take(facts, error)` gets each answer: the facts, or the table's refusal. Returns a function that requests at once;
// it resolves to whether the table has answered with facts.
/** @type {(path: string, take: (facts: any, error: any) => void, pause: (hidden: boolean) => number) => () => Promise<boolean>} */
export function poll(path, take, pause) {
  let alarm = 0;
  let latest = null;
  const askLater = () => {
    clearTimeout(alarm);
    const ms = pause(document.hidden);
    if (ms) alarm = setTimeout(refresh, ms);
  };
  async function refresh() {
    clearTimeout(alarm);
    const mine = (latest = {});
    const answer = await ask(path).catch(() => null);
    const facts = answer?.status === 200 ? answer.body : null;
    if (mine !== latest) return facts !== null; // a later refresh has started
    showConnection(Boolean(answer));
    if (answer) take(facts, facts ? null : answer.body.error);
    askLater();
    return facts !== null;
  }
  const askVisible = () => (document.hidden ? askLater() : refresh());
  document.addEventListener("visibilitychange", askVisible);
  askVisible();
  return refresh;
}

// Shows the form for the admin PIN until the table answers with facts; on a first start, the one that sets the PIN.
export function showDoor(facts, error, refresh) {
  $("#door").hidden = facts !== null;
  if (facts) return;
  const { code, sentence } = error;
  paint($("#door"), [code, sentence], () =>
    code === "no-pin" ? firstDoor(refresh) : door(code === "no-house" ? "" : sentence, refresh),
  );
}
