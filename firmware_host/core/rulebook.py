"""The rulebook of a game: every rule and ruling by its ID, read from `games/<name>/book/`.

A page has groups: `## NAME`, a paragraph about the group, and its entries:

    ### AB-MOVE-03

    The rule, in one or more paragraphs.

Advice and flavour begin with `*Advice.*` or `*Flavour.*`; their last paragraph, `*No test:* …`, says why no test covers
them. A ruling that is a switch ends with `*Switched off:* …`. Sections without entries are ignored.

The IDs of a game's own rules begin with its two letters. A group of rules that several games share has other letters,
and its heading names them: `## EN-ALY` contains `EN-ALY-01`. Shared pages outside the game's folder are listed in
`shared.txt`, one path a line, relative to the folder of the book.

The pages are in English. `name.pl.md` beside `name.md` is the Polish translation: the same IDs, marks and references.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Literal

from msgspec import Struct

from engine.text import and_list
from firmware_host.core import sizes, word_forms
from firmware_host.core.game_files import game_folder
from firmware_host.core.strict import text_of

ENGLISH = "en"

Kind = Literal["rule", "ruling", "advice", "flavour"]

ID = re.compile(r"\b(?:[A-Z]{2}-[A-Z]+|R)-\d\d\b")
SPOKEN = re.compile(r"(?:([A-Z]{2})[- ])?([A-Z]+)[- ]?(\d{1,2})")
"""An ID as people type it: `move 3`, `r8`, `en-aly 2`."""
MOST_NAMED = 8
"""Maximum number of rules in one sentence."""
SHARED_LIST = "shared.txt"
"""The file that lists pages of other games that belong to the book, too."""
KIND_OF_MARK: Mapping[str, Kind] = {"*Advice.* ": "advice", "*Flavour.* ": "flavour"}
OFF, UNTESTED = "*Switched off:* ", "*No test:* "


class RulebookError(Exception):
    """Pages that cannot be read; the message lists every fault with file and line."""


class RuleEntry(Struct, frozen=True):
    """A rule with its ID. `text` is plain, with paragraphs separated by an empty line.

    `off` says what changes if a ruling is switched off; `untested` why no test covers advice and flavour.
    """

    id: str
    kind: Kind
    group: str
    text: str
    off: str = ""
    untested: str = ""

    @property
    def mentions(self) -> tuple[str, ...]:
        """The other IDs in the text, in order."""
        return tuple(name for name in dict.fromkeys(ID.findall(f"{self.text} {self.off}")) if name != self.id)


class RuleGroup(Struct, frozen=True):
    """Rules about one topic, ordered by ID.

    `name` is the part of their IDs, and `about` a line about the group, or the name.
    """

    name: str
    about: str
    entries: tuple[RuleEntry, ...]

    @property
    def title(self) -> str:
        """The beginning of `about`."""
        return self.about.partition(":")[0].rstrip(".")


class Rulebook(Struct, frozen=True):
    """All groups, in the order of the pages; `language` is the code of the language."""

    groups: tuple[RuleGroup, ...]
    language: str = ENGLISH

    @property
    def entries(self) -> dict[str, RuleEntry]:
        """All entries by ID, in order."""
        return {entry.id: entry for group in self.groups for entry in group.entries}

    def entry(self, query: str) -> RuleEntry | None:
        """Return the entry of an ID, typed exactly or like `move 3`."""
        return self.entries.get(self.spelt(query))

    def group(self, query: str) -> RuleGroup | None:
        """Return the group with a name, or the only group whose name begins with the text."""
        name = query.upper().removeprefix(f"{self.letters}-")
        exact = [group for group in self.groups if group.name == name]
        starting = exact or [group for group in self.groups if name and group.name.startswith(name)]
        return starting[0] if len(starting) == 1 else None

    def search(self, words: str) -> list[RuleEntry]:
        """Return the entries that contain all words, in any form, also in the title of their group. The best come
        first: those with words in the title, rules before rulings, and those where the words come early.
        """
        query_words, found = word_forms.search_words(words, self.language), list[tuple[tuple[int, ...], RuleEntry]]()
        for group in self.groups if query_words else ():
            title = word_forms.plain_words(group.title)
            titled = [word for word in query_words if word_forms.matches(word, title, self.language)]
            for entry in group.entries:
                text = dict.fromkeys(word_forms.plain_words(f"{entry.id} {entry.text} {entry.off}"))
                places = {word: word_forms.place(word, text, self.language) for word in query_words}
                if all(places[word] is not None or word in titled for word in query_words):
                    late = sum(len(text) if place is None else place for place in places.values())
                    found.append(((-len(titled), int(entry.id.startswith("R-")), late), entry))
        return [entry for _, entry in sorted(found, key=lambda hit: hit[0])]

    def nearest(self, query: str) -> str | None:
        """Return the ID or group name that is most similar to what was asked for."""
        all_names = [*self.entries, *(group.name for group in self.groups)]
        return next(iter(get_close_matches(self.spelt(query), all_names, 1, 0.5)), None)

    @property
    def letters(self) -> str:
        """The two letters of the game's own rules; empty if the book has only rulings and shared rules."""
        return next(iter(sorted(_own_letters(self.groups))), "")

    def spelt(self, query: str) -> str:
        """Return an ID in its standard spelling; other text in capitals."""
        typed = query.strip().upper()
        match = SPOKEN.fullmatch(typed)
        if match is None:
            return typed
        letters, group, number = match.groups()
        # Rulings have no letters of a game in their ID: `r8` means `R-08`.
        if group == "R" and letters in (None, self.letters) and self.group("RULINGS") is not None:
            return f"R-{number:0>2}"
        return f"{letters or self.letters}-{group}-{number:0>2}"


