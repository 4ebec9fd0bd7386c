// The rules page: says so when somebody asks for a number that the book does not have.

const note = document.querySelector("#unknown-rule");

function look() {
  const asked = spelt(location.hash.slice(1));
  const known = !asked || document.getElementById(asked);
  const louder = asked.toUpperCase();
  if (!known && document.getElementById(louder)) return location.replace(`#${louder}`);
  note.hidden = Boolean(known);
  note.querySelector("b").textContent = asked.slice(0, 24);
  if (!known) note.scrollIntoView({ block: "center" });
}

function spelt(hash) {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

window.addEventListener("hashchange", look);
look();
