"""Finds maps: by name in the folder `maps/`, or by the path of a drawing.

A named map is played from its compiled tables; a drawing given by path is checked loosely, compiled on the spot and
remembered by its hash for as long as the process lives. What a map is and what can be wrong with it: `engine.graph`.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from threading import Lock

import msgspec

from engine.graph import compiled
from engine.graph.check import Measure, Survey, survey
from engine.graph.compiled import digest
from engine.graph.fault import MapError
from engine.graph.feature import short
from engine.graph.model import Map
from engine.text import Text

FOLDER = Path(__file__).resolve().parents[2] / "maps"
DRAWING = "map.geojson"
COMPILED = "compiled.json"
BIGGEST_FILE = 16_000_000
REMEMBERED = 32

__all__ = [
    "MapError",
    "compile_drawing",
    "drawing_of",
    "is_path",
    "load",
    "names",
    "survey_drawing",
    "told",
    "unusable",
]

Progress = Callable[[float], None]

_known: dict[str, Map] = {}
_compiling = Lock()


def unusable(why: Exception) -> Text:
    """That a map or its wiring is at fault, for the screens; the faults are the keeper's, in English."""
    return Text("This map cannot be played here. {why}", why=str(why))


def names(folder: Path = FOLDER) -> list[str]:
    """The maps that can be asked for by name."""
    return sorted(path.parent.name for path in folder.glob(f"*/{DRAWING}"))


def told(name: str, folder: Path = FOLDER) -> str:
    """One line about a named map, broken or not: its title, its size, and whether it can be played."""
    try:
        found = load(name, folder)
    except MapError as error:
        return "; ".join(error.faults)
    return f"{found.name}, {len(found.spaces)} spaces"


def is_path(name: str) -> bool:
    """Whether what somebody typed means a file rather than a map's name."""
    return name.endswith((".geojson", ".json")) or "/" in name or "\\" in name


def drawing_of(name: str, folder: Path = FOLDER) -> Path:
    """The drawing that a name or a path means. Raises `MapError` for a name that is not known."""
    if is_path(name):
        path = Path(name)
        return path / DRAWING if _holds_a_map(path) else path
    known = names(folder)
    if name not in known:
        near = get_close_matches(name.lower(), known, 1, 0.4)
        hint = f" Did you mean {near[0]}?" if near else ""
        listed = ", ".join(known) if known else "none yet"
        raise MapError(name, [f"there is no such map. Known: {listed}; or give the path of a .geojson file.{hint}"])
    return folder / name / DRAWING


def _holds_a_map(path: Path) -> bool:
    try:
        return path.is_dir() and (path / DRAWING).is_file()
    except (OSError, ValueError):
        return False


def load(name: str, folder: Path = FOLDER, progress: Progress | None = None) -> Map:
    """The map of a name or a path, with all its tables.

    Raises `MapError`: not known, broken, or not compiled since its drawing changed.
    """
    drawing = drawing_of(name, folder)
    return compile_drawing(drawing, "loose", progress) if is_path(name) else _load_compiled(name, drawing)


def _load_compiled(name: str, drawing: Path) -> Map:
    path = drawing.with_name(COMPILED)
    remedy = f"Run: sniperboard map compile {name}"
    if not path.exists():
        raise MapError(_shown(path), [f"the map is not compiled yet. {remedy}"])
    source = digest(_read(drawing))
    with _compiling:
        if source not in _known:
            found = compiled.load(_read(path), _shown(path))
            if found.source != source:
                raise MapError(_shown(path), [f"{DRAWING} has changed since it was compiled. {remedy}"])
            _remember(source, found)
        return _known[source]


def compile_drawing(drawing: Path, measure: Measure, progress: Progress | None = None) -> Map:
    """Checks and compiles a drawing, once for each content. Raises `MapError` with every fault."""
    text = _read(drawing)
    key = f"{measure} {digest(text)}"
    with _compiling:
        if key not in _known:
            _remember(key, _compile(survey_text(text, _shown(drawing), measure), text, progress))
        return _known[key]


def _compile(surveyed: Survey, text: bytes, progress: Progress | None) -> Map:
    from engine.graph.sight import with_sights

    return msgspec.structs.replace(with_sights(surveyed.map, progress), source=digest(text))


def _remember(key: str, found: Map) -> None:
    while len(_known) >= REMEMBERED:
        del _known[next(iter(_known))]
    _known[key] = found


def survey_drawing(drawing: Path, measure: Measure) -> Survey:
    """Checks a drawing and derives its tables, sights aside. Raises `MapError` with every fault."""
    return survey_text(_read(drawing), _shown(drawing), measure)


def survey_text(text: bytes, where: str, measure: Measure) -> Survey:
    """The same for a drawing already read."""
    if text.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise MapError(where, ["this is no JSON in UTF-8, but UTF-16. Save the drawing as UTF-8."])
    try:
        document = msgspec.json.decode(text.removeprefix(BOM_UTF8))
        doubled = _doubled(text)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise MapError(where, [f"this is no JSON: {error}. Save the drawing as GeoJSON."]) from error
    if doubled:
        raise MapError(where, doubled)
    return survey(document, where, measure)


def _doubled(text: bytes) -> list[str]:
    """Faults for names that one object holds more than once: readers differ in which of them counts."""
    faults: list[str] = []

    def take(members: list[tuple[str, object]]) -> dict[str, object]:
        held = dict(members)
        owner = f" of {short(held['id'])}" if isinstance(held.get("id"), str) else ""
        for name, times in Counter(name for name, _ in members).items():
            if times > 1:
                faults.append(f'one object{owner} has {times} members "{short(name)}". Keep the one that is meant.')
        return held

    json.loads(text.removeprefix(BOM_UTF8), object_pairs_hook=take)
    return faults


def _read(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise MapError(_shown(path), ["cannot be read: it is no file. Check the path."])
        if path.stat().st_size > BIGGEST_FILE:
            raise MapError(_shown(path), [f"the file is larger than {BIGGEST_FILE // 1_000_000} MB. This is no map."])
        return path.read_bytes()
    except OSError as error:
        raise MapError(_shown(path), [f"cannot be read: {error.strerror}. Check the path."]) from error
    except ValueError as error:
        raise MapError(_shown(path), [f"cannot be read: {error}. Check the path."]) from error


def _shown(path: Path) -> str:
    """The path as a person would write it, from the maps folder's parent where it lies there; always printable."""
    try:
        shown = str(path.resolve().relative_to(FOLDER.parent))
    except (ValueError, OSError, RuntimeError):  # the last for links in a circle
        shown = str(path)
    return shown.encode("utf-8", "backslashreplace").decode()