def book_of(game: str, language: str = ENGLISH) -> Rulebook:
    """Return the rulebook of a game; see `load`. Raises `RulebookError`, and `LookupError` for an unknown game."""
    return load(game_folder(game) / "book", language)


def load(folder: Path, language: str = ENGLISH) -> Rulebook:
    """Return the rulebook in a folder, in English if there is no translation. Raises `RulebookError`."""
    pages, name = dict[str, str](), SHARED_LIST
    try:
        for page in _pages(folder):
            name = page.name
            pages[name] = text_of(sizes.whole_file(page))
    except sizes.TooLarge as error:
        raise RulebookError(f"{folder.parent.name}: {name} of the rules is too large. Shorten it.") from error
    except (OSError, ValueError) as error:
        raise RulebookError(f"{folder.parent.name}: {name} of the rules cannot be read. Save it as UTF-8.") from error
    # A translated page has a second dot, as in `name.pl.md`.
    english = {name: text for name, text in pages.items() if name.count(".") == 1}
    if not english:
        raise RulebookError(f"{folder.parent.name}: there are no rules here. Install the game again if it had some.")
    book = read_pages(english)
    if not book.groups:
        raise RulebookError(f"{folder.parent.name}: its pages hold no numbered rule. Add one: ### AB-MOVE-01.")
    translated = {name: text for name, text in pages.items() if name.endswith(f".{language}.md")}
    return _translated(book, read_pages(translated), language) if translated else book


def _pages(folder: Path) -> Iterator[Path]:
    """Yield the pages of a book in every language: its own, then the shared ones."""
    yield from sizes.files(folder, "*.md")
    shared = text_of(sizes.whole_file(folder / SHARED_LIST)).split() if (folder / SHARED_LIST).is_file() else []
    for name in sizes.at_most(dict.fromkeys(shared), sizes.MOST_FILES):
        page = folder / name
        if not page.is_file():
            # Name the file without its folder, because screens show this sentence.
            where = f"{folder.parent.name}/{folder.name}/{SHARED_LIST}"
            raise RulebookError(f"{where}: there is no page {name}. Correct the path, or remove the line.")
        yield page
        yield from sizes.files(page.parent, f"{page.stem}.*.md")


def _translated(book: Rulebook, other: Rulebook, language: str) -> Rulebook:
    """Return a translated book. Raises `RulebookError` with all differences from the English one."""
    missing, extra = (sorted(one.entries.keys() - two.entries) for one, two in ((book, other), (other, book)))
    faults = [f"{_named(missing)}: missing in {language}. Translate all rules, or none."] if missing else []
    faults += [f"{_named(extra)}: only in {language}."] if extra else []
    for name, entry in other.entries.items():
        own = book.entries.get(name, entry)
        if (own.kind, bool(own.off)) != (entry.kind, bool(entry.off)):
            faults.append(f"{name}: is {own.kind} in English and {entry.kind} in {language}, or its switch is missing.")
        if set(own.mentions) != set(entry.mentions):
            faults.append(f"{name}: refers to {', '.join(own.mentions) or 'nothing'} in English, not in {language}.")
    if faults:
        raise RulebookError("\n".join(sorted(faults)))
    return Rulebook(other.groups, language)


def _named(rules: list[str]) -> str:
    """Return the first rules of a list."""
    return ", ".join([*rules[:MOST_NAMED], *(["…"] if rules[MOST_NAMED:] else [])])


# --- reading ----------------------------------------------------------------------------------------------------


