"""The installed games. Each is loaded and checked separately: a faulty one is left out, with a sentence.

`find` returns games behind their guard (`guarded.py`), for the table, its pages and its records. Tools that play games
in their own process import them from `games` directly.
"""

from __future__ import annotations

import logging
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.machinery import PathFinder
from inspect import getsourcefile, getsourcelines
from itertools import chain
from pathlib import Path
from threading import RLock
from typing import Annotated, Any, Final

import msgspec
from msgspec import Struct

import games
from engine.cues import Light, Rhythm, Show, show_of
from engine.game import BadResult, Game
from engine.options import defaults
from engine.plain import unsaid_types
from engine.refusal import NotUnderstood, RuleError, no_such
from engine.text import Text, comma_list
from firmware_host.core import bots, data_files, hang_note, rulebook, sizes
from firmware_host.core.capabilities import board_names, capabilities
from firmware_host.core.data_files import LESSONS, MISSIONS, DataFileError, LessonFile, MissionFile, decoded
from firmware_host.core.game_files import game_folder, imports, modules_by_path
from firmware_host.core.guarded import (
    CONTRACT,
    GameFault,
    checked,
    checked_installed,
    guarded,
    isolated,
    shrinking,
    unguarded,
)
from firmware_host.core.hang_note import Purpose
from firmware_host.core.logbook import MAKERS
from firmware_host.core.strict import NotUtf8, strip_bom, text_of
from firmware_host.core.time_limit import GAME_CHECKS, WATCH

LONGEST_NAME = 60
"""Maximum characters of a folder's name in a sentence."""
SVG = "{http://www.w3.org/2000/svg}"
"""The namespace of SVG, before the name of an element."""
LARGEST_ART = 2_000_000
"""Maximum bytes of `art.svg`, which every device loads."""

A_DAY_MS = 86_400_000
_Byte = Annotated[int, msgspec.Meta(ge=0, le=255)]

log = logging.getLogger("firmware_host")
_looking = RLock()
_hung, _only = set[Purpose](), set[str]()
"""What is left out because it hung a process; if the cause of a hang is unknown, the only games that are offered."""


class FaultyGame(Struct, frozen=True):
    """A game, or a part of one, that is left out.

    `sentence` is public; `place` and `why` are for the author of the game. `part` is empty if the whole game is left
    out, and `name` is empty if several games are.
    """

    name: str
    sentence: Text
    place: str = ""
    why: str = ""
    part: str = ""


class Installed(Struct):
    """The `games` that can be played, by name, and all faults. Faults in files come with `check_files`."""

    games: dict[str, Game]
    faults: tuple[FaultyGame, ...]
    files_checked: bool = False


class GameError(Exception):
    """A fault of an installed game: a public sentence, and the game if it could be loaded."""


def installed() -> Installed:
    """Return the games of this process; cached."""
    # `lru_cache` alone would let two threads import the games at the same time.
    with _looking:
        return _look_for_games(tuple(games.__path__), frozenset(_hung), frozenset(_only))


def names() -> list[str]:
    """Return the names of the games that can be played."""
    return list(installed().games)


def find(name: str) -> Game:
    """Return the guarded game called `name`. Raises `NotUnderstood`, with the known names and the nearest one."""
    by_name = installed().games
    if name not in by_name:
        raise NotUnderstood(no_such("game", name, list(by_name)))
    return by_name[name]


def game_of(file: str) -> str | None:
    """Return the game whose folder contains a source file; None if it belongs to none."""
    return next((name for name in games.names() if any(map(Path(file).is_relative_to, _folders(name)))), None)


def _folders(name: str) -> list[Path]:
    return [Path(place) / games.folder(name) for place in games.__path__]


def leave_out(purposes: tuple[Purpose, ...], running: str = "") -> None:
    """Leave out these features of games, because they hung a process.

    A purpose without a feature leaves out the whole game. `running` is the game on the table.
    """
    if hang_note.ALL_BUT_DEFAULT in purposes:
        _only.add(games.DEFAULT)
    elif hang_note.ALL_BUT_RUNNING in purposes:
        _only.update((games.DEFAULT, running))
    elif hang_note.DEFAULT_AND_RUNNING in purposes:
        _only.update({*games.names()} - {games.DEFAULT, running})
    _hung.update(purposes)
    WATCH.leave_out(_hung)
    # A table without games can't start, so a note that leaves out all games is ignored.
    for given_up in (_only, _hung):
        if not names():
            given_up.clear()
            WATCH.leave_out(_hung)


