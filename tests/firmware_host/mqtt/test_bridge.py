"""The link between a table and a broker survives faults of the table, and does nothing once it is stopped."""

from __future__ import annotations

import errno
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.text import Text
from firmware_host.api.interface import TableInterface
from firmware_host.mqtt import bridge as bridges
from firmware_host.mqtt.bridge import MqttBridge
from firmware_host.mqtt.club import Club
from firmware_host.mqtt.commands import MOST_WAITING, CommandQueue
from tests.firmware_host.mqtt.broker import HOME
from tests.firmware_host.mqtt.test_broker import settings, table
from tests.firmware_host.mqtt.test_connection import answering, granting, options
from tests.patience import PATIENCE, until

SECRET = "the words of a fault"


@pytest.fixture
def interface(tmp_path: Path) -> Iterator[TableInterface]:
    """A table without a broker."""
    with table(settings(tmp_path, 1, mqtt_broker="")) as daemon:
        yield TableInterface(daemon._loop, daemon.admin_access)


def only_here(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, first: Callable[[], None]) -> None:
    """On the thread of a bridge, call `first` before the function of this name in `module`."""
    real = getattr(module, name)

    def called(*given: Any) -> Any:
        if threading.current_thread().name == "mqtt":
            first()
        return real(*given)

    monkeypatch.setattr(module, name, called)


def test_missing_descriptor_is_reported_and_retried(
    interface: TableInterface, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    short = threading.Event()
    short.set()

    def scarce() -> None:
        if short.is_set():
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    only_here(monkeypatch, socket, "socketpair", scarce)
    with answering(granting(1, 1), 1000) as port:
        bridge = MqttBridge(options(port), interface, Club(), pauses=(0.01,))
        bridge.start()
        fault = until(lambda: bridge.state.fault)
        assert f"{HOME}:{port} failed unexpectedly (Too many open files)" in fault
        short.clear()
        until(lambda: bridge.state.connected)
        assert bridge.state.fault is None
        bridge.stop()
    assert "failed: OSError in " in caplog.text


def test_fault_of_table_is_not_blamed_on_broker_or_quoted(
    interface: TableInterface, caplog: pytest.LogCaptureFixture
) -> None:
    repaired = threading.Event()

    def say(sentence: Text) -> str:
        if not repaired.is_set():
            raise LookupError(SECRET)
        return str(sentence)

    with answering(granting(1, 1), 1000) as port:
        bridge = MqttBridge(options(port), interface, Club(), say, pauses=(0.01,))
        bridge.start()
        fault = until(lambda: bridge.state.fault)
        assert f"{HOME}:{port} failed unexpectedly (LookupError)" in fault
        repaired.set()
        until(lambda: bridge.state.connected)
        bridge.stop()
    assert f"failed: LookupError in {__file__}, line" in caplog.text
    assert SECRET not in caplog.text


def test_connection_in_preparation_is_not_opened_after_stop(
    interface: TableInterface, monkeypatch: pytest.MonkeyPatch
) -> None:
    being_made, made = threading.Event(), threading.Event()

    def slowly() -> None:
        being_made.set()
        made.wait(PATIENCE)

    only_here(monkeypatch, socket, "socketpair", slowly)
    monkeypatch.setattr(bridges, "STOP_WITHIN", 0.0)
    with answering(granting(1, 1)) as port:
        bridge = MqttBridge(options(port), interface, Club())
        bridge.start()
        assert being_made.wait(PATIENCE)
        bridge.stop()
        made.set()
        until(lambda: bridge.state.connected or not bridge._thread.is_alive())
        assert not bridge.state.connected


def test_commands_waiting_at_stop_are_dropped(interface: TableInterface) -> None:
    begun, go_on = threading.Event(), threading.Event()
    answers: list[bytes] = []

    def answer(said: bytes) -> None:
        answers.append(said)
        begun.set()
        go_on.wait(PATIENCE)

    for waiting in (1, MOST_WAITING):
        begun.clear()
        go_on.clear()
        answers.clear()
        orders = CommandQueue(interface, answer)
        orders.start()
        orders.take(b"{", False)
        assert begun.wait(PATIENCE)
        for _ in range(waiting):
            orders.take(b"{", False)
        orders.stop()
        go_on.set()
        orders._thread.join(PATIENCE)
        assert not orders._thread.is_alive()
        assert len(answers) == 1
