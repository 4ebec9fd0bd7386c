"""Past games: their pages and their API. The table decides which data of a game is public."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from firmware_host.api.interface import TableInterface, Text, UserError, or_list
from firmware_host.core.installed import names as game_names
from web_panel.body import posts
from web_panel.game_screens import cover_address
from web_panel.language import BOT, current_language, language, use_texts_of
from web_panel.seats import Seats

RECORDS = "/api/games"
"""Where clients upload records."""
BIGGEST_RECORD = 1 << 20
"""Maximum bytes of a record. No other request is so large; see `guard.py`."""
WON = {"won": True, "lost": False}
WITH = {"bots": True, "people": False}
"""Values of `result` in a request for past games."""
UNSAFE = re.compile(r"[^A-Za-z0-9_.-]")
"""Characters that are not allowed in a file name; an imported record may contain any."""


def past_game_routes(table: TableInterface, seats: Seats) -> Blueprint:
    """Return the blueprint of everything about past games."""
    routes = Blueprint("games", __name__)
    _add_pages(routes, table)
    _add_looking(routes, table)
    _add_results(routes, table)
    _add_analyses(routes, table, seats)
    _add_doing(routes, table, seats)
    return routes


def _add_pages(routes: Blueprint, table: TableInterface) -> None:
    @routes.get("/games/<number>")
    def one_game(number: str) -> str:
        return render_template("game.html", number=use_texts_of_game(table, number))


def _add_looking(routes: Blueprint, table: TableInterface) -> None:
    @routes.get(RECORDS)
    def newest() -> Response:
        """Return the newest games, and whether there are more; `game`, `player` and `result` restrict them."""
        return jsonify(_translate_games(table, table.past.listed(**_wanted())))

    @routes.get("/api/games/older/<number>")
    def older(number: str) -> Response:
        """Return the newest games older than this one, and whether there are more; restricted like `/api/games`."""
        return jsonify(_translate_games(table, table.past.listed(game_number(number), **_wanted())))

    @routes.get("/api/games/<number>")
    def course(number: str) -> Response:
        """Return a finished game step by step: reports, knowledge and truth. A long game is refused (413)."""
        return _json(table.past.whole_game(game_number(number), current_language().say))

    @routes.get("/api/games/<number>/steps/<first>")
    def steps(number: str, first: str) -> Response:
        """Return one page of a finished game's steps, from this one on; `next` is the next page's first step."""
        return _json(table.past.page(game_number(number), game_number(first), current_language().say))


def _add_results(routes: Blueprint, table: TableInterface) -> None:
    @routes.get("/api/games/<number>/score")
    def score(number: str) -> Response:
        """Return a single player's result in a game and the best one before it; null if there is none."""
        return jsonify(table.past.score(game_number(number)))

    @routes.get("/api/games/<number>/ending")
    def ending(number: str) -> Response:
        """Return a finished game's statistics, its players, and how often each has played and won here."""
        translated = current_language().translate_all(table.past.ending(game_number(number)))
        _name_players(table, translated, translated["seated"])
        return jsonify(translated)

    @routes.get("/api/games/<number>/record")
    def record(number: str) -> Response:
        """Return a finished game's record, with its hash chain, as a file."""
        name, written = table.past.record(game_number(number))
        safe = UNSAFE.sub("-", name)
        response = Response(written, mimetype="application/json")
        response.headers["Content-Disposition"] = f'attachment; filename="{safe}"'
        return response


def _add_analyses(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    tasks = {"start": table.start_analysis, "stop": table.stop_analysis}

    @routes.get("/api/games/<number>/analysis")
    def findings(number: str) -> Response:
        """Return the progress of a finished game's analysis, and its results so far."""
        return _json(table.analyses.report_json(use_texts_of_game(table, number), current_language().say))

    @posts(routes, "/api/games/<number>/analyse")
    def analyse(number: str, do: str) -> None:
        """Start or continue the analysis of a finished game (`start`), or stop it (`stop`)."""
        if do not in tasks:
            raise UserError("not-understood", Text("`do` has to be {words}.", words=or_list(map(repr, tasks))))
        tasks[do](game_number(number), seats.requester())


def _add_doing(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post(RECORDS)
    def import_record() -> Response:
        """Import a finished game's record; the body is the record itself."""
        # Only this address accepts more than `BIGGEST_BODY`.
        request.max_content_length = BIGGEST_RECORD
        return jsonify({"ok": True, "number": table.import_record(request.get_data(cache=False), seats.requester())})

    @posts(routes, "/api/replay")
    def replay(game: int | None = None, step: int = 0) -> None:
        """Show a step of a finished game on the board and the table view; without a game, stop the replay."""
        table.replay(game, step, seats.requester())


def _wanted() -> dict[str, Any]:
    """Return which games a request wants."""
    query = request.args
    choices = {"won": WON.get(query.get("result", "")), "bots": WITH.get(query.get("with", ""))}
    return {"game": query.get("game", ""), "player": query.get("player", ""), **choices}


def _translate_games(table: TableInterface, listed: Mapping[str, Any]) -> Any:
    """Return a list of past games in the language of the request. Each game's own texts name its seats and bots."""
    translated = current_language().translate_all(listed)
    for game in translated["games"]:
        _name_players(table, game, game.get("players", ()))
        game["cover"] = cover_address(game.get("game", ""))
    return translated


def _name_players(table: TableInterface, game: Mapping[str, Any], players: Sequence[dict[str, Any]]) -> None:
    """Give players their names in the language of the request, and how accurate they were."""
    accuracies = table.analyses.accuracies(game["number"]) if players else {}
    spoken = language(current_language().code, game["game"]) if game.get("game") in game_names() else current_language()
    for player in players:
        seat, bot = player["seat"], player["bot"]
        player["side"] = spoken.word(f"seat.{seat}", game["sides"].get(seat, seat))
        player["name"] = spoken.word(f"{BOT}{bot}", bot) if bot else player["name"]
        player["accuracy"] = accuracies.get(seat)


def _json(written: bytes) -> Response:
    return Response(written, mimetype="application/json")


def use_texts_of_game(table: TableInterface, number: str) -> int:
    """Use the texts of a finished game for the current request; return the number of the game. Raises `UserError`."""
    facts = table.past.facts(game_number(number))
    if facts["state"] != "over":
        table.past.record(facts["number"])  # this raises the error that says why not
    use_texts_of(facts["game"])
    found: int = facts["number"]
    return found


def game_number(text: str) -> int:
    """Return the number in an address. Raises `UserError` if it isn't one."""
    # Checked before `int`, which accepts signs, spaces, underscores and other scripts' digits.
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise UserError("not-found", Text("There is no game {game} here.", game=repr(text[:20])))
    return int(text)