@lru_cache(maxsize=16)
def _look_for_games(paths: tuple[str, ...], hung: frozenset[Purpose], only: frozenset[str]) -> Installed:
    GAME_CHECKS.reset()
    by_name: dict[str, Game] = {}
    faults = [FaultyGame(name[:LONGEST_NAME], MISNAMED.with_(folder=name[:LONGEST_NAME])) for name in games.misnamed()]
    not_tried = list[str]()
    for name in games.names():
        out = {purpose.feature for purpose in hung if purpose.game == name}
        if not out <= FEATURE_TITLES.keys():
            faults.append(FaultyGame(name, LEFT_OUT.with_(game=name, why=HUNG)))
            continue
        if only and name not in only:
            not_tried.append(name)
            continue
        try:
            game = checked_installed(name, _load, name)
            checked_installed(name, _check_others, game, by_name.values())
        except GameFault as fault:
            faults.append(_faulty(name, LEFT_OUT, fault))
        else:
            by_name[name] = game
            faults += _faulty_bots(game)
            titles = [FEATURE_TITLES[feature] for feature in sorted(out)]
            faults += [
                FaultyGame(name, PART_OUT.with_(game=name, part=title, why=HUNG), part=f"{title}") for title in titles
            ]
    if not_tried:
        faults.append(FaultyGame("", NOT_TRIED.with_(games=", ".join(not_tried))))
    _log(faults)
    return Installed(by_name, tuple(faults))


def check_files() -> Iterator[None]:
    """Check the files of all games, one in each step. After the last step, `installed().faults` has the faulty ones.

    This can wait until the table is open: code that reads the files later skips faulty ones itself.
    """
    found = installed()
    if found.files_checked:
        return
    faults = list[FaultyGame]()
    for game in found.games.values():
        for faulty in _faulty_files(game):
            faults += faulty
            yield
    found.files_checked = True
    found.faults += tuple(faults)
    _log(faults)


def _log(faults: list[FaultyGame]) -> None:
    for faulty in faults:
        log.error("%s", faulty.sentence)
        if faulty.place:
            log.error("%s", faulty.place, extra=MAKERS)


LONGEST_DETAIL = 300
"""Characters of an error's message for makers."""
MISNAMED = Text(
    "The folder {folder} of a game is left out: its name must consist of small letters, digits and single underscores. "
    "Rename it."
)
LEFT_OUT = Text("The game {game} is left out: {why}. Repair or remove it, then start the table again.")
NOT_TRIED = Text(
    "The table has ended several times shortly after its start, and the cause is unknown. These games are left "
    "out: {games}. To try them again, let the table run for a minute, then start it again."
)
PART_OUT = Text("The game {game} is offered without {part}: {why}. Repair it, then start the table again.")
FEATURE_TITLES: Final = {
    data_files.LESSONS: Text("its lessons"),
    data_files.MISSIONS: Text("its missions"),
    data_files.PUZZLES: Text("its puzzles"),
    hang_note.PAST_GAMES: Text("its past games"),
    hang_note.PAGES: Text("details of its pages"),
}
OTHERS = Text('another game or Python has a module {module}, too; import it with "from . import {module}"')
HUNG = Text("it stopped the table")


def _faulty(name: str, sentence: Text, fault: GameFault, **values: Text) -> FaultyGame:
    """Return the game with this fault. Its sentence gives the reason."""
    cause = fault.__cause__
    why = cause.args[0] if isinstance(cause, GameError) else fault.reason
    try:
        place, for_author = _place(name, fault, why)
    except Exception:  # to find the place of the fault, the game's code is searched
        place, for_author = "", f"{why}"
    return FaultyGame(
        name, sentence.with_(game=name, why=why, **values), place, for_author, f"{values.get('part', '')}"
    )


