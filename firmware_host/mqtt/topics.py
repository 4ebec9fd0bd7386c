"""The topics of a table, and a message. Pure. docs/mqtt.md describes them."""

from __future__ import annotations

import re

from msgspec import Struct

from firmware_host.core.mqtt_checks import LONGEST_NAME

ONLINE, OFFLINE = "online", "offline"
"""Payloads of `Topics.availability`. The broker publishes the second if the connection is lost."""


def event_name(kind: object) -> str:
    """Return an event's kind as a part of a topic. A game may choose any text, such as a wildcard."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", str(kind))[:LONGEST_NAME]


class Message(Struct, frozen=True):
    """A message to publish. The broker stores `retained` messages for later subscribers."""

    topic: str
    payload: bytes
    retained: bool = False


class Topics:
    """The topics of the table called `table`, below `prefix`.

    `state` and `availability` are retained: the facts of the table, and whether it is online. `event` is for public
    events, also by kind (`event_of`, see `event_name`). `command` is for commands, `answer` for the answers to them.
    """

    def __init__(self, prefix: str, table: str) -> None:
        self.table = table
        self.state, self.availability, self.event, self.command, self.answer = (
            f"{prefix}/{table}/{name}" for name in ("state", "availability", "event", "command", "answer")
        )
        self.club = (f"{prefix}/+/state", f"{prefix}/+/availability")
        """The states and availabilities of all tables with this prefix."""

    def event_of(self, kind: str) -> str:
        """Return the topic of public events of one kind."""
        return f"{self.event}/{kind}"

    def subscriptions(self, commands: bool) -> tuple[str, ...]:
        """Return the topics to subscribe to, with or without `commands`."""
        return (*self.club, self.command) if commands else self.club
