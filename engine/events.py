"""Who is told what. A secret is an event of its own, with an audience of its own; no event has a secret field."""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class Event(Struct, frozen=True, gc=False):
    """Something that happened. Games define theirs as tagged subclasses, whose values hold no event themselves.

    Events, like commands, are values without cycles, so that the garbage collector need not look at them.
    """


class Audience(Struct, frozen=True, gc=False):
    """The seats that an event is told to; `seats` None means everybody, spectators and lamps included."""

    seats: tuple[str, ...] | None

    def includes(self, viewer: str) -> bool:
        """Whether `viewer` (a seat, or `table` for the public) hears of it."""
        return self.seats is None or viewer in self.seats


EVERYONE: Final = Audience(None)


def only(*seats: str) -> Audience:
    """An audience of just these seats. `only()` is heard by the referee alone, who always hears everything."""
    return Audience(seats)


class Told(Struct, frozen=True, gc=False):
    """An event together with its audience. There is no default audience: whoever tells, decides."""

    event: Event
    audience: Audience
