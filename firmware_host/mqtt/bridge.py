"""Publishes the public picture to the broker, and reconnects when the connection is lost.

It runs in its own thread, for which the table never waits. It follows the viewer TABLE, so it knows no secrets.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from engine.game import TABLE
from engine.text import Text
from firmware_host.api.interface import TableInterface
from firmware_host.core.encoding import Translate
from firmware_host.core.errors import place_of
from firmware_host.mqtt.club import Club
from firmware_host.mqtt.commands import CommandQueue
from firmware_host.mqtt.connection import BROKEN, Connection
from firmware_host.mqtt.facts import PublicLog, discovery, table_facts
from firmware_host.mqtt.messages import OFFLINE, ONLINE, MqttMessage, Outbox, Topics
from firmware_host.mqtt.options import MqttOptions

RETRY_PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds before each new attempt. The last value applies to all that follow."""
STEADY_AFTER = 60.0
"""Seconds after which a lost connection is retried as quickly as the first time."""
STOP_WITHIN = 3.0
"""Seconds that stopping may take."""

log = logging.getLogger("firmware_host")


class BrokerState(Struct, frozen=True):
    """The state of the connection to the broker at `where`, for people."""

    where: str
    connected: bool = False
    fault: Text | None = None


class MqttBridge:
    """Publishes `table` to the broker of `options`, and passes other tables to `club`. `say` translates
    what is published.
    """

    def __init__(
        self,
        options: MqttOptions,
        table: TableInterface,
        club: Club,
        say: Translate = str,
        clock: Callable[[], float] = time.monotonic,
        pauses: tuple[float, ...] = RETRY_PAUSES,
    ) -> None:
        self._options, self._table, self._club, self._clock, self._pauses = options, table, club, clock, pauses
        self._topics = Topics(options.prefix, options.table)
        self._outbox = Outbox(self._wake)
        self._encode = msgspec.json.Encoder(enc_hook=say).encode
        self._screen = table.follow(TABLE, say)
        self._screen.on_news(self._wake)
        self._picture: dict[str, Any] = {}
        self._log = PublicLog()
        self._commands = CommandQueue(table, lambda answer: self._outbox.publish(self._topics.answer, answer), say)
        self._connection: Connection | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self.state = BrokerState(options.where)
        """Replaced, never changed. Any thread may read it."""

    def start(self) -> None:
        """Start publishing."""
        for message in discovery(self._options.discovery, self._topics, self._options.title):
            # Retained, so that Home Assistant finds the table after its own restart, too.
            self._outbox.publish_retained(message.topic, message.payload)
        if self._options.commands:
            self._commands.start()
        self._thread.start()

    def stop(self) -> None:
        """Stop carrying out commands, publish that the table is offline, and disconnect. May be called before `start`.

        If the broker does not confirm in time, it publishes the last will. A running attempt to connect is not awaited
        longer than `STOP_WITHIN`; it publishes nothing.
        """
        self._stopped.set()
        self._commands.stop()
        self._outbox.publish_retained(self._topics.availability, OFFLINE.encode())
        connection = self._connection
        if connection is not None:
            connection.end()
        if self._thread.is_alive():
            self._thread.join(STOP_WITHIN)
        self._screen.close()

    def _wake(self) -> None:
        connection = self._connection
        if connection is not None:
            connection.wake()

    def _run(self) -> None:
        tries = 0
        while not self._stopped.is_set():
            began = self._clock()
            try:
                fault = self._connected_once()
            except Exception as error:  # any error: the thread must survive, or nothing is published
                fault = self._failure(error)
            # Without a connection, nothing is known of the other tables.
            self._club.forget()
            if fault is None or self._stopped.is_set():
                break
            # One log line per fault, not one per attempt: a broker may be away for days.
            if self.state.fault != fault:
                log.warning("%s", fault)
            self.state = BrokerState(self._options.where, False, fault)
            tries = 0 if self._clock() - began > STEADY_AFTER else tries + 1
            self._stopped.wait(self._pauses[min(max(tries, 1), len(self._pauses)) - 1])

    def _failure(self, error: Exception) -> Text:
        """Return the sentence about a bug of our own, without the error's message, which could contain a secret."""
        log.error("The connection to the MQTT broker failed: %s", place_of(error))
        why = error.strerror if isinstance(error, OSError) else None
        return BROKEN.with_(where=self._options.where, why=why or type(error).__name__)

    def _connected_once(self) -> Text | None:
        """Run one connection until it ends. Return why, in a sentence."""
        topics = self._topics
        will = MqttMessage(topics.availability, OFFLINE.encode(), retained=True)
        connection = self._connection = Connection(
            self._options,
            f"sniperboard-{topics.table}",
            self._outbox,
            will,
            topics.subscriptions(self._options.commands),
            on_open=self._opened,
            on_round=self._publish_and_check,
            on_message=self._received,
        )
        if self._stopped.is_set():  # `stop` may have been called before the connection existed
            connection.end()
        try:
            return connection.run()
        finally:
            self._connection = None

    # --- on the connection's thread -------------------------------------------------------------------------------

    def _opened(self) -> None:
        """The broker has accepted the connection. Earlier events are not published."""
        log.info("Connected to the MQTT broker at %s.", self._options.where)
        self.state = BrokerState(self._options.where, True)
        self._take(live=False)
        self._outbox.publish_retained(self._topics.availability, ONLINE.encode())
        if self._stopped.is_set():  # checked last: `stop` may have queued OFFLINE just before
            self._outbox.publish_retained(self._topics.availability, OFFLINE.encode())

    def _publish_and_check(self) -> None:
        self._take(live=True)
        connection = self._connection
        if connection is not None and connection.denied != self.state.fault:
            self.state = BrokerState(self._options.where, True, connection.denied)
            log.warning("%s", connection.denied)

    def _take(self, *, live: bool) -> None:
        """Publish the current state and, if `live`, the events since the last call."""
        if (text := self._screen.next(0)) is not None:
            self._picture = msgspec.json.decode(text)
            # Call this in any case, so that earlier events do not count as new later.
            news = self._log.news(self._picture)
            for happening in news if live else ():
                for topic in (self._topics.event, f"{self._topics.event}/{happening.event_type}"):
                    self._outbox.publish(topic, self._encode(happening))
        if self._picture:
            addresses = self._table.lobby()["addresses"]
            url = f"{addresses[0]}table" if addresses else ""
            facts = table_facts(self._picture, self._options.title, url)
            self._outbox.publish_retained(self._topics.state, self._encode(facts))

    def _received(self, received: MqttMessage) -> None:
        """Handle a message. A broker may send more than was subscribed to; the rest is ignored."""
        if received.topic == self._topics.command:
            if self._options.commands:
                self._commands.take(received.payload, received.retained)
            return
        beginning, _, last = received.topic.rpartition("/")
        prefix, _, table = beginning.rpartition("/")
        if prefix == self._options.prefix and last in ("state", "availability"):
            # Payloads of other tables are untrusted; the club checks and limits them.
            self._club.receive(table, last, received.payload)
