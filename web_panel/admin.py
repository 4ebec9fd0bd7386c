"""What the admin page asks and tells: JSON in, JSON out, and the report as a file. Only who has shown its PIN."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from firmware_host.api.interface import AdminInterface, TableInterface
from web_panel.body import Asked, done, takes, tells
from web_panel.games import number_of
from web_panel.language import here
from web_panel.seats import HOUSE, Seats


def admin(table: TableInterface, seats: Seats) -> Blueprint:
    """The blueprint of `/api/house`."""
    routes = Blueprint("house", __name__, url_prefix="/api/house")
    _add_access(routes, table.admin, seats)
    _add_page(routes, table.admin, seats)
    _add_games(routes, table, seats)
    return routes


def _add_access(routes: Blueprint, admin: AdminInterface, seats: Seats) -> None:
    @routes.post("/enter")
    @takes(pin=str)
    def enter(asked: Asked) -> Response:
        """Show the house PIN; the answer's cookie is the key to the house page."""
        return seats.give(HOUSE, admin.sign_in(asked["pin"], seats.requester(request)), request)

    @routes.post("/leave")
    @takes()
    def leave(_: Asked) -> Response:
        """Give the key back."""
        admin.sign_out(seats.requester(request))
        return seats.forget(HOUSE, request)

    @routes.post("/pin")
    @takes(old=str, new=str)
    def pin(asked: Asked) -> Response:
        """Choose another house PIN; every other device has to show it anew."""
        return seats.give(HOUSE, admin.change_pin(asked["old"], asked["new"], seats.requester(request)), request)


def _add_page(routes: Blueprint, admin: AdminInterface, seats: Seats) -> None:
    @routes.get("")
    def facts() -> Response:
        """What the house page shows: board, choices, names and addresses, log; all of it public."""
        return jsonify(admin.facts(seats.requester(request)))

    @routes.post("/choose")
    @takes(choices=dict)
    def choose(asked: Asked) -> Response:
        """Choose how the table looks and sounds; null goes back to the default."""
        admin.change_settings(asked["choices"], seats.requester(request))
        return done()

    @routes.post("/forget-results")
    @takes()
    def forget_results(_: Asked) -> Response:
        """Forget who has played and won here; the games stay."""
        admin.forget_results(seats.requester(request))
        return done()

    @routes.get("/report.txt")
    @tells("text/plain")
    def report() -> Response:
        """The report for a bug, as a file: public facts only."""
        response = Response(admin.report(seats.requester(request)), mimetype="text/plain")
        response.headers["Content-Disposition"] = 'attachment; filename="sniperboard-report.txt"'
        return response

    @routes.post("/shut-down")
    @takes(power_off=(bool, False))
    def shut_down(asked: Asked) -> Response:
        """End the table, and switch its machine off where the settings allow that."""
        admin.shut_down(asked["power_off"], seats.requester(request))
        return done()


def _add_games(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.get("/games")
    def stored() -> Response:
        """The newest games with the bytes that each takes, and what all games from elsewhere take and may take."""
        return jsonify(here().spoken(table.past.stored(seats.requester(request))))

    @routes.get("/games/older/<number>")
    def older(number: str) -> Response:
        """The same of the newest games that are older than this one."""
        return jsonify(here().spoken(table.past.stored(seats.requester(request), number_of(number))))

    @routes.post("/games/delete")
    @takes(game=int)
    def delete(asked: Asked) -> Response:
        """Delete a past game for good, with the results of the people who played it."""
        table.past.delete(asked["game"], seats.requester(request))
        return done()
