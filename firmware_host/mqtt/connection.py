"""One connection to a broker, on the thread that calls `run`.

Everything that the broker does is limited: the kinds, size, duration and number of its packets, the time for each
answer, and the number of messages that it has not confirmed.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Sequence
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from engine.text import Text
from firmware_host.mqtt.client import LARGEST_PACKET, QOS, LimitedClient
from firmware_host.mqtt.messages import MqttMessage, Outbox, Topics
from firmware_host.mqtt.options import MqttOptions
from hardware.token_bucket import TokenBucket

TIMEOUT = 10.0
"""Seconds for the broker to accept the connection, to confirm a message, and to finish a packet."""
KEEPALIVE = 30
"""Seconds after which a silent connection is tested."""
MOST_UNCONFIRMED = 16
"""Messages that may be unconfirmed at the same time."""
RATE, BURST = 50.0, 500.0
"""Packets that are read per second, and at once: at the beginning, all tables of a club are received."""
CHECK_EVERY = 1.0
"""Longest time in seconds between two checks of timeouts."""
NORMAL, WITH_WILL = "Normal disconnection", "Disconnect with will message"
"""Reasons of a DISCONNECT in the library. With the second, the broker publishes the last will."""

UNREACHED = Text("The MQTT broker at {where} cannot be reached ({why}). Is it running, and is the address right?")
REFUSED = Text("The MQTT broker at {where} refuses the table ({why}). Check user, password and the broker's log.")
UNTRUSTED = Text("The certificate of the MQTT broker at {where} cannot be trusted ({why}). Check mqtt_ca.")
SILENT = Text("The MQTT broker at {where} does not answer.")
LOST = Text("The connection to the MQTT broker at {where} was lost ({why}).")
ODD = Text("The server at {where} does not speak MQTT 5, or sends too large packets. Is that the port of the broker?")
BREAKS = Text("The MQTT broker at {where} breaks the rules of MQTT ({packet}). Update it, or use another broker.")
FLOODED = Text("The MQTT broker at {where} sends too many messages. Who publishes so much below {prefix}?")
UNHEARD = Text(
    "The MQTT broker at {where} does not let the table subscribe to {topic} ({why}). Check its access rules."
)
DENIED = Text("The MQTT broker at {where} does not let the table publish on {topic} ({why}). Check its access rules.")
BROKEN = Text("The connection to the MQTT broker at {where} failed unexpectedly ({why}). See the table's log.")


class _Socket(ssl.SSLSocket):
    """Closes itself if the handshake fails, which the library forgets to do."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


