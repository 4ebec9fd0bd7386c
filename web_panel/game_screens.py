"""Serve the screens of a game: modules, styles and pictures in `games/<folder>/screens/`.

They are sent like the panel's own static files. The game's texts are in the same folder; the content of its player aids
is in `show/`. If a game has no module for a page, the generic one from `static/generic/` is used. The pictures of a
game's cards and the faces of its bots are symbols of one SVG file, so that a device loads all of them with one request
(`static/art.js`). Pages name all modules that their script imports, so that browsers load them at once.
"""

from __future__ import annotations

import hashlib
import re
import xml.etree.ElementTree as ET
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from flask import Blueprint, Response, abort, send_from_directory

from firmware_host.api.interface import Text
from firmware_host.core.game_files import SEAT, game_folder, own_screen
from firmware_host.core.installed import LARGEST_ART, SVG, GameError, find, names, read_art
from firmware_host.core.sizes import LARGEST_FILE, TooLarge, whole_file
from web_panel.rules import sheet_choices
from web_panel.versions import STATEMENT, immutable_response

PICTURES = frozenset({".png", ".svg", ".webp"})
SENT_TYPES = PICTURES | {".css", ".js"}
"""The file types that are sent to browsers."""
STYLE = "style.css"
ART = "art.svg"
"""A symbol of 48 × 48 for each name of the game's glossary, and `bot-<name>` for each of its bots."""
STATIC = Path(__file__).resolve().parent / "static"
FACES = STATIC / "faces.svg"
"""The faces of the bots that can play any game."""
GENERIC = "/static/generic/"
"""Address of the generic modules and their style sheet."""
GENERIC_PAGES = frozenset({SEAT, "table", "past"})
IMPORTED = re.compile(STATEMENT + r'"/games/([\w-]+)/static/', re.MULTILINE)
"""An import of another game's module."""
ADDRESS = re.compile(r"/games/([\w-]+)/static/([\w.-]+)")


def game_screen_routes() -> Blueprint:
    """Return the blueprint of the games' files."""
    routes = Blueprint("game_screens", __name__)

    @routes.get("/games/<name>/static/<file>")
    def screens(name: str, file: str) -> Response:
        """Return a module, a style sheet or a picture of a game."""
        try:
            path = screen_file(name, file)
        except LookupError:
            abort(404)
        # `screen_file` removes folders from the name. If that changes the name, the request tries to leave the folder.
        if path.suffix not in SENT_TYPES or path.name != file or not _is_sendable(path):
            abort(404)
        return send_from_directory(path.parent, file)

    @routes.get("/games/<name>/art-<digest>.svg")
    def art(name: str, digest: str) -> Response:
        """Return the symbols of a game's cards and bots. The digest only makes each version's address unique."""
        try:
            return immutable_response(sprite(name), "image/svg+xml", sprite_address(name))
        except LookupError:
            abort(404)

    return routes


def screen_file(game: str, file: str) -> Path:
    """Return the path of a file of a game's screens; it may not exist. Raises `LookupError` for an unknown game."""
    return game_folder(game) / "screens" / Path(file).name


def page_module(game: str, page: str) -> str | None:
    """Return the address of the module for a page: the game's own, else the generic one, else None."""
    own = own_screen(game, page)
    if own is None:
        return f"{GENERIC}{page}.js" if page in GENERIC_PAGES else None
    return f"/games/{game}/static/{own}"


def seat_module(game: str, seat: str) -> str:
    """Return the address of the module for a seat.

    It is the game's module of that name, else its module for all seats, else the generic one.
    """
    own = own_screen(game, seat, SEAT)
    return f"{GENERIC}{SEAT}.js" if own is None else f"/games/{game}/static/{own}"


@cache
def games_imported_by(game: str) -> tuple[str, ...]:
    """Return the other games whose modules the screens of `game` import, sorted. One that is not installed is left out.

    The texts of those games belong to this game's texts, too.
    """
    try:
        scripts = sorted((game_folder(game) / "screens").glob("*.js"))
    except LookupError:
        return ()
    imported = (name for path in scripts for name in IMPORTED.findall(script(path)))
    return tuple(sorted({name for name in imported if name != game and _is_there(name)}))


def _is_there(game: str) -> bool:
    with suppress(LookupError):
        return game_folder(game).is_dir()
    return False


