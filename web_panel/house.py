"""What the house page asks and tells: JSON in, JSON out, and the report as a file. Only who has shown the house PIN."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from firmware_host.table.interface import Face
from web_panel.body import Asked, done, takes, tells
from web_panel.seats import HOUSE, Seats


def house(table: Face, seats: Seats) -> Blueprint:
    """The blueprint of `/api/house`."""
    routes = Blueprint("house", __name__, url_prefix="/api/house")
    _add_door(routes, table, seats)
    _add_rooms(routes, table, seats)
    return routes


def _add_door(routes: Blueprint, table: Face, seats: Seats) -> None:
    @routes.post("/enter")
    @takes(pin=str)
    def enter(asked: Asked) -> Response:
        """Show the house PIN; the answer's cookie is the key to the house page."""
        return seats.give(HOUSE, table.enter_house(asked["pin"], seats.asker(request)))

    @routes.post("/leave")
    @takes()
    def leave(_: Asked) -> Response:
        """Give the key back."""
        table.leave_house(seats.asker(request))
        return seats.forget(HOUSE)

    @routes.post("/pin")
    @takes(old=str, new=str)
    def pin(asked: Asked) -> Response:
        """Choose another house PIN; every other device has to show it anew."""
        return seats.give(HOUSE, table.change_house_pin(asked["old"], asked["new"], seats.asker(request)))


def _add_rooms(routes: Blueprint, table: Face, seats: Seats) -> None:
    @routes.get("")
    def facts() -> Response:
        """What the house page shows: board, choices, names and addresses, log; all of it public."""
        return jsonify(table.house(seats.asker(request)))

    @routes.post("/choose")
    @takes(choices=dict)
    def choose(asked: Asked) -> Response:
        """Choose how the table looks and sounds; null goes back to the default."""
        table.choose(asked["choices"], seats.asker(request))
        return done()

    @routes.get("/report.txt")
    @tells("text/plain")
    def report() -> Response:
        """The report for a bug, as a file: public facts only."""
        response = Response(table.report(seats.asker(request)), mimetype="text/plain")
        response.headers["Content-Disposition"] = 'attachment; filename="sniperboard-report.txt"'
        return response

    @routes.post("/shut-down")
    @takes(power_off=(bool, False))
    def shut_down(asked: Asked) -> Response:
        """End the table, and switch its machine off where the settings allow that."""
        table.shut_down(asked["power_off"], seats.asker(request))
        return done()
