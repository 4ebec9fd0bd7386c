"""The half of the screens that a game brings: modules, styles and pictures in `games/<folder>/screens/`, sent as the
panel's own static files are; its words lie there too, and the choice of its player aids in `show/`. A page for which a
game brings no module has a generic one, from `static/generic/`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, send_from_directory

from firmware_host.table.interface import SEAT, game_folder, own_screen
from web_panel.aids import chosen

SENT = frozenset({".css", ".js", ".png", ".svg", ".webp"})
"""The kinds of files that browsers may have."""
STYLE = "style.css"
GENERIC = "/static/generic/"
"""Where the generic modules lie, with a style sheet for them."""
GENERIC_PAGES = frozenset({SEAT, "table", "past"})
IMPORTED = re.compile(r'^(?:import|export)\b[^;"]*"/games/([\w-]+)/static/', re.MULTILINE)
"""An import of another game's module."""
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


def half(game: str, page: str) -> str | None:
    """The address of the module for a page: the game's own, else the generic one; None where there is neither."""
    own = own_screen(game, page)
    if own is None:
        return f"{GENERIC}{page}.js" if page in GENERIC_PAGES else None
    return f"/games/{game}/static/{own}"


def seat_half(game: str, seat: str) -> str:
    """The address of the module for a seat: the game's own of that name, its own for all seats, or the generic one."""
    own = own_screen(game, seat, SEAT)
    return f"{GENERIC}{SEAT}.js" if own is None else f"/games/{game}/static/{own}"


@cache
def lenders(game: str) -> tuple[str, ...]:
    """The other games whose modules the screens of `game` import, in order; their words are the game's words too."""
    try:
        scripts = sorted((game_folder(game) / "screens").glob("*.js"))
    except LookupError:
        return ()
    found = (name for script in scripts for name in IMPORTED.findall(script.read_text("utf-8")))
    return tuple(sorted({name for name in found if name != game}))


@cache
def half_style(game: str) -> str | None:
    """The address of a game's style sheet; None where it has none."""
    try:
        return f"/games/{game}/static/{STYLE}" if screen_file(game, STYLE).is_file() else None
    except LookupError:
        return None


@cache
def papers(game: str) -> str:
    """What a game brings to read beside it: `rules`, `aids`, both or nothing."""
    try:
        folder = game_folder(game)
    except LookupError:
        return ""
    found = {"rules": any((folder / "book").glob("*.md")), "aids": bool(chosen(game))}
    return " ".join(name for name, there in found.items() if there)


def facts() -> dict[str, Any]:
    """What page templates ask for."""
    return {"half": half, "half_style": half_style, "papers": papers, "generic": GENERIC}
