// Lets the browser store the page for an unreachable table. This works only on trusted addresses (https or this
// machine); elsewhere only the connection strip reports it. Also loads an incomplete page again, and tells the table
// that this browser's person is still here.

if ("serviceWorker" in navigator) navigator.serviceWorker.register("/worker.js").catch(() => {});

const HERE_MS = 60_000;
setInterval(() => document.hidden || fetch("/api/lobby", { method: "HEAD" }).catch(() => {}), HERE_MS);

const RETRY_MS = 4000;
const REFUSED_FOR_NOW = [429, 503];
const RELOADS = "reloads";
const MOST_RELOADS = 2;

/** @type {NodeListOf<HTMLLinkElement>} */
const styles = document.querySelectorAll("link[rel=stylesheet]");
/** @type {NodeListOf<HTMLLinkElement>} */
const preloads = document.querySelectorAll("link[rel=modulepreload]");
/** @type {NodeListOf<HTMLScriptElement>} */
const scripts = document.querySelectorAll("script[type=module]");

// Whether all styles and the page's own script, which is the first one, are loaded. Importing the script again requests
// its missing modules again, in browsers that forget a failure.
async function isWhole() {
  try {
    await import(scripts[0].src);
    // In some browsers, reading the rules of a style sheet that wasn't loaded throws an error.
    return [...styles].every(({ href, sheet }) => sheet?.cssRules && !wasRefused(href));
  } catch {
    return false;
  }
}

const wasRefused = (file) =>
  performance.getEntriesByName(file).some((it) => REFUSED_FOR_NOW.includes(/** @type {any} */ (it).responseStatus));

// Whether the table returns each file of the page, which the browser then caches. One after another, so that a busy
// table gets only one request at a time to refuse.
async function isAnswered() {
  const files = [...styles, ...preloads].map(({ href }) => href);
  for (const file of [...files, ...[...scripts].map(({ src }) => src)]) {
    const answer = await fetch(file).catch(() => null);
    if (!answer || REFUSED_FOR_NOW.includes(answer.status)) return false;
  }
  return true;
}

// A file can be missing because the table was unreachable or busy, and on a TV no one can reload the page. If the page
// is incomplete although all files are there, one of them has an error, and the page would reload forever.
async function repair() {
  if (await isWhole()) return sessionStorage.removeItem(RELOADS);
  do await new Promise((done) => setTimeout(done, RETRY_MS));
  while (!(await isAnswered()));
  const reloads = Number(sessionStorage.getItem(RELOADS));
  if (reloads >= MOST_RELOADS) return void (document.body.dataset.incomplete = "yes");
  sessionStorage.setItem(RELOADS, String(reloads + 1));
  location.reload();
}

if (document.readyState === "complete") repair();
else window.addEventListener("load", repair, { once: true });
