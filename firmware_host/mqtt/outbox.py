"""What waits to be published: of each retained topic the latest payload, and the last few things that happened.

Bounded whatever a broker does. Safe to use from any thread.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from firmware_host.mqtt.topics import Message

MOST_PASSING = 64
"""Messages that are not retained and wait; the oldest goes."""


class Outbox:
    """`wake` is called, from any thread, when there is something new in it; it must not block."""

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self._wake, self._guard = wake, threading.Lock()
        self._kept: dict[str, bytes] = {}
        self._due: dict[str, None] = {}
        self._passing: deque[Message] = deque(maxlen=MOST_PASSING)

    def keep(self, topic: str, payload: bytes) -> None:
        """Publish this as the retained payload of its topic, unless that is what it is already."""
        with self._guard:
            if self._kept.get(topic) == payload:
                return
            self._kept[topic] = payload
            self._due[topic] = None
        self._wake()

    def tell(self, topic: str, payload: bytes) -> None:
        """Publish this once, for those who listen now."""
        with self._guard:
            self._passing.append(Message(topic, payload))
        self._wake()

    def again(self) -> None:
        """A broker that may have forgotten everything: what is retained is due anew, what has passed is past."""
        with self._guard:
            self._due = dict.fromkeys(self._kept)
            self._passing.clear()

    def next(self) -> Message | None:
        """Take out what is to be published next; None where there is nothing. What is retained goes first."""
        with self._guard:
            if self._due:
                topic = next(iter(self._due))
                del self._due[topic]
                return Message(topic, self._kept[topic], retained=True)
            return self._passing.popleft() if self._passing else None

    @property
    def empty(self) -> bool:
        """Whether nothing waits."""
        with self._guard:
            return not (self._due or self._passing)
