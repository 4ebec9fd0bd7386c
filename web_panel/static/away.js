// The page shown while the table is unreachable. It keeps trying and then returns to the page it replaces.

const PAUSE_MS = 3000;

async function seekTable() {
  try {
    if ((await fetch("/api/lobby", { cache: "no-store" })).ok) return location.reload();
  } catch {
    // Still unreachable.
  }
  setTimeout(seekTable, PAUSE_MS);
}

window.addEventListener("online", () => location.reload());
setTimeout(seekTable, PAUSE_MS);
