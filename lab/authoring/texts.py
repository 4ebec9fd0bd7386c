"""The catalogues of the screens' languages: find the texts that they must contain, and update them.

The panel's are in `web_panel/languages/`, those of a game in its folder `screens`.

    python -m tools.texts           add missing texts to every catalogue, empty, and remove unused ones
    python -m tools.texts de        start a new catalogue, for example for German

Add a text of a screen to an `en.po`; this module copies it to the others. It finds the texts in code (`Text`) itself. A
game's catalogue contains the texts that only this game uses. An empty text appears in English until it is translated; a
test reports it. `sniperboard game texts NAME` does the same for one game, wherever it is installed.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from babel import UnknownLocaleError
from babel.messages.catalog import Catalog as Messages
from babel.messages.catalog import Message
from babel.messages.plurals import get_plural
from babel.messages.pofile import PoFileError, PoFileParser, normalize
from msgspec import Struct

import games
from firmware_host.core import bots, data_files, maps
from firmware_host.core.capabilities import capabilities
from firmware_host.core.data_files import LESSONS, MISSIONS, DataFileError, LessonFile, MissionFile
from firmware_host.core.game_files import game_folder
from firmware_host.core.strict import strip_bom, text_of
from lab.authoring.place import replace_text
from web_panel.language import DEFAULT, FOLDER, GRAMMARS, KEY, grammar_of

ROOT = Path(__file__).resolve().parents[2]
SPEAKING = ("engine", "hardware", "firmware_host", "maker", "web_panel")
MAKERS = ("Text", "HardwareFault")
"""Classes that are created with a text and the values of its placeholders."""
UNCLOSED = re.compile(rb'[^#"]*"(?!(?:[^"\\]|\\.)*"\s*$)')
"""Matches a line of a catalogue with the beginning of a text, but not its end."""
NPLURALS = re.compile(rb'"Plural-Forms: *nplurals *= *(\d+)')
MAKES_TEXT = re.compile(rf"\b({'|'.join(MAKERS)})\b\s*\(")
"""Matches code that creates a `Text`."""


class CatalogueEntry(Struct, frozen=True):
    """A text by its name (a key or its English), with its English plural if there is one, and its case."""

    name: str
    many: str = ""
    case: str = ""


Catalogue = dict[CatalogueEntry, tuple[str, ...]]
"""Entry -> the text, or a text for each plural form."""


def read_catalogue(path: Path) -> Catalogue:
    """Parse a catalogue. Raises `OSError`, or a `ValueError` whose message continues after the file's name."""
    messages, file = _Once(), strip_bom(path.read_bytes())
    try:
        forms = get_plural(path.stem)
    except (UnknownLocaleError, ValueError) as error:
        raise ValueError(f"no language has the code {path.stem}") from error
    for number, line in enumerate(file.splitlines(), 1):
        if (header := NPLURALS.match(line)) and int(header[1]) != forms.num_plurals:  # the parser names a later line
            raise ValueError(f'line {number} is not of this language. Write "Plural-Forms: {forms}\\n"')
        if UNCLOSED.match(line):  # the parser would drop the last letter
            raise ValueError(f"line {number} lacks a quotation mark at its end")
    try:
        PoFileParser(messages, abort_invalid=True).parse(BytesIO(file))
    except PoFileError as error:
        why = f"is not understood: {error.line.strip()[:80]!r}" if error.line else "has no msgstr below it"
        raise ValueError(f"line {error.lineno + 1} {why}") from error
    except UnicodeDecodeError:  # its header can name another encoding
        text_of(file)
        raise
    found: Catalogue = {}
    for message in messages:
        if message.id:
            name, many = (message.id, "") if isinstance(message.id, str) else message.id
            texts = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            found[CatalogueEntry(name, many, message.context or "")] = texts
    return found


class _Once(Messages):
    """Messages of a catalogue. Raises a `ValueError` for a duplicate text, of which one would be lost."""

    def __setitem__(self, id: Any, message: Message) -> None:
        if id and self.get(id, message.context) is not None:
            name = id if isinstance(id, str) else id[0]
            raise ValueError(f"line {message.lineno}: {name!r} is a duplicate; delete one")
        super().__setitem__(id, message)


class CatalogueFolder(Struct, frozen=True):
    """A folder of catalogues: the panel's, or those of `game`."""

    folder: Path
    game: str = ""

    def said(self) -> list[CatalogueEntry]:
        """Return all texts of the code and data that belong to this folder, in the order of the files.

        Texts that are also used outside the game are only in the panel's catalogue.
        """
        if not self.game:
            return _said([ROOT / folder for folder in SPEAKING], data())
        common = {*PANEL.said()}
        own = bots.own_names(games.find(self.game))
        lines = [*(bots.describe(games.find(self.game), name) for name in own)]
        lines += [*lesson_texts(self.game), *mission_texts(self.game), *board_texts(self.game)]
        return [entry for entry in _said([game_folder(self.game)], lines) if entry not in common]

    def codes(self) -> list[str]:
        return sorted(path.stem for path in self.folder.glob("*.po"))


PANEL = CatalogueFolder(FOLDER)


def shelves() -> list[CatalogueFolder]:
    """Return the panel's catalogues, and those of each game that has screens."""
    folders = {name: game_folder(name) / "screens" for name in games.names()}
    return [PANEL, *(CatalogueFolder(folder, name) for name, folder in folders.items() if folder.is_dir())]


def _said(folders: Iterable[Path], more: Iterable[str]) -> list[CatalogueEntry]:
    literals = (entry for folder in folders for file in sorted(folder.rglob("*.py")) for entry in _in(file))
    return [*dict.fromkeys([*literals, *map(CatalogueEntry, more)])]


