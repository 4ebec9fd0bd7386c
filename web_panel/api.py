"""The API of the screens: JSON in, JSON out, and the event streams. A POST returns `{"ok": true}` or an error."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from firmware_host.api.interface import PUBLIC, TableInterface, Text, Translate, UserError
from web_panel.body import Texts, check_items, posts, tells
from web_panel.language import current_language, language
from web_panel.padding import padded_event
from web_panel.seats import Seats
from web_panel.streams import GONE, Part, Streams, picture_event, viewer_end_event

MOST_VIEWERS = 12
"""Maximum viewers of one stream: enough for a browser with every seat of a game."""

CHOICE: dict[str, Any] = {
    "game": (str, None),
    "map": (str, None),
    "options": (dict, None),
    "possible_hints": (bool, None),
}
"""The fields that choose a game; see `TableInterface.choose`."""


def api_routes(table: TableInterface, seats: Seats, streams: Streams) -> Blueprint:
    """Return the blueprint of `/api`."""
    routes = Blueprint("api", __name__, url_prefix="/api")
    _add_pictures(routes, table, seats, streams)
    _add_lobby(routes, table, seats)
    _add_claims(routes, table, seats)
    _add_leaving(routes, table, seats)
    _add_games(routes, table, seats)
    _add_rematches(routes, table, seats)
    _add_play(routes, table, seats)
    _add_board(routes, table, seats)
    _add_simulated_board(routes, table, seats)
    return routes


def _check_viewer(viewer: str, seats: Seats) -> None:
    if viewer not in PUBLIC and viewer not in seats.names:
        raise UserError("not-found", Text("Nobody of that name looks at this table."))


def _translator(table: TableInterface, viewer: str) -> Translate:
    """Return the function that translates a viewer's pictures, with the words of the game that this viewer sees."""
    own = current_language()
    return language(own.code, table.on_screens()[0]).say if viewer in PUBLIC else own.say


def _part(table: TableInterface, seats: Seats, viewer: str, end: str) -> Part:
    """Return a viewer's part of a stream. `end` is called when this part ends. Raises `UserError`."""
    _check_viewer(viewer, seats)
    say = _translator(table, viewer)
    if viewer in PUBLIC:
        return Part(table.follow(viewer, say), table.alive, picture_event, end)
    seat = seats.seat(viewer)

    def to_event(picture: str) -> str:
        # Checked for each picture, because an option of the next game may give secrets to a seat.
        return padded_event(picture) if seats.is_secret(viewer) else picture_event(picture)

    # The stream ends when the seat passes to another device.
    return Part(seat.follow(say), lambda: table.alive() and seat.is_held(), to_event, end)


def _add_pictures(routes: Blueprint, table: TableInterface, seats: Seats, streams: Streams) -> None:
    @routes.get("/picture/<viewer>")
    def picture(viewer: str) -> Response:
        """Return a viewer's latest complete picture as JSON."""
        _check_viewer(viewer, seats)
        say = _translator(table, viewer)
        text = table.picture(viewer, say) if viewer in PUBLIC else seats.seat(viewer).picture(say)
        return Response(text, mimetype="application/json")

    @routes.get("/stream/<viewers>")
    @tells("text/event-stream")
    def stream(viewers: str) -> Response:
        """Stream the pictures of a viewer as server-sent events, or of several, separated by commas.

        Each is complete; heartbeats fill the gaps. Among several, a `gone` event names a viewer that this browser may
        not see (any more).
        """
        names = list(dict.fromkeys(viewers.split(",")))
        if len(names) == 1:
            return streams.open([_part(table, seats, names[0], GONE)])
        if len(names) > MOST_VIEWERS:
            raise UserError("not-understood", Text("A stream has at most {most} viewers.", most=MOST_VIEWERS))
        parts, lost = [], []
        for name in names:
            try:
                parts.append(_part(table, seats, name, viewer_end_event(name)))
            except UserError:
                # Losing one seat must not end the stream of the others: a page can show several seats.
                lost.append(viewer_end_event(name))
        return streams.open(parts, lost)


