// Small values that this browser stores. Storage may be forbidden; then a value lasts until the page is closed.

/** @typedef {"localStorage" | "sessionStorage"} Place */

// Returns the stored value, or `usual` if there is none of its kind.
/** @type {<T>(key: string, usual: T, place?: Place) => T} */
export function recall(key, usual, place = "localStorage") {
  const found = read(key, place);
  const fits = typeof found === typeof usual && Array.isArray(found) === Array.isArray(usual);
  return fits && found !== null ? found : usual;
}

const storage = (place) => (place === "localStorage" ? localStorage : sessionStorage);

function read(key, place) {
  let text = null;
  try {
    text = storage(place).getItem(key);
    return JSON.parse(text);
  } catch {
    return text; // earlier versions stored some words without quotes
  }
}

/** @type {(key: string, value: any, place?: Place) => void} */
export function store(key, value, place = "localStorage") {
  try {
    storage(place).setItem(key, JSON.stringify(value));
  } catch {
    // Forbidden or full.
  }
}
