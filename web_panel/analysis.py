"""The API of analyses of past games. The table decides which games have one."""

from __future__ import annotations

from flask import Blueprint, Response

from firmware_host.api.interface import TableInterface, Text, UserError, or_list
from web_panel.body import posts
from web_panel.games import number_of, use_texts_of_game
from web_panel.language import current_language
from web_panel.seats import Seats


def analysis(table: TableInterface, seats: Seats) -> Blueprint:
    """Return the blueprint of analyses."""
    routes = Blueprint("analysis", __name__)
    tasks = {"start": table.start_analysis, "stop": table.stop_analysis}

    @routes.get("/api/games/<number>/analysis")
    def findings(number: str) -> Response:
        """Return how far the analysis of a finished game is, and what it has found so far."""
        asked = use_texts_of_game(table, number)
        return Response(table.analyses.found(asked, current_language().say), mimetype="application/json")

    @posts(routes, "/api/games/<number>/analyse")
    def analyse(number: str, do: str) -> None:
        """Start or continue the analysis of a finished game (`start`), or stop it (`stop`)."""
        if do not in tasks:
            raise UserError("not-understood", Text("`do` has to be {words}.", words=or_list(map(repr, tasks))))
        tasks[do](number_of(number), seats.requester())

    return routes
