// Lets the browser store the page for an unreachable table. This works only on trusted addresses (https or this
// machine); elsewhere only the connection strip reports it. Also loads an incomplete page again.

if ("serviceWorker" in navigator) navigator.serviceWorker.register("/worker.js").catch(() => {});

const RETRY_MS = 4000;

// Reading the rules of a style sheet that was not loaded throws in Chromium. Firefox only notes the status.
/** @type {(style: HTMLLinkElement) => boolean} */
const isThere = ({ href, sheet }) => {
  /** @type {any[]} */
  const [loaded] = performance.getEntriesByName(href);
  return Boolean(sheet?.cssRules) && !(loaded?.responseStatus >= 400);
};

// Whether all styles are there, and the page's own script, which is the first one. Importing it again asks again for
// what is missing of it, in browsers that forget a failure.
async function isWhole() {
  /** @type {NodeListOf<HTMLLinkElement>} */
  const styles = document.querySelectorAll("link[rel=stylesheet]");
  /** @type {HTMLScriptElement | null} */
  const own = document.querySelector("script[type=module]");
  try {
    await import(own?.src ?? "");
    return [...styles].every(isThere);
  } catch {
    return false;
  }
}

// A file can be missing because the table was away or busy. On a TV, no one can reload the page.
async function reload() {
  try {
    if ((await fetch("/api/lobby", { cache: "no-store" })).ok) return location.reload();
  } catch {
    // Still unreachable.
  }
  setTimeout(reload, RETRY_MS);
}

async function repair() {
  if (!(await isWhole())) setTimeout(reload, RETRY_MS);
}

if (document.readyState === "complete") repair();
else window.addEventListener("load", repair, { once: true });
