"""The API of the screens: JSON in, JSON out, and the event streams.

A POST returns `{"ok": true}` or an error.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from firmware_host.api.interface import PUBLIC, TableInterface, Text, UserError, comma_list
from web_panel.body import Asked, done, takes, tells, texts, texts_by_name
from web_panel.language import here
from web_panel.padding import padded_event
from web_panel.seats import Seats
from web_panel.streams import Streams, event

CHOICE: dict[str, Any] = {
    "game": (str, None),
    "map": (str, None),
    "options": (dict, None),
    "possible_hints": (bool, None),
}
"""The fields that choose a game; see `TableInterface.choose`."""


def api(table: TableInterface, seats: Seats, streams: Streams) -> Blueprint:
    """Return the blueprint of `/api`."""
    routes = Blueprint("api", __name__, url_prefix="/api")
    _add_pictures(routes, table, seats, streams)
    _add_lobby(routes, table, seats)
    _add_claims(routes, table, seats)
    _add_bots(routes, table, seats)
    _add_games(routes, table, seats)
    _add_play(routes, table, seats)
    _add_board(routes, table, seats)
    _add_simulated_board(routes, table, seats)
    return routes


def _known(seats: Seats, name: str) -> str:
    known = seats.names
    if name not in known:
        raise UserError(
            "not-understood",
            Text("There is no seat {name}; the seats are {known}.", name=repr(name[:40]), known=comma_list(known)),
        )
    return name


def _add_pictures(routes: Blueprint, table: TableInterface, seats: Seats, streams: Streams) -> None:
    def check(viewer: str) -> None:
        if viewer not in PUBLIC and viewer not in seats.names:
            raise UserError("not-found", Text("Nobody of that name looks at this table."))

    @routes.get("/picture/<viewer>")
    def picture(viewer: str) -> Response:
        """Return a viewer's latest complete picture as JSON."""
        check(viewer)
        say = here().say
        found = table.picture(viewer, say) if viewer in PUBLIC else seats.seat(request, viewer).picture(say)
        return Response(found, mimetype="application/json")

    @routes.get("/stream/<viewer>")
    @tells("text/event-stream")
    def stream(viewer: str) -> Response:
        """Stream the viewer's pictures as server-sent events. Each is complete; heartbeats fill the gaps."""
        check(viewer)
        say = here().say
        if viewer in PUBLIC:
            return streams.open(lambda: table.follow(viewer, say), table.alive)
        held = seats.seat(request, viewer)
        return streams.open(
            lambda: held.follow(say),
            lambda: table.alive() and held.is_held(),
            padded_event if seats.is_secret(viewer) else event,
        )


