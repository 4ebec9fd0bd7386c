"""The MQTT library with limits. The library trusts its broker; this client accepts only packets that a broker may send.

Each packet is checked when its first byte is read and again when it is complete, before the library stores any of it.
So a broker cannot use up memory: there are no messages that wait for a second packet (QoS 2), no second connection, and
no confirmations of packets that were never sent.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes

LARGEST_PACKET: Final = 16 * 1024
"""Largest packet that is read, in bytes."""
MOST_UNSENT: Final = 128
"""Packets that may wait for a slow broker."""
BYTES_PER_TOKEN: Final = 512
"""Bytes of a packet that cost as much as another packet, because long ones take long to read."""
QOS: Final = 1
"""The QoS of every subscription; a broker may not send messages with a higher one."""
CONFIRMATIONS: Final = frozenset({PacketTypes.PUBACK, PacketTypes.SUBACK})
FROM_A_BROKER: Final = CONFIRMATIONS | {
    PacketTypes.CONNACK, PacketTypes.PUBLISH, PacketTypes.PINGRESP, PacketTypes.DISCONNECT,
}  # fmt: skip
"""Packets that a broker sends to a client that never publishes with QoS 2 and never unsubscribes."""


class RefusedPacket(OSError):
    """A packet that is refused."""


class LimitedClient(paho.Client):
    """An MQTT 5 client that ends the connection at the first packet that a broker may not send."""

    def __init__(self, name: str, awaits: Callable[[int, int], bool], spend: Callable[[float], None]) -> None:
        """`awaits(kind, number)` returns whether a PUBACK or SUBACK with this number is expected. `spend` is called
        with the cost of each packet, in packets. For an expected confirmation, only its length counts.

        Raises `OSError` if the system has no descriptor left.
        """
        super().__init__(CallbackAPIVersion.VERSION2, client_id=name, protocol=paho.MQTTv5, reconnect_on_failure=False)
        # The library would create this pair of sockets, which can wake it, only when it first waits.
        self._sockpairR, self._sockpairW = socket.socketpair()
        for end in (self._sockpairR, self._sockpairW):
            end.setblocking(False)
        self._awaits, self._spend = awaits, spend
        self._welcomed = False
        self.packets = 0
        """The number of received packets."""
        self.too_large = False
        self.unwanted = ""
        """The packet that ended the connection, for example `PUBLISH QoS 2`."""

    @property
    def half_read(self) -> bool:
        """Whether a packet has been received in part."""
        return self._in_packet["command"] != 0

    @property
    def is_stuck(self) -> bool:
        """Whether the broker does not read."""
        return len(self._out_packet) > MOST_UNSENT

    def wake(self) -> None:
        """End the waiting of `loop`. Any thread may call this."""
        if (end := self._sockpairW) is not None:
            with suppress(
                OSError
            ):  # the buffer is full, so the library will wake up anyway; or the socket was just closed
                end.send(b"!")

    def close(self) -> None:
        """Close all sockets."""
        self._reset_sockets()

    def _sock_recv(self, bufsize: int) -> bytes:
        # The library requests the whole rest of a packet, so `size` is the length of that rest.
        if bufsize > LARGEST_PACKET:
            self.too_large = True
            raise RefusedPacket("too large")
        data = super()._sock_recv(bufsize)
        if data and not self.half_read:
            self._check_first(data[0])
        return data

    def _check_first(self, first: int) -> None:
        """Check the first byte of a packet. Raises `RefusedPacket`."""
        # The upper four bits are the kind, bits 1 and 2 the QoS (MQTT 5, section 2.1).
        kind, qos = first >> 4, first >> 1 & 3
        if kind not in FROM_A_BROKER:
            self.unwanted = PacketTypes.Names[kind].upper()
        elif kind == PacketTypes.PUBLISH and qos > QOS:
            self.unwanted = f"PUBLISH QoS {qos}"
        if self.unwanted:
            raise RefusedPacket(self.unwanted)

    def _packet_handle(self) -> MQTTErrorCode:
        kind, packet = self._in_packet["command"] >> 4, self._in_packet["packet"]
        self.packets += 1
        confirms = kind in CONFIRMATIONS
        # PUBACK and SUBACK begin with the number of the packet that they confirm.
        awaited = confirms and self._awaits(kind, int.from_bytes(packet[:2], "big"))
        self._spend(len(packet) / BYTES_PER_TOKEN + (0 if awaited else 1))
        # The broker's first packet has to be CONNACK, and no other may be.
        if (confirms and not awaited) or self._welcomed == (kind == PacketTypes.CONNACK):
            self.unwanted = PacketTypes.Names[kind].upper()
            return MQTTErrorCode.MQTT_ERR_PROTOCOL
        self._welcomed = True
        return super()._packet_handle()
