"""Find all errors in the files and the names of a game, as sentences."""

from __future__ import annotations

import ast
import re
import xml.etree.ElementTree as ET
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from inspect import get_annotations
from pathlib import Path
from typing import Any

import engine.game
import games
from engine.cues import Showing
from engine.game import Captioned, Command, Game, Summarized
from engine.plain import PlainGame
from engine.text import PLACE, Text
from firmware_host.core import bots, installed, maps, rulebook
from firmware_host.core.capabilities import PROTOCOLS, capabilities
from firmware_host.core.game_files import game_folder
from firmware_host.core.generic import brings_screen
from firmware_host.core.rulebook import Rulebook, RulebookError
from firmware_host.core.strict import NotUtf8, decode_toml, text_of
from lab.authoring.contract import shortened
from lab.authoring.play import Sample, tags
from lab.authoring.texts import Catalogue, CatalogueEntry, CatalogueFolder, calls, nodes, read_catalogue
from web_panel.language import DEFAULT, FOLDER, Language, codes, grammar_of

SVG = "{http://www.w3.org/2000/svg}"
SYMBOL = "0 0 48 48"
BY_NAME = re.compile(
    r"(bots|book|lessons|missions|screens|show)|bots/\w+\.py|screens/(\w+\.po|art\.svg|style\.css)|show/aids\.toml"
)
"""The files and folders of a game that are found by their names."""
HEADING = re.compile(rf"(?m)^ *(?!###\s)(#+) *({rulebook.ID.pattern}) *$")
"""Matches a heading with the number of a rule, but at another level than rules have."""
COUNTED = "number"
"""The place of a text that decides between its forms."""


def clashes(game: Game) -> Iterator[str]:
    """Yield a sentence for each name that something else on this table already has."""
    folder = games.folder(game.name)
    places = [Path(place) / folder for place in games.__path__ if (Path(place) / folder).is_dir()]
    if len(places) > 1:
        yield f"There are several games {game.name}: {', '.join(map(str, places))}. Python takes the first. Rename one."
    for package in (place.with_name("__init__.py") for place in places):
        if package.is_file() and not package.samefile(games.__file__):
            yield f"Remove {package}: installed with the game, it replaces the table's own, which then cannot start."
    for other in installed.installed().games.values():
        if other.name == game.name:
            continue
        if other.title == game.title:
            yield f"The game {other.name} has the title {game.title!r}, too. The lobby shows titles: choose another."
        for board in sorted({*_boards(game)} & {*_boards(other)}):
            yield f"The game {other.name} has a board {board}, too. Rename the board, for example {game.name}-{board}."
        letters = _letters(game.name)
        if letters and letters == _letters(other.name):
            yield f"The numbers of rules begin with {letters}, like those of {other.name}. Choose other letters."


def unread_code(name: str) -> Iterator[str]:
    """Yield the files of a game's code that are not UTF-8. Python names another file, and other checks read them."""
    with suppress(LookupError):  # a game that was made in memory
        folder = game_folder(name)
        for path in sorted(folder.rglob("*.py")):
            try:
                text_of(path.read_bytes())
            except NotUtf8 as error:
                yield f"{path.relative_to(folder)} cannot be read: {error}."


def misspelt(game: Game) -> Iterator[tuple[str, str]]:
    """Yield each member that the table looks for and the game lacks, if it has one of almost this name."""
    own = {name for name in dir(game) if name[0] != "_"} - _inherited(game)  # may be a misspelling
    for name in sorted(own - ASKED):
        if nearest := get_close_matches(name, ASKED - own, 1, 0.8):
            said = f"The table never asks for {name}. Is that {nearest[0]}? If not, begin its name with an underscore."
            yield nearest[0], said


def _inherited(game: Game) -> set[str]:
    """Return the members that the game inherits unchanged from `PlainGame`."""
    kind, missing = type(games.find(game.name)), object()
    return {it for it in vars(PlainGame) if getattr(kind, it, missing) is getattr(PlainGame, it)}


