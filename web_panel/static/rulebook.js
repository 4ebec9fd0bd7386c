// The rules page: search, folded sections on a small screen, opening at a rule, and a message for unknown rule numbers.

import { WordForms, plain, plainWords, splitWords } from "./word-forms.js";

/** @type {(selector: string) => any} */
const $ = (selector) => document.querySelector(selector);

const note = $("#unknown-rule");
const field = $("#find-rule");
const counts = { all: $("#found-rules"), near: $("#near-rules"), none: $("#no-rules") };
const forms = new WordForms(JSON.parse(field.dataset.forms));
const sections = [...document.querySelectorAll(".book main > section")].map((element) => ({
  element,
  title: element.querySelector("h2"),
  link: $(`.contents a[href="#${element.querySelector("h2").id}"]`).parentElement,
  rules: [...element.querySelectorAll(".rule")],
}));
const rules = sections.flatMap((section) => section.rules);
// The words of each rule, with its number and the title of its section.
const texts = new Map(
  sections.flatMap(({ title, rules }) =>
    rules.map((rule) => [rule, [...new Set(plainWords(`${rule.id} ${title.textContent} ${rule.textContent}`))]]),
  ),
);

// --- the rule in the address ------------------------------------------------------------------------------------

function followLink() {
  const asked = decodeHash(location.hash.slice(1));
  const known = !asked || document.getElementById(asked);
  const louder = asked.toUpperCase();
  if (!known && document.getElementById(louder)) return location.replace(`#${louder}`);
  note.hidden = Boolean(known);
  note.querySelector("b").textContent = asked.slice(0, 24);
  if (!known) return note.scrollIntoView({ block: "center" });
  if (asked) open(document.getElementById(asked));
}

function decodeHash(hash) {
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
  setFolded(section, false);
  target.scrollIntoView();
}

// --- search -----------------------------------------------------------------------------------------------------

// Rules with all words stay. If there are few, those with the rarest of the words stay, too.
const FEW = 3;

function filter() {
  const asked = forms.searchWords(field.value);
  const having = asked.map((word) => rules.filter((rule) => texts.get(rule).some((it) => forms.same(word, it))));
  const all = rules.filter((rule) => having.every((some) => some.includes(rule)));
  const near = all.length < FEW && asked.length > 1 ? rarest(having) : [];
  const shown = new Set([...all, ...near]);
  for (const section of sections) {
    for (const rule of section.rules) rule.classList.toggle("missed", !shown.has(rule));
    const here = section.rules.some((rule) => shown.has(rule));
    for (const part of [section.element, section.link]) part.classList.toggle("missed", !here && shown.size > 0);
    setFolded(section, (asked.length === 0 && small.matches) || shown.size === 0);
  }
  announceMatches(asked.length > 0, all.length, shown.size - all.length);
  highlight(asked, shown);
}

const rarest = (having) =>
  having.filter((some) => some.length).sort((some, others) => some.length - others.length)[0] ?? [];

function announceMatches(searching, all, near) {
  $(".book").classList.toggle("searched", searching && all + near > 0);
  counts.all.hidden = !searching || (all === 0 && near === 0);
  counts.near.hidden = !searching || near === 0;
  counts.none.hidden = !searching || all + near > 0;
  counts.all.querySelector("b").textContent = String(all);
  counts.near.querySelector("b").textContent = String(near);
}

// --- hits -------------------------------------------------------------------------------------------------------

// Marks the words that were found.
function highlight(asked, shown) {
  for (const mark of document.querySelectorAll(".book main mark")) {
    const { parentNode: holder } = mark;
    mark.replaceWith(mark.textContent);
    holder.normalize();
  }
  if (!asked.length) return;
  const titles = sections.filter(({ rules }) => rules.some((rule) => shown.has(rule))).map(({ title }) => title);
  for (const element of [...titles, ...shown]) textNodes(element).forEach((node) => markIn(node, asked));
}

function textNodes(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  return found;
}

function markIn(node, asked) {
  const hit = ([word, text]) => word && asked.some((it) => forms.same(it, plain(text)));
  const split = splitWords(node.data);
  if (split.some(hit)) node.replaceWith(...split.map((part) => (hit(part) ? markText(part[1]) : part[1])));
}

function markText(text) {
  const mark = document.createElement("mark");
  mark.textContent = text;
  return mark;
}

// --- folding ----------------------------------------------------------------------------------------------------

const small = matchMedia("(max-width: 719px)");

function setFolded({ element, title }, folded) {
  element.classList.toggle("folded", folded);
  title.firstElementChild.setAttribute("aria-expanded", String(!folded));
}

for (const section of sections) {
  const key = document.createElement("button");
  key.type = "button";
  key.className = "fold";
  key.append(...section.title.childNodes);
  key.addEventListener("click", () => setFolded(section, !section.element.classList.contains("folded")));
  section.title.append(key);
}

field.addEventListener("input", filter);
field.closest("[hidden]").hidden = false;
small.addEventListener("change", filter);
filter();
// A link to the current address doesn't trigger a hashchange event.
document.addEventListener("click", (/** @type {any} */ { target }) => {
  const link = target.closest('a[href^="#"]');
  if (link && link.getAttribute("href") === location.hash) followLink();
});
window.addEventListener("hashchange", followLink);
followLink();