def _place(name: str, fault: GameFault, why: Text) -> tuple[str, str]:
    """Return the place of a fault, and the message for the author of the game."""
    cause = fault.__cause__
    while isinstance(cause, BadResult):
        cause = cause.__cause__
    # A game that lacks something has raised no error, so its class is the place.
    if isinstance(cause, GameError):
        place = _class_of(*cause.args[1:])
        return place, f"{why} ({place})" if place else f"{why}"
    if isinstance(cause, DataFileError):
        return "", f"{cause}"
    detail = "" if cause is None else f": {_message(name, cause)}"
    place = f"{fault.kind} in {_own_line(name, cause) or fault.place}{detail}"
    return place, place


def _message(name: str, error: BaseException) -> str:
    """Return what an error says. The message can contain no secrets, because no game is running at a start."""
    try:
        return isolated(name, lambda: " ".join(str.split(str(error)))[:LONGEST_DETAIL])
    except GameFault:  # its class belongs to the game, and can fail, too
        return ""


def _own_line(name: str, error: BaseException | None) -> str:
    """Return the last line of a game's own folder that an error comes from; "" if the error itself names its place."""
    if error is None or isinstance(error, SyntaxError | BadResult):
        return ""
    folders, own, place, last = _folders(name), dict[str, bool](), error.__traceback__, ""
    while place is not None:  # deep recursion has very many frames
        file = place.tb_frame.f_code.co_filename
        if file not in own:
            own[file] = any(map(Path(file).is_relative_to, folders))
        if own[file]:
            last = f"{file}, line {place.tb_lineno}"
        place = place.tb_next
    return last


def _class_of(game: Any = None) -> str:
    try:
        kind = type(unguarded(game))
        return f"class {kind.__name__} in {getsourcefile(kind)}, line {getsourcelines(kind)[1]}"
    except (TypeError, OSError):
        return ""


# --- what every game must have ----------------------------------------------------------------------------------


def start_faults(name: str) -> list[FaultyGame]:
    """Return every reason why the table would leave out the game called `name`, or a part of it, at its start."""
    try:
        game = checked_installed(name, _find_guarded, name)
    except GameFault as fault:
        return [_faulty(name, LEFT_OUT, fault)]
    faults: list[FaultyGame] = []
    for check in START_CHECKS:
        try:
            checked_installed(name, check, game)
        except GameFault as fault:
            faults.append(_faulty(name, LEFT_OUT, fault))
            break  # the next checks rely on the results of this one
    return [*faults, *_faulty_bots(game), *chain.from_iterable(_faulty_files(game))]


def _load(name: str) -> Game:
    """Return a game if it keeps the contract, as far as that can be checked without playing it."""
    game = _find_guarded(name)
    for check in START_CHECKS:
        check(game)
    return game


def _find_guarded(name: str) -> Game:
    """Return the guarded game if it has all members of the contract."""
    folders = tuple(_folders(name))
    for module, file in modules_by_path().items():
        if not any(map(file.is_relative_to, folders)) and imports(name, module):
            raise GameError(OTHERS.with_(module=module))
    try:
        game = games.find(name)
    except AttributeError as error:
        if error.name != "GAME":  # an error in the game's own code
            raise
        raise GameError(Text("it offers no GAME")) from error
    for module in filter(_is_elsewhere, modules_by_path()):
        own = f"{games.__name__}.{games.folder(name)}"
        # The table would import this module instead of its own, too. The import also fails without the game's own
        # modules.
        for it in [it for it in sys.modules if f"{it}.".startswith((f"{own}.", f"{module}."))]:
            del sys.modules[it]
        raise GameError(OTHERS.with_(module=module))
    if lacks := lacking(game):
        raise GameError(Text("it lacks {what}", what=", ".join(lacks)), game)
    if type(called := getattr(game, "name", None)) is not str or called != name:
        raise GameError(Text("its name does not fit its folder; it must be {name}", name=name), game)
    return guarded(game)


def lacking(game: Any) -> list[str]:
    """Return the members of the contract that a game doesn't have."""
    needed = CONTRACT - {"decide"} | {"decide_for" if hasattr(game, "decide_for") else "decide"}
    return [*sorted(it for it in needed if not callable(getattr(game, it, None))), *unsaid_types(game)]


def _is_elsewhere(module: str) -> bool:
    """Return whether a module of this name is in Python's library, or in a package that is installed."""
    path = [it for it in sys.path if not any(Path(it).is_relative_to(place) for place in games.__path__)]
    found = PathFinder.find_spec(module, path)
    return module in sys.stdlib_module_names or (found is not None and found.origin is not None)


