"""What systemd receives: readiness, the heartbeat of the loop, and the end; nothing if it does not listen."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.app.notify import LEAST_WORK, Notify, Work
from tests.patience import PATIENCE

PID = 4711


class Listener:
    """A socket in systemd's place."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(PATIENCE)

    def messages(self) -> list[str]:
        return self.socket.recv(4096).decode().splitlines()

    def is_silent(self) -> bool:
        self.socket.setblocking(False)
        try:
            return not self.socket.recv(4096)
        except BlockingIOError:
            return True
        finally:
            self.socket.settimeout(PATIENCE)


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    listening = Listener(str(tmp_path / "notify"))
    yield listening
    listening.socket.close()


class Clock:
    now = 50.0

    def __call__(self) -> float:
        return self.now


def test_watchdog_is_notified_by_loop_four_times_per_period(tmp_path: Path, listener: Listener) -> None:
    clock = Clock()
    environment = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "10000000", "WATCHDOG_PID": str(PID)}
    notify = Notify(environment, PID, clock)
    clock.now += 2.4
    notify.beat()
    assert listener.is_silent()
    clock.now += 0.1
    notify.beat()
    assert listener.messages() == ["WATCHDOG=1"]
    notify.beat()
    assert listener.is_silent()


@pytest.mark.parametrize(
    "watchdog", [{}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "x"}, {"WATCHDOG_USEC": "1", "WATCHDOG_PID": "1"}]
)
def test_watchdog_of_another_process_is_not_notified(
    tmp_path: Path, listener: Listener, watchdog: dict[str, str]
) -> None:
    clock = Clock()
    notify = Notify({"NOTIFY_SOCKET": str(tmp_path / "notify"), **watchdog}, PID, clock)
    clock.now += 3600
    notify.beat()
    assert listener.is_silent()


def test_abstract_address_works() -> None:
    name = f"sniperboard-test-{os.getpid()}"
    listener = Listener("\0" + name)
    Notify({"NOTIFY_SOCKET": "@" + name}, PID, Clock()).report_ready("open\nREADY=0")
    assert listener.messages() == ["READY=1", "STATUS=open READY=0"]
    listener.socket.close()


@pytest.mark.parametrize("address", ["", "/nowhere/at/all"])
def test_nothing_happens_without_listener(address: str) -> None:
    notify = Notify({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1"}, PID, Clock())
    notify.report_ready("open")
    notify.beat()
    notify.report_stopping()


def test_daemon_sends_ready_heartbeats_and_stopping(tmp_path: Path, listener: Listener) -> None:
    command = [sys.executable, "-m", "firmware_host", "run", "--host", "127.0.0.1", "--port", "0"]
    environment = {**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"}
    daemon = subprocess.Popen(
        [*command, "--state", str(tmp_path / "state")], stdout=subprocess.DEVNULL, env=environment
    )
    ready = listener.messages()
    while ready == ["WATCHDOG=1"]:
        ready = listener.messages()
    assert ready[0] == "READY=1"
    assert re.fullmatch(r"STATUS=The table is open at http://127\.0\.0\.1:\d+/", ready[1])
    assert listener.messages() == ["WATCHDOG=1"]
    daemon.send_signal(signal.SIGTERM)
    last = listener.messages()
    while last == ["WATCHDOG=1"]:
        last = listener.messages()
    assert last == ["STOPPING=1"]
    assert daemon.wait(PATIENCE) == 0


def test_start_that_works_gets_more_time_until_it_is_done(tmp_path: Path, listener: Listener) -> None:
    notify = Notify({"NOTIFY_SOCKET": str(tmp_path / "notify")}, PID, Clock())
    with notify.report_starting(lambda: True, every=0):
        assert listener.messages() == listener.messages() == ["EXTEND_TIMEOUT_USEC=90000000"]
    while not listener.is_silent():
        pass  # what was sent before the end
    assert not any(thread.name == "start" for thread in threading.enumerate())


def test_table_does_not_wait_for_a_reader_that_is_late(tmp_path: Path, listener: Listener) -> None:
    notify = Notify({"NOTIFY_SOCKET": str(tmp_path / "notify")}, PID, Clock())
    more = int(Path("/proc/sys/net/unix/max_dgram_qlen").read_text()) + 2

    def fill() -> None:
        for _ in range(more):
            notify.report_stopping()

    # In a thread that can be left behind: without a limit, it would wait for ever.
    filling = threading.Thread(target=fill, daemon=True)
    filling.start()
    filling.join(PATIENCE)
    assert not filling.is_alive()
    assert listener.messages() == ["STOPPING=1"]


def test_start_that_hangs_gets_no_more_time(tmp_path: Path, listener: Listener) -> None:
    notify, asked = Notify({"NOTIFY_SOCKET": str(tmp_path / "notify")}, PID, Clock()), threading.Event()
    with notify.report_starting(lambda: asked.set() or False, every=0):
        assert asked.wait(PATIENCE)
    assert listener.is_silent()


def test_using_the_processor_is_work_and_waiting_is_none() -> None:
    work = Work()
    end = time.process_time() + LEAST_WORK
    while time.process_time() < end:
        pass
    assert work()
    assert not work()
