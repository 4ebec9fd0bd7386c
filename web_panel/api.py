"""What screens ask and tell: JSON in, JSON out, and the streams.

A POST is answered by `{"ok": true}` or by a refusal.
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
"""What a game can be chosen by; see `TableInterface.choose`."""


def api(table: TableInterface, seats: Seats, streams: Streams) -> Blueprint:
    """The blueprint of `/api`."""
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
        """The latest whole picture of a viewer, as JSON."""
        check(viewer)
        say = here().say
        found = table.picture(viewer, say) if viewer in PUBLIC else seats.seat(request, viewer).picture(say)
        return Response(found, mimetype="application/json")

    @routes.get("/stream/<viewer>")
    @tells("text/event-stream")
    def stream(viewer: str) -> Response:
        """The viewer's pictures as server-sent events: each is whole, and a beat comes when there is none."""
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
        """What the lobby shows: maps, options, seats, the game that is on; `mine` are this browser's seats."""
        front = here().spoken(table.lobby())
        held = seats.held(request).items()  # last: of the seats as they are when the answer leaves
        mine = {name: {"device": seat.holder.device, "squads": seat.holder.squads} for name, seat in held}
        return jsonify({**front, "mine": mine})


def _add_claims(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post("/claim")
    @takes(seat=str, pin=(str, ""), device=str, squads=(list, []))
    def claim(asked: Asked) -> Response:
        """Take a free seat; the answer's cookie is the key to it. Without a PIN where the house wants none."""
        seat = _known(seats, asked["seat"])
        key = table.claim(seat, asked["pin"], asked["device"], texts(asked["squads"]), seats.requester(request))
        return seats.give(seat, key, request)

    @routes.post("/take-over")
    @takes(seat=str, pin=(str, ""), device=str, squads=(list, []), share=(bool, False), instead=(int, None))
    def take_over(asked: Asked) -> Response:
        """Take a seat from another device, by its PIN, or share the defenders'; the answer's cookie is the new key. The
        place of who plays alone without a PIN can be taken without one.
        """
        seat = _known(seats, asked["seat"])
        squads, pin, device = texts(asked["squads"]), asked["pin"], asked["device"]
        how = {"share": asked["share"], "instead": asked["instead"]}
        key = table.take_over(seat, pin, device, squads, seats.requester(request), **how)
        return seats.give(seat, key, request)

    @routes.post("/lead")
    @takes(squad=str, number=int)
    def lead(asked: Asked) -> Response:
        """Defenders: give a squad to the device of this number, or take one that nobody leads."""
        seats.sharing(request).assign_part(asked["squad"], asked["number"])
        return done()

    @routes.post("/release")
    @takes(seat=str, pin=(str, ""))
    def release(asked: Asked) -> Response:
        """Free a seat before the game: one's own, with its PIN, or for the house; a bot's for those who sit here. In a
        game: leave one's own place beside others.
        """
        table.release(_known(seats, asked["seat"]), seats.requester(request), asked["pin"])
        return done()

    @routes.post("/wrong-pins")
    @takes(seat=str, seen=int)
    def wrong_pins(asked: Asked) -> Response:
        """Who sits there has seen that so many wrong PINs were tried (`wrong_pins` of the seat's own picture)."""
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
        """Leave one's own seat to a bot."""
        seats.seat(request, _known(seats, asked["seat"])).hand_over(asked["bot"])
        return done()


def _named(asked: Asked) -> dict[str, Any]:
    """What a request names."""
    return {name: value for name, value in asked.items() if value is not None}


def _add_games(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post("/choose")
    @takes(**CHOICE)
    def choose(asked: Asked) -> Response:
        """Choose what the next game is to be: the game, its map, all of its options, with hints or without."""
        table.choose(_named(asked), seats.requester(request))
        return done()

    @routes.post("/start")
    @takes(**CHOICE)
    def start(asked: Asked) -> Response:
        """Begin the chosen game; where anything is named, a game chosen by that alone."""
        table.start(_named(asked), seats.requester(request))
        return done()

    @routes.post("/play-now")
    @takes(seat=str, device=str, bots=(dict, {}), **CHOICE)
    def play_now(asked: Asked) -> Response:
        """Play at once, alone against bots and without the board: `bots` is seat -> bot for those who are to play, the
        rest is as for `choose`. The answer's cookie is the key of the seat.
        """
        seat, device, bots = (asked.pop(name) for name in ("seat", "device", "bots"))
        key = table.play_alone(seat, device, _named(asked), texts_by_name(bots), seats.requester(request))
        return seats.give(seat, key, request)

    @routes.post("/again")
    @takes(swapped=(bool, False))
    def again(asked: Asked) -> Response:
        """Play the chosen game again with those who sit here; `swapped`: each on the next seat."""
        table.play_again(asked["swapped"], seats.requester(request))
        return done()

    @routes.post("/abandon")
    @takes(seat=(str, None))
    def abandon(asked: Asked) -> Response:
        """End the running game: for who plays, or keeps the house; for anybody where only bots play."""
        if asked["seat"] is not None:
            seats.seat(request, asked["seat"])
        table.abandon(seats.requester(request))
        return done()


def _add_play(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post("/pause")
    @takes(paused=bool)
    def pause(asked: Asked) -> Response:
        """Call a time-out of the running game, or end it."""
        table.pause(asked["paused"], seats.requester(request))
        return done()

    @routes.post("/hurry")
    @takes()
    def hurry(asked: Asked) -> Response:
        """Let the bots act without long pauses until a person is to act."""
        table.hurry(seats.requester(request))
        return done()

    @routes.post("/act")
    @takes(seat=str, action=dict, revision=int, id=str)
    def act(asked: Asked) -> Response:
        """Act from one's own seat, on the picture of this revision. The same `id` again: answered alike, done once."""
        seats.seat(request, asked["seat"]).submit(asked["action"], asked["revision"], asked["id"])
        return done()

    @routes.post("/draft")
    @takes(seat=str, moment=str, draft=dict)
    def keep_draft(asked: Asked) -> Response:
        """Keep what this device plans at its own seat; `moment` is the page's own name for the state of the game."""
        seats.seat(request, asked["seat"]).keep_draft(asked["moment"], asked["draft"])
        return done()

    @routes.get("/draft/<seat>")
    def draft(seat: str) -> Response:
        """What this device planned last at its own seat, and at which moment; null for nothing."""
        found = seats.seat(request, seat).draft()
        return jsonify(None if found is None else {"moment": found.moment, "draft": found.draft})


def _add_board(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post("/offer")
    @takes(id=str, revision=int, units=(list, []), choices=(list, []), chosen=(list, []))
    def offer(asked: Asked) -> Response:
        """Defenders: light spaces to pick on the board for the screen of this `id`; none of them: no more."""
        spaces = {name: texts(asked[name]) for name in ("units", "choices", "chosen")}
        seats.on_board(request).offer(asked["id"], asked["revision"], spaces)
        return done()

    @routes.post("/answer")
    @takes(space=str)
    def answer(asked: Asked) -> Response:
        """Answer the board's question by one of its spaces."""
        table.board.answer(asked["space"], seats.requester(request))
        return done()

    @routes.get("/health")
    def health() -> Response:
        """How each sensor is."""
        return jsonify({"sensors": here().spoken(table.board.health())})

    @routes.post("/manual")
    @takes(space=str, manual=bool)
    def manual(asked: Asked) -> Response:
        """Set a space to manual, or back to its sensor."""
        table.board.set_manual(asked["space"], asked["manual"], seats.requester(request))
        return done()

    @routes.post("/heed")
    @takes(heeding=bool)
    def heed(asked: Asked) -> Response:
        """Whether the board's sensors count."""
        table.board.use_sensors(asked["heeding"], seats.requester(request))
        return done()


def _add_simulated_board(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.post("/touch")
    @takes(miniature=str, space=(str, None))
    def touch(asked: Asked) -> Response:
        """Simulated board: lift a miniature (no space), or set it down."""
        table.board.move_miniature(asked["miniature"], asked["space"], seats.requester(request))
        return done()

    @routes.post("/tidy")
    @takes()
    def tidy(_: Asked) -> Response:
        """Simulated board: put every miniature where the game has it."""
        table.board.reset_miniatures(seats.requester(request))
        return done()