def _add_lobby(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.get("/lobby")
    def lobby() -> Response:
        """Return the lobby's data: maps, options, seats, the current game; `mine` are this browser's seats."""
        front = here().spoken(table.lobby())
        held = seats.held(request).items()  # last, so that it matches the seats at the time of the answer
        mine = {name: {"device": seat.holder.device, "squads": seat.holder.parts} for name, seat in held}
        return jsonify({**front, "mine": mine})


def _add_claims(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post("/claim")
    @takes(seat=str, pin=(str, ""), device=str, squads=(list, []))
    def claim(asked: Asked) -> Response:
        """Take a free seat; the answer's cookie is its key.

        The PIN is optional if the admin settings don't require one.
        """
        seat = _known(seats, asked["seat"])
        key = table.claim(seat, asked["pin"], asked["device"], texts(asked["squads"]), seats.requester(request))
        return seats.give(seat, key, request)

    @routes.post("/take-over")
    @takes(seat=str, pin=(str, ""), device=str, squads=(list, []), share=(bool, False), instead=(int, None))
    def take_over(asked: Asked) -> Response:
        """Take over a seat from another device with its PIN, or share the defenders' seat.

        The answer's cookie is the new key. The seat of a single player without a PIN needs none.
        """
        seat = _known(seats, asked["seat"])
        squads, pin, device = texts(asked["squads"]), asked["pin"], asked["device"]
        how = {"share": asked["share"], "instead": asked["instead"]}
        key = table.take_over(seat, pin, device, squads, seats.requester(request), **how)
        return seats.give(seat, key, request)

    @routes.post("/lead")
    @takes(squad=str, number=int)
    def lead(asked: Asked) -> Response:
        """Defenders: assign a squad to the device with this number, or take a squad that no one leads."""
        seats.sharing(request).assign_part(asked["squad"], asked["number"])
        return done()

    @routes.post("/release")
    @takes(seat=str, pin=(str, ""))
    def release(asked: Asked) -> Response:
        """Free a seat before the game: your own, another with its PIN, or any as admin.

        Seated players may free a bot's seat. During a game: leave your own place on a shared seat.
        """
        table.release(_known(seats, asked["seat"]), seats.requester(request), asked["pin"])
        return done()

    @routes.post("/wrong-pins")
    @takes(seat=str, seen=int)
    def wrong_pins(asked: Asked) -> Response:
        """Confirm that the seat's holder has seen this many wrong PINs (`wrong_pins` of its picture)."""
        seats.seat(request, asked["seat"]).acknowledge_wrong_pins(asked["seen"])
        return done()


def _add_bots(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post("/bot")
    @takes(seat=str, bot=str)
    def bot(asked: Asked) -> Response:
        """Let a bot play a free seat."""
        table.seat_bot(_known(seats, asked["seat"]), asked["bot"], seats.requester(request))
        return done()

    @routes.post("/hand-over")
    @takes(seat=str, bot=str)
    def hand_over(asked: Asked) -> Response:
        """Hand your own seat to a bot."""
        seats.seat(request, _known(seats, asked["seat"])).hand_over(asked["bot"])
        return done()


def _named(asked: Asked) -> dict[str, Any]:
    """Return the fields that a request sets."""
    return {name: value for name, value in asked.items() if value is not None}


def _add_games(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post("/choose")
    @takes(**CHOICE)
    def choose(asked: Asked) -> Response:
        """Choose the next game: the game, its map, all of its options, and whether hints are shown."""
        table.choose(_named(asked), seats.requester(request))
        return done()

    @routes.post("/start")
    @takes(**CHOICE)
    def start(asked: Asked) -> Response:
        """Start the chosen game. If the request names anything, start a game chosen by that alone."""
        table.start(_named(asked), seats.requester(request))
        return done()

    @routes.post("/play-now")
    @takes(seat=str, device=str, bots=(dict, {}), **CHOICE)
    def play_now(asked: Asked) -> Response:
        """Start a game at once, alone against bots and without the board.

        `bots` maps seats to bots for the seats to fill; the other fields are as for `choose`. The answer's cookie is
        the seat's key.
        """
        seat, device, bots = (asked.pop(name) for name in ("seat", "device", "bots"))
        key = table.play_alone(seat, device, _named(asked), texts_by_name(bots), seats.requester(request))
        return seats.give(seat, key, request)

    @routes.post("/again")
    @takes(swapped=(bool, False))
    def again(asked: Asked) -> Response:
        """Play the chosen game again with the same players; `swapped` moves each to the next seat."""
        table.play_again(asked["swapped"], seats.requester(request))
        return done()

    @routes.post("/abandon")
    @takes(seat=(str, None))
    def abandon(asked: Asked) -> Response:
        """End the running game. Players and the admin may do this; anyone may if only bots play."""
        if asked["seat"] is not None:
            seats.seat(request, asked["seat"])
        table.abandon(seats.requester(request))
        return done()


def _add_play(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post("/pause")
    @takes(paused=bool)
    def pause(asked: Asked) -> Response:
        """Pause or resume the running game."""
        table.pause(asked["paused"], seats.requester(request))
        return done()

    @routes.post("/hurry")
    @takes()
    def hurry(asked: Asked) -> Response:
        """Skip the bots' pauses until a person has to act."""
        table.hurry(seats.requester(request))
        return done()

    @routes.post("/act")
    @takes(seat=str, action=dict, revision=int, id=str)
    def act(asked: Asked) -> Response:
        """Act from your own seat, on the picture of this revision.

        Repeating an `id` returns the same answer and acts only once.
        """
        seats.seat(request, asked["seat"]).submit(asked["action"], asked["revision"], asked["id"])
        return done()

    @routes.post("/draft")
    @takes(seat=str, moment=str, draft=dict)
    def keep_draft(asked: Asked) -> Response:
        """Save this device's draft for its own seat; `moment` is the page's name for the state of the game."""
        seats.seat(request, asked["seat"]).keep_draft(asked["moment"], asked["draft"])
        return done()

    @routes.get("/draft/<seat>")
    def draft(seat: str) -> Response:
        """Return this device's last draft for its own seat, with the moment it belongs to; null if none."""
        found = seats.seat(request, seat).draft()
        return jsonify(None if found is None else {"moment": found.moment, "draft": found.draft})


def _add_board(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post("/offer")
    @takes(id=str, revision=int, units=(list, []), choices=(list, []), chosen=(list, []))
    def offer(asked: Asked) -> Response:
        """Defenders: light spaces to pick on the board for the screen with this `id`; empty: none."""
        spaces = {name: texts(asked[name]) for name in ("units", "choices", "chosen")}
        seats.on_board(request).offer(asked["id"], asked["revision"], spaces)
        return done()

    @routes.post("/answer")
    @takes(space=str)
    def answer(asked: Asked) -> Response:
        """Answer the board's question with one of its spaces."""
        table.answer(asked["space"], seats.requester(request))
        return done()

    @routes.get("/health")
    def health() -> Response:
        """Return the state of each sensor."""
        return jsonify({"sensors": here().spoken(table.health())})

    @routes.post("/manual")
    @takes(space=str, manual=bool)
    def manual(asked: Asked) -> Response:
        """Set a space to manual, or back to its sensor."""
        table.set_manual(asked["space"], asked["manual"], seats.requester(request))
        return done()

    @routes.post("/heed")
    @takes(heeding=bool)
    def heed(asked: Asked) -> Response:
        """Set whether the table uses the board's sensors."""
        table.use_sensors(asked["heeding"], seats.requester(request))
        return done()


def _add_simulated_board(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post("/touch")
    @takes(miniature=str, space=(str, None))
    def touch(asked: Asked) -> Response:
        """Simulated board: lift a miniature (no space), or set it down."""
        table.move_miniature(asked["miniature"], asked["space"], seats.requester(request))
        return done()

    @routes.post("/tidy")
    @takes()
    def tidy(_: Asked) -> Response:
        """Simulated board: put every miniature where the game expects it."""
        table.reset_miniatures(seats.requester(request))
        return done()