def _check_title(game: Game) -> None:
    if not isinstance(getattr(game, "title", None), str) or not game.title.strip():
        raise GameError(Text("it has no title"), game)
    with _reported_as(Text("its title is too long")):
        sizes.check_text(game.title, sizes.LONGEST_LABEL)


def _check_lobby(game: Game) -> None:
    offered = capabilities(game)
    try:
        options = game.read_options(defaults(game.options()))
    except GameFault:
        raise
    except RuleError as error:
        what = str(error)[:LONGEST_DETAIL].removesuffix(".")
        raise GameError(Text("its read_options refuses what its options offer ({what})", what=what), game) from error
    seats = game.seats(options)
    about = None if offered.introduced is None else offered.introduced.about
    if not isinstance(about, str | None):
        raise GameError(Text("it has no title"))
    with _reported_as(Text("what it says about itself is too long")):
        sizes.check_text(about or "", sizes.LONGEST_SENTENCE)
    glossary = {} if offered.glossary is None else offered.glossary.glossary()
    lobby = [game.options(), seats, glossary, game.title, about, options]
    with _reported_as(Text("what the lobby shows of it is too large")):
        sizes.json_size(lobby)
    # Check this now: data that is not JSON would make the lobby fail.
    msgspec.json.encode(lobby, enc_hook=sizes.of_text)


def _check_boards(game: Game) -> None:
    if (maker := capabilities(game).makes_maps) is not None:
        boards = {board: maker.map_options(board) for board in board_names(maker)}
        with _reported_as(Text("what the lobby shows of it is too large")):
            sizes.json_size(boards)
        msgspec.json.encode(boards, enc_hook=sizes.of_text)


def _check_others(game: Game, others: Iterable[Game]) -> None:
    """Check that boards with names that one of the `others` also uses are equal: a board is found by its name alone."""
    for other in others:
        one, two = capabilities(game).makes_maps, capabilities(other).makes_maps
        if one is not None and two is not None:
            for board in {*board_names(one)}.intersection(board_names(two)):
                if one.make_map(board) != two.make_map(board):
                    why = Text("the game {other} makes another board that is called {board}, too; rename one of them")
                    raise GameError(why.with_(other=other.name, board=board), game)


@contextmanager
def _reported_as(why: Text, kind: type[Exception] = sizes.TooLarge) -> Iterator[None]:
    """Report an error of this kind as a `GameError`."""
    try:
        yield
    except kind as error:
        raise GameError(why) from error


def _check_show(game: Game) -> None:
    """Check lights, colours and sounds. The lamps use them many times a second without further checks."""
    show: Show = show_of(game)
    for name, light in show.lights.items():
        rhythm = light.rhythm
        levels = sizes.check_text(rhythm.levels, sizes.LONGEST_SENTENCE)
        exact = type(light) is Light and type(rhythm) is Rhythm and type(rhythm.step_ms) in (int, float)
        # Every comparison with NaN is false.
        if not exact or not levels.isdecimal() or not 1 <= rhythm.step_ms <= A_DAY_MS:
            why = Text("its light {light} has no rhythm in digits and milliseconds")
            raise GameError(why.with_(light=str(name)[: sizes.LONGEST_NAME]), game)
        sizes.check_text(light.role, sizes.LONGEST_NAME)
        sizes.check_text(light.meaning, sizes.LONGEST_SENTENCE)
        msgspec.convert(light.weight, float)
    for palette_name, palette in show.palettes.items():
        for role, colour in palette.items():
            why = Text("the colour {role} of its palette {palette} is not three numbers from 0 to 255")
            with _reported_as(why.with_(role=role, palette=palette_name), msgspec.ValidationError):
                msgspec.convert(colour, tuple[_Byte, _Byte, _Byte])
    notes = [(sound.notes, sound.weight) for sound in show.sounds.values()]
    msgspec.convert(notes, list[tuple[tuple[tuple[int, int], ...], int]])


START_CHECKS: Final[tuple[Callable[[Game], None], ...]] = (_check_title, _check_lobby, _check_show, _check_boards)
"""The checks of a game that has all members of the contract. Each check is independent."""


