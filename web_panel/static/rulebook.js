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
  rules: [...element.querySelectorAll(".rule")],
}));
const rules = sections.flatMap((section) => section.rules);
const unique = (text) => [...new Set(plainWords(text))];
// The words of each rule with its number, and those of its section's title.
const texts = new Map(
  sections.flatMap(({ title, rules }) =>
    rules.map((rule) => [
      rule,
      { words: unique(`${rule.id} ${rule.lastElementChild.textContent}`), heading: unique(title.textContent) },
    ]),
  ),
);
// Search results are in an order of their own.
const hits = document.createElement("section");
hits.className = "hits";
sections[0].element.before(hits);

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

// Shows the target of a link, even if it is folded or not found by a search.
function open(target) {
  const section = sections.find(({ element }) => element.contains(target));
  if (section && field.value) {
    field.value = "";
    filter();
  }
  if (section) setFolded(section, false);
  target.scrollIntoView();
}

// --- search -----------------------------------------------------------------------------------------------------

// Rules with all words are found. If there are few, those with the rarest of the words are found, too.
const FEW = 3;

function filter() {
  const asked = forms.searchWords(field.value);
  const has = (word, { words, heading }) => [...words, ...heading].some((it) => forms.same(word, it));
  const having = asked.map((word) => rules.filter((rule) => has(word, texts.get(rule))));
  const all = asked.length ? rules.filter((rule) => having.every((some) => some.includes(rule))) : [];
  const near = all.length < FEW && asked.length > 1 ? rarest(having) : [];
  const shown = [...new Set([...all, ...near])].map((rule) => ({ rule, rank: rankOf(texts.get(rule), asked) }));
  shown.sort((one, other) => one.rank.map((it, i) => it - other.rank[i]).find(Boolean) ?? 0);
  for (const section of sections) {
    section.element.append(...section.rules);
    section.element.classList.toggle("missed", shown.length > 0);
    setFolded(section, asked.length > 0 || small.matches);
  }
  hits.replaceChildren(...shown.map(({ rule }) => rule));
  announceMatches(asked.length > 0, all.length, shown.length - all.length);
  highlight(asked);
}

// Returns numbers that order search results, as `Rulebook.search` does: how many words are missing and how many are in
// the heading, whether it is a ruling, and how late the words come.
function rankOf({ words, heading }, asked) {
  const at = asked.map((word) => words.findIndex((it) => forms.same(word, it)));
  const headed = asked.map((word) => heading.some((it) => forms.same(word, it)));
  const missing = at.filter((place, i) => place < 0 && !headed[i]).length;
  const late = at.reduce((sum, place) => sum + (place < 0 ? words.length : place), 0);
  return [missing, -headed.filter(Boolean).length, Number(words[0].startsWith("r-")), late];
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
function highlight(asked) {
  for (const mark of document.querySelectorAll(".book main mark")) {
    const { parentNode: holder } = mark;
    mark.replaceWith(mark.textContent);
    holder.normalize();
  }
  textNodes(hits).forEach((node) => markIn(node, asked));
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
