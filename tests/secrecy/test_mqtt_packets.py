"""A secret act sends nothing to an MQTT broker, and a public act does."""

from __future__ import annotations

import socket
from pathlib import Path

import msgspec

from firmware_host.api.interface import TableInterface
from firmware_host.core import maps
from firmware_host.mqtt.bridge import MqttBridge
from firmware_host.mqtt.club import Club
from firmware_host.mqtt.facts import table_facts
from firmware_host.mqtt.options import MqttOptions
from tests.firmware_host.mqtt.broker import Broker, Ear
from tests.patience import PATIENCE, until
from tests.secrecy.stack import HOME, Stack
from tests.secrecy.test_packets import act_secretly
from tests.secrecy.wire import Tap

STATE, EVENT = "sniperboard/den/state", "sniperboard/den/event"
PINGS = (b"\xc0\x00", b"\xd0\x00")
"""Keep-alive packets of both sides. They depend on how long nothing was sent."""
CONFIRMATION = b"\x40"
"""The first byte of a message's acknowledgement, which may arrive late."""


def packets_sent(tap: Tap, stack: Stack, broker: Broker, line: int) -> list[bytes]:
    """Return what was sent to the broker so far, without pings and plain acknowledgements."""
    last = socket.create_connection((HOME, broker.port), timeout=PATIENCE)
    found = [packet.content for packet in tap.until(last, [line])]
    return [content for content in found if content and content not in PINGS and content[:1] != CONFIRMATION]


def test_secret_act_sends_no_packet_to_the_broker(tmp_path: Path, tap: Tap) -> None:
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
        tap.on(broker.port)
        wait_until_published(ear, stack, club)
        held = bridge._connection
        until(lambda: bridge._outbox.empty and not held._unconfirmed)  # events are sent after the state
        while packets_sent(tap, stack, broker, line):
            pass  # this was sent before, and reaches subscribers late
        act_secretly(stack)
        # A fence: a public change must be the first thing sent after the secret acts.
        number = len(ear.all(STATE))
        stack.loop.call(lambda table: table.session.pause(True, ""))
        ear.last(STATE, lambda it: it["paused"])
        assert len(ear.all(STATE)) == number + 1
        sent = packets_sent(tap, stack, broker, line)
        assert sent
        strange = [content for content in sent if STATE.encode() not in content or b'"paused":true' not in content]
        assert strange == []
        stack.loop.call(lambda table: table.session.pause(False, ""))
    finally:
        bridge.stop()
        ear.close()
        stack.stop()
        broker.close()


def wait_until_published(ear: Ear, stack: Stack, club: Club) -> None:
    """Wait until everything so far has been published and the table itself has received it, ended by a time-out."""
    for paused in (True, False):
        stack.loop.call(lambda table, paused=paused: table.session.pause(paused, ""))
        stack.settle()
        # All of the facts: a pause may be published before what the loop does next.
        facts = msgspec.to_builtins(table_facts(stack.picture("table"), "Den", ""), enc_hook=str)
        ear.last(STATE, lambda it, facts=facts: it == facts)
        until(lambda facts=facts: facts.items() <= club.tables()[0].items())