def incomplete(game: Game) -> Iterator[str]:
    """Yield the capabilities that the table does not find, because the game lacks some of their members."""
    has, says = set(dir(game)), set(dir(game)) - _inherited(game)
    for kind in PROTOCOLS.values():
        mine, *inherited = ({*vars(it), *get_annotations(it)} for it in kind.__mro__)
        # A member that also belongs to another capability doesn't indicate that this one is intended.
        meant = {name for name in mine.difference(*inherited) if name[0] != "_"} & says
        missing = {name for name in mine.union(*inherited) if name[0] != "_"} - has
        if meant and missing:
            yield (
                f"The game has {', '.join(sorted(meant))}, but not {', '.join(sorted(missing))}: the table uses "
                f"{kind.__name__} only with all its members."
            )
    for bot in bots.own_names(game):
        if not bots.describe(game, bot):
            yield f"bots/{bot.replace('-', '_')}.py lacks a docstring: its first line describes the bot in the lobby."


ASKED = {
    name
    for kind in (*vars(engine.game).values(), Showing)
    if getattr(kind, "_is_protocol", False)
    for name in (*vars(kind), *get_annotations(kind))
} | {*get_annotations(PlainGame), *vars(PlainGame)}
"""The members of the contract, of all capabilities and of a plain game."""


def drawn_instead(game: Game) -> Iterator[str]:
    """Yield the boards that a drawn map replaces."""
    for board in sorted({*_boards(game)} & {*maps.drawn()}):
        yield f"There is a drawn map {board}, which is played instead of the board of this name. Rename the board."


def _boards(game: Game) -> tuple[str, ...]:
    maker = capabilities(game).makes_maps
    return () if maker is None else tuple(maker.map_names())


def _letters(name: str) -> str:
    try:
        return rulebook.book_of(name).letters
    except (RulebookError, LookupError):
        return ""


# --- languages --------------------------------------------------------------------------------------------------


def spoken(game: Game) -> tuple[str, ...]:
    """Return the languages with at least one translation in the game. A game can be in English only."""
    folder = game_folder(game.name)
    catalogues = CatalogueFolder(folder / "screens", game.name).codes()
    known = dict.fromkeys((*codes(), *catalogues))
    return tuple(code for code in known if code != DEFAULT and _translates(folder, code))


def _translates(folder: Path, code: str) -> bool:
    try:
        texts = read_catalogue(folder / "screens" / f"{code}.po")
    except OSError:
        texts = {}
    except ValueError:
        return True  # another check reports its fault
    return any(map(any, texts.values())) or any((folder / "book").glob(f"*.{code}.md"))


# --- the rule book ----------------------------------------------------------------------------------------------


def book(game: Game) -> Iterator[str]:
    """Yield what is wrong with the rule book, and the numbers in the code that it doesn't have."""
    folder = game_folder(game.name)
    if not (folder / "book").is_dir():
        yield "There is no folder book/ with the rules by their numbers. The page of rules stays empty without it."
        return
    pages = {page.name: page.read_text("utf-8", "replace") for page in (folder / "book").glob("*.md")}
    if others := [(page, *found) for page in sorted(pages) for found in HEADING.findall(pages[page])]:
        yield from (f"book/: {page}: {level} {rule} begins no rule. Write ### {rule}." for page, level, rule in others)
        return
    found: Rulebook | None = None
    for code in dict.fromkeys((rulebook.ENGLISH, *spoken(game))):
        try:
            known = rulebook.load(folder / "book", code)
        except RulebookError as error:
            yield from (f"book/: {line}" for line in str(error).splitlines())
            if code == rulebook.ENGLISH:
                return
            continue
        found = known if code == rulebook.ENGLISH else found
        if known.language != code:
            yield f"The rule book has no pages in the language {code}. Add book/<page>.{code}.md."
    for place, rule in [] if found is None else _rules_in(game.name, found.letters):
        if found is not None and rule not in found.entries:
            yield f"{place}: the rule {rule} is not in the book. Correct the number, or add the rule."


def _rules_in(game: str, letters: str) -> Iterator[tuple[str, str]]:
    """Yield the numbers of rules in the code, each with its place: in refusals, and in other strings with the game's
    letters."""
    for path, node in nodes(game):
        refuses = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refused"
        number: ast.AST = node.args[0] if isinstance(node, ast.Call) and refuses and node.args else node
        value = number.value if isinstance(number, ast.Constant) else None
        if isinstance(value, str) and (refuses or (rulebook.ID.fullmatch(value) and value.startswith(letters))):
            yield f"{path}:{number.lineno}", value  # type: ignore[attr-defined]


# --- words ------------------------------------------------------------------------------------------------------