# --- what a game may bring --------------------------------------------------------------------------------------


def _faulty_bots(game: Game) -> Iterator[FaultyGame]:
    for bot, fault in bots.own_bots(game).faults.items():
        part = Text("the bot {bot}", bot=bot) if bot else Text("its own bots")
        yield _faulty(game.name, PART_OUT, fault, part=part)


def _faulty_files(game: Game) -> Iterator[list[FaultyGame]]:
    """Check the files of a game. Yield what is faulty, in many steps."""
    try:
        try:
            folder = game_folder(game.name)
        except LookupError:  # a game that was created in memory has no files
            return
        for path, part, check in _checked_files(folder):
            yield _faults_of(game, part.with_(file=path.name), check, path)
    except Exception as error:  # there is no folder where the files should be, or it may not be read
        yield [_faulty(game.name, PART_OUT, GameFault(game.name, error), part=Text("its files"))]


def _checked_files(folder: Path) -> Iterator[tuple[Path, Text, Callable[[Path], object]]]:
    art = folder / "screens" / "art.svg"
    if art.exists():
        yield art, Text("its pictures ({file})"), read_art
    for lesson in sizes.files(folder / LESSONS, "*.toml"):
        yield lesson, Text("the lesson {file}"), lambda path: decoded(_read_whole(path), path.name, LessonFile)
    for mission in sizes.files(folder / MISSIONS, "*.toml"):
        yield mission, Text("the mission {file}"), lambda path: decoded(_read_whole(path), path.name, MissionFile)
    for puzzles in sizes.files(folder / data_files.PUZZLES, data_files.PUZZLE_FILES):
        yield puzzles, Text("the puzzles {file}"), _check_puzzles
    pages = sizes.files(folder / "book", "*.md")
    if pages:
        why = Text("its pages of rules cannot be read")
        yield pages[0].parent, Text("its rules ({file})"), _reported_as(why, rulebook.RulebookError)(rulebook.load)
    for words in sizes.files(folder / "screens", "*.po"):
        yield words, Text("its words ({file})"), lambda path: _read_text(path, strip_bom)
    for script in sizes.files(folder / "screens", "*.js"):
        yield script, Text("the screen {file}"), _check_script


def _read_whole(path: Path) -> bytes:
    with _reported_as(Text("the file is too large")):
        return sizes.whole_file(path)


def _check_script(path: Path) -> None:
    used = {*re.findall(r'\b(?:from|import)[\s(]*"/games/([\w-]+)/static/', _read_text(path))}
    if missing := sorted(used - {*games.names()}):
        raise GameError(Text("it uses the game {game}, which is not installed", game=comma_list(missing)))


def _read_text(path: Path, text: Callable[[bytes], Any] = text_of) -> Any:
    with _reported_as(Text("the file is not UTF-8: save it as UTF-8"), NotUtf8):
        return text(_read_whole(path))


def _check_puzzles(path: Path) -> None:
    name = path.parent.parent.name.replace("_", "-")
    with _reported_as(Text("they can't be read, or hold for other rules"), DataFileError):
        data_files.decoded_puzzles(_read_whole(path), path.name, data_files.rules_digest(name))


def read_art(path: Path) -> list[ET.Element]:
    """Return the symbols in a file of a game's pictures. Raises anything if they cannot be sent to a screen."""
    if path.stat().st_size > LARGEST_ART:
        raise GameError(Text("the file is too large"))
    symbols, waiting = list[ET.Element](), [ET.parse(path).getroot()]
    while waiting:
        element = waiting.pop()
        if element.tag == f"{SVG}symbol":  # including nested elements
            symbols.append(element)
        else:
            waiting.extend(reversed(element))
    if sum(len(ET.tostring(symbol)) for symbol in symbols) > LARGEST_ART:
        raise GameError(Text("its symbols are too large"))
    return symbols


def _faults_of(game: Game, part: Text, check: Callable[[Path], object], path: Path) -> list[FaultyGame]:
    try:
        with shrinking(GAME_CHECKS) as seconds, WATCH.serving(""):  # as at a start: a game that hangs is left out
            checked(game.name, check, path, limit=seconds)
    except GameFault as fault:
        return [_faulty(game.name, PART_OUT, fault, part=part)]
    return []
