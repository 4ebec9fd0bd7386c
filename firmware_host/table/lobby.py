"""What the lobby page shows, published for any thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from engine.game import Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.options import OptionForm
from engine.seats import Seat
from engine.text import Text
from firmware_host.board.sensor_health import BoardSnapshot
from firmware_host.core import bots, maps
from firmware_host.core.capabilities import capabilities
from firmware_host.core.guarded import GameFault
from firmware_host.core.remembered import Remembered
from firmware_host.core.settings import Settings
from firmware_host.seats.claims import Claim, holder_of
from firmware_host.seats.identity import Holder
from firmware_host.seats.seating import Seating
from firmware_host.table.selection import hints_offered
from firmware_host.table.session import TableSession

T = TypeVar("T")


class Snapshot(Struct, frozen=True):
    """Data that any thread may read without the loop.

    The object is replaced, never changed. `front` is the lobby page; for `seats`, `finished` and `hiding`, see
    `TableSession`; `palette` is the name of the lamps' colours. `on_screens` names the game and the map that the public
    screens show. Seats and the `claims` on them change together: a page whose key has moved to a seat of another game
    finds that seat.
    """

    front: dict[str, Any]
    seats: tuple[Seat, ...]
    claims: Sequence[Claim]
    finished: int | None
    hiding: frozenset[str]
    board: BoardSnapshot
    palette: str
    on_screens: tuple[str, str]

    def holder(self, key: str) -> Holder | None:
        """Return who holds this key, None if it opens no seat."""
        return holder_of(self.claims, key)


class Lobby:
    """The lobby of a table. `lost` returns sentences about lost, damaged and waiting games, and about faulty installed
    ones. Facts that a faulty game cannot give are left out.
    """

    def __init__(self, lost: Callable[[], Sequence[str]]) -> None:
        self._lost = lost
        self._now: dict[str, Any] = {}
        self._front: dict[str, Any] = {}
        self._offering: tuple[Game, Sequence[Seat], Settings] | None = None
        self._offered: dict[str, Any] = {}

    def snapshot(
        self, session: TableSession, seating: Seating, addresses: Sequence[str], settings: Settings
    ) -> Snapshot:
        """Return all published data; make the page again only if it has changed."""
        now = {
            "game": session.game.name,
            "selection": session.chosen.selection,
            "stage": session.name,
            "paused": session.interruption.caller,
            "workshop": session.interruption.workshop,
            "map": session.map,
            "options": {} if session.play is None else msgspec.to_builtins(session.play.options),
            "seats": seating.seat_facts(),
            "addresses": addresses,
            "lost": [*self._lost(), *(sentence for lost in session.lost for sentence in lost())],
            "sealed": session.sealed,
            "pins": settings.seat_pins,
            "left": seating.absence.freeable_seat,
        }
        # Don't build the page in each turn of the loop, because that calls games for texts.
        if now != self._now:
            self._now = now
            seats = {
                seat.name: {"secret": seat.secret, "parts": seat.parts, **now["seats"][seat.name]}
                for seat in session.seats
            }
            # These facts come from the game's own code, so call it only if they may have changed.
            offering = session.game, session.seats, settings
            if offering != self._offering:
                self._offering, self._offered = offering, _offered(*offering)
            self._front = {**self._offered, **now, "seats": seats, **_choices(session, settings)}
        board = session.board.snapshot()
        on_screens = session.game_on_screens.name, session.map_on_screens
        return Snapshot(
            self._front,
            session.seats,
            seating.claims.all,
            session.finished,
            session.hiding,
            board,
            settings.palette,
            on_screens,
        )


_MADE: Final = Remembered[tuple[str, str], dict[str, Any]]()
"""Game and name of a generated board -> its facts: it never changes, and making all boards of a game takes long."""


def _map_facts(game: Game, name: str) -> dict[str, Any]:
    if maps.is_generated(name):
        return _MADE.get((game.name, name), lambda: _facts_of(game, name, maps.make_board))
    return _facts_of(game, name, maps.load)[0]


def _facts_of(game: Game, name: str, load: Callable[[str], Map]) -> tuple[dict[str, Any], bool]:
    """Return the facts of a map, and whether they are lasting."""
    try:
        board = load(name)
        fixed: Mapping[str, Any] = maps.fixed_options(game, name)
    except (MapError, GameFault) as error:
        # An unusable map is listed too, with the reason.
        return {"slug": name, "name": name, "fault": maps.unusable_sentence(error)}, False
    spaces = sum(space.enterable for space in board.spaces.values())
    return {"slug": name, "name": Text(board.name), "spaces": spaces, "options": fixed}, True


def _offered(game: Game, seats: Sequence[Seat], settings: Settings) -> dict[str, Any]:
    """Return the facts of the current or chosen game. Bots made for this game come first."""
    glossary = capabilities(game).glossary
    words: Mapping[str, Any] = {} if glossary is None else ask_game(glossary.glossary, {})
    return {
        **words,  # placed first, because a game may use any names for its facts
        "title": game.title,
        "bots": {
            seat.name: [
                {"name": bot, "about": Text(bots.describe(game, bot)), "level": bots.find(game, bot).level}
                for bot in bots.ranked(game, seat.name)
            ]
            for seat in seats
        },
        "squads": [part for seat in seats for part in seat.parts],
        "simulated": settings.board == "simulated",
    }


def _choices(session: TableSession, settings: Settings) -> dict[str, Any]:
    """Return what can be chosen for the next game (nothing during a game), and what is chosen."""
    chosen = session.chosen
    form = OptionForm() if session.running else ask_game(chosen.game.options, OptionForm())
    return {
        "games": [] if session.running else [_game_facts(game) for game in maps.playable_games()],
        "maps": [] if session.running else [_map_facts(chosen.game, name) for name in maps.offered(chosen.game)],
        "form": msgspec.to_builtins(form, builtin_types=(Text,)),
        "selection": msgspec.to_builtins(chosen.selection),
        "possible_hints": hints_offered(chosen.game, settings),
    }


def ask_game(ask: Callable[[], T], default: T) -> T:
    """Return the result of a call of the game; `default` if the call fails."""
    try:
        return ask()
    except GameFault:
        return default


def _game_facts(game: Game) -> dict[str, Any]:
    introduced = capabilities(game).introduced
    return {"name": game.name, "title": game.title, "about": None if introduced is None else introduced.about}