def _add_lobby(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.get("/lobby")
    def lobby() -> Response:
        """Return the lobby's data: maps, options, seats, the current game; `mine` are this browser's seats, `back`
        those that it has left to a bot.
        """
        # Read both at the same time, so that they match: the browser chooses its page by these seats.
        return jsonify(current_language().translate_all(table.lobby(seats.requester().keys)))

    @routes.get("/clock")
    def clock() -> Response:
        """Return the table's time in seconds, in which pictures say when a turn `began`. No one can set it."""
        return jsonify({"now": table.clock()})

    @routes.get("/club")
    def tables() -> Response:
        """Return all tables known to the broker (docs/mqtt.md), by name.

        Each has its public data, and whether it is online.
        """
        if table.club is None:
            raise UserError("not-now", Text("This table doesn't know other tables. Set mqtt_broker to connect it."))
        return jsonify({"tables": table.club()})


def _add_claims(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @posts(routes, "/claim")
    def claim(seat: str, device: str, pin: str = "", squads: Texts = ()) -> Response:
        """Take a free seat; the answer sets a cookie with the seat's key.

        The PIN is optional if the admin settings don't require one.
        """
        return seats.set_key(seat, table.claim(seat, pin, device, squads, seats.requester()))

    @posts(routes, "/take-over")
    def take_over(
        seat: str,
        device: str,
        pin: str = "",
        squads: Texts = (),
        share: bool = False,
        instead: int | None = None,
    ) -> Response:
        """Take over a seat from another device with its PIN, or with `share`, join it with a further device.

        The answer's cookie is the new key. The seat of a single player without a PIN needs none.
        """
        requester = seats.requester()
        key = table.take_over(seat, pin, device, squads, requester, share=share, instead=instead)
        return seats.set_key(seat, key)

    @posts(routes, "/lead")
    def lead(squad: str, number: int) -> None:
        """Defenders: assign a squad to the device with this number, or take a squad that no one leads."""
        seats.sharing().assign_part(squad, number)


def _add_leaving(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @posts(routes, "/release")
    def release(seat: str, pin: str = "") -> None:
        """Free a seat before the game: your own, another with its PIN, or any as admin.

        Seated players may free a bot's seat. During a game: leave your own place on a shared seat.
        """
        table.release(seat, seats.requester(), pin)

    @posts(routes, "/wrong-pins")
    def wrong_pins(seat: str, seen: int) -> None:
        """Confirm that the seat's holder has seen this many wrong PINs (`wrong_pins` of its picture)."""
        seats.seat(seat).acknowledge_wrong_pins(seen)

    @posts(routes, "/briefing")
    def briefing(seat: str, reading: bool) -> None:
        """Make the bots wait for a minute while you read your briefing, or continue."""
        seats.seat(seat).read_briefing(reading)

    @posts(routes, "/bot")
    def bot(seat: str, bot: str) -> None:
        """Let a bot play a free seat."""
        table.seat_bot(seat, bot, seats.requester())

    @posts(routes, "/hand-over")
    def hand_over(seat: str, bot: str) -> None:
        """Hand your own seat to a bot."""
        seats.seat(seat).hand_over(bot)


def _named(choice: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that a request sets."""
    return {name: value for name, value in choice.items() if value is not None}


def _add_games(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @posts(routes, "/choose", **CHOICE)
    def choose(**choice: Any) -> None:
        """Choose the next game: the game, its map, all of its options, and whether hints are shown."""
        table.choose(_named(choice), seats.requester())

    @posts(routes, "/start", **CHOICE)
    def start(**choice: Any) -> None:
        """Start the chosen game. If the request has any fields, only these choose the game."""
        table.start(_named(choice), seats.requester())

    @posts(routes, "/play-now", bots=(dict, {}), **CHOICE)
    def play_now(seat: str, device: str, bots: dict[str, Any], **choice: Any) -> Response:
        """Start a game at once, alone against bots and without the board.

        `bots` maps seats to bots for the seats to fill; the other fields are as for `choose`. The answer's cookie is
        the seat's key.
        """
        check_items(tuple, bots.values())
        key = table.play_alone(seat, device, _named(choice), bots, seats.requester())
        return seats.set_key(seat, key)

    @posts(routes, "/abandon")
    def abandon(seat: str | None = None) -> None:
        """End the running game. Players and the admin may do this; anyone may if only bots play."""
        # This raises an error if the device does not hold the seat that its page shows.
        if seat is not None:
            seats.seat(seat)
        table.abandon(seats.requester())


def _add_rematches(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @posts(routes, "/again")
    def again(swapped: bool = False) -> None:
        """Play the chosen game again with the same players; `swapped` moves each to the next seat."""
        table.play_again(swapped, seats.requester())

    @posts(routes, "/rematch", bots=(dict, {}))
    def rematch(bots: dict[str, Any], swapped: bool = False) -> None:
        """Offer to play the finished game again, or accept such an offer.

        It starts once people at all seats have agreed. `bots` maps seats to bots that replace those that played.
        """
        check_items(tuple, bots.values())
        table.offer_rematch(swapped, bots, seats.requester())

    @posts(routes, "/rematch/decline")
    def decline() -> None:
        """Decline the offer to play again, or withdraw your own."""
        table.decline_rematch(seats.requester())


def _add_play(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @posts(routes, "/pause")
    def pause(paused: bool) -> None:
        """Pause or resume the running game."""
        table.pause(paused, seats.requester())

    @posts(routes, "/hurry")
    def hurry() -> None:
        """Skip the bots' pauses until a person has to act."""
        table.skip_bot_pauses(seats.requester())

    @posts(routes, "/act")
    def act(seat: str, action: dict[str, Any], revision: int, id: str) -> None:
        """Act from your own seat, on the picture of this revision, or on an older one with the same legal acts.

        Repeating an `id` returns the same answer and acts only once.
        """
        seats.seat(seat).submit(action, revision, id)

    @posts(routes, "/draft")
    def keep_draft(seat: str, moment: str, draft: dict[str, Any]) -> None:
        """Save this device's draft for its own seat; `moment` is the page's name for the state of the game."""
        seats.seat(seat).keep_draft(moment, draft)

    @routes.get("/draft/<seat>")
    def draft(seat: str) -> Response:
        """Return this device's last draft for its own seat, with the moment it belongs to; null if none."""
        stored = seats.seat(seat).draft()
        return jsonify(None if stored is None else {"moment": stored.moment, "draft": stored.draft})


def _add_board(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @posts(routes, "/offer")
    def offer(
        id: str, revision: int, units: Texts = (), choices: Texts = (), chosen: Texts = (), seat: str = ""
    ) -> None:
        """Light spaces on the board to pick one for a screen: of your `seat` (default: the first that acts on the
        board), with this `id`. An empty list turns them off.
        """
        held_seat = seats.seat(seat) if seat else seats.on_board()
        held_seat.offer(id, revision, {"units": units, "choices": choices, "chosen": chosen})

    @posts(routes, "/answer")
    def answer(space: str) -> None:
        """Answer the board's question with one of its spaces."""
        table.answer(space, seats.requester())

    @routes.get("/health")
    def health() -> Response:
        """Return the state of each sensor."""
        return jsonify({"sensors": current_language().translate_all(table.health())})

    @posts(routes, "/manual")
    def manual(space: str, manual: bool) -> None:
        """Set a space to manual, or back to its sensor."""
        table.set_manual(space, manual, seats.requester())

    @posts(routes, "/heed")
    def use_sensors(heeding: bool) -> None:
        """Set whether the table uses the board's sensors."""
        table.use_sensors(heeding, seats.requester())


def _add_simulated_board(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @posts(routes, "/attend")
    def attend(attended: bool) -> None:
        """Simulated board: say that its page is open, or was closed."""
        table.attend_board(attended, seats.requester())

    @posts(routes, "/touch")
    def touch(miniature: str, space: str | None = None) -> None:
        """Simulated board: lift a miniature (no space), or set it down."""
        table.move_miniature(miniature, space, seats.requester())

    @posts(routes, "/tidy")
    def tidy() -> None:
        """Simulated board: put every miniature where the game expects it."""
        table.reset_miniatures(seats.requester())