def read_pages(pages: Mapping[str, str]) -> Rulebook:
    """Return the rulebook of some pages, name -> text. Raises `RulebookError` with all faults."""
    faults: list[str] = []
    groups: list[RuleGroup] = []
    seen: dict[str, str] = {}
    for name, text in pages.items():
        for line, heading, body in _sections(text, "## "):
            # Lines count from 1, and the text of a section begins in the line after its heading.
            entries = [
                _entry(f"{name}:{line + at + 2}", heading, title, below, faults, seen)
                for at, title, below in _sections(body, "### ")
            ]
            if entries:
                about = _without_marks(body.partition("### ")[0].strip().partition("\n\n")[0])
                groups.append(RuleGroup(heading, about or heading.capitalize(), tuple(entries)))
    faults += _order(groups)
    if faults:
        raise RulebookError("\n".join(faults))
    return Rulebook(tuple(groups))


def _sections(text: str, mark: str) -> Iterator[tuple[int, str, str]]:
    """Yield (line from 0, heading, text below) of each section that begins with `mark`."""
    lines = text.splitlines()
    starts = [index for index, line in enumerate(lines) if line.startswith(mark)]
    # A section ends where the next one begins, the last one with the page.
    for start, end in pairwise([*starts, len(lines)]):
        yield start, lines[start].removeprefix(mark).strip(), "\n".join(lines[start + 1 : end])


def _entry(where: str, group: str, title: str, body: str, faults: list[str], seen: dict[str, str]) -> RuleEntry:
    """Return a rule. Add what is wrong with it to `faults`, and its place to `seen`."""
    # Only the last paragraph can be a mark: what changes if the ruling is off, or why there is no test.
    *paragraphs, last = [_without_marks(part) for part in body.strip().split("\n\n")]
    kind: Kind = "ruling" if title.startswith("R-") else "rule"
    off = untested = ""
    if last.startswith(OFF):
        off = last.removeprefix(OFF)
    elif last.startswith(UNTESTED):
        untested = last.removeprefix(UNTESTED)
    else:
        paragraphs.append(last)
    for mark, unbound in KIND_OF_MARK.items():
        if paragraphs and paragraphs[0].startswith(mark):
            kind, paragraphs[0] = unbound, paragraphs[0].removeprefix(mark)
    text = "\n\n".join(paragraphs)
    if (first := seen.setdefault(title, where)) != where:
        faults.append(f"{where}: {title} is there twice, first in {first}. Give one of them another number.")
    else:
        faults += [f"{where}: {title} {fault}" for fault in _faults(title, group, kind, text, off, untested)]
    return RuleEntry(title, kind, group, text, off, untested)


def _without_marks(paragraph: str) -> str:
    return " ".join(paragraph.replace("**", "").split())


def _faults(title: str, group: str, kind: Kind, text: str, off: str, untested: str) -> Iterator[str]:
    if ID.fullmatch(title) is None:
        yield "is not the ID of a rule; write it like AB-MOVE-03 or R-08."
    # All but the hyphen and the two digits.
    elif title[:-3] not in (group, f"{title[:2]}-{group}") and not (title.startswith("R-") and group == "RULINGS"):
        yield f"is in the group {group}, where it does not belong."
    if not text:
        yield "has no text; write the rule."
    if "*" in f"{text}{off}{untested}":
        yield "contains a mark that is unknown, or not allowed here."
    if off and kind != "ruling":
        yield "is not a ruling, so it cannot be switched off."
    if bool(untested) != (kind in KIND_OF_MARK.values()):
        yield "needs a last paragraph '*No test:* …' if it is advice or flavour, and may not have one otherwise."


def _own_letters(groups: Iterable[RuleGroup]) -> set[str]:
    """Return the first two letters of the IDs, without rulings and groups whose heading has other letters."""
    names = {entry.id for group in groups for entry in group.entries if not entry.id.startswith(f"{group.name}-")}
    return {name[:2] for name in names if not name.startswith("R-")}


def _order(groups: Sequence[RuleGroup]) -> Iterator[str]:
    """Yield errors in the numbering.

    Each group must have the numbers from 01 on, each once, and may appear only once.
    """
    seen: set[str] = set()
    letters = _own_letters(groups)
    if len(letters) > 1:
        begins = (
            next(it.id for group in groups for it in group.entries if it.id[:2] == two) for two in sorted(letters)
        )
        yield f"{and_list(begins)} begin with different letters; a book has one pair. Correct the numbers."
    for group in groups:
        numbers = [int(entry.id[-2:]) for entry in group.entries if ID.fullmatch(entry.id)]
        # IDs that are not those of rules are reported in another line.
        if len(numbers) == len(group.entries) and numbers != list(range(1, len(numbers) + 1)):
            yield f"{group.name}: the numbers must run from 01, each once and in order; they are {numbers}."
        if group.name in seen:
            yield f"{group.name}: there is a second group of this name; merge them."
        seen.add(group.name)
    ids = {entry.id for group in groups for entry in group.entries}
    for group in groups:
        for entry in group.entries:
            yield from (f"{entry.id}: refers to {name}, which does not exist." for name in set(entry.mentions) - ids)
