"""Maps as SVG, drawn once for each language."""

from __future__ import annotations

import threading
from collections.abc import Callable

from engine.graph.fault import MapError
from engine.graph.svg import draw
from engine.text import Text, comma_list
from firmware_host.core import maps
from firmware_host.core.errors import UserError

_DRAWINGS: dict[tuple[str, str], str] = {}
"""Source and language -> drawing. A map's picture changes only with the map."""
_DRAWING = threading.Lock()
"""Drawing takes a small computer seconds, so each map is drawn by one thread."""


def map_svg(slug: str, language: str = "", say: Callable[[Text], str] = str) -> str:
    """Return a map as SVG, with its names in a language if it has them.

    `say` translates what a game writes on its own board. Raises `UserError` for an unknown or broken map.
    """
    if slug not in maps.names():
        raise UserError(
            "not-understood",
            Text("There is no map {name}; known are {known}.", name=repr(slug), known=comma_list(maps.names())),
        )
    try:
        board = maps.load(slug)
    except MapError as error:
        raise UserError("not-understood", maps.unusable(error)) from error
    with _DRAWING:
        key = board.source, language
        if key not in _DRAWINGS:
            _DRAWINGS[key] = draw(maps.translate_names(board, language), maps.decoration(board, say))
    return _DRAWINGS[key]
