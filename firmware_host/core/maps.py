"""Finds maps: by name in the folder `maps/` or among the boards that games generate, or by the path of a drawing.

A named map is loaded from its compiled tables; a drawing given by path is compiled (`compile_with`). Maps stay in
memory; a generated board is made once. A drawn map takes precedence over a generated board of the same name.

`maps/<slug>/names.<language>.toml` has the names of the spaces in another language, for the screens. A space that it
leaves out keeps its own name. The names on a generated board are texts of its game's catalogue.
"""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.game import DecoratesMaps, Game, MakesMaps, NeedsMap
from engine.graph import compiled
from engine.graph.compiled import digest, dump
from engine.graph.fault import MapError, did_you_mean
from engine.graph.model import Map
from engine.graph.overlay import NO_OVERLAY, Overlay
from engine.options import filled
from engine.refusal import RuleError
from engine.text import Text
from firmware_host.core import installed, sizes
from firmware_host.core.capabilities import board_names, capabilities
from firmware_host.core.guarded import GameFault, checked
from firmware_host.core.strict import NotUtf8, decode_toml
from hardware.files import read_regular

FOLDER = Path(__file__).resolve().parents[2] / "maps"
DRAWING = "map.geojson"
COMPILED = "compiled.json"
BIGGEST_FILE = 16_000_000
MAP_CACHE_SIZE = 32
LONGEST_NAME = 40
"""Maximum letters of a space's name in another language, so that it fits into its space."""
MOST_SPACES = 2000
"""Maximum spaces of a generated board."""

log = logging.getLogger("firmware_host")

Progress = Callable[[float], None]
Compiler = Callable[[Path, Progress | None], Map]

_compilers: list[Compiler] = []
_maps_in_memory: dict[str, Map] = {}
_compiling = Lock()


def unusable_sentence(why: Exception | str) -> Text:
    """Return the sentence for screens that a map or its wiring is faulty; the details stay in English."""
    return Text("This map cannot be played here. {why}", why=str(why))


def names(folder: Path = FOLDER) -> list[str]:
    """Return the maps that have a name: those drawn in `folder`, and those that games generate."""
    map_names = drawn(folder)
    return [*map_names, *(name for name in _board_makers() if name not in map_names)]


def playable_names() -> list[str]:
    """Return the maps of `names` that are not lamp boards, on which no game is played."""
    boards = [maker for game in playable_games() if (maker := capabilities(game).lamp_boards)]
    lamps = {name for maker in boards for name in _boards_of(maker)}
    return [name for name in names() if name not in lamps]


def drawn(folder: Path = FOLDER) -> list[str]:
    """Return the names of the drawn maps."""
    return sorted(name for path in folder.glob(f"*/{DRAWING}") if sizes.is_utf8(name := path.parent.name))


def offered(game: Game, folder: Path = FOLDER) -> list[str]:
    """Return the names of the maps on which a game can be played, its own first; unreadable maps are included.

    A game with miniatures that demands nothing of a map can be played on every drawn map.
    """
    offers = capabilities(game)
    if not offers.has_map:
        return []
    own = [] if offers.makes_maps is None else list(_boards_of(offers.makes_maps))
    if offers.needs_map is not None:
        rules = offers.needs_map
        return [*own, *(name for name in drawn(folder) if name not in own and _may_fit(rules, name, folder))]
    return own or drawn(folder)


def _may_fit(game: NeedsMap, name: str, folder: Path) -> bool:
    try:
        # If a game fails, it is not offered the map. An unreadable map is offered, so that people see its error.
        return not game.map_faults(load(name, folder))
    except GameFault:
        return False
    except MapError:
        return True


def faults_for(game: Game, board: Map) -> list[Text]:
    """Return what a map lacks for a game, a sentence each; [] if it fits."""
    offers = capabilities(game)
    if offers.makes_maps is not None and board.slug in board_names(offers.makes_maps):
        return []
    if offers.needs_map is not None:
        return offers.needs_map.map_faults(board)
    return [Text("{game} is not played on this map.", game=Text(game.title))]


def options_on(game: Game, board: Map | None, raw: Any) -> Any:
    """Return the options of a game on a board: values that the board fixes replace missing and null values of `raw`.

    Raises what `Game.read_options` raises.
    """
    fixed = {} if board is None else fixed_options(game, board.slug)
    return game.read_options(filled(raw or {}, fixed) if fixed and isinstance(raw, Mapping | None) else raw)


def fixed_options(game: Game, slug: str) -> Mapping[str, Any]:
    """Return the options that a map fixes for a game."""
    maker = capabilities(game).makes_maps
    return maker.map_options(slug) if maker is not None and slug in board_names(maker) else {}


