"""What people learn and practise with: lessons, missions and puzzles. Their pages, and their API."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template, request

from firmware_host.api.interface import TableInterface
from web_panel.body import posts, tells
from web_panel.game_screens import seat_module
from web_panel.language import current_language, use_texts_of
from web_panel.seats import Seats

LEARNER = {"device": "", "number": 1}
"""The seat's holder, as the seat's page gets it."""


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


def campaign_routes(table: TableInterface) -> Blueprint:
    """Return the blueprint of everything about missions and careers."""
    routes = Blueprint("campaign", __name__)

    @routes.get("/campaign")
    def missions() -> str:
        return render_template("campaign.html")

    @routes.get("/api/campaign")
    def all_missions() -> Response:
        """Return the missions of all games, in order. `POST /api/play-now` with a mission's fields starts it."""
        return jsonify({"missions": current_language().translate_all(table.campaign())})

    @routes.get("/api/career")
    def career() -> Response:
        """Return what the person of this `name` has reached alone against bots, by game.

        `beaten` is bot -> wins against it, `stars` mission -> which of its stars are earned.
        """
        return jsonify(table.past.career(request.args.get("name", "")))

    return routes


def puzzle_routes(table: TableInterface, seats: Seats) -> Blueprint:
    """Return the blueprint of everything about puzzles."""
    routes = Blueprint("puzzles", __name__)
    _add_pages(routes, table)
    _add_asking(routes, table, seats)
    _add_ratings(routes, table, seats)
    return routes


def _add_pages(routes: Blueprint, table: TableInterface) -> None:
    @routes.get("/puzzles")
    def all_puzzles() -> str:
        return render_template("puzzles.html", games=table.puzzles.all())

    @routes.get("/puzzles/<game>")
    def of_game(game: str) -> str:
        listed = next((entry for entry in table.puzzles.all() if entry["game"] == game), None)
        if listed is None:
            abort(404)
        use_texts_of(game)
        return render_template("puzzle.html", game=game, kinds=listed["kinds"])


def _add_asking(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @posts(routes, "/api/puzzle")
    @tells("application/json")
    def ask(game: str, kind: str = "", rating: int = 0, seen: tuple[str, ...] = (), puzzle: str = "") -> Response:
        """Return one puzzle, or one of about this rating that was not seen, of one kind or any; without its answer."""
        say = current_language().say
        text = (
            table.puzzles.question(game, puzzle, say) if puzzle else table.puzzles.next(game, kind, rating, seen, say)
        )
        return Response(text, mimetype="application/json")

    @posts(routes, "/api/puzzle/answer")
    def answer(game: str, puzzle: str, answer: tuple[str, ...], name: str = "") -> Response:
        """Return how right an answer is, the right ones, and why. With a name, it counts for this person's rating."""
        result = table.puzzles.answer(game, puzzle, answer, name, seats.requester())
        return jsonify(current_language().translate_all(result))

    @posts(routes, "/api/puzzle/show")
    def show(game: str, puzzle: str) -> None:
        """Show a puzzle on the board and the table view; not while a game runs."""
        table.puzzles.show(game, puzzle, seats.requester())


def _add_ratings(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @posts(routes, "/api/puzzle/solver")
    def solver(name: str) -> Response:
        """Return a person's rating for puzzles, and the puzzles answered last."""
        return jsonify(current_language().translate_all(table.puzzles.solver(name, seats.requester())))

    @posts(routes, "/api/puzzle/forget")
    def forget(name: str) -> None:
        """Delete a person's rating for puzzles."""
        table.puzzles.forget(name, seats.requester())
