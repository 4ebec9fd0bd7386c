"""The topics of a table, and a message. Pure; docs/mqtt.md tells of them."""

from __future__ import annotations

from msgspec import Struct

ONLINE, OFFLINE = "online", "offline"
"""What is published on `Topics.availability`; the second by the broker if the table vanishes."""


class Message(Struct, frozen=True):
    """Something to be published. What is `retained` the broker keeps, and gives to whoever comes later."""

    topic: str
    payload: bytes
    retained: bool = False


class Topics(Struct, frozen=True):
    """The topics of the table called `table`, below `prefix`."""

    prefix: str
    table: str

    @property
    def own(self) -> str:
        """What all topics of this table begin with."""
        return f"{self.prefix}/{self.table}"

    @property
    def state(self) -> str:
        """The facts of the table, retained."""
        return f"{self.own}/state"

    @property
    def availability(self) -> str:
        """Whether the table is there, retained."""
        return f"{self.own}/availability"

    @property
    def event(self) -> str:
        """Each thing that has happened."""
        return f"{self.own}/event"

    def event_of(self, kind: str) -> str:
        """The same, for one kind of it alone."""
        return f"{self.event}/{kind}"

    @property
    def command(self) -> str:
        """Where the table hears commands."""
        return f"{self.own}/command"

    @property
    def answer(self) -> str:
        """What the table says to a command."""
        return f"{self.own}/answer"

    @property
    def club(self) -> tuple[str, str]:
        """The states and availabilities of all tables with this prefix."""
        return f"{self.prefix}/+/state", f"{self.prefix}/+/availability"

    def heard(self, commands: bool) -> tuple[str, ...]:
        """What the table listens to, with or without `commands`."""
        return (*self.club, self.command) if commands else self.club
