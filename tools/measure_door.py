"""`python -m tools.measure_door`: how long an edge waits for the loop while strangers lean on the door.

The table runs in this process as the daemon puts it together, the strangers in another. Every few milliseconds an edge
of a wire that goes nowhere is left in the inbox, as a driver does it, and the time until the table feels it is taken.
Nothing here is asserted anywhere: figures of a machine are not promises. docs/trust.md says what they mean.
"""

from __future__ import annotations

import http.client
import json
import os
import platform
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import date

from firmware_host.app.daemon import Daemon
from firmware_host.app.settings import settle
from hardware.ports import Edge, Note

SECONDS = 6.0
EVERY = 0.004
NOWHERE = 10_000
"""The number of a wire that goes nowhere."""
THREADS = 48
STRANGER = "127.0.0.7"
"""Another address of this machine, which the door takes for another machine."""


def measure(load: str, probes: Probes, port: int) -> str:
    """One line of the table: what leaned on the door, and how long edges waited meanwhile (ms)."""
    running = None
    if load != "nothing":
        command = [sys.executable, "-m", "tools.measure_door", load, str(port)]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert running.stdout is not None
        running.stdout.readline()
    waits = sorted(probes.take(SECONDS))
    done = ""
    if running is not None:
        running.terminate()
        done = running.communicate()[0].strip()
    figures = [waits[len(waits) // 2], waits[int(len(waits) * 0.99)], waits[-1]]
    return f"| {LOADS[load][0]} | {' | '.join(f'{1000 * figure:.1f}' for figure in figures)} | {done} |"


class Probes:
    """Edges left in a table's inbox, and when they were felt."""

    def __init__(self, daemon: Daemon) -> None:
        self._inbox = daemon._loop._inbox
        self._waits: list[float] = []
        table = daemon._loop._table
        feel = table.feel

        def felt(note: Note) -> None:
            if isinstance(note, Edge) and note.sensor == NOWHERE:
                self._waits.append(time.monotonic() - note.at)
            else:
                feel(note)

        table.feel = felt  # type: ignore[method-assign]

    def take(self, seconds: float) -> list[float]:
        """How long each edge waited, in seconds."""
        self._waits.clear()
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            self._inbox.put(Edge(NOWHERE, True, now))
            time.sleep(EVERY)
        return list(self._waits)


# --- the strangers, in a process of their own -------------------------------------------------------------------


def ask(port: int, address: str, method: str, path: str, body: object = None) -> int:
    """One request; its status."""
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=(address, 0))
    try:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        asking.request(method, path, None if body is None else json.dumps(body), headers)
        answer = asking.getresponse()
        answer.read()
        return answer.status
    except OSError:
        return 0
    finally:
        asking.close()


def flood(address: str) -> Callable[[int], None]:
    """As many requests as the machine can make."""

    def lean(port: int) -> None:
        paths = ("/api/lobby", "/api/picture/table", "/", "/static/style.css", "/maps/launch-facility.svg")
        count(lambda number: ask(port, address, "GET", paths[number % len(paths)]))

    return lean


def guess(port: int) -> None:
    """Wrong PINs without an end."""
    wrong = {"seat": "sniper", "pin": "0000", "device": "Eve"}
    count(lambda number: ask(port, f"127.0.1.{1 + number % 200}", "POST", "/api/take-over", wrong))


def idle(port: int) -> None:
    """Connections that say nothing; each that is dropped comes again."""
    with ExitStack() as lines:
        held: list[socket.socket] = []
        while True:
            while len(held) < 300:
                try:
                    line = socket.create_connection(("127.0.0.1", port), source_address=(STRANGER, 0))
                    held.append(lines.enter_context(line))
                except OSError:
                    break
            print(len(held), flush=True) if len(held) == 300 else None
            time.sleep(1.0)
            for line in held:
                line.close()
            held.clear()


def deaf(port: int) -> None:
    """Streams that are never read."""
    with ExitStack() as lines:
        for number in range(40):
            line = socket.create_connection(("127.0.0.1", port), source_address=(f"127.0.2.{1 + number}", 0))
            lines.enter_context(line).sendall(b"GET /api/stream/table HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        print("ready", flush=True)
        time.sleep(60)


def count(do: Callable[[int], int]) -> None:
    """Do it in many threads until the process is ended; then say how often it was done, and refused."""
    statuses: list[int] = []

    def on() -> None:
        number = 0
        while True:
            statuses.append(do(number))
            number += 1

    for _ in range(THREADS):
        threading.Thread(target=on, daemon=True).start()
    time.sleep(0.5)
    print("ready", flush=True)
    before = len(statuses)
    time.sleep(SECONDS - 0.5)
    seen = statuses[before:]
    good = sum(status == 200 for status in seen)
    print(f"{len(seen) / (SECONDS - 0.5):.0f} requests a second, {good / (SECONDS - 0.5):.0f} of them answered 200")
    sys.stdout.flush()
    time.sleep(60)


LOADS: dict[str, tuple[str, Callable[[int], None]]] = {
    "nothing": ("nothing", lambda port: None),
    "flood": ("requests from another machine, as many as it can make", flood(STRANGER)),
    "here": ("the same from this machine, which has no limit", flood("127.0.0.1")),
    "guess": ("wrong PINs from 200 addresses", guess),
    "idle": ("300 connections at a time that say nothing", idle),
    "deaf": ("40 streams that nobody reads", deaf),
}


def main() -> int:
    """Measure all, one after the other, and print a table."""
    if len(sys.argv) > 1:
        LOADS[sys.argv[1]][1](int(sys.argv[2]))
        return 0
    with tempfile.TemporaryDirectory() as state:
        daemon = Daemon(settle({"state": state, "host": "127.0.0.1", "port": 0}), time.monotonic)
        daemon.start()
        assert daemon._server is not None
        probes = Probes(daemon)
        daemon._loop.call(lambda table: table.seating.claim("sniper", "2468", "Ada", ()))
        print(f"{date.today():%d %B %Y}, {os.cpu_count()} cores {platform.machine()}, {platform.python_version()}\n")
        print("| what leans on the door | median | 99 % | longest | |\n| --- | --- | --- | --- | --- |")
        for load in LOADS:
            print(measure(load, probes, daemon._server.port), flush=True)
        daemon.stop()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
