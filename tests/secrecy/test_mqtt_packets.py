"""A secret act puts nothing on the line to an MQTT broker, and what everybody sees does."""

from __future__ import annotations

import socket
from pathlib import Path

from firmware_host.api.interface import TableInterface
from firmware_host.core import maps
from firmware_host.mqtt.bridge import MqttBridge
from firmware_host.mqtt.club import Club
from firmware_host.mqtt.options import MqttOptions
from tests.firmware_host.mqtt.broker import Broker, Ear, wait
from tests.secrecy.stack import HOME, Stack
from tests.secrecy.test_packets import secretly
from tests.secrecy.wire import Tap

STATE, EVENT = "sniperboard/den/state", "sniperboard/den/event"
PINGS = (b"\xc0\x00", b"\xd0\x00")
"""What keeps the line open, from each side: it follows from how long nothing was said."""
CONFIRMATION = b"\x40"
"""How the confirmation of a message begins; one may come late."""


def carried(tap: Tap, stack: Stack, broker: Broker, line: int) -> list[bytes]:
    """What went over the table's line to the broker so far, but for pings and bare confirmations."""
    last = socket.create_connection((HOME, broker.port), timeout=20)
    found = [packet.content for packet in tap.until(last, [line])]
    return [content for content in found if content and content not in PINGS and content[:1] != CONFIRMATION]


def test_a_secret_act_puts_no_packet_on_the_line_to_the_broker(tmp_path: Path, tap: Tap) -> None:
    (tmp_path / "state").mkdir()
    broker, stack = Broker(tmp_path / "broker"), Stack(tmp_path / "state", maps.load("launch-facility"))
    options = MqttOptions(HOME, broker.port, None, "", "", "sniperboard", "den", "Den", "", False)
    ear = Ear(broker.port)
    club = Club()
    bridge = MqttBridge(options, TableInterface(stack.loop, stack.access), club)
    bridge.start()
    try:
        stack.begin()
        ear.last(STATE, lambda it: it["stage"] == "playing" and it["to_act"] == ["sniper"])
        assert bridge._connection is not None
        line = bridge._connection._client.socket().getsockname()[1]
        settled(ear, stack, club)
        held = bridge._connection
        wait(lambda: bridge._outbox.empty and not held._unconfirmed)  # what has happened goes after how things are
        tap.on(broker.port)
        while carried(tap, stack, broker, line):
            pass  # what was sent before, and comes late to whoever looks on
        secretly(stack)
        # A fence: a change that everybody sees must be the first thing on the line after the secret acts.
        number = len(ear.all(STATE))
        stack.loop.call(lambda table: table.session.pause(True, ""))
        ear.last(STATE, lambda it: it["paused"])
        assert len(ear.all(STATE)) == number + 1
        told = carried(tap, stack, broker, line)
        assert told
        strange = [content for content in told if STATE.encode() not in content or b'"paused":true' not in content]
        assert strange == []
        stack.loop.call(lambda table: table.session.pause(False, ""))
    finally:
        bridge.stop()
        ear.close()
        stack.stop()
        broker.kill()


def settled(ear: Ear, stack: Stack, club: Club) -> None:
    """All that has been seen so far has been published, and heard by the table itself: a time-out after it has."""
    for paused in (True, False):
        stack.loop.call(lambda table, paused=paused: table.session.pause(paused, ""))
        ear.last(STATE, lambda it, paused=paused: it["paused"] == paused)
        wait(lambda paused=paused: club.tables()[0]["paused"] == paused)
