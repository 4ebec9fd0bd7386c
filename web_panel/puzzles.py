"""Puzzles: the list of games that have some, the page of each, and its API."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, render_template

from firmware_host.api.interface import TableInterface
from web_panel.body import posts, tells
from web_panel.language import current_language, use_texts_of
from web_panel.seats import Seats


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
        found = next((one for one in table.puzzles.all() if one["game"] == game), None)
        if found is None:
            abort(404)
        use_texts_of(game)
        return render_template("puzzle.html", game=game, kinds=found["kinds"])


def _add_asking(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @posts(routes, "/api/puzzle")
    @tells("application/json")
    def ask(game: str, kind: str = "", rating: int = 0, seen: tuple[str, ...] = (), puzzle: str = "") -> Response:
        """Return one puzzle, or one of about this rating that was not seen, of one kind or any; without its answer."""
        say = current_language().say
        found = table.puzzles.asked(game, puzzle, say) if puzzle else table.puzzles.next(game, kind, rating, seen, say)
        return Response(found, mimetype="application/json")

    @posts(routes, "/api/puzzle/answer")
    def answer(game: str, puzzle: str, answer: tuple[str, ...], name: str = "") -> Response:
        """Return how right an answer is, the right ones, and why. With a name, it counts for this person's rating."""
        found = table.puzzles.answer(game, puzzle, answer, name, seats.requester())
        return jsonify(current_language().translate_all(found))

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
