"""The topics of a table, and a message. Pure. docs/mqtt.md describes them."""

from __future__ import annotations

from msgspec import Struct

ONLINE, OFFLINE = "online", "offline"
"""Payloads of `Topics.availability`. The broker publishes the second if the connection is lost."""


class Message(Struct, frozen=True):
    """A message to publish. The broker stores `retained` messages for later subscribers."""

    topic: str
    payload: bytes
    retained: bool = False


class Topics(Struct, frozen=True):
    """The topics of the table called `table`, below `prefix`."""

    prefix: str
    table: str

    @property
    def own(self) -> str:
        """The beginning of all topics of this table."""
        return f"{self.prefix}/{self.table}"

    @property
    def state(self) -> str:
        """The facts of the table, retained."""
        return f"{self.own}/state"

    @property
    def availability(self) -> str:
        """Whether the table is online, retained."""
        return f"{self.own}/availability"

    @property
    def event(self) -> str:
        """Public events."""
        return f"{self.own}/event"

    def event_of(self, kind: str) -> str:
        """Return the topic of public events of one kind."""
        return f"{self.event}/{kind}"

    @property
    def command(self) -> str:
        """Commands for the table."""
        return f"{self.own}/command"

    @property
    def answer(self) -> str:
        """Answers to commands."""
        return f"{self.own}/answer"

    @property
    def club(self) -> tuple[str, str]:
        """The states and availabilities of all tables with this prefix."""
        return f"{self.prefix}/+/state", f"{self.prefix}/+/availability"

    def subscriptions(self, commands: bool) -> tuple[str, ...]:
        """Return the topics to subscribe to, with or without `commands`."""
        return (*self.club, self.command) if commands else self.club
