"""Admin routes: JSON in, JSON out, and the bug report as a file.

Only requests that have shown the admin PIN may use them.
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from firmware_host.api.interface import AdminInterface, TableInterface
from web_panel.body import Asked, done, takes, tells
from web_panel.games import number_of
from web_panel.language import here
from web_panel.seats import HOUSE, Seats


def admin(table: TableInterface, seats: Seats) -> Blueprint:
    """Return the blueprint of `/api/house`."""
    routes = Blueprint("house", __name__, url_prefix="/api/house")
    _add_access(routes, table.admin, seats)
    _add_page(routes, table.admin, seats)
    _add_games(routes, table.admin, seats)
    return routes


def _add_access(routes: Blueprint, admin: AdminInterface, seats: Seats) -> None:
    @routes.post("/enter")
    @takes(pin=str)
    def enter(asked: Asked) -> Response:
        """Sign in with the admin PIN; the answer's cookie is the key to the admin page."""
        return seats.give(HOUSE, admin.sign_in(asked["pin"], seats.requester(request)), request)

    @routes.post("/leave")
    @takes()
    def leave(_: Asked) -> Response:
        """Sign out: give the admin key back."""
        admin.sign_out(seats.requester(request))
        return seats.forget(HOUSE, request)

    @routes.post("/pin")
    @takes(old=str, new=str)
    def pin(asked: Asked) -> Response:
        """Change the admin PIN; every other device must enter it again."""
        return seats.give(HOUSE, admin.change_pin(asked["old"], asked["new"], seats.requester(request)), request)


def _add_page(routes: Blueprint, admin: AdminInterface, seats: Seats) -> None:
    @routes.get("")
    def facts() -> Response:
        """Return the admin page's public data: board, settings, names and addresses, log."""
        return jsonify(admin.facts(seats.requester(request)))

    @routes.post("/choose")
    @takes(choices=dict)
    def choose(asked: Asked) -> Response:
        """Change how the table looks and sounds; null restores the default."""
        admin.change_settings(asked["choices"], seats.requester(request))
        return done()

    @routes.post("/forget-results")
    @takes()
    def forget_results(_: Asked) -> Response:
        """Delete the results: who has played and won here. The games stay."""
        admin.forget_results(seats.requester(request))
        return done()

    @routes.get("/report.txt")
    @tells("text/plain")
    def report() -> Response:
        """Return the bug report as a file; it contains only public data."""
        response = Response(admin.report(seats.requester(request)), mimetype="text/plain")
        response.headers["Content-Disposition"] = 'attachment; filename="sniperboard-report.txt"'
        return response

    @routes.post("/shut-down")
    @takes(power_off=(bool, False))
    def shut_down(asked: Asked) -> Response:
        """Stop the table, and power off its machine if the settings allow it."""
        admin.shut_down(asked["power_off"], seats.requester(request))
        return done()


def _add_games(routes: Blueprint, admin: AdminInterface, seats: Seats) -> None:
    @routes.get("/games")
    def stored() -> Response:
        """Return the newest games with their bytes, and the bytes that imported games use and may use."""
        return jsonify(here().spoken(admin.stored_games(seats.requester(request))))

    @routes.get("/games/older/<number>")
    def older(number: str) -> Response:
        """Return the newest games older than this one, with their bytes."""
        return jsonify(here().spoken(admin.stored_games(seats.requester(request), number_of(number))))

    @routes.post("/games/delete")
    @takes(game=int)
    def delete(asked: Asked) -> Response:
        """Delete a past game permanently, with the results of its players."""
        admin.delete_game(asked["game"], seats.requester(request))
        return done()