def _is_sendable(path: Path) -> bool:
    """Return whether a file is small enough: the server has the whole of it in memory while it is sent."""
    try:
        return path.stat().st_size <= (LARGEST_ART if path.suffix in PICTURES else LARGEST_FILE)
    except OSError:
        return False


def script(path: Path) -> str:
    """Return the source of a game's module; empty if it cannot be read, which the table reports."""
    try:
        return whole_file(path).decode("utf-8", "replace")
    except (OSError, TooLarge):
        return ""


@cache
def sprite(game: str) -> bytes:
    """Return all symbols that the pages of a game can show, as SVG.

    The game's own symbols come first, then those of the games that it builds on, then the panel's. The first symbol of
    a name is used. Raises `LookupError` for an unknown game.
    """
    # Without a registered default namespace, ElementTree would write a prefix on every element.
    ET.register_namespace("", SVG[1:-1])
    root = ET.Element(f"{SVG}svg")
    for path in (*_art(game), FACES):
        # The first symbol of a name wins, so a game can replace a general face.
        names = {symbol.get("id") for symbol in root}
        root.extend(symbol for symbol in _symbols(path) if symbol.get("id") not in names)
    return ET.tostring(root)


def _symbols(path: Path) -> list[ET.Element]:
    """Return the symbols of a file; none if it cannot be used, which the table reports."""
    try:
        return read_art(path)
    except (GameError, ET.ParseError, OSError, ValueError, RecursionError):
        return []


@cache
def sprite_address(game: str) -> str:
    """Return the address of the symbols, empty without a game.

    The address changes with its content, so a browser may cache it permanently.
    """
    try:
        return f"/games/{game}/art-{hashlib.sha256(sprite(game)).hexdigest()[:12]}.svg"
    except LookupError:
        return ""


@cache
def cover_address(game: str) -> str | None:
    """Return the address of the picture that stands for a game without a map; None if it has none."""
    try:
        return f"{sprite_address(game)}#cover" if b'id="cover"' in sprite(game) else None
    except LookupError:
        return None


def _art(game: str) -> list[Path]:
    files = (screen_file(name, ART) for name in (game, *games_imported_by(game)))
    return [path for path in files if path.is_file()]


@cache
def game_style(game: str) -> str | None:
    """Return the address of a game's style sheet; None if it has none."""
    try:
        return f"/games/{game}/static/{STYLE}" if screen_file(game, STYLE).is_file() else None
    except LookupError:
        return None


@cache
def papers(game: str) -> str:
    """Return the names of a game's further contents, separated by spaces.

    They are `rules` and `aids` (texts), and `art` (pictures).
    """
    try:
        folder = game_folder(game)
    except LookupError:
        return ""
    has = {"rules": any((folder / "book").glob("*.md")), "aids": bool(sheet_choices(game)), "art": bool(_art(game))}
    return " ".join(name for name, there in has.items() if there)


def game_title(game: str) -> str | Text:
    """Return the title of a game, nothing if it is not installed."""
    return Text(find(game).title) if game in names() else ""


def template_globals() -> dict[str, Any]:
    """Return the variables of the page templates."""
    return {
        "page_module": page_module,
        "game_style": game_style,
        "papers": papers,
        "game_title": game_title,
        "sprite_address": sprite_address,
        "generic": GENERIC,
    }


IMPORT = re.compile(STATEMENT + r'"(\./|/)([\w/-]+\.js)";', re.MULTILINE)


@cache
def modules(*scripts: str) -> tuple[str, ...]:
    """Return all modules that some scripts import, directly or indirectly, by their addresses. Each appears once; the
    scripts themselves are left out. Otherwise a browser would find each module only after loading the one before.
    """
    # Breadth-first, so that modules come in the order of their distance. A dict keeps that order.
    addresses: dict[str, None] = {}
    waiting = list(scripts)
    while waiting:
        importer = waiting.pop(0)
        for begin, rest in IMPORT.findall(_text(importer)):
            address = urljoin(importer, begin + rest)
            # Imports may be circular, so visit each module only once.
            if address not in addresses and address not in scripts:
                addresses[address] = None
                waiting.append(address)
    return tuple(addresses)


def _text(address: str) -> str:
    """Return the source of a module; empty if it or its game is not there."""
    own = ADDRESS.fullmatch(address)
    try:
        return script(STATIC.parent / address[1:] if own is None else screen_file(own[1], own[2]))
    except LookupError:
        return ""
