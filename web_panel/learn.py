"""Lessons: the list of all lessons, the page of each, and its API.

A lesson uses the page of its seat. But its actions go to the lesson alone, and it needs no seat at the table.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, render_template

from firmware_host.api.interface import TableInterface
from web_panel.body import posts, tells
from web_panel.game_screens import seat_module
from web_panel.language import current_language, use_texts_of

LEARNER = {"device": "", "number": 1}
"""The holder of the seat, for the seat's page."""


def learn_routes(table: TableInterface) -> Blueprint:
    """Return the blueprint of everything about lessons."""
    routes = Blueprint("learn", __name__)

    @routes.get("/learn")
    def lessons() -> str:
        return render_template("learn.html", games=table.lessons.all())

    @routes.get("/learn/<game>/<name>")
    def lesson(game: str, name: str) -> str:
        facts = table.lessons.facts(game, name)
        use_texts_of(game)
        return render_template(
            "seat.html",
            screen=facts["seat"],
            module=seat_module(game, facts["seat"]),
            title=current_language().say(facts["title"]),
            on_table=facts["map"],
            holder=LEARNER,
            secret=False,
            lesson=facts,
        )

    @posts(routes, "/api/lesson", acts=(list, []))
    @tells("application/json")
    def play(game: str, lesson: str, acts: list[dict[str, Any]]) -> Response:
        """Return where the actions so far lead in a lesson: the picture of its seat and the step to do next.

        If the last action does not count, the answer says why. Nothing is stored, and the table is not involved.
        """
        return Response(table.lessons.play(game, lesson, acts, current_language().say), mimetype="application/json")

    return routes
