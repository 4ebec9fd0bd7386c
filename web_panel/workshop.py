"""The API of the workshop page. Only requests that have shown the admin PIN may use it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from firmware_host.api.interface import TableInterface
from web_panel.body import posts
from web_panel.language import current_language
from web_panel.seats import Seats


def workshop_routes(table: TableInterface, seats: Seats) -> Blueprint:
    """Return the blueprint of `/api/workshop`."""
    routes = Blueprint("workshop", __name__, url_prefix="/api/workshop")
    shop = table.workshop

    @routes.get("")
    def workshop_now() -> Response:
        """Return the workshop's state: its device, the board, the job.

        Its device must ask at least every two minutes.
        """
        return jsonify(current_language().translate_all(shop.look(seats.requester())))

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
        shop.turn_to(job, seats.requester())

    @posts(routes, "/tell")
    def tell_workshop(step: int, word: str = "", space: str | None = None) -> None:
        """Send one of the job's commands or a space to the job, in answer to one of its steps."""
        shop.tell(word, space, step, seats.requester())

    return routes
