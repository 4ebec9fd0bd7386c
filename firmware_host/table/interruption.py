"""What goes on while nobody may act: a time-out of the running game, or a past game looked through on the board.

The table owns one and asks it. A time-out outlasts a restart; a replay does not, and ends by itself.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from msgspec import Struct

from engine.game import Cue, Game
from engine.text import Text
from firmware_host.records.journal import CannotWrite, Journal
from firmware_host.table.errors import UserError

PAUSED = "paused"
"""What the journal keeps it under who has called a time-out."""
REPLAY_SECONDS = 900.0
"""So long a step of a past game stays on the lamps if nobody goes on."""


class ReplayStep(Struct, frozen=True):
    """One step of a past game as board and table view show it: the game, the lamps' cues, and what stands there.

    `map` is what it was played on, "" for a game without a map; `lamps` is the board whose lamps show it, "" for none.
    """

    played: Game
    map: str
    lamps: str
    name: str
    cues: tuple[Cue, ...]
    shown: dict[str, Any]


class Interruption:
    """Either a time-out (`paused` is who called it, "" for somebody without a seat), or a replay, or neither."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        kept = journal.kept(PAUSED)
        self.paused: str | None = kept if isinstance(kept, str) else None
        self.replay: ReplayStep | None = None
        self.until: float | None = None

    @property
    def on(self) -> bool:
        """Whether nothing that hands or seats do counts."""
        return self.paused is not None or self.replay is not None

    def pause(self, who: str) -> None:
        """A time-out; whoever called it first stays its caller."""
        if self.paused is None:
            self._keep(who)

    def resume(self) -> None:
        """The game goes on."""
        self._keep(None)

    def check(self) -> None:
        """Raises `UserError` while nobody may act."""
        if self.paused is not None:
            raise UserError("paused", self.sentence)

    @property
    def sentence(self) -> str:
        """What is going on, for everybody."""
        if self.paused is None:
            return Text("A past game is shown on the board.") if self.replay is not None else ""
        if not self.paused:
            return Text("A time-out: nobody can act until the game goes on.")
        return Text("A time-out, called by {device}: nobody can act until the game goes on.", device=self.paused)

    def show(self, step: ReplayStep, now: float) -> None:
        """A step of a past game, until the next one or until it has stood for long."""
        self.replay, self.until = step, now + REPLAY_SECONDS

    def tick(self, now: float) -> None:
        """End what has stood for too long."""
        if self.until is not None and now >= self.until:
            self.replay = self.until = None

    def end(self) -> None:
        """Another game, or none: whatever went on is over."""
        self.replay = self.until = None
        if self.paused is not None:
            self.paused = None
            with suppress(CannotWrite):  # whoever starts again without a game clears it then
                self._journal.keep(PAUSED, None)

    def _keep(self, who: str | None) -> None:
        self._journal.keep(PAUSED, who)
        self.paused = who
