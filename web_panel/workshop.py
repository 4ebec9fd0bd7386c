"""The API of the workshop page. Only requests that have shown the admin PIN may use it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from firmware_host.api.interface import TableInterface
from web_panel.body import Asked, done, takes
from web_panel.language import here
from web_panel.seats import Seats


def workshop(table: TableInterface, seats: Seats) -> Blueprint:
    """Return the blueprint of `/api/workshop`."""
    routes = Blueprint("workshop", __name__, url_prefix="/api/workshop")
    shop = table.workshop

    @routes.get("")
    def workshop_now() -> Response:
        """Return the workshop's state: its device, the board, the job.

        Its device must ask at least every two minutes.
        """
        return jsonify(here().spoken(shop.look(seats.requester(request))))

    @routes.post("/open")
    @takes(device=str, sure=(bool, False), instead=(bool, False))
    def open_workshop(asked: Asked) -> Response:
        """Open the workshop on this device; `sure` pauses a running game, `instead` replaces another device."""
        shop.enter(asked["device"], seats.requester(request), sure=asked["sure"], instead=asked["instead"])
        return done()

    @routes.post("/close")
    @takes()
    def close_workshop(_: Asked) -> Response:
        """Close the workshop; the board belongs to the game again."""
        shop.leave(seats.requester(request))
        return done()

    @routes.post("/job")
    @takes(job=str)
    def workshop_job(asked: Asked) -> Response:
        """Start a job: `scan`, `lights`, `calibrate` or `selftest`; an empty name ends it."""
        shop.turn_to(asked["job"], seats.requester(request))
        return done()

    @routes.post("/tell")
    @takes(step=int, word=(str, ""), space=(str, None))
    def tell_workshop(asked: Asked) -> Response:
        """Send one of the job's commands or a space to the job, in answer to one of its steps."""
        shop.tell(asked["word"], asked["space"], asked["step"], seats.requester(request))
        return done()

    return routes
