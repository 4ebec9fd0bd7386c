"""Messages that wait to be published: the latest payload of each retained topic, and the last few events.

Its size is limited, whatever a broker does. Thread-safe.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from firmware_host.mqtt.topics import Message

MOST_UNRETAINED = 64
"""Waiting messages that are not retained. The oldest is dropped."""


class Outbox:
    """`wake` is called, from any thread, when a message was added. It must not block."""

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self._wake, self._guard = wake, threading.Lock()
        self._kept: dict[str, bytes] = {}
        # Used as a set with an order: a topic that is due already keeps its place.
        self._due: dict[str, None] = {}
        self._unretained: deque[Message] = deque(maxlen=MOST_UNRETAINED)

    def keep(self, topic: str, payload: bytes) -> None:
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
            self._unretained.append(Message(topic, payload))
        self._wake()

    def publish_again(self) -> None:
        """Publish all retained payloads again after a new connection, and drop the other messages."""
        with self._guard:
            self._due = dict.fromkeys(self._kept)
            self._unretained.clear()

    def next(self) -> Message | None:
        """Remove and return the next message, retained ones first; None if there is none."""
        with self._guard:
            if self._due:
                topic = next(iter(self._due))
                del self._due[topic]
                return Message(topic, self._kept[topic], retained=True)
            return self._unretained.popleft() if self._unretained else None

    @property
    def empty(self) -> bool:
        """Whether no message waits."""
        with self._guard:
            return not (self._due or self._unretained)