def catalogue_faults(game: Game) -> Iterator[str]:
    """Yield what is wrong with the catalogues: translations that are missing, and placeholders that differ."""
    made, shelf = [*_made(game)], _shelf(game)
    unfilled, read = dict(_unfilled(made)), _catalogues(game)
    yield from unfilled.values()
    # These texts are not final.
    keys = {it.name: it.name.startswith(("act.", "bot.")) and _places(has) for it, has in read.get(DEFAULT, {}).items()}
    wrong = {*unfilled, *(name for name, filled in keys.items() if filled or is_left_over(game, name))}
    yield from _built(made)
    yield from unread_catalogues(game)
    for code, texts in read.items():
        if code != DEFAULT:
            yield from _translated(shelf, code, texts, read.get(DEFAULT, {}), wrong)


def words_in_play(sample: Sample) -> Iterator[str]:
    """Yield the keys and translations that are missing for what happens in random games, and keys of nothing."""
    game, found = sample.game, _catalogues(sample.game)
    english = found.get(DEFAULT, {})
    for key in keys(sample) if DEFAULT in found else ():
        if not all(english.get(CatalogueEntry(key), ("",))):
            yield f"screens/{DEFAULT}.po lacks {key}, the words for it on the generic screens."
        elif places := _places(english[CatalogueEntry(key)]):
            yield f"screens/{DEFAULT}.po: {key} has a place for {', '.join(sorted(places))}, which gets no value."
    for entry in english:
        if is_left_over(game, entry.name):
            yield f"screens/{DEFAULT}.po has {entry.name}, and the game has nothing of this name. Delete it."
    for code in sorted({*found} & {*codes()} - {DEFAULT}) if not any(_built(_made(game))) else ():
        yield from _made_of_variables(sample, code, (entry.name for entry in _shelf(game).said()))


def unread_catalogues(game: Game) -> Iterator[str]:
    """Yield the catalogues that are missing or cannot be read."""
    for code in (DEFAULT, *spoken(game)):
        try:
            read_catalogue(_shelf(game).folder / f"{code}.po")
        except OSError:
            yield f"There is no screens/{code}.po. sniperboard game texts {game.name} writes it."
        except ValueError as error:
            yield f"screens/{code}.po cannot be read: {error}. Repair the file."


def _shelf(game: Game) -> CatalogueFolder:
    return CatalogueFolder(game_folder(game.name) / "screens", game.name)


def _catalogues(game: Game) -> dict[str, Catalogue]:
    """Return the catalogues that can be read, by language."""
    found = dict[str, Catalogue]()
    for code in (DEFAULT, *spoken(game)):
        with suppress(OSError, ValueError):
            found[code] = read_catalogue(_shelf(game).folder / f"{code}.po")
    return found


def keys(sample: Sample) -> Iterator[str]:
    """Yield the keys that the English catalogue must have: types of actions on generic screens, and the game's bots."""
    generic = {seat for seat in sample.names if not brings_screen(sample.game, seat)}
    kinds = {type(moment.command).__struct_config__.tag for moment in sample.moments if moment.seat in generic}
    yield from (f"act.{kind}" for kind in sorted(map(str, kinds)))
    yield from (f"bot.{name}" for name in bots.own_names(sample.game))


def is_left_over(game: Game, name: str) -> bool:
    """Return whether a key names an action or a bot that doesn't exist, and no script uses it."""
    group, _, of = name.partition(".")
    there = tags(game, Command) if group == "act" else bots.names(game) if group == "bot" else (of,)
    if of in there or (group == "bot" and bots.own_bots(game).faults):  # this may be a bot that cannot be loaded
        return False
    return not any(name in path.read_text("utf-8") for path in (game_folder(game.name) / "screens").glob("*.js"))


def _made(game: Game) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call in the game's code that creates a text, with its place."""
    folder = game_folder(game.name)
    for path in sorted(folder.rglob("*.py")):
        for call in calls(path.read_text("utf-8")):
            yield f"{path.relative_to(folder)}:{call.lineno}", call