def map_facts(board: Map) -> dict[str, dict[str, str]]:
    """Return what games read from a map, `entries` and `starts`, of the first game that finds any."""
    for game in playable_games():
        reader = capabilities(game).reads_drawings
        with suppress(GameFault):
            if reader is not None and any((facts := reader.map_facts(board)).values()):
                return facts
    return {"entries": {}, "starts": {}}


def playable_games() -> tuple[Game, ...]:
    """Return the games that can be played here."""
    return tuple(installed.installed().games.values())


def _board_makers() -> dict[str, MakesMaps]:
    """Return the generated boards, each with the first game that makes it."""
    makers: dict[str, MakesMaps] = {}
    for game in playable_games():
        maker = capabilities(game).makes_maps
        if maker is not None:
            # In a dict, later entries replace earlier ones, so go through the games in reverse: the first game that
            # makes a board keeps it.
            makers = {**dict.fromkeys(_boards_of(maker), maker), **makers}
    return makers


def _boards_of(maker: MakesMaps) -> tuple[str, ...]:
    """Return the names of the boards that a game generates; none if it fails."""
    try:
        return board_names(maker)
    except GameFault:
        return ()


def decoration(board: Map, say: Callable[[Text], str] = str) -> Overlay:
    """Return the decoration of a board by the game that makes it; none for other boards."""
    maker = _board_makers().get(board.slug)
    with suppress(GameFault):
        # Another board may have the same name, so the whole boards are compared.
        if isinstance(maker, DecoratesMaps) and board == maker.make_map(board.slug):
            return maker.map_art(board, say)
    return NO_OVERLAY


def is_generated(name: str, folder: Path = FOLDER) -> bool:
    """Return whether a name means a board that a game generates."""
    return not is_path(name) and name not in drawn(folder) and name in _board_makers()


class NamesFile(Struct, frozen=True, forbid_unknown_fields=True):
    """Names in another language, by their names on the map."""

    names: dict[str, str]


def names_on(board: Map) -> list[str]:
    """Return the name of a map and those of its spaces, each once."""
    return [*dict.fromkeys((board.name, *(space.name for space in board.spaces.values() if space.name)))]


def translate_names(board: Map, language: str, folder: Path = FOLDER, say: Callable[[Text], str] = str) -> Map:
    """Return the map with the names of a language. `say` translates those that are not in the map's file of names; a
    broken file is logged, and the spaces keep their names.
    """
    path = folder / board.slug / f"names.{language}.toml"
    translations = {name: say(Text(name)) for name in names_on(board)}
    if path.is_file():
        try:
            translations |= read_names(path, board)
        except MapError as error:
            log.error("%s", error)
    spaces = {
        id_: space if space.name is None else replace(space, name=translations.get(space.name, space.name))
        for id_, space in board.spaces.items()
    }
    return replace(board, name=translations[board.name], spaces=spaces)


def read_names(path: Path, board: Map) -> dict[str, str]:
    """Return the names of a file. Raises `MapError` with all errors of the file."""
    try:
        translations = msgspec.convert(decode_toml(read_regular(path)), NamesFile).names
    except NotUtf8 as error:
        raise MapError(str(path), [f"{error}."]) from error
    except (OSError, ValueError) as error:  # both decoders raise kinds of ValueError
        raise MapError(str(path), [f"cannot be read: {error}. Repair or remove it."]) from error
    own = {space.name for space in board.spaces.values()}
    faults = [
        f"{name!r} is not the name of a space on this map. Remove the line." for name in translations if name not in own
    ]
    faults += [
        f"{name!r} is called {translation!r}: write 1 to {LONGEST_NAME} characters."
        for name, translation in translations.items()
        if not 1 <= len(translation.strip()) <= LONGEST_NAME
    ]
    if faults:
        raise MapError(str(path), faults)
    return translations


def is_path(name: str) -> bool:
    """Return whether a typed text is the path of a file, not the name of a map."""
    return name.endswith((".geojson", ".json")) or "/" in name or "\\" in name


def drawing_of(name: str, folder: Path = FOLDER) -> Path:
    """Return the drawing of a name or a path. Raises `MapError` for an unknown name."""
    if is_path(name):
        path = Path(name)
        with suppress(OSError, ValueError):
            return path / DRAWING if (path / DRAWING).is_file() else path
        return path
    map_names = names(folder)
    if name in map_names and is_generated(name, folder):
        raise MapError(name, ["this board is generated by a game. It has no drawing; name a drawn map."])
    if name not in map_names:
        hint = did_you_mean(name.lower(), map_names, 0.4)
        listed = ", ".join(map_names) if map_names else "none yet"
        raise MapError(name, [f"there is no such map. Known: {listed}; or give the path of a .geojson file.{hint}"])
    return folder / name / DRAWING


