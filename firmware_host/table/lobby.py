"""The lobby: what its page shows, laid out for any thread, and how the choice of a game is read there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from engine.game import Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.refusal import RuleError
from engine.seats import Seat, names
from engine.text import Text, row
from firmware_host.app.settings import Settings
from firmware_host.board.snapshot import BoardSnapshot
from firmware_host.seats import bots
from firmware_host.seats.seating import Seating
from firmware_host.table import maps
from firmware_host.table.capabilities import capabilities
from firmware_host.table.errors import UserError
from firmware_host.table.session import HINTS, TableSession


class Snapshot(Struct, frozen=True):
    """What any thread may look at without asking the loop: replaced, never changed.

    `front` is the lobby's page, `seats` are those of what is played or offered, `finished` is the number of the game
    that lies finished on the table, `hiding` are the seats that may be acting in secret now, `board` is the board at a
    glance.
    """

    front: dict[str, Any]
    seats: tuple[Seat, ...]
    finished: int | None
    hiding: frozenset[str]
    board: BoardSnapshot


class Chosen(Struct, frozen=True):
    """What a game is to be played with; `hinted` is whether all are shown where those in hiding can be.

    `board` is None for a game without a map.
    """

    board: Map | None
    options: Any
    hinted: bool


class Lobby:
    """The lobby of a table whose games are `game`. `lost` are sentences about a journal that was set aside, and about
    damaged games in it.
    """

    def __init__(self, game: Game, lost: Sequence[str]) -> None:
        self._game, self._lost = game, lost
        self._offers = capabilities(game)
        self._now: dict[str, Any] = {}
        self._front: dict[str, Any] = {}

    def snapshot(
        self, session: TableSession, seating: Seating, addresses: Sequence[str], settings: Settings
    ) -> Snapshot:
        """All of it as it is now; the page is made anew only where something on it has changed."""
        now = {
            "stage": session.name,
            "paused": session.interruption.paused,
            "map": session.map,
            "options": {} if session.play is None else msgspec.to_builtins(session.play.options),
            "seats": seating.shown(),
            "addresses": addresses,
            "lost": self._lost,
            "sealed": session.sealed,
        }
        if now != self._now:
            self._now = now
            seats = _described(session.seats, now["seats"])
            self._front = {**now, "seats": seats, **self._offered(session.seats, settings)}
        return Snapshot(self._front, session.seats, session.finished, session.hiding, session.board.snapshot())

    def _offered(self, seats: Sequence[Seat], settings: Settings) -> dict[str, Any]:
        """What can be chosen."""
        return {
            "game": self._game.name,
            "title": self._game.title,
            "maps": [_map_facts(name) for name in maps.offered(self._game)],
            "bots": _bots(self._game, names(seats)),
            "squads": [part for seat in seats for part in seat.parts],
            "simulated": settings.board == "simulated",
            "possible_hints": self._hints_offered(settings),
            **({} if self._offers.glossary is None else self._offers.glossary.glossary()),
        }

    def chosen(self, choice: Mapping[str, Any], on_the_table: str, settings: Settings) -> Chosen:
        """What somebody chose; where no map is named, the one on the table if the game can be played on it.

        A game without a map takes no notice of one that is named. Raises `UserError`.
        """
        try:
            options = self._game.read_options(choice.get("options"))
            board = maps.load(self._map_wanted(choice, on_the_table)) if self._offers.has_map else None
        except RuleError as error:
            raise UserError(error.code, error.sentence, error.rule) from error
        except MapError as error:
            raise UserError("not-understood", maps.unusable(error)) from error
        return Chosen(board, options, self._hints_wanted(choice.get(HINTS, False), settings))

    def _map_wanted(self, choice: Mapping[str, Any], on_the_table: str) -> str:
        """The map to be played on. Raises `UserError` for one that is not known or does not fit the game."""
        fitting = maps.offered(self._game)
        slug = choice.get("map", on_the_table if on_the_table in fitting or not fitting else fitting[0])
        if slug in fitting:
            return str(slug)
        if slug in maps.names():
            faults = maps.faults_for(self._game, maps.load(slug))
            raise UserError("not-understood", maps.unusable(" ".join(faults)))
        known = row(fitting or maps.names())
        raise UserError(
            "not-understood", Text("There is no map {slug}; known are {known}.", slug=repr(slug), known=known)
        )

    def _hints_offered(self, settings: Settings) -> bool:
        return settings.possible_hints and self._offers.deducing is not None

    def _hints_wanted(self, wanted: Any, settings: Settings) -> bool:
        if type(wanted) is not bool:
            raise UserError(
                "not-understood", Text("{hints} is true or false, not {wanted}.", hints=HINTS, wanted=repr(wanted))
            )
        if wanted and not self._hints_offered(settings):
            raise UserError(
                "not-now", Text("This house plays without that hint; the setting {hints} allows it.", hints=HINTS)
            )
        return wanted


def _described(seats: Sequence[Seat], shown: Mapping[str, Any]) -> dict[str, Any]:
    """The seats in order, each with what it is and who sits there."""
    return {
        seat.name: {"title": seat.title, "secret": seat.secret, "parts": seat.parts, **shown[seat.name]}
        for seat in seats
    }


def _map_facts(name: str) -> dict[str, Any]:
    try:
        board = maps.load(name)
    except MapError as error:
        return {"slug": name, "name": name, "fault": maps.unusable(error)}
    return {"slug": name, "name": Text(board.name), "spaces": sum(space.enterable for space in board.spaces.values())}


def _bots(game: Game, seats: Sequence[str]) -> dict[str, Any]:
    """The bots that can take each seat, with a line about each; those made for this game first."""
    return {
        seat: [{"name": name, "about": Text(bots.about(game, name))} for name in bots.ranked(game, seat)]
        for seat in seats
    }
