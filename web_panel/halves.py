"""The half of the screens that a game brings: modules, styles and pictures in `games/<folder>/screens/`, sent as the
panel's own static files are; its words lie there too, and the choice of its player aids in `show/`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, send_from_directory

from firmware_host.table.interface import game_folder

SENT = frozenset({".css", ".js", ".png", ".svg", ".webp"})
"""The kinds of files that browsers may have."""
STYLE = "style.css"
SEAT = "seat"
"""The module of every seat that has none of its own name."""
ADDRESS = re.compile(r"/games/([\w-]+)/static/([\w.-]+)")


def halves() -> Blueprint:
    """The blueprint of what games bring."""
    routes = Blueprint("halves", __name__)

    @routes.get("/games/<name>/static/<file>")
    def screens(name: str, file: str) -> Response:
        """A module, a style sheet or a picture of a game."""
        try:
            path = screen_file(name, file)
        except LookupError:
            abort(404)
        if path.suffix not in SENT or path.name != file:
            abort(404)
        return send_from_directory(path.parent, file)

    return routes


def half_address(address: str) -> tuple[str, str] | None:
    """The game and the file that an address means; None for an address of the panel's own."""
    found = ADDRESS.fullmatch(address)
    return None if found is None else (found[1], found[2])


def screen_file(game: str, file: str) -> Path:
    """Where a file of a game's screens lies, whether it is there or not. Raises `LookupError` for an unknown game."""
    return game_folder(game) / "screens" / Path(file).name


@cache
def half(game: str, page: str) -> str | None:
    """The address of a game's module for a page, or of its style sheet; None where it has none."""
    file = page if page.endswith(".css") else f"{page}.js"
    try:
        there = screen_file(game, file).is_file()
    except LookupError:
        there = False
    return f"/games/{game}/static/{file}" if there else None


def seat_half(game: str, seat: str) -> str | None:
    """The address of a game's module for a seat: the one of that name, else the one for all seats."""
    return half(game, seat) or half(game, SEAT)


@cache
def papers(game: str) -> str:
    """What a game brings to read beside it: `rules`, `aids`, both or nothing."""
    try:
        folder = game_folder(game)
    except LookupError:
        return ""
    found = {"rules": any((folder / "book").glob("*.md")), "aids": (folder / "show" / "aids.toml").is_file()}
    return " ".join(name for name, there in found.items() if there)


def facts() -> dict[str, Any]:
    """What page templates ask for."""
    return {"half": half, "half_style": lambda game: half(game, STYLE), "papers": papers}