def _unfilled(made: Iterable[tuple[str, ast.Call]]) -> Iterator[tuple[str, str]]:
    """Yield each text whose placeholders and values have different names, with a sentence about it."""
    for where, call in made:
        given = {word.arg for word in call.keywords if word.arg}
        texts = [str(word.value) for word in call.args if isinstance(word, ast.Constant)]
        places = _places(texts)
        if texts and given and None not in (word.arg for word in call.keywords) and given != places:
            has, values = ", ".join(sorted(places)) or "none", ", ".join(sorted(given))
            yield texts[0], f"{where}: the places of the text are {has}; its values are {values}. Use the same names."


def _built(made: Iterable[tuple[str, ast.Call]]) -> Iterator[str]:
    """Yield the texts that are put together in the code: their English is in no catalogue."""
    for where, call in made:
        if call.args and not isinstance(call.args[0], ast.Constant) and not _is_data(call.args[0]):
            yield (
                f"{where}: the text of {ast.unparse(call)[:60]} is put together "
                'in the code, so no translation of it is found. Write Text("… {place} …", place=…).'
            )


def _is_data(node: ast.AST) -> bool:
    """Return whether a text is the value of a name, such as the title of a map, or a number."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "str"
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Starred)


def _translated(
    shelf: CatalogueFolder, code: str, texts: Catalogue, english: Catalogue, wrong: Container[str]
) -> Iterator[str]:
    forms = len(grammar_of(code).forms)
    for entry in dict.fromkeys([*english, *shelf.said()]):
        found = texts.get(entry, ())
        if entry.name in wrong:
            continue
        if not any(found):
            yield f"screens/{code}.po lacks a translation of {entry.name!r}."
        elif not all(found) or (entry.many and len(found) != forms):
            yield f"screens/{code}.po has {len([*filter(None, found)])} forms of {entry.name!r}, not {forms}."
        else:
            wanted = _places(english.get(entry, (entry.name, entry.many)))
            if unknown := sorted(_places(found) - wanted):
                places = f"the places {', '.join(sorted(wanted))}" if wanted else "no places"
                yield f"screens/{code}.po writes {', '.join(unknown)} in {found[0]!r}; {entry.name!r} has {places}."
            # A singular form may contain the number as a word.
            elif lost := next((form for form in found if wanted - {COUNTED} - _places([form])), None):
                left = ", ".join(sorted(wanted - {COUNTED} - _places([lost])))
                yield f"screens/{code}.po leaves out {left} in {lost!r}. Write its place as in {entry.name!r}."


def _made_of_variables(sample: Sample, code: str, texts: Iterable[str]) -> Iterator[str]:
    """Yield what a random game says that is neither among the `texts` of the code nor in the catalogue."""
    language, listed = Language(FOLDER / f"{code}.po", sample.game.name), {*texts}
    for method, text in dict.fromkeys((method, part.text) for method, said in _said(sample) for part in _parts(said)):
        if text not in listed and any(map(str.isalpha, PLACE.sub("", text))) and not language.has(text):
            listed.add(text)
            yield (
                f"screens/{code}.po lacks {text!r}, which {method}() says: the code makes this text of a variable. "
                f"Write Text({text!r}) in the code, for example in a table of names."
            )


def _said(sample: Sample) -> Iterator[tuple[str, object]]:
    """Yield what a game says on the generic screens, with the method that says it."""
    game = sample.game
    yield from (("seats", seat.title) for seat in sample.seats)
    yield from (("sentence", game.sentence(event)) for event in sample.events)
    if isinstance(game, Captioned):
        yield from (("caption", game.caption(moment.command)) for moment in sample.moments)
    if isinstance(game, Summarized):
        views = (picture for moment in sample.some for picture in moment.pictures.values())
        yield from (("summary", words) for view in views for line in game.summary(view) for words in line)


def _parts(said: object) -> Iterator[Text]:
    """Yield a text and those in its places."""
    if isinstance(said, Text):
        yield said
        for value in said.values.values():
            yield from _parts(value)


def _places(texts: Iterable[str]) -> set[str]:
    return {place[0] for text in texts for place in PLACE.findall(text)}


# --- pictures ---------------------------------------------------------------------------------------------------


def art(game: Game) -> Iterator[str]:
    """Yield what is wrong with `screens/art.svg`."""
    path = game_folder(game.name) / "screens" / "art.svg"
    if not path.is_file():
        return
    try:
        root = ET.fromstring(text_of(path.read_bytes()))
    except NotUtf8 as error:
        yield f"screens/art.svg cannot be read: {error}."
        return
    except (ET.ParseError, ValueError) as error:
        yield f"screens/art.svg cannot be read: {error}. Save it as SVG in UTF-8."
        return
    symbols = [*root.iter(f"{SVG}symbol")]
    if not symbols:
        yield 'screens/art.svg has no <symbol>. Write <svg xmlns="http://www.w3.org/2000/svg"> around the symbols.'
    for outside in _outside(root):
        kind = outside.tag.removeprefix(SVG)
        yield f"screens/art.svg has <{kind}> outside of the symbols, where no screen shows it. Remove it."
    seen = set[str]()
    for symbol in symbols:
        name = symbol.get("id", "")
        if not name or name in seen:
            yield f"screens/art.svg has a symbol {'without an id' if not name else f'{name} twice'}."
        seen.add(name)
        if " ".join(symbol.get("viewBox", SYMBOL).replace(",", " ").split()) != SYMBOL:
            yield f'screens/art.svg: the symbol {name} needs viewBox="{SYMBOL}".'
        for part in symbol.iter():
            kind = str(part.tag).removeprefix(SVG)
            links = [value for key, value in part.items() if key.endswith("href") and not value.startswith("#")]
            if scripts := [key for key, _ in part.items() if key.startswith("on")]:
                yield f"screens/art.svg: the symbol {name} has {', '.join(scripts)}, which no screen runs. Remove it."
            if kind in ("script", "image", "foreignObject", "style") or links:
                yield f"screens/art.svg: the symbol {name} has <{kind}>, which no screen shows. Draw it with shapes."


def _outside(element: ET.Element) -> Iterator[ET.Element]:
    """Yield the elements outside of all symbols that would be drawn, run or used."""
    for inner in element:
        # A group may contain symbols. Editors add elements of their own.
        if inner.tag in (f"{SVG}g", f"{SVG}defs"):
            yield from _outside(inner)
        elif inner.tag.startswith(SVG) and inner.tag.removeprefix(SVG) not in ("symbol", "title", "desc", "metadata"):
            yield inner


def capitals(game: Game) -> Iterator[str]:
    """Yield the files and folders that aren't found because their names have capital letters, or name a country."""
    for path in sorted((folder := game_folder(game.name)).rglob("*")):
        small, where = path.name.lower(), path.relative_to(folder)
        if path.suffix.lower() == ".po" and path.stem not in codes():
            small = f"{re.split('[-_.]', small)[0]}.po"
        if path.name != small and BY_NAME.fullmatch(where.with_name(small).as_posix()):
            yield f"Rename {where} to {small}: the table looks for this name."


