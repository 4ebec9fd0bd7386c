"""Whether acts can be written just now, and what ails the machine: both public, and in sentences.

It looks in a rhythm of its own. A secret act that could not be written is refused to whoever made it, and shown to
nobody before the next look: else its moment would tell that there was one.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.text import Text
from firmware_host.admin.machine import BRINK, EARLY, MachineChecks
from firmware_host.records.journal import CannotWrite

RHYTHM = 2.0
"""Seconds between two looks."""
REMEMBERED = 600.0
"""Seconds for which a voltage that was too low stays worth a sentence."""

HALTED = {
    "brink": Text("The table's disk is almost full: no act counts until there is room again. Nothing is lost."),
    "full": Text("The table's disk is full: no act counts until there is room again. Nothing is lost."),
    "read-only": Text("The table's disk can only be read: no act counts until that is mended. Nothing is lost."),
    "failing": Text("The table's disk fails: no act counts until it can be written again. Nothing is lost."),
}
"""Why nothing can be written -> what people are told."""
SCARCE = Text("Little room is left on the table's disk. Make some soon: once none is left, no act counts.")
WEAK = Text(
    "The voltage of the power supply is too low, or was a moment ago. Use a stronger supply or a shorter cable: the "
    "table may stop at any moment."
)


class Upkeep:
    """`try_writing` writes something harmless, and raises `CannotWrite`; times are monotonic seconds."""

    def __init__(self, try_writing: Callable[[], None], machine: MachineChecks, now: float) -> None:
        self._try_writing = try_writing
        self._machine = machine
        self._next = now
        self._doubt = False
        self._why: str | None = None
        self._scarce = False
        self._weak_at: float | None = None

    def due(self) -> float:
        """When to look again."""
        return self._next

    def look(self, now: float) -> None:
        """Look, if it is time; whoever could not write before tries again."""
        if now < self._next:
            return
        self._next += RHYTHM * (1 + (now - self._next) // RHYTHM)
        room = self._machine.room()
        self._scarce = room is not None and room < EARLY
        if self._machine.weak():
            self._weak_at = now
        elif self._weak_at is not None and now > self._weak_at + REMEMBERED:
            self._weak_at = None
        self._why = "brink" if room is not None and room < BRINK else self._tried()

    def _tried(self) -> str | None:
        if not self._doubt and self._why is None:
            return None
        self._doubt = False
        try:
            self._try_writing()
        except CannotWrite as error:
            return error.why
        return None

    def doubt(self) -> None:
        """Something could not be written that not everybody may know of: the next look tells whether it goes on."""
        self._doubt = True

    def halt(self, error: CannotWrite) -> None:
        """An act that everybody could see could not be written."""
        self._why = error.why

    @property
    def halted(self) -> Text | None:
        """Why no act counts just now, in a sentence; None while all is well."""
        return None if self._why is None else HALTED[self._why]

    @property
    def cares(self) -> list[Text]:
        """What should be seen to before it stops the game."""
        found = [SCARCE] if self._scarce and self._why is None else []
        return found if self._weak_at is None else [*found, WEAK]
