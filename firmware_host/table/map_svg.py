"""Maps drawn as SVG, each once."""

from __future__ import annotations

import threading

from engine.graph.fault import MapError
from engine.graph.svg import draw
from engine.text import Text, row
from firmware_host.table import maps
from firmware_host.table.errors import UserError

_DRAWINGS: dict[str, str] = {}
"""Source -> the drawing: a map's picture changes only with the map."""
_DRAWING = threading.Lock()
"""Drawing takes a small computer seconds: however many ask for a map, one draws it."""


def map_svg(slug: str) -> str:
    """A map drawn, on the calling thread. Raises `UserError` for an unknown or broken map."""
    if slug not in maps.names():
        raise UserError(
            "not-understood",
            Text("There is no map {name}; known are {known}.", name=repr(slug), known=row(maps.names())),
        )
    try:
        board = maps.load(slug)
    except MapError as error:
        raise UserError("not-understood", maps.unusable(error)) from error
    with _DRAWING:
        if board.source not in _DRAWINGS:
            _DRAWINGS[board.source] = draw(board, maps.art(board))
    return _DRAWINGS[board.source]