class Connection:
    """A connection to the broker of `options` under the name `client`. Any thread may call `end` and `wake`."""

    def __init__(
        self,
        options: MqttOptions,
        client: str,
        outbox: Outbox,
        will: MqttMessage | None = None,
        topics: Sequence[str] = (),
        on_open: Callable[[], None] = lambda: None,
        on_round: Callable[[], None] = lambda: None,
        on_message: Callable[[MqttMessage], None] = lambda message: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`topics` are those to subscribe to. On the thread of `run`, `on_open` is called once the broker has accepted
        the connection, `on_round` each time the thread wakes up, and `on_message` with each message. Raises `OSError`
        if the system has no descriptor left.
        """
        self._options, self._outbox, self._topics, self._clock = options, outbox, topics, clock
        self._on_open, self._on_round, self._on_message = on_open, on_round, on_message
        self._client = self._create_client(client, will)
        self._received: list[MqttMessage] = []
        self._unconfirmed: dict[int, tuple[str, float]] = {}
        self._most_unconfirmed = MOST_UNCONFIRMED
        self._bucket = TokenBucket(RATE, BURST, CHECK_EVERY)
        self._half_read = (-1, 0.0)
        self._open = self._ending = self._refused = False
        self._why = ""
        self.denied: Text | None = None
        """Why the broker refuses some topics, or None."""

    def _create_client(self, name: str, will: MqttMessage | None) -> LimitedClient:
        client = LimitedClient(name, self._awaits, lambda cost: self._bucket.spend(cost, self._clock()))
        client.connect_timeout = TIMEOUT
        # More than `_send` ever sends, so that the library itself holds nothing back.
        client.max_inflight_messages_set(2 * MOST_UNCONFIRMED)
        client.max_queued_messages_set(2 * MOST_UNCONFIRMED)
        if self._options.user:
            client.username_pw_set(self._options.user, self._options.password or None)
        if self._options.tls is not None:
            self._options.tls.sslsocket_class = _Socket
            client.tls_set_context(self._options.tls)
        if will is not None:
            client.will_set(will.topic, will.payload, qos=1, retain=will.retained)
        client.on_connect = self._connected
        client.on_disconnect = self._disconnected
        client.on_publish = self._confirmed
        client.on_subscribe = self._subscribed
        client.on_message = self._message
        return client

    # --- for any thread -------------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Wake up the thread of `run`, because there is something to do."""
        self._client.wake()

    def end(self) -> None:
        """Publish the waiting messages if that is quick, and disconnect. If not all are confirmed, the broker publishes
        the last will. If the connection is not open yet, nothing is published.
        """
        self._ending = True
        self.wake()

    @property
    def settled(self) -> bool:
        """Whether the broker has confirmed everything. For the thread of `run`."""
        return not self._unconfirmed

    # --- the connection -------------------------------------------------------------------------------------------

    def run(self) -> Text | None:
        """Connect, and serve the connection until it ends. Return why, in a sentence; None if `end` was called.

        Raises what the callbacks raise, and `OSError` if the system has no descriptor left.
        """
        try:
            if self._ending:
                return None
            if (fault := self._connect()) is not None:
                return fault
            fault = self._serve_until_end()
            if fault is None:
                self._disconnect()
            return fault
        finally:
            self._client.close()

    def _disconnect(self) -> None:
        """Send DISCONNECT. A normal one makes the broker discard the last will, so it is sent only if the broker has
        confirmed everything, including the new availability.
        """
        delivered = self._open and self.settled and self._outbox.empty
        reason = NORMAL if delivered else WITH_WILL
        self._client.disconnect(ReasonCode(PacketTypes.DISCONNECT, reason))
        # No loop will run again to send it.
        self._client.loop_write()

    def _connect(self) -> Text | None:
        options, properties = self._options, Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        # A broker that follows MQTT 5 sends no larger packet.
        properties.MaximumPacketSize = LARGEST_PACKET
        try:
            # A clean start: the broker drops what it kept of an earlier connection.
            self._client.connect(options.host, options.port, KEEPALIVE, clean_start=True, properties=properties)
        # All of these errors are an `OSError`, so the most specific ones come first.
        except ssl.SSLCertVerificationError as error:
            return self._say(UNTRUSTED, error.verify_message)
        except ssl.SSLError as error:
            return self._say(UNREACHED, f"TLS: {error.reason or 'broken'}")
        except TimeoutError:
            return self._say(SILENT)
        except (OSError, ValueError) as error:  # ValueError: an impossible host name
            return self._say(UNREACHED, getattr(error, "strerror", "") or str(error) or type(error).__name__)
        return None

    def _serve_until_end(self) -> Text | None:
        """Serve the connection. Return why it ended."""
        opened_by, ending_by = self._clock() + TIMEOUT, 0.0
        while self._open or not self._ending:
            if (fault := self._serve()) is not None:
                return fault
            now = self._clock()
            if not self._open and now > opened_by:
                return self._say(SILENT)
            # An open connection that confirms nothing is as useless as a closed one.
            if self._open and (self._stalls(now) or any(by < now for _, by in self._unconfirmed.values())):
                return self._say(SILENT)
            if self._bucket.excess.lasting(now):
                return FLOODED.with_(where=self._options.where, prefix=self._options.prefix)
            if self._ending:
                # A slow broker must not delay the end of the daemon.
                ending_by = ending_by or now + CHECK_EVERY
                if now > ending_by or (self.settled and self._outbox.empty):
                    return None
        return None

    def _stalls(self, now: float) -> bool:
        """Return whether the broker does not read, or does not finish a packet in time."""
        packets, by = self._half_read
        if not self._client.half_read:
            self._half_read = -1, 0.0
        elif packets != self._client.packets:
            self._half_read = self._client.packets, now + TIMEOUT
        elif by < now:
            return True
        return self._client.is_stuck

    def _serve(self) -> Text | None:
        """Wait for something to do, and do it. Return why the connection has ended, or None.

        No callback of the table is called inside the library, so that the broker is not blamed for its errors.
        """
        time.sleep(self._bucket.seconds_to_wait(self._clock()))  # read a flood slowly; the rest stays with the broker
        was_open = self._open
        try:
            code = self._client.loop(CHECK_EVERY)
        except Exception:  # the library raises many errors for invalid data
            code = MQTTErrorCode.MQTT_ERR_PROTOCOL
        if self._open and not was_open:
            self._on_open()
        received, self._received = self._received, []
        for message in received:
            self._on_message(message)
        if code != MQTTErrorCode.MQTT_ERR_SUCCESS or self._client.socket() is None:
            return self._end_reason(code)
        if self._open:
            self._on_round()
            self._send()
        return None

    def _send(self) -> None:
        while len(self._unconfirmed) < self._most_unconfirmed and (message := self._outbox.next()) is not None:
            # With QoS 1, the broker confirms each message.
            sent = self._client.publish(message.topic, message.payload, qos=1, retain=message.retained)
            self._unconfirmed[sent.mid] = message.topic, self._clock() + TIMEOUT

    def _end_reason(self, code: MQTTErrorCode) -> Text:
        """Return why the connection has ended."""
        if self._refused:
            return self._say(REFUSED, self._why)
        if self._open and self._client.unwanted:
            return BREAKS.with_(where=self._options.where, packet=self._client.unwanted)
        if code == MQTTErrorCode.MQTT_ERR_PROTOCOL or self._client.too_large or self._client.unwanted:
            return self._say(ODD)
        return self._say(LOST, self._why or "the connection was closed")

    def _say(self, sentence: Text, why: str = "") -> Text:
        return sentence.with_(where=self._options.where, why=why) if why else sentence.with_(where=self._options.where)

    # --- callbacks of the library, on the same thread -------------------------------------------------------------

    def _connected(self, client: Any, _: Any, __: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._why, self._refused = str(reason), True
            return
        self._open = True
        # With more unconfirmed messages than this, a broker may close the connection. The default is 65535.
        self._most_unconfirmed = max(1, min(MOST_UNCONFIRMED, getattr(properties, "ReceiveMaximum", MOST_UNCONFIRMED)))
        if self._topics:
            _, mid = client.subscribe([(topic, SubscribeOptions(qos=QOS)) for topic in self._topics])
            self._unconfirmed[mid] = "", self._clock() + TIMEOUT
        # Messages that were on their way when the last connection broke may be lost, so publish all state again.
        self._outbox.publish_again()

    def _disconnected(self, _: Any, __: Any, ___: Any, reason: Any, ____: Any) -> None:
        if not self._refused:
            self._why = str(reason)

    def _awaits(self, kind: int, number: int) -> bool:
        """Return whether this confirmation is expected. Subscriptions are stored without a topic."""
        expected = self._unconfirmed.get(number)
        return expected is not None and (not expected[0]) == (kind == PacketTypes.SUBACK)

    def _confirmed(self, _: Any, __: Any, mid: int, reason: Any, ___: Any) -> None:
        topic, _by = self._unconfirmed.pop(mid, ("", 0.0))
        if reason.is_failure and self.denied is None:  # one sentence per connection is enough
            self.denied = DENIED.with_(where=self._options.where, topic=topic, why=str(reason))

    def _subscribed(self, _: Any, __: Any, mid: int, reasons: Sequence[Any], ___: Any) -> None:
        self._unconfirmed.pop(mid, None)
        refused = [(topic, str(why)) for topic, why in zip(self._topics, reasons, strict=False) if why.is_failure]
        if refused:
            names = ", ".join(topic for topic, _why in refused)
            self.denied = UNHEARD.with_(where=self._options.where, topic=names, why=refused[0][1])

    def _message(self, _: Any, __: Any, message: paho.MQTTMessage) -> None:
        # Raises if the topic is not UTF-8.
        self._received.append(MqttMessage(message.topic, bytes(message.payload), message.retain))


def connection_fault(options: MqttOptions) -> Text | None:
    """Test the connection and the subscriptions. Return why they fail, or None."""

    def look() -> None:
        if connection.settled:
            connection.end()

    topics = Topics(options.prefix, options.table).subscriptions(options.commands)
    connection = Connection(options, f"sniperboard-{options.table}-doctor", Outbox(), topics=topics, on_round=look)
    return connection.run() or connection.denied
