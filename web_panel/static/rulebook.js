// The rules page: search, folded sections on a small screen, opening at a rule, and a message for unknown rule numbers.

/** @type {(selector: string) => any} */
const $ = (selector) => document.querySelector(selector);

const note = $("#unknown-rule");
const field = $("#find-rule");
const found = $("#found-rules");
const sections = [...document.querySelectorAll(".book main > section")].map((element) => ({
  element,
  title: element.querySelector("h2"),
  link: $(`.contents a[href="#${element.querySelector("h2").id}"]`).parentElement,
  rules: [...element.querySelectorAll(".rule")].map((rule) => ({
    rule,
    text: plain(`${rule.id} ${rule.textContent}`),
  })),
}));

// Ignores case and accents.
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

// Shows the target of a link, even if it is folded or filtered out.
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
  $(".book").classList.toggle("searched", words.length > 0);
  found.querySelector("b").textContent = String(number);
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
// A link to the current address doesn't trigger a hashchange event.
document.addEventListener("click", (/** @type {any} */ { target }) => {
  const link = target.closest('a[href^="#"]');
  if (link && link.getAttribute("href") === location.hash) look();
});
window.addEventListener("hashchange", look);
look();
