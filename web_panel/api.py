"""What screens ask and tell: JSON in, JSON out, and the streams.

A POST is answered by `{"ok": true}` or by a refusal.
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from firmware_host.face import Face, Slip
from web_panel import body
from web_panel.seats import PUBLIC, SEATS, Seats
from web_panel.streams import Streams


def api(table: Face, seats: Seats, streams: Streams) -> Blueprint:
    """The blueprint of `/api`."""
    routes = Blueprint("api", __name__, url_prefix="/api")
    _add_pictures(routes, table, seats, streams)
    _add_claims(routes, table, seats)
    _add_play(routes, table, seats)
    _add_board(routes, table, seats)
    return routes


def _done() -> Response:
    return jsonify({"ok": True})


def _known_seat(name: str) -> str:
    if name not in SEATS:
        raise Slip("not-understood", f"There is no seat {name!r}; the seats are {', '.join(SEATS)}.")
    return name


def _add_pictures(routes: Blueprint, table: Face, seats: Seats, streams: Streams) -> None:
    def check(viewer: str) -> None:
        if viewer not in PUBLIC and viewer not in SEATS:
            raise Slip("not-found", "Nobody of that name looks at this table.")

    @routes.get("/picture/<viewer>")
    def picture(viewer: str) -> Response:
        check(viewer)
        if viewer in SEATS:
            seats.seat(request, viewer)
        return Response(table.picture(viewer), mimetype="application/json")

    @routes.get("/stream/<viewer>")
    def stream(viewer: str) -> Response:
        check(viewer)
        stands = seats.seat(request, viewer).stands if viewer in SEATS else lambda: True
        return streams.open(lambda: table.follow(viewer), stands)


def _add_claims(routes: Blueprint, table: Face, seats: Seats) -> None:
    @routes.get("/lobby")
    def lobby() -> Response:
        chairs = seats.chairs(request).items()
        mine = {name: {"device": chair.holder.device, "squads": chair.holder.squads} for name, chair in chairs}
        return jsonify({**table.lobby(), "mine": mine})

    @routes.post("/claim")
    def claim() -> Response:
        asked = body.read(request, seat=str, pin=str, device=str, squads=(list, []))
        seat = _known_seat(asked["seat"])
        key = table.claim(seat, asked["pin"], asked["device"], body.texts(asked["squads"]))
        return _seated(seat, key)

    @routes.post("/take-over")
    def take_over() -> Response:
        asked = body.read(request, seat=str, pin=str, device=str, squads=(list, []))
        seat = _known_seat(asked["seat"])
        squads = body.texts(asked["squads"])
        key = table.take_over(seat, asked["pin"], asked["device"], squads, seats.asker(request))
        return _seated(seat, key)

    @routes.post("/release")
    def release() -> Response:
        table.release(_known_seat(body.read(request, seat=str)["seat"]))
        return _done()

    @routes.post("/bot")
    def bot() -> Response:
        asked = body.read(request, seat=str, bot=str)
        table.seat_bot(_known_seat(asked["seat"]), asked["bot"], seats.asker(request))
        return _done()

    @routes.post("/hand-over")
    def hand_over() -> Response:
        asked = body.read(request, seat=str, bot=str)
        seats.seat(request, _known_seat(asked["seat"])).hand_over(asked["bot"])
        return _done()

    def _seated(seat: str, key: str) -> Response:
        response = _done()
        seats.give(response, seat, key)
        return response


def _add_play(routes: Blueprint, table: Face, seats: Seats) -> None:
    @routes.post("/start")
    def start() -> Response:
        choice = body.read(request, map=str, options=(dict, {}), possible_hints=(bool, False))
        table.start(choice, seats.asker(request))
        return _done()

    @routes.post("/abandon")
    def abandon() -> Response:
        seat = body.read(request, seat=(str, None))["seat"]
        if seat is not None:
            seats.seat(request, seat)
        table.abandon(seats.asker(request))
        return _done()

    @routes.post("/act")
    def act() -> Response:
        asked = body.read(request, seat=str, action=dict, revision=(int, None))
        seats.seat(request, asked["seat"]).submit(asked["action"], asked["revision"])
        return _done()


def _add_board(routes: Blueprint, table: Face, seats: Seats) -> None:
    @routes.post("/answer")
    def answer() -> Response:
        table.answer(body.read(request, space=str)["space"], seats.asker(request))
        return _done()

    @routes.get("/health")
    def health() -> Response:
        return jsonify({"sensors": table.health()})

    @routes.post("/manual")
    def manual() -> Response:
        asked = body.read(request, space=str, manual=bool)
        table.set_manual(asked["space"], asked["manual"], seats.asker(request))
        return _done()

    @routes.post("/heed")
    def heed() -> Response:
        table.heed(body.read(request, heeding=bool)["heeding"], seats.asker(request))
        return _done()

    @routes.post("/touch")
    def touch() -> Response:
        asked = body.read(request, miniature=str, space=(str, None))
        table.touch(asked["miniature"], asked["space"], seats.asker(request))
        return _done()

    @routes.post("/tidy")
    def tidy() -> Response:
        body.read(request)
        table.tidy(seats.asker(request))
        return _done()
