"""Events and their audiences: which viewers receive what.

A secret is a separate event with its own audience. No event has a secret field.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class Event(Struct, frozen=True, gc=False):
    """Something that happened. Games define subclasses with a tag, whose fields hold no other event.

    Events and commands are values without cycles, so they are exempt from garbage collection. For example::

        class Walked(Event, tag="walked", frozen=True):
            seat: str
            to: str
    """


class Audience(Struct, frozen=True, gc=False):
    """The seats that receive an event. `seats` None means everyone, including spectators and lamps."""

    seats: tuple[str, ...] | None

    def includes(self, viewer: str) -> bool:
        """Return whether `viewer` (a seat, or `table` for the public) receives the event."""
        return self.seats is None or viewer in self.seats


EVERYONE: Final = Audience(None)


def only(*seats: str) -> Audience:
    """Return an audience of just these seats. The referee receives every event; without seats, no one else does."""
    return Audience(seats)


class Told(Struct, frozen=True, gc=False):
    """An event with its audience, for example `Told(Hidden("a1"), only("hider"))`. The audience is required."""

    event: Event
    audience: Audience
