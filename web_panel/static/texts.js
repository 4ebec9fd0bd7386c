// The texts of the screens in this device's language. They are in `web_panel/languages/` and in each game's `screens`
// folder, one file for each language. `{name}` in a text is replaced; plural forms depend on `number`.

const { LANGUAGE, WORDS } = await import(document.documentElement.dataset.words);
const plural = new Intl.PluralRules(LANGUAGE);
// Placeholders for words such as "red officer", which get a capital letter only at the beginning of a text.
const WORDED = new Set(["unit", "units"]);

export function t(key, values = {}) {
  const found = WORDS[key];
  if (found === undefined) throw new Error(`no text ${key}`);
  const text = typeof found === "string" ? found : (found[plural.select(values.number)] ?? found.other);
  return fillPlaces(text, values);
}

// Fills the placeholders of a text.
export const fillPlaces = (text, values) =>
  text.replace(/\{(\w+)\}/g, (_, name, at) => (at === 0 && WORDED.has(name) ? capital(values[name]) : values[name]));

// Returns the text of a value, such as a squad: `family.value`.
export function tOf(family, value, values = {}) {
  const key = `${family}.${value}`;
  return key in WORDS ? t(key, values) : String(value);
}

// Returns the text of a seat or part if the game has one, or else the general text.
export const tFor = (family, value) => (has(`${family}.${value}`) ? tOf(family, value) : t(family));

// Numbered seats (such as player-1) share one briefing.
export const roleOf = (seat) => seat.replace(/-\d+$/, "");
export const hasBriefing = (seat) => has(`briefing.win.${roleOf(seat)}`);

// Whether there is a text with this key.
export const has = (key) => key in WORDS;

// Returns a seat's name from the catalogue, or else its title with a capital letter.
export function seatName(seats, seat) {
  const { title } = seats[seat];
  return has(`seat.${seat}`) ? tOf("seat", seat) : capital(title);
}

// Returns the names of the people at a seat; empty if no one has given a name.
export const personNames = (seats, seat) =>
  list([...new Set(seats[seat].devices.filter((it) => !it.bot && !it.guest).map(({ device }) => device))]);

// Returns the name of the bot at a seat; with the seat's number if it plays others, too; empty if there is none.
function botName(seats, seat) {
  const botsAt = (one) => seats[one].devices.map(({ bot }) => bot).filter(Boolean);
  const [bot] = botsAt(seat);
  if (!bot) return "";
  const alone = Object.keys(seats).every((one) => one === seat || !botsAt(one).includes(bot));
  return capital(alone ? tOf("bot", bot) : `${tOf("bot", bot)} ${seat.replace(/^.*-/, "")}`);
}

// Returns the people who play a seat, or the bot; empty for a seat without anyone.
const playedBy = (seats, seat) => personNames(seats, seat) || botName(seats, seat);

// Returns who plays a seat: the people, a bot, or else the seat's name.
export const playerName = (seats, seat) => playedBy(seats, seat) || seatName(seats, seat);

// Puts the players' names into the log and what the board says.
/** @type {(picture: { seats: any, log?: any[], board?: any }) => void} */
export function namePlayers({ seats, log = [], board }) {
  const [named, owned] = [namesIn(seats), ownersIn(seats)];
  for (const entry of log) entry.sentence = named(entry.sentence);
  for (const asked of [board, board?.hint, board?.hint?.orders].flat())
    if (asked?.sentence) asked.sentence = owned(asked.sentence);
}

// Returns a function that puts the players' names into a sentence, for the titles of numbered seats: "Olga ends the
// turn." A name that could mean something else stands behind the title: "Player 2 (Player 1) ends the turn."
export function namesIn(seats = {}) {
  const names = new Map();
  for (const [seat, { title }] of Object.entries(seats)) {
    const name = /\d$/.test(title) && playedBy(seats, seat);
    if (name) names.set(title.toLowerCase(), isClear(seats, seat, name) ? () => name : (it) => `${it} (${name})`);
  }
  if (!names.size) return (sentence) => sentence;
  // All titles are replaced in one pass, because a person's name may contain the title of another seat.
  const titles = [...names.keys()].map((title) => title.replace(/[^\p{L}\p{N}\s]/gu, "\\$&"));
  const any = new RegExp(`(?:${titles.join("|")})(?!\\d)`, "gi");
  return (sentence) => sentence.replace(any, (it) => names.get(it.toLowerCase())(it));
}

// As `namesIn`, with the owners of pieces: "Sniper 2 (Olga)".
export function ownersIn(seats) {
  const named = namesIn(seats);
  if (!has("unit.numbered")) return named;
  // The beginnings of their titles, because languages inflect them.
  const parts = new RegExp(`(?<!\\p{L})((?:${tOf("unit", "numbered").replaceAll(" ", "|")})\\p{L}* \\d+)`, "iu");
  const owned = (piece, seat) => (seats[seat] && playedBy(seats, seat) ? `${piece} (${playedBy(seats, seat)})` : piece);
  const said = (part, at) => (at % 2 ? owned(part, `player-${part.replace(/\D/g, "")}`) : named(part));
  return (sentence) => sentence.split(parts).map(said).join("");
}

// Whether a name means one device or bot, and no other name, title or piece ("Sniper 3").
const isClear = (seats, seat, name) =>
  seats[seat].devices.length < 2 &&
  !(personNames(seats, seat) && /\s\d|[^\p{L}\d '-]/u.test(name)) &&
  Object.keys(seats).every(
    (it) =>
      it === seat ||
      ![playerName(seats, it), seats[it].title].some((one) => name.toLowerCase().includes(one.toLowerCase())),
  );

// Returns whose turn it is, with the names of the people at the seat.
export function turnOf(turn, seats, seat) {
  const names = personNames(seats, seat);
  return names ? t("seats.turn", { turn, names }) : turn;
}

export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// Returns the name of a device, or of the bot in its place.
export const deviceName = ({ device, bot }) => (bot ? t("seats.bot", { bot: tOf("bot", bot) }) : device);

// Returns a number with a fixed number of decimal places.
export const decimal = (number, digits) =>
  new Intl.NumberFormat(LANGUAGE, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(number);

export function list(names) {
  const all = [...names];
  if (all.length < 2) return all.join("");
  return t("list.and", { first: all.slice(0, -1).join(", "), last: all.at(-1) });
}
