"""Past games: their pages, and what these ask and tell. What may be told of a game is the table's business."""

from __future__ import annotations

import re

from flask import Blueprint, Response, jsonify, render_template, request

from firmware_host.api.interface import TableInterface, Text, UserError
from web_panel.body import Asked, done, takes
from web_panel.language import here, speak_of
from web_panel.seats import Seats

RECORDS = "/api/games"
"""Where records are sent."""
BIGGEST_RECORD = 1 << 20
"""Bytes. No other request is so large; see `guard.py`."""
UNSAFE = re.compile(r"[^A-Za-z0-9_.-]")
"""What has no place in the name of a file: a record may come from elsewhere."""


def games(table: TableInterface, seats: Seats) -> Blueprint:
    """The blueprint of all that is about past games."""
    routes = Blueprint("games", __name__)
    _add_pages(routes, table)
    _add_looking(routes, table)
    _add_doing(routes, table, seats)
    return routes


def _add_pages(routes: Blueprint, table: TableInterface) -> None:
    @routes.get("/games")
    def all_games() -> str:
        return render_template("games.html")

    @routes.get("/games/<number>")
    def one_game(number: str) -> str:
        facts = table.past.game(number_of(number))
        if facts["state"] != "over":
            table.past.export_record(facts["number"])  # says why not
        speak_of(facts["game"])
        return render_template("game.html", number=facts["number"])


def _add_looking(routes: Blueprint, table: TableInterface) -> None:
    @routes.get(RECORDS)
    def newest() -> Response:
        """The newest games, and whether there are more."""
        return jsonify(here().spoken(table.past.games()))

    @routes.get("/api/games/older/<number>")
    def older(number: str) -> Response:
        """The newest games that are older than this one, and whether there are more."""
        return jsonify(here().spoken(table.past.games(number_of(number))))

    @routes.get("/api/games/<number>")
    def course(number: str) -> Response:
        """A finished game, step by step: what was told, what was known, what was true. A long one is refused (413)."""
        return _json(table.past.history(number_of(number), here().say))

    @routes.get("/api/games/<number>/steps/<first>")
    def steps(number: str, first: str) -> Response:
        """A finished game's steps from this one on, as many as one page holds; `next` is the first of the next page."""
        return _json(table.past.steps(number_of(number), number_of(first), here().say))

    @routes.get("/api/games/<number>/score")
    def score(number: str) -> Response:
        """What a single player has reached in a game, and the best before it; null where there is none."""
        return jsonify(table.past.score(number_of(number)))

    @routes.get("/api/games/<number>/ending")
    def ending(number: str) -> Response:
        """A finished game in figures, who played it, and how often each of them has played and won such games here."""
        return jsonify(here().spoken(table.past.ending(number_of(number))))

    @routes.get("/api/games/<number>/record")
    def record(number: str) -> Response:
        """A finished game's record, with its chain, as a file to keep."""
        name, written = table.past.export_record(number_of(number))
        safe = UNSAFE.sub("-", name)
        response = Response(written, mimetype="application/json")
        response.headers["Content-Disposition"] = f'attachment; filename="{safe}"'
        return response


def _add_doing(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post(RECORDS)
    def take_in() -> Response:
        """Take a finished game's record from elsewhere; the body is the record itself."""
        request.max_content_length = BIGGEST_RECORD
        return jsonify(
            {"ok": True, "number": table.past.import_record(request.get_data(cache=False), seats.requester(request))}
        )

    @routes.post("/api/replay")
    @takes(game=(int, None), step=(int, 0))
    def replay(asked: Asked) -> Response:
        """Show a step of a finished game on the board and the table view, or no game any more."""
        table.past.replay(asked["game"], asked["step"], seats.requester(request))
        return done()


def _json(written: bytes) -> Response:
    return Response(written, mimetype="application/json")


def number_of(text: str) -> int:
    """A number in an address. Raises `UserError`."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise UserError("not-found", Text("There is no game {game} here.", game=repr(text[:20])))
    return int(text)
