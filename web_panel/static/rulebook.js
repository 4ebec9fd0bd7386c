// The rules page: searches the rules, folds the groups on a small screen, opens the page at a rule, and says so when
// somebody asks for a number that the book does not have.

const note = document.querySelector("#unknown-rule");
const field = document.querySelector("#find-rule");
const found = document.querySelector("#found-rules");
const sections = [...document.querySelectorAll(".book main > section")].map((element) => ({
  element,
  title: element.querySelector("h2"),
  link: document.querySelector(`.contents a[href="#${element.querySelector("h2").id}"]`).parentElement,
  rules: [...element.querySelectorAll(".rule")].map((rule) => ({ rule, text: plain(`${rule.id} ${rule.textContent}`) })),
}));

// Letters as somebody types them who leaves out capitals and accents.
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ł", "l");
}

// --- the rule in the address ------------------------------------------------------------------------------------

function look() {
  const asked = spelt(location.hash.slice(1));
  const known = !asked || document.getElementById(asked);
  const louder = asked.toUpperCase();
  if (!known && document.getElementById(louder)) return location.replace(`#${louder}`);
  note.hidden = Boolean(known);
  note.querySelector("b").textContent = asked.slice(0, 24);
  if (!known) return note.scrollIntoView({ block: "center" });
  if (asked) open(document.getElementById(asked));
}

function spelt(hash) {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

// What is linked to is shown, whatever is folded or searched for.
function open(target) {
  const section = sections.find(({ element }) => element.contains(target));
  if (!section) return;
  if (target.closest(".missed")) {
    field.value = "";
    filter();
  }
  fold(section, false);
  target.scrollIntoView();
}

// --- search -----------------------------------------------------------------------------------------------------

function filter() {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  let number = 0;
  for (const section of sections) {
    let here = 0;
    for (const { rule, text } of section.rules) {
      const fits = words.every((word) => text.includes(word));
      rule.classList.toggle("missed", !fits);
      here += fits;
    }
    number += here;
    for (const part of [section.element, section.link]) part.classList.toggle("missed", here === 0);
    fold(section, words.length === 0 && small.matches);
  }
  found.hidden = words.length === 0;
  document.querySelector(".book").classList.toggle("searched", words.length > 0);
  found.querySelector("b").textContent = number;
}

// --- folding ----------------------------------------------------------------------------------------------------

const small = matchMedia("(max-width: 719px)");

function fold({ element, title }, folded) {
  element.classList.toggle("folded", folded);
  title.firstElementChild.setAttribute("aria-expanded", String(!folded));
}

for (const section of sections) {
  const key = document.createElement("button");
  key.type = "button";
  key.className = "fold";
  key.append(...section.title.childNodes);
  key.addEventListener("click", () => fold(section, !section.element.classList.contains("folded")));
  section.title.append(key);
}

field.addEventListener("input", filter);
field.closest("[hidden]").hidden = false;
small.addEventListener("change", filter);
filter();
// A link to the rule that the address names already changes nothing there.
document.addEventListener("click", ({ target }) => {
  const link = target.closest('a[href^="#"]');
  if (link && link.getAttribute("href") === location.hash) look();
});
window.addEventListener("hashchange", look);
look();