@cache
def _in(file: Path) -> tuple[CatalogueEntry, ...]:
    found = list[CatalogueEntry]()
    for call in calls(file.read_text("utf-8")):
        # Only literals can be found; a text built at run time cannot be translated.
        texts = [word.value for word in call.args if isinstance(word, ast.Constant) and isinstance(word.value, str)]
        if texts and texts[0]:
            found.append(CatalogueEntry(*texts[:2]))
    return tuple(found)


def lesson_texts(game: str) -> Iterator[str]:
    """Yield the texts of a game's lessons. The table's start reports a file that can't be read."""
    for path in data_files.files(game, LESSONS):
        with suppress(DataFileError):
            course = data_files.decoded(path.read_bytes(), path.name, LessonFile)
            yield from (course.title, course.about, course.done)
            yield from (text for step in course.step for text in (step.say, step.hint) if text)


def mission_texts(game: str) -> Iterator[str]:
    """Yield the texts of a game's missions. The table's start reports a file that can't be read."""
    for path in data_files.files(game, MISSIONS):
        with suppress(DataFileError):
            plan = data_files.decoded(path.read_bytes(), path.name, MissionFile)
            yield from (plan.title, plan.about, plan.goal, *(star.say for star in plan.star))


def board_texts(game: str) -> Iterator[str]:
    """Yield the names of the boards that a game generates, and of their spaces. A number needs no translation."""
    if (maker := capabilities(games.find(game)).makes_maps) is None:
        return
    for slug in maker.map_names():
        yield from (name for name in maps.names_on(maker.make_map(slug)) if any(map(str.isalpha, name)))


def calls(code: str) -> Iterator[ast.Call]:
    """Yield every call that creates a text."""
    # Parsing is most of the work, and most files create no text.
    for node in ast.walk(parsed(code)) if MAKES_TEXT.search(code) else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS:
            yield node


def parsed(code: str) -> ast.Module:
    """Return the syntax tree; an empty one for code with a syntax error, which the check of the start reports."""
    try:
        return ast.parse(code)
    except SyntaxError:
        return ast.Module([], [])


def nodes(game: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield the syntax of a game's code, each node with the path of its file."""
    folder = game_folder(game)
    for path in sorted(folder.rglob("*.py")):
        yield from ((f"{path.relative_to(folder)}", node) for node in ast.walk(parsed(path.read_text("utf-8"))))


def data() -> Iterator[str]:
    """Yield the texts in data: names of the maps, and descriptions of the bots for any game."""
    yield from (maps.load(name).name for name in maps.drawn())
    yield from (bots.describe(games.find(games.DEFAULT), name) for name in bots.general_names())


def update(
    shelf: CatalogueFolder, code: str, keys: Iterable[str] = (), gone: Callable[[str], bool] = lambda key: False
) -> int:
    """Update one catalogue and keep its translations. Return how many texts are still empty. `keys` are added to the
    English one, and keys that are `gone` are removed.
    """
    path, first = shelf.folder / f"{code}.po", shelf.folder / f"{DEFAULT}.po"
    english, old = (read_catalogue(file) if file.exists() else {} for file in (first, path))
    wanted = [entry for entry in english if KEY.fullmatch(entry.name) and not gone(entry.name)]
    wanted += [entry for entry in map(CatalogueEntry, keys) if entry not in english]
    if code != DEFAULT:
        wanted += shelf.said()
    # Inflected forms are not in the code; keep the forms of texts that still exist.
    bent = [entry for entry in old if entry.case and CatalogueEntry(entry.name, entry.many) in wanted]
    forms = len(grammar_of(code).forms)
    texts = {entry: old.get(entry, ("",) * (forms if entry.many else 1)) for entry in [*wanted, *bent]}
    replace_text(path, _text(code, texts, english))
    return sum(not all(found) for found in texts.values())


def _text(code: str, texts: Catalogue, english: Catalogue) -> str:
    head = [
        "# Texts of the screens. web_panel/README.md explains how to add a text or a language.",
        'msgid ""',
        'msgstr ""',
        f'"Language: {code}\\n"',
        f'"Plural-Forms: {get_plural(code)}\\n"',
        '"Content-Type: text/plain; charset=UTF-8\\n"',
    ]
    bodies = ("\n".join(_lines(entry, found, english)) for entry, found in texts.items())
    return "\n\n".join(["\n".join(head), *bodies]) + "\n"


def _lines(entry: CatalogueEntry, found: tuple[str, ...], english: Catalogue) -> Iterator[str]:
    if entry in english and english[entry] != found:
        yield from (f"#. {text}" for text in english[entry])
    if entry.case:
        yield f"msgctxt {_quoted(entry.case)}"
    yield f"msgid {_quoted(entry.name)}"
    if not entry.many:
        yield f"msgstr {_quoted(found[0])}"
        return
    yield f"msgid_plural {_quoted(entry.many)}"
    yield from (f"msgstr[{index}] {_quoted(text)}" for index, text in enumerate(found))


def _quoted(text: str) -> str:
    return normalize(text, width=118)


def grammars() -> bytes:
    """Return the names and plural rules of the panel's languages as JSON, the format that the panel reads."""
    found = {code: grammar_of(code)._asdict() for code in PANEL.codes()}
    return (json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def main(codes: list[str]) -> int:
    """Update these catalogues, or all of them, and then the grammars; return the exit code."""
    for shelf in shelves():
        for code in codes or shelf.codes():
            print(f"{shelf.game or 'the panel'}, {code}.po: {update(shelf, code)} empty")
    GRAMMARS.write_bytes(grammars())
    return 0
