"""Admin and workshop routes: JSON in, JSON out, and the bug report as a file.

Only requests that have shown the admin PIN may use them.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from firmware_host.api.interface import AdminInterface, TableInterface
from web_panel.body import posts, tells
from web_panel.games import game_number
from web_panel.language import current_language
from web_panel.seats import HOUSE, Seats


def admin_routes(table: TableInterface, seats: Seats) -> Blueprint:
    """Return the blueprint of `/api/house`."""
    routes = Blueprint("house", __name__, url_prefix="/api/house")
    _add_access(routes, table.admin, seats)
    _add_page(routes, table.admin, seats)
    _add_games(routes, table.admin, seats)
    return routes


def _add_access(routes: Blueprint, admin: AdminInterface, seats: Seats) -> None:
    @posts(routes, "/enter")
    def enter(pin: str) -> Response:
        """Sign in with the admin PIN; the answer's cookie is the key to the admin page."""
        return seats.set_key(HOUSE, admin.access.sign_in(pin, seats.requester()))

    @posts(routes, "/leave")
    def leave() -> Response:
        """Sign out: drop the admin key."""
        admin.access.sign_out(seats.requester())
        return seats.forget(HOUSE)

    @posts(routes, "/pin")
    def pin(old: str, new: str) -> Response:
        """Change the admin PIN; every other device must enter it again."""
        return seats.set_key(HOUSE, admin.access.change_pin(old, new, seats.requester()))


def _add_page(routes: Blueprint, admin: AdminInterface, seats: Seats) -> None:
    @routes.get("")
    def facts() -> Response:
        """Return the admin page's public data: board, settings, names and addresses, log."""
        return jsonify(admin.facts(seats.requester()))

    @posts(routes, "/choose")
    def choose(choices: dict[str, Any]) -> None:
        """Change settings of the table by name, at once; null restores the default."""
        admin.change_settings(choices, seats.requester())

    @posts(routes, "/forget-results")
    def forget_results() -> None:
        """Delete the results: who has played and won here, and the ratings for puzzles. The games stay."""
        admin.forget_results(seats.requester())

    @routes.get("/report.txt")
    @tells("text/plain")
    def report() -> Response:
        """Return the bug report as a file; it contains only public data."""
        response = Response(admin.report(seats.requester()), mimetype="text/plain")
        response.headers["Content-Disposition"] = 'attachment; filename="sniperboard-report.txt"'
        return response

    @posts(routes, "/shut-down")
    def shut_down(power_off: bool = False) -> None:
        """Stop the table, and power off its machine if the settings allow it."""
        admin.shut_down(power_off, seats.requester())


def _add_games(routes: Blueprint, admin: AdminInterface, seats: Seats) -> None:
    @routes.get("/games")
    def stored() -> Response:
        """Return the newest games with their bytes, and the bytes that imported games use and may use."""
        return jsonify(current_language().translate_all(admin.stored_games(seats.requester())))

    @routes.get("/games/older/<number>")
    def older(number: str) -> Response:
        """Return the newest games older than this one, with their bytes."""
        return jsonify(current_language().translate_all(admin.stored_games(seats.requester(), game_number(number))))

    @posts(routes, "/games/delete")
    def delete(game: int) -> None:
        """Delete a past game permanently, with the results of its players."""
        admin.delete_game(game, seats.requester())


def workshop_routes(table: TableInterface, seats: Seats) -> Blueprint:
    """Return the blueprint of `/api/workshop`."""
    routes = Blueprint("workshop", __name__, url_prefix="/api/workshop")
    shop = table.workshop

    @routes.get("")
    def workshop_now() -> Response:
        """Return the workshop's state: its device, the board, the job.

        The device that has it must call this at least every two minutes.
        """
        return jsonify(current_language().translate_all(shop.state(seats.requester())))

    @posts(routes, "/open")
    def open_workshop(device: str, sure: bool = False, instead: bool = False) -> None:
        """Open the workshop on this device; `sure` pauses a running game, `instead` replaces another device."""
        shop.enter(device, seats.requester(), sure=sure, instead=instead)

    @posts(routes, "/close")
    def close_workshop() -> None:
        """Close the workshop; the board belongs to the game again."""
        shop.leave(seats.requester())

    @posts(routes, "/job")
    def workshop_job(job: str) -> None:
        """Start a job: `scan`, `lights`, `calibrate` or `selftest`; an empty name ends it."""
        shop.start_job(job, seats.requester())

    @posts(routes, "/tell")
    def tell_workshop(step: int, word: str = "", space: str | None = None) -> None:
        """Send an answer to one of the job's steps: one of the job's commands, or a space."""
        shop.answer_step(word, space, step, seats.requester())

    return routes
