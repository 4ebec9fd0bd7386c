"""The changes at the seats since the running game began. They decide who may know secrets, and whose win counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from engine.seats import secret_seats
from firmware_host.core.person_names import name_key
from firmware_host.play.game import TableGame
from firmware_host.records.journal import Journal
from firmware_host.seats.claims import Claim

CHANGES_KEY = "left"
"""The journal's key for `SeatChanges`."""
MOST_LEFT = 16
"""How many departures of devices are remembered for each seat: the latest ones."""


class SeatChanges(Struct, frozen=True):
    """What has changed at the seats in game `game`. `seats` maps a secret seat to the devices that have left it, once
    for each time: they know its secrets. `players` is whether any seat got or lost a person or bot.
    """

    game: int = 0
    seats: Mapping[str, tuple[str, ...]] = {}
    players: bool = False


class ChangesLog:
    """The changes at the seats of the game on the table, which `play` returns."""

    def __init__(self, journal: Journal, play: Callable[[], TableGame | None]) -> None:
        self._journal, self._play = journal, play
        self._stored = msgspec.convert(journal.stored_value(CHANGES_KEY) or {}, SeatChanges)

    @property
    def current(self) -> SeatChanges:
        """The changes in the game on the table."""
        play = self._play()
        return self._stored if play is not None and play.number == self._stored.game else SeatChanges()

    def note(self, before: Sequence[Claim], now: Sequence[Claim]) -> None:
        """Remember the devices that lose a secret seat of the running game, for any reason, and whether a seat gets or
        loses a player. A device can have a seat so briefly that no screen shows it, because screens get only the latest
        picture. Raises `CannotWrite`.
        """
        play = self._play()
        if play is None or play.over:
            return
        former = self.current
        devices, stay = {**former.seats}, {(claim.seat, claim.key) for claim in now}
        for seat in secret_seats(play.seats):
            held = [claim for claim in before if claim.seat == seat and not claim.bot]
            if lost := [claim.device for claim in held if (seat, claim.key) not in stay]:
                devices[seat] = (*devices.get(seat, ()), *lost)[-MOST_LEFT:]
        # Compare only who sits at the seats, which is public. Who has acted there may be secret, and must not show in
        # the results.
        changes = SeatChanges(play.number, devices, former.players or _players(now) != _players(before))
        if (changes.seats, changes.players) != (former.seats, former.players):
            # Store this before the claims, so that no device leaves unnoticed if the disk fails.
            self._journal.store_value(CHANGES_KEY, msgspec.to_builtins(changes))
            self._stored = changes


def _players(claims: Iterable[Claim]) -> set[tuple[str, str, str]]:
    """Return who sits where: the seat, and the name of a person or bot. A person may change devices."""
    return {(it.seat, "" if it.bot else name_key(it.device), it.bot) for it in claims}