def load(name: str, folder: Path = FOLDER, progress: Progress | None = None) -> Map:
    """Return the map of a name or a path, with all its tables.

    Raises `MapError`: unknown, broken, or not compiled since its drawing changed.
    """
    if is_generated(name, folder):
        return cached(f"generated {name}", lambda: _make_board(name))  # create it only once
    drawing = drawing_of(name, folder)
    if not is_path(name):
        return _load_compiled(name, drawing)
    if not _compilers:
        raise MapError(display_path(drawing), ["a drawing cannot be compiled here. Name a compiled map."])
    return _compilers[0](drawing, progress)


def make_board(name: str) -> Map:
    """Return a generated board without keeping it in memory. Raises `MapError`."""
    return _maps_in_memory.get(f"generated {name}") or _make_board(name)


def compile_with(compiler: Compiler) -> None:
    """Set the function that compiles a drawing given by path. The command line does: the compiler is in `maker`."""
    _compilers[:] = [compiler]


def _make_board(name: str) -> Map:
    """Raises `MapError` if its game fails or does not return a map."""
    maker = _board_makers().get(name)
    if maker is None:
        raise MapError(name, ["its game no longer makes it."])
    try:
        # Written and read again, the board is checked like a compiled file.
        board = compiled.load(checked(cast(Game, maker).name, dump, maker.make_map(name)), name)
    except RuleError as error:
        raise MapError(name, [error.sentence]) from error
    if not _is_sound(board):
        raise MapError(name, ["its game made a board whose tables do not fit its spaces. Make it with a builder."])
    if board.slug != name:
        raise MapError(name, [f'its game made a board with the slug "{board.slug}". Give it the slug "{name}".'])
    return board if board.source else replace(board, source=digest(dump(board)))


def _is_sound(board: Map) -> bool:
    """Return whether the tables of a generated board have its spaces and no others, and each space has an outline."""
    spaces = board.spaces.keys()
    near = [{other for neighbours in table.values() for other in neighbours} for table in (board.adjacent, board.walk)]
    return (
        0 < len(spaces) <= MOST_SPACES
        and all(name == space.id and len(space.outline) >= 3 for name, space in board.spaces.items())
        and all(table.keys() == spaces for table in (board.adjacent, board.matching, board.walk))
        and spaces >= set().union(*near, board.sights, (entry.space for entry in board.entries))
    )


def _load_compiled(name: str, drawing: Path) -> Map:
    path = drawing.with_name(COMPILED)
    remedy = f"Run: sniperboard map compile {name}"
    if not path.exists():
        raise MapError(display_path(path), [f"the map is not compiled yet. {remedy}"])
    # The digest is also the key in memory, so a changed drawing never gets the old tables.
    source = digest(read_bytes(drawing))

    def make() -> Map:
        board = compiled.load(read_bytes(path), display_path(path))
        if board.source != source:
            raise MapError(display_path(path), [f"{DRAWING} has changed since it was compiled. {remedy}"])
        return board

    return cached(source, make)


def cached(key: str, make: Callable[[], Map]) -> Map:
    """Return the map in memory under `key`; if there is none, `make` it while other threads that need one wait."""
    # Look it up without the lock, so that a game that makes its map, and may hang, keeps no one else waiting.
    if (board := _maps_in_memory.get(key)) is not None:
        return board
    with _compiling:
        if key not in _maps_in_memory:
            # A dict keeps the order of insertion, so the first key is the oldest.
            while len(_maps_in_memory) >= MAP_CACHE_SIZE:
                del _maps_in_memory[next(iter(_maps_in_memory))]
            _maps_in_memory[key] = make()
        return _maps_in_memory[key]


def read_bytes(path: Path) -> bytes:
    try:
        return read_regular(path, BIGGEST_FILE)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno == errno.EFBIG:
            large = f"the file is larger than {BIGGEST_FILE // 1_000_000} MB. This is not a map."
            raise MapError(display_path(path), [large]) from error
        why = error.strerror if isinstance(error, OSError) else error
        raise MapError(display_path(path), [f"cannot be read: {why}. Check the path."]) from error


def display_path(path: Path) -> str:
    """Return the path as a person would write it, relative to the parent of the maps folder if possible; printable."""
    try:
        text = str(path.resolve().relative_to(FOLDER.parent))
    except (ValueError, OSError, RuntimeError):  # ValueError for paths outside, RuntimeError for circular links
        text = str(path)
    # Python has bytes of a file name that are not UTF-8 as lone surrogates, which can't be printed.
    return text.encode("utf-8", "backslashreplace").decode()
