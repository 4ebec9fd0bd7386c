"""Ties the table to the broker: follows the picture of the public, publishes it, and tries again when the line is lost.

A thread of its own, for which the table never waits. It knows no more than the TV: it follows the viewer TABLE.
"""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from engine.game import TABLE
from engine.text import Text
from firmware_host.api.interface import TableInterface
from firmware_host.core.encoding import Translate
from firmware_host.mqtt.club import Club
from firmware_host.mqtt.discovery import discovery
from firmware_host.mqtt.facts import Story, encoded, table_facts
from firmware_host.mqtt.line import BROKEN, Heard, Line
from firmware_host.mqtt.options import MqttOptions
from firmware_host.mqtt.orders import Orders
from firmware_host.mqtt.outbox import Outbox
from firmware_host.mqtt.topics import OFFLINE, ONLINE, Message, Topics

PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds before each new attempt; the last counts for all that follow."""
STEADY = 60.0
"""Seconds after which a connection that is lost is tried again as quickly as the first time."""
FAREWELL = 3.0
"""Seconds that the end may take."""

log = logging.getLogger("firmware_host")


class BrokerState(Struct, frozen=True):
    """How the line to the broker at `where` is, for people: whether it is `connected`, and what is wrong, if so."""

    where: str
    connected: bool = False
    fault: Text | None = None


class MqttBridge:
    """`table` at the broker of `options`; `club` hears of the others. `say` is the language of what is published."""

    def __init__(
        self,
        options: MqttOptions,
        table: TableInterface,
        club: Club,
        say: Translate = str,
        clock: Callable[[], float] = time.monotonic,
        pauses: tuple[float, ...] = PAUSES,
    ) -> None:
        self._options, self._table, self._club, self._clock, self._pauses = options, table, club, clock, pauses
        self._topics = Topics(options.prefix, options.table)
        self._outbox = Outbox(self._wake)
        self._screen = table.follow(TABLE, say)
        self._screen.on_news(self._wake)
        self._picture: dict[str, Any] = {}
        self._story = Story()
        self._orders = Orders(table, lambda said: self._outbox.tell(self._topics.answer, said), say)
        self._line: Line | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self.state = BrokerState(options.where)
        """Replaced, never changed; may be read from any thread."""

    def start(self) -> None:
        """Publish from now on."""
        for message in discovery(self._options.discovery, self._topics, self._options.title):
            self._outbox.keep(message.topic, message.payload)
        if self._options.commands:
            self._orders.start()
        self._thread.start()

    def stop(self) -> None:
        """Carry out no more commands, say that the table is offline, and publish nothing more. May be called before
        `start`.

        If the broker does not confirm in time that the table is offline, its last will says so. An attempt to connect
        that is under way is not waited for longer than `FAREWELL`; it publishes nothing.
        """
        self._stopped.set()
        self._orders.stop()
        self._outbox.keep(self._topics.availability, OFFLINE.encode())
        line = self._line
        if line is not None:
            line.end()
        if self._thread.is_alive():
            self._thread.join(FAREWELL)
        self._screen.close()

    def _wake(self) -> None:
        line = self._line
        if line is not None:
            line.wake()

    def _run(self) -> None:
        tries = 0
        while not self._stopped.is_set():
            began = self._clock()
            try:
                fault = self._connected_once()
            except Exception as error:  # whatever it was: the thread must live, or nothing is published any more
                fault = self._failure(error)
            self._club.forget()
            if fault is None or self._stopped.is_set():
                break
            if self.state.fault != fault:
                log.warning("%s", fault)
            self.state = BrokerState(self._options.where, False, fault)
            tries = 0 if self._clock() - began > STEADY else tries + 1
            self._stopped.wait(self._pauses[min(max(tries, 1), len(self._pauses)) - 1])

    def _failure(self, error: Exception) -> Text:
        """A fault of the table itself, in a sentence. Its own words are left out: they could hold a secret."""
        place = traceback.extract_tb(error.__traceback__)[-1]
        name = type(error).__name__
        log.error("The line to the MQTT broker failed: %s at %s:%s", name, place.filename, place.lineno)
        why = error.strerror if isinstance(error, OSError) else None
        return BROKEN.with_(where=self._options.where, why=why or name)

    def _connected_once(self) -> Text | None:
        """One connection, until it ends; why, in a sentence."""
        topics = self._topics
        will = Message(topics.availability, OFFLINE.encode(), retained=True)
        line = self._line = Line(
            self._options,
            f"sniperboard-{topics.table}",
            self._outbox,
            will,
            topics.heard(self._options.commands),
            on_open=self._opened,
            on_round=self._look,
            on_heard=self._heard,
        )
        if self._stopped.is_set():  # `stop` may have looked for the line before it was there
            line.end()
        try:
            return line.run()
        finally:
            self._line = None

    # --- on the line's thread -------------------------------------------------------------------------------------

    def _opened(self) -> None:
        """The broker lets the table in. What has happened before is past."""
        log.info("The MQTT broker at %s listens to the table.", self._options.where)
        self.state = BrokerState(self._options.where, True)
        self._take(live=False)
        self._outbox.keep(self._topics.availability, ONLINE.encode())
        if self._stopped.is_set():  # looked at last: `stop` may have said OFFLINE just before
            self._outbox.keep(self._topics.availability, OFFLINE.encode())

    def _look(self) -> None:
        self._take(live=True)
        line = self._line
        if line is not None and line.denied != self.state.fault:
            self.state = BrokerState(self._options.where, True, line.denied)
            log.warning("%s", line.denied)

    def _take(self, *, live: bool) -> None:
        """Publish how the table is now, and what has happened since the last time if that is to be heard (`live`)."""
        if (text := self._screen.next(0)) is not None:
            self._picture = msgspec.json.decode(text)
            news = self._story.news(self._picture)
            for one in news if live else ():
                for topic in (self._topics.event, self._topics.event_of(one.event_type)):
                    self._outbox.tell(topic, encoded(one))
        if self._picture:
            addresses = self._table.lobby()["addresses"]
            url = f"{addresses[0]}table" if addresses else ""
            facts = table_facts(self._picture, self._options.title, url)
            self._outbox.keep(self._topics.state, encoded(facts))

    def _heard(self, heard: Heard) -> None:
        """A broker may send more than was subscribed to; the rest is ignored."""
        if heard.topic == self._topics.command:
            if self._options.commands:
                self._orders.take(heard.payload, heard.retained)
            return
        beginning, _, rest = heard.topic.rpartition("/")
        prefix, _, table = beginning.rpartition("/")
        if prefix == self._options.prefix and rest in ("state", "availability"):
            self._club.hear(table, rest, heard.payload)
