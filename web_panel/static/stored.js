// Past games on the admin page: their size on the disk, and a button to delete each.

import { request } from "./frame.js";
import { askPast, dateText, outcomeText } from "./past.js";
import { t } from "./texts.js";
import { button, confirmed, h, paint, quiet, toast } from "./ui.js";

const stored = { place: null, games: [], more: false, imported: null, fault: "" };

// Shows the current list in `place`.
export function openStored(place) {
  stored.place = place;
  return load();
}

// Loads the newest games, and older ones until as many are shown as before.
async function load(shown = 1) {
  stored.games = [];
  do if (!(await loadOlder())) return;
  while (stored.more && stored.games.length < shown);
}

async function loadOlder() {
  const last = stored.games.at(-1);
  const { status, body } = await askPast(last ? `/api/house/games/older/${last.number}` : "/api/house/games");
  stored.fault = status === 200 ? "" : body.error.sentence;
  if (!stored.fault)
    Object.assign(stored, { games: [...stored.games, ...body.games], more: body.more, imported: body.imported });
  show();
  return !stored.fault;
}

function show() {
  const { place, games, more, imported, fault } = stored;
  paint(place, [games, fault], () => [
    fault && h("p", { class: "fault", role: "alert" }, fault),
    imported && h("p", { class: "quiet", testid: "imported-bytes" }, sizeText(imported)),
    games.length === 0 && !fault && quiet(t("games.none")),
    h("ul", { class: "stored" }, games.map(gameLine)),
    more && button(t("games.more"), "stored-older", loadOlder, { class: "small" }),
  ]);
}

const sizeText = ({ games, bytes, most_games, most_bytes }) =>
  t("admin.games.imported", { games, most: most_games, size: size(bytes), room: size(most_bytes) });

function gameLine(game) {
  const { number, name, started, imported, bytes } = game;
  const about = [started !== null && dateText(started), imported && t("games.imported"), bytes !== null && size(bytes)];
  return h("li", { testid: `stored-${number}` }, [
    h("div", {}, [
      h("b", {}, name, h("small", {}, ` ${t("games.number", { number })}`)),
      quiet(about.filter(Boolean).join(" · ")),
      h("p", {}, outcomeText(game)),
    ]),
    bytes !== null &&
      button(t("admin.games.delete"), `delete-${number}`, () => remove(game), { class: "small danger" }),
  ]);
}

async function remove(game) {
  if (await confirmRemove(game)) await load(stored.games.length - 1);
}

// Asks, then deletes a game; returns whether it was deleted.
export async function confirmRemove({ number, name }) {
  const sure = t("admin.games.sure", { number, game: name });
  if (!(await confirmed(t("admin.games.delete"), sure))) return false;
  const done = await request("/api/house/games/delete", { game: number });
  if (done) toast(t("admin.games.deleted", { number }));
  return done;
}

const UNITS = ["kilobyte", "megabyte"];

// Returns a size in kilobytes or megabytes.
function size(bytes) {
  const unit = bytes < 1e6 ? 0 : 1;
  const format = new Intl.NumberFormat(document.documentElement.lang, {
    style: "unit",
    unit: UNITS[unit],
    maximumFractionDigits: unit,
  });
  return format.format(Math.max(1, bytes / 1000) / 1000 ** unit);
}
