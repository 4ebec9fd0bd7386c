"""What interrupts play: a time-out of the running game, a replay of a past game on the board, or the workshop.

A time-out survives a restart. A replay and the workshop do not, and end by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct

from engine.game import Cue, Game
from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records.history import History
from firmware_host.records.journal import CannotWrite, Journal

PAUSED_KEY = "paused"
"""The journal's key for the caller of a time-out."""
REPLAY_SECONDS = 900.0
"""How long a step of a past game stays on the lamps."""


class ReplayStep(Struct, frozen=True):
    """One step of a past game: the game, the lamps' cues, and the `picture` of the table view.

    `map` is the map it was played on, `lamps` the board whose lamps show it; both may be "". For a puzzle, there is no
    game, but a `question`.
    """

    played: Game
    map: str
    lamps: str
    name: str
    cues: tuple[Cue, ...]
    picture: dict[str, Any]


def replay_step(history: History, cues: Iterable[Cue], picture: Mapping[str, Any]) -> ReplayStep:
    """Return a step of a past game with these cues and facts."""
    slug, name = ("", "") if history.board is None else (history.board.slug, history.board.name)
    return ReplayStep(history.game, slug, history.shown_on or "", name, tuple(cues), {**picture})


class Interruption:
    """What interrupts play now. `paused` is the caller of a time-out ("" for a device without a seat), `workshop` the
    name of the device that has it, None while it is closed.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        stored = journal.stored_value(PAUSED_KEY)
        # A pause survives a restart: people are still away from the table.
        self.paused: str | None = stored if isinstance(stored, str) else None
        self.replay: ReplayStep | None = None
        self.workshop: str | None = None
        self.until: float | None = None

    @property
    def is_active(self) -> bool:
        """Whether no one may act on the board or for a seat."""
        return self.caller is not None or self.replay is not None

    @property
    def caller(self) -> str | None:
        """The caller of the time-out that the screens show; "" while the workshop is open."""
        return self.paused if self.workshop is None else ""

    def pause(self, who: str | None) -> None:
        """Start a time-out, or end it (None); if several call one, the first is shown as the caller."""
        if who is None or self.paused is None:
            # Store this first: if that fails, nothing has changed.
            self._journal.store_value(PAUSED_KEY, who)
            self.paused = who

    def check(self) -> None:
        """Raise `UserError` while no one may act."""
        if self.caller is not None:
            raise UserError("paused", self.sentence)

    def check_workshop(self) -> None:
        """Raise `UserError` while the workshop has the board."""
        if self.workshop is not None:
            raise UserError("not-now", self.sentence)

    @property
    def sentence(self) -> str:
        """A sentence that tells everyone what is going on."""
        if self.workshop is not None:
            return Text("The workshop is open on {device}. No one can act until it closes.", device=self.workshop)
        if self.paused is None:
            if self.replay is None:
                return ""
            puzzle = self.replay.picture["game"] is None
            return Text("A puzzle is shown on the board.") if puzzle else Text("A past game is shown on the board.")
        if not self.paused:
            return Text("The game is paused. No one can act until it is resumed.")
        return Text("{device} has paused the game. No one can act until it is resumed.", device=self.paused)

    def show(self, step: ReplayStep, now: float) -> None:
        """Show a step of a past game, until the next one or for `REPLAY_SECONDS`."""
        self.replay, self.until = step, now + REPLAY_SECONDS

    def tick(self, now: float) -> None:
        """End a replay that is too old."""
        if self.until is not None and now >= self.until:
            self.end_replay()

    def end_replay(self) -> None:
        """Stop showing a step of a past game."""
        self.replay = self.until = None

    def end(self) -> None:
        """End all interruptions, because another game starts or none is left."""
        self.end_replay()
        self.paused = None
        if self._journal.stored_value(PAUSED_KEY) is not None:  # this also forgets the time-out of a game that waited
            with suppress(CannotWrite):  # the next start without a game clears it
                self._journal.store_value(PAUSED_KEY, None)
