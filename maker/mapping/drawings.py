"""Read, check and compile drawings of maps. Functions raise `MapError` with every fault of a drawing.

`engine/graph/check.py` has the requirements for every map; each game has its own.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from engine.game import NeedsMap
from engine.graph.check import Measure, check
from engine.graph.compiled import digest
from engine.graph.derive import derive
from engine.graph.drawing import Drawing, MapRules, Verdict, drawing_of_map
from engine.graph.fault import MapError, did_you_mean, with_subject
from engine.graph.feature import quoted_value
from engine.graph.geojson import MAKER_PROPERTIES, PROPERTIES, read_drawing
from engine.graph.model import Map
from engine.text import Text
from firmware_host.board.wiring import FILE, Wiring, WiringError, of_board
from firmware_host.core import maps
from firmware_host.core.capabilities import capabilities
from firmware_host.core.strict import is_utf16, other_kind
from maker.mapping.sight import with_sights

Progress = Callable[[float], None]


class Survey(Struct, frozen=True):
    """A map without faults, but still without its sight table, and the warnings about it."""

    map: Map
    warnings: tuple[Text, ...]


def compile_drawing(drawing: Path, measure: Measure, progress: Progress | None = None) -> Map:
    """Check and compile a drawing, once for each content. Raises `MapError` with every fault."""
    text = maps.read_bytes(drawing)

    def make() -> Map:
        surveyed = survey_file(text, maps.display_path(drawing), measure)
        return msgspec.structs.replace(with_sights(surveyed.map, progress), source=digest(text))

    # A drawing that passes the loose check can fail the strict one, so the results are cached separately.
    return maps.cached(f"{measure} {digest(text)}", make)


def survey_drawing(drawing: Path, measure: Measure) -> Survey:
    """Check a drawing and derive its tables, except sights. Raises `MapError` with every fault."""
    return survey_file(maps.read_bytes(drawing), maps.display_path(drawing), measure)


def survey_named(name: str, measure: Measure) -> Survey:
    """Survey the map of this name or path, which may be a generated board."""
    if not maps.is_generated(name):
        return survey_drawing(maps.drawing_of(name), measure)
    board = maps.load(name)
    verdict = check(drawing_of_map(board), measure)
    if verdict.faults:
        raise MapError(name, verdict.faults)
    return Survey(board, verdict.warnings)


def wiring_of(name: str, board: Map, wiring_file: Path | None = None) -> Wiring:
    """Return the wiring next to the drawing of a map, or that in `wiring_file`. Raises `MapError`."""
    # A generated board has no folder and so no wiring of its own.
    files = [] if maps.is_generated(name) else [maps.drawing_of(name).with_name(FILE)]
    try:
        return of_board(board, *(files if wiring_file is None else [wiring_file]))
    except WiringError as error:
        raise MapError("", error.faults) from error


def survey_file(content: bytes, where: str, measure: Measure) -> Survey:
    """Survey the drawing in a file of this `content`; `where` names it in errors."""
    return survey(decode(content, where), where, measure, list(_map_rules()))


def decode(content: bytes, where: str) -> object:
    """Return the JSON document of a drawing. Raises `MapError`, also for a name that one object has twice."""
    if is_utf16(content):
        raise MapError(where, [Text("this is not JSON in UTF-8, but UTF-16. Save the drawing as UTF-8.")])
    if other_kind(content):
        raise MapError(where, [Text("this is a picture, a PDF or compressed, not GeoJSON. Save the map as GeoJSON.")])
    try:
        content.decode()
    except UnicodeDecodeError as error:
        raise MapError(where, [Text("this is not JSON in UTF-8. Save the drawing as UTF-8.")]) from error
    if content.startswith(b"<<<<<<< "):
        raise MapError(where, [Text("two versions of the file are merged in it. Keep one of them.")])
    if content.removeprefix(BOM_UTF8).lstrip().startswith(b"<"):
        raise MapError(where, [Text("this is HTML, SVG or other XML, not GeoJSON. The map editor imports SVG.")])
    try:
        document = msgspec.json.decode(content.removeprefix(BOM_UTF8))
        doubled = _repeated_names(content)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        why = _with_line(error, content)
        raise MapError(where, [f"this is not JSON: {why}. Save the drawing as GeoJSON."]) from error
    if doubled:
        raise MapError(where, doubled)
    return document


def _with_line(error: Exception, content: bytes) -> str:
    """Return what is wrong with a JSON document, with the line instead of the byte."""
    if not content.strip():
        return "the file is empty"

    def at(found: re.Match[str]) -> str:
        number = int(found[1])
        other = re.match(rb"-?(NaN|Infinity)", content.removeprefix(BOM_UTF8)[number:])
        line = content.count(b"\n", 0, number) + 1
        return f"({other[0].decode()}, line {line})" if other else f"(line {line})"

    return re.sub(r"\(byte (\d+)\)", at, str(error))


def _repeated_names(text: bytes) -> list[Text]:
    """Return a fault for each name that one object has more than once: readers differ in which one they use."""
    faults: list[Text] = []

    def take(members: list[tuple[str, object]]) -> dict[str, object]:
        without_repeats = dict(members)
        owner = quoted_value(without_repeats["id"]) if isinstance(without_repeats.get("id"), str) else ""
        for name, times in Counter(name for name, _ in members).items():
            if times > 1:
                sentence = Text('an object has more than one member "{name}". Keep the one that is meant.')
                fault = sentence.with_(name=quoted_value(name))
                faults.append(with_subject(owner, fault) if owner else fault)
        return without_repeats

    json.loads(text.removeprefix(BOM_UTF8), object_pairs_hook=take)
    return faults


def survey(
    document: object, where: str = "", measure: Measure = "board", games: Sequence[MapRules | _OfMaps] = ()
) -> Survey:
    """Read, check and derive a map from a decoded GeoJSON document.

    Raises `MapError` with every fault found, and with the games' faults if none of `games` can use the drawing. The
    map's `sights` are empty: see `maker.mapping.sight.with_sights`.
    """
    drawing = read_drawing(document, where)
    verdict = check(drawing, measure)
    # A drawing with faults that matter only on a full board makes a map, too.
    made = None if verdict.faults and check(drawing, "loose").faults else derive(drawing)
    by_title = (
        (game.title, game.check_map(made) if isinstance(game, _OfMaps) else game.check_drawing(drawing))
        for game in games
    )
    verdicts = {title: its for title, its in by_title if its is not None}
    faults = [*verdict.faults, *refusals({title: its.faults for title, its in verdicts.items()})]
    if faults or made is None:
        raise MapError(where, faults, verdict.warnings)
    warnings = [*verdict.warnings, *_unknown_properties(drawing, games)]
    warnings += [warning for its in verdicts.values() if not its.faults for warning in its.warnings]
    return Survey(made, tuple(dict.fromkeys(warnings)))


def refusals(faults: Mapping[str, Sequence[Text]]) -> list[Text]:
    """Return all faults if no game can use a drawing; none if at least one game can. `faults` is by the games' titles.

    A fault that only some games find starts with the title of the game.
    """
    if not all(faults.values()):
        return []
    shared = set.intersection(*map(set, faults.values())) if faults else set()
    sentences = (
        fault if fault in shared else with_subject(Text(title), fault)
        for title, own_faults in faults.items()
        for fault in own_faults
    )
    return list(dict.fromkeys(sentences))


def _unknown_properties(drawing: Drawing, games: Sequence[MapRules | _OfMaps]) -> Iterator[Text]:
    properties = [*PROPERTIES, *MAKER_PROPERTIES, *(word for game in games for word in game.drawn_properties)]
    for space in drawing.spaces:
        for word in space.properties:
            if word not in properties:
                fault = Text(
                    "the property {word} means nothing.{hint}",
                    word=quoted_value(word),
                    hint=did_you_mean(word, properties),
                )
                yield with_subject(space.label, fault)


def describe_fit(board: Map) -> list[str]:
    """Return a line for each drawn-map game that says whether the map fits; nothing if it fits all of them."""
    faults_of = {
        game.title: rules.map_faults(board)
        for game in maps.playable_games()
        if (rules := capabilities(game).needs_map) is not None
    }
    if not any(faults_of.values()):
        return []
    return [
        f"{title}: {' '.join(['does not fit.', *lacks]) if lacks else 'fits.'}" for title, lacks in faults_of.items()
    ]


class _OfMaps(Struct, frozen=True):
    """The requirements of a game that checks only compiled maps. While the drawing has faults, it can't check
    anything."""

    title: str
    game: NeedsMap
    drawn_properties: tuple[str, ...] = ()

    def check_map(self, made: Map | None) -> Verdict | None:
        """Return the faults of the map that the drawing makes, if it makes one."""
        return None if made is None else Verdict(tuple(self.game.map_faults(made)))


def _map_rules() -> Iterator[MapRules | _OfMaps]:
    for game in maps.playable_games():
        offers = capabilities(game)
        if offers.reads_drawings is not None:
            yield offers.reads_drawings
        elif offers.needs_map is not None:
            yield _OfMaps(game.title, offers.needs_map)
