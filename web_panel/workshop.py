"""What the workshop page asks and tells. Only who has shown the PIN of the house."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from firmware_host.api.interface import TableInterface
from web_panel.body import Asked, done, takes
from web_panel.language import here
from web_panel.seats import Seats


def workshop(table: TableInterface, seats: Seats) -> Blueprint:
    """The blueprint of `/api/workshop`."""
    routes = Blueprint("workshop", __name__, url_prefix="/api/workshop")
    shop = table.workshop

    @routes.get("")
    def workshop_now() -> Response:
        """The workshop as it is: who has it, the board, the job; its device has to ask every two minutes at least."""
        return jsonify(here().spoken(shop.look(seats.requester(request))))

    @routes.post("/open")
    @takes(device=str, sure=(bool, False), instead=(bool, False))
    def open_workshop(asked: Asked) -> Response:
        """Open the workshop here: `sure` that a running game waits, `instead` of the device that has it."""
        shop.enter(asked["device"], seats.requester(request), sure=asked["sure"], instead=asked["instead"])
        return done()

    @routes.post("/close")
    @takes()
    def close_workshop(_: Asked) -> Response:
        """Close the workshop: the board is the game's again."""
        shop.leave(seats.requester(request))
        return done()

    @routes.post("/job")
    @takes(job=str)
    def workshop_job(asked: Asked) -> Response:
        """Begin a job: `scan`, `lights`, `calibrate` or `selftest`; with an empty name none."""
        shop.turn_to(asked["job"], seats.requester(request))
        return done()

    @routes.post("/tell")
    @takes(step=int, word=(str, ""), space=(str, None))
    def tell_workshop(asked: Asked) -> Response:
        """Say one of its words to the job, or name a space, in answer to a step of it."""
        shop.tell(asked["word"], asked["space"], asked["step"], seats.requester(request))
        return done()

    return routes
