"""Maps as SVG, drawn once for each language, and the legend of the map on the table: what is drawn on it, each with an
example, and what its lamps mean.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Any

from engine.cues import Light, Palette, show_of
from engine.graph.fault import MapError
from engine.graph.model import Map, Space
from engine.graph.svg import draw
from engine.text import Text, comma_list
from firmware_host.board.cues.scene import level
from firmware_host.core import installed, maps
from firmware_host.core.capabilities import capabilities
from firmware_host.core.encoding import Translate
from firmware_host.core.errors import UserError
from firmware_host.core.lamp_colours import LIGHTS, palette

EXCERPT_RATIO = (4, 3)
"""Width and height of every excerpt."""
NEAR, MARGIN = 400, 80
"""Width of an excerpt around a point, and margin around a space, in tenths of a millimetre."""
SECONDS, SAMPLES = 4.0, 40
"""Seconds of a lamp that are sampled, and the number of samples."""
DEFAULT_COLOUR = (180, 180, 180)
KINDS = ("open", "enclosed", "elevated", "water", "obstruction")

_drawings: dict[tuple[str, str], str] = {}
"""Source and language -> drawing. A map's picture changes only with the map."""
_drawing_lock = threading.Lock()
"""Drawing takes a small computer seconds, so each map is drawn by one thread."""

Box = tuple[int, int, int, int]
"""Left, top, width and height on the map."""


def map_svg(slug: str, language: str = "", say: Translate = str) -> str:
    """Return a map as SVG, with its names in a language if it has them. `say` translates the map's name, and what a
    game writes on its own board. Raises `UserError` for an unknown or broken map.
    """
    if slug not in maps.names():
        says = Text("There is no map {name}; known are {known}.", name=repr(slug), known=comma_list(maps.names()))
        raise UserError("not-understood", says)
    try:
        board = maps.load(slug)
    except MapError as error:
        raise UserError("not-understood", maps.unusable_sentence(error)) from error
    key = board.source, language
    if key not in _drawings:
        with _drawing_lock:
            if key not in _drawings:
                _drawings[key] = draw(maps.translate_names(board, language, say=say), maps.decoration(board, say))
    return _drawings[key]


def marks(slug: str) -> list[dict[str, Any]]:
    """Return what is drawn on the map of this name: its `kind`, and the `box` of an excerpt that shows one. An unknown
    or broken map has none.
    """
    if slug not in maps.names():
        return []
    try:
        return [{"kind": kind, "box": box} for kind, box in _marks(maps.load(slug))]
    except MapError:
        return []


def _marks(board: Map) -> Iterator[tuple[str, Box]]:
    # A space under another one is covered on the drawing; its tunnel has its own mark.
    spaces = [space for space in board.spaces.values() if not space.under]
    for kind in KINDS:
        yield from _mark_of_median(kind, (space for space in spaces if space.kind == kind and not space.difficult))
    yield from _mark_of_median("difficult", (space for space in spaces if space.difficult))
    yield from _mark_of_first("tunnel", (space.spot for space in board.spaces.values() if space.under))
    for kind in ("door", "ladder"):
        yield from _mark_of_first(kind, (access.at for access in board.accesses if access.kind == kind))
    yield from _mark_of_first("entry", (entry.at for entry in board.entries))
    yield from _mark_of_median("objective", (space for space in spaces if space.properties.get("objective")))
    leaders = [space.spot for space in spaces if space.properties.get("start") == "officer"]
    yield from _mark_of_first("leader", leaders)
    others = (space.spot for space in spaces if space.properties.get("start") and space.spot not in leaders)
    yield from _mark_of_first("start", others)


def _mark_of_median(kind: str, spaces: Iterable[Space]) -> Iterator[tuple[str, Box]]:
    """Yield the space of median size, because the smallest and the largest are often unusual."""
    boxes = sorted((_box_of(space) for space in spaces), key=lambda box: box[2])
    if boxes:
        yield kind, boxes[len(boxes) // 2]


def _mark_of_first(kind: str, spots: Iterable[tuple[int, int]]) -> Iterator[tuple[str, Box]]:
    for spot in spots:
        yield kind, _box_around(spot, NEAR)
        return


def _box_of(space: Space) -> Box:
    across, down = [x for x, _ in space.outline], [y for _, y in space.outline]
    left, right, top, bottom = min(across), max(across), min(down), max(down)
    # All excerpts have the same ratio, so the excerpt of a tall space is also wider.
    wide = max(right - left, (bottom - top) * EXCERPT_RATIO[0] // EXCERPT_RATIO[1]) + 2 * MARGIN
    return _box_around(((left + right) // 2, (top + bottom) // 2), wide)


def _box_around(middle: tuple[int, int], wide: int) -> Box:
    high = wide * EXCERPT_RATIO[1] // EXCERPT_RATIO[0]
    return middle[0] - wide // 2, middle[1] - high // 2, wide, high


def lamps(name: str, colours: str) -> list[dict[str, Any]]:
    """Return the lights of the game `name`, followed by those of the table, in the palette `colours`: `meaning`,
    `colour` (`#rrggbb`), its `levels` over `SECONDS`, 0 to 9, and whether it is the game's `own`. [] for a game without
    lamps. Raises `ValueError` for an unknown palette.
    """
    game = installed.find(name)
    if capabilities(game).cues is None:
        return []
    show = show_of(game)
    palette_colours = palette(colours, show)
    return [
        _lamp_facts(light, palette_colours, own)
        for own, lights in ((True, show.lights), (False, LIGHTS))
        for light in lights.values()
    ]


def _lamp_facts(light: Light, colours: Palette, own: bool) -> dict[str, Any]:
    red, green, blue = colours.get(light.role, DEFAULT_COLOUR)
    moments = [SECONDS * sample / SAMPLES for sample in range(SAMPLES)]
    return {
        "meaning": light.meaning,
        "colour": f"#{red:02x}{green:02x}{blue:02x}",
        "levels": [round(9 * level(light.rhythm, 0, at)) for at in moments],
        "own": own,
    }
