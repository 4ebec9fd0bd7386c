// What the screens say, in this device's language. The words are in `web_panel/languages/` and in the folder `screens`
// of the game on the table, one file a language; a word is added there. `{name}` in a text is filled in; a text with
// plural forms takes the one for its `number`.

const { LANGUAGE, WORDS } = await import(document.documentElement.dataset.words);
const plural = new Intl.PluralRules(LANGUAGE);

export function t(key, values = {}) {
  const found = WORDS[key];
  if (found === undefined) throw new Error(`no text ${key}`);
  const text = typeof found === "string" ? found : (found[plural.select(values.number)] ?? found.other);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

// A text chosen by a value, such as a squad's name: every key that begins with `family`.
export function tOf(family, value, values = {}) {
  const key = `${family}.${value}`;
  return key in WORDS ? t(key, values) : String(value);
}

// A text that a game may have for a seat or a part of its own; else the one for all.
export const tFor = (family, value, values = {}) => (`${family}.${value}` in WORDS ? tOf(family, value, values) : t(family, values));

// Whether there is such a text.
export const has = (key) => key in WORDS;

// What a seat is called by itself: in the words of the screens, or by its title, which stands in sentences else.
export function seatName(seats, seat) {
  const { title } = seats[seat];
  return has(`seat.${seat}`) ? tOf("seat", seat) : title.charAt(0).toUpperCase() + title.slice(1);
}

// What a device is called, or the bot that has its place.
export const deviceName = ({ device, bot }) => (bot ? t("seats.bot", { bot: tOf("bot", bot) }) : device);

// A number with so many digits behind its decimal sign.
export const decimal = (number, digits) =>
  new Intl.NumberFormat(LANGUAGE, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(number);

export function list(names) {
  const all = [...names];
  if (all.length < 2) return all.join("");
  return t("list.and", { first: all.slice(0, -1).join(", "), last: all.at(-1) });
}