def misplaced(game: Game) -> Iterator[str]:
    """Yield the files and folders that are in a wrong place, where they are not read."""
    folder = game_folder(game.name)
    known = ("bots", "book", "lessons", "missions", "screens", "show")
    for name, kinds in (("lessons", ".toml"), ("missions", ".toml"), ("book", ".md .txt")):
        for path in sorted((folder / name).glob("*")) if (folder / name).is_dir() else ():
            if path.is_file() and path.suffix not in kinds.split() and not path.name.startswith("."):
                yield f"{name}/{path.name} is not read: the files there end in {kinds.replace(' ', ' or ')}."
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name.lower() not in known and (right := get_close_matches(path.name, known, 1, 0.8)):
            yield f"The folder {path.name}/ is not read. Rename it to {right[0]}/."
    if wide := [path.name for path in folder.glob("*.po")]:
        yield f"{shortened(wide)} must be in screens/."
    if (project := folder.parent.parent / "pyproject.toml").is_file():
        yield from _not_shipped(project, folder)


def _not_shipped(project: Path, folder: Path) -> Iterator[str]:
    """Yield what is wrong with the `pyproject.toml` that puts the game's folder into a wheel."""
    try:
        document = decode_toml(project.read_bytes())
    except ValueError as error:
        yield f"pyproject.toml cannot be read: it is {error}. Repair the file."
        return
    for path in ("tool hatch build targets wheel only-include", "tool setuptools packages find include"):
        value: Any = document
        for name in path.split():
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None and not re.search(rf"'games([./]({folder.name}[*/.]*|\*+))?/?'", str(value)):
            where = path.removeprefix("tool ").replace(" ", ".")
            yield f"pyproject.toml does not ship games/{folder.name}: the wheel would lack it. Add it to {where}."
