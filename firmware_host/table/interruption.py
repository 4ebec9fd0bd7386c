"""What goes on while nobody may act: a time-out of the running game, a past game looked through on the board, or the
workshop.

The table owns one and asks it. A time-out outlasts a restart; a replay and the workshop do not, and end by themselves.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from msgspec import Struct

from engine.game import Cue, Game
from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records.journal import CannotWrite, Journal

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
    """A time-out (`paused` is who called it, "" for somebody without a seat), or a replay, or neither; and over either,
    or alone, the `workshop`: the name of the device that has it, None while it is closed.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        kept = journal.kept(PAUSED)
        self.paused: str | None = kept if isinstance(kept, str) else None
        self.replay: ReplayStep | None = None
        self.workshop: str | None = None
        self.until: float | None = None

    @property
    def on(self) -> bool:
        """Whether nothing that hands or seats do counts."""
        return self.caller is not None or self.replay is not None

    @property
    def caller(self) -> str | None:
        """Whose time-out the screens show; the workshop's is nobody's, ""."""
        return self.paused if self.workshop is None else ""

    def pause(self, who: str) -> None:
        """A time-out; whoever called it first stays its caller."""
        if self.paused is None:
            self._keep(who)

    def resume(self) -> None:
        """The game goes on."""
        self._keep(None)

    def check(self) -> None:
        """Raises `UserError` while nobody may act."""
        if self.caller is not None:
            raise UserError("paused", self.sentence)

    def check_workshop(self) -> None:
        """Raises `UserError` for what would take the board away from the workshop."""
        if self.workshop is not None:
            raise UserError("not-now", self.sentence)

    @property
    def sentence(self) -> str:
        """What is going on, for everybody."""
        if self.workshop is not None:
            return Text(
                "The workshop is open on {device}: the board is being looked after, and everything else waits.",
                device=self.workshop,
            )
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
            self.end_replay()

    def end_replay(self) -> None:
        """No step of a past game is shown any more."""
        self.replay = self.until = None

    def end(self) -> None:
        """Another game, or none: whatever went on is over."""
        self.end_replay()
        if self.paused is not None:
            self.paused = None
            with suppress(CannotWrite):  # whoever starts again without a game clears it then
                self._journal.keep(PAUSED, None)

    def _keep(self, who: str | None) -> None:
        self._journal.keep(PAUSED, who)
        self.paused = who
