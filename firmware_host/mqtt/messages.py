"""What the table sends to the broker: the topics of a table, a message, and the messages that wait to be published.

docs/mqtt.md describes the topics.
"""

from __future__ import annotations

import re
import threading
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from firmware_host.core.mqtt_checks import LONGEST_NAME

ONLINE, OFFLINE = "online", "offline"
"""Payloads of `Topics.availability`. The broker publishes the second if the connection is lost."""


def event_name(kind: object) -> str:
    """Return an event's kind as a part of a topic. A game may choose any text, such as a wildcard."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", str(kind))[:LONGEST_NAME]


class MqttMessage(Struct, frozen=True):
    """A message to publish, or one from the broker. The broker stores `retained` messages for later subscribers."""

    topic: str
    payload: bytes
    retained: bool = False


class Topics:
    """The topics of the table called `table`, below `prefix`.

    `state` and `availability` are retained: the facts of the table, and whether it is online. `event` is for public
    events, also below it by kind (see `event_name`). `command` is for commands, `answer` for the answers to them.
    """

    def __init__(self, prefix: str, table: str) -> None:
        self.table = table
        self.state, self.availability, self.event, self.command, self.answer = (
            f"{prefix}/{table}/{name}" for name in ("state", "availability", "event", "command", "answer")
        )
        self.club = (f"{prefix}/+/state", f"{prefix}/+/availability")
        """The states and availabilities of all tables with this prefix."""

    def subscriptions(self, commands: bool) -> tuple[str, ...]:
        """Return the topics to subscribe to, with or without `commands`."""
        return (*self.club, self.command) if commands else self.club


MOST_UNRETAINED = 64
"""Waiting messages that are not retained. The oldest is dropped."""


class Outbox:
    """`wake` is called, from any thread, when a message was added. It must not block."""

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self._wake, self._guard = wake, threading.Lock()
        self._kept: dict[str, bytes] = {}
        # Used as a set with an order: a topic that is due already keeps its place.
        self._due: dict[str, None] = {}
        self._unretained: deque[MqttMessage] = deque(maxlen=MOST_UNRETAINED)

    def publish_retained(self, topic: str, payload: bytes) -> None:
        """Publish this as the retained payload of its topic, unless it is the current one."""
        with self._guard:
            if self._kept.get(topic) == payload:
                return
            self._kept[topic] = payload
            self._due[topic] = None
        self._wake()

    def publish(self, topic: str, payload: bytes) -> None:
        """Publish this once, not retained."""
        with self._guard:
            self._unretained.append(MqttMessage(topic, payload))
        self._wake()

    def publish_again(self) -> None:
        """Publish all retained payloads again after a new connection, and drop the other messages."""
        with self._guard:
            self._due = dict.fromkeys(self._kept)
            self._unretained.clear()

    def next(self) -> MqttMessage | None:
        """Remove and return the next message, retained ones first; None if there is none."""
        with self._guard:
            if self._due:
                topic = next(iter(self._due))
                del self._due[topic]
                return MqttMessage(topic, self._kept[topic], retained=True)
            return self._unretained.popleft() if self._unretained else None

    @property
    def empty(self) -> bool:
        """Whether no message waits."""
        with self._guard:
            return not (self._due or self._unretained)
