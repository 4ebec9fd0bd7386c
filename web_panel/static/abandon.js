// Ending a game for good, which nobody does by accident: the button lies folded away, and a question names the game, how
// long it has been going on, and what becomes of it. Loaded once somebody asks.

import { tell } from "./frame.js";
import { ask } from "./net.js";
import { lasted } from "./past.js";
import { t } from "./texts.js";
import { confirmed } from "./ui.js";

// `seat` is who ends it; a lobby that holds several leaves it out. Whether it was ended.
export async function abandon(seat) {
  const words = await lost().catch(() => t("menu.abandon.sure"));
  if (!(await confirmed(t("menu.abandon"), words, t("menu.abandon.yes"), t("menu.cancel")))) return false;
  return tell("/api/abandon", seat ? { seat } : {});
}

async function lost() {
  const [{ body: lobby }, { body: past }] = await Promise.all([ask("/api/lobby"), ask("/api/games")]);
  const { number, name, started } = past.games.find(({ state }) => state === "running");
  const title = name && name !== lobby.title ? `${lobby.title}, ${name}` : lobby.title;
  const minutes = lasted(started, Date.now() / 1000);
  return `${t("menu.abandon.what", { title, number, minutes })} ${t("menu.abandon.sure")}`;
}
