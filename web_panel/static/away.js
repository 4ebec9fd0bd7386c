// The page that is there when the table is not: it looks again by itself, and goes back to where one was.

const PAUSE_MS = 3000;

async function look() {
  try {
    if ((await fetch("/api/lobby", { cache: "no-store" })).ok) return location.reload();
  } catch {
    // Still away.
  }
  setTimeout(look, PAUSE_MS);
}

window.addEventListener("online", () => location.reload());
setTimeout(look, PAUSE_MS);
