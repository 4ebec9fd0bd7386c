"""The half of the screens that a game brings: modules, styles and pictures in `games/<folder>/screens/`, sent as the
panel's own static files are; its words lie there too, and the choice of its player aids in `show/`. A page for which a
game brings no module has a generic one, from `static/generic/`.

The pictures of a game's cards and the faces of its bots are symbols of one SVG file, so that a device asks once for all
of them (`static/art.js`).
"""

from __future__ import annotations

import hashlib
import re
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, send_from_directory

from firmware_host.core.game_files import SEAT, game_folder, own_screen
from firmware_host.core.installed import GameError, check_art
from firmware_host.core.sizes import TooLarge, whole_file
from web_panel.aids import chosen

SENT = frozenset({".css", ".js", ".png", ".svg", ".webp"})
"""The kinds of files that browsers may have."""
STYLE = "style.css"
ART = "art.svg"
"""A symbol of 48 by 48 for each name of the game's glossary, and `bot-<name>` for each of its bots."""
FACES = Path(__file__).parent / "static" / "faces.svg"
"""The faces of the bots that play any game."""
SVG = "{http://www.w3.org/2000/svg}"
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

    @routes.get("/games/<name>/art-<digest>.svg")
    def art(name: str, digest: str) -> Response:
        """The symbols of a game's cards and bots. The digest only tells one version's address from another's."""
        try:
            return Response(sprite(name), mimetype="image/svg+xml")
        except LookupError:
            abort(404)

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
    found = (name for script in scripts for name in IMPORTED.findall(_script(script)))
    return tuple(sorted({name for name in found if name != game}))


def _script(path: Path) -> str:
    """Return the text of a game's module; nothing where it cannot be read, which the table says at its start."""
    try:
        return whole_file(path).decode("utf-8", "replace")
    except (OSError, TooLarge):
        return ""


@cache
def sprite(game: str) -> bytes:
    """All symbols that the pages of a game can show, as SVG: its own, then those of the games that it builds on, then
    the panel's. The first of a name counts. Raises `LookupError` for an unknown game.
    """
    ET.register_namespace("", SVG[1:-1])
    root = ET.Element(f"{SVG}svg")
    for path in (*_art(game), FACES):
        names = {symbol.get("id") for symbol in root}
        root.extend(symbol for symbol in _symbols(path) if symbol.get("id") not in names)
    return ET.tostring(root)


def _symbols(path: Path) -> list[ET.Element]:
    """The symbols of a file; none where it cannot be used, which the table says at its start."""
    try:
        check_art(path)
        return [*ET.parse(path).iter(f"{SVG}symbol")]
    except (GameError, ET.ParseError, OSError, ValueError, RecursionError):
        return []


@cache
def sprite_address(game: str) -> str:
    """Where the symbols are; it changes with them, so that a browser may keep them for good. Empty without a game."""
    try:
        return f"/games/{game}/art-{hashlib.sha256(sprite(game)).hexdigest()[:12]}.svg"
    except LookupError:
        return ""


def _art(game: str) -> list[Path]:
    files = (screen_file(name, ART) for name in (game, *lenders(game)))
    return [path for path in files if path.is_file()]


@cache
def half_style(game: str) -> str | None:
    """The address of a game's style sheet; None where it has none."""
    try:
        return f"/games/{game}/static/{STYLE}" if screen_file(game, STYLE).is_file() else None
    except LookupError:
        return None


@cache
def papers(game: str) -> str:
    """What a game brings beside its screens: `rules` and `aids` to read, `art` to look at; as words in a row."""
    try:
        folder = game_folder(game)
    except LookupError:
        return ""
    found = {"rules": any((folder / "book").glob("*.md")), "aids": bool(chosen(game)), "art": bool(_art(game))}
    return " ".join(name for name, there in found.items() if there)


def facts() -> dict[str, Any]:
    """What page templates ask for."""
    return {
        "half": half,
        "half_style": half_style,
        "papers": papers,
        "sprite_address": sprite_address,
        "generic": GENERIC,
    }
