"""A whole table as the daemon builds it, with its server on a port, starting from any position.

Strangers' streams, answers and MQTT messages are recorded. The clock moves only when the test moves it.
"""

from __future__ import annotations

import http.client
import json
import logging
import re
import socket
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from engine.chance import Chance
from engine.events import Told
from engine.game import Pictures
from engine.graph import Map
from firmware_host.admin.access import AdminAccess
from firmware_host.api.interface import TableInterface
from firmware_host.board.board_io import open_board
from firmware_host.core.settings import settle
from firmware_host.mqtt.bridge import MqttBridge
from firmware_host.mqtt.club import Club
from firmware_host.mqtt.options import MqttOptions
from firmware_host.play.game import TableGame
from firmware_host.records.journal import FILE, Journal
from firmware_host.records.state_folder import only_one
from firmware_host.table.loop import Loop
from firmware_host.table.table import Table
from games.sniper_elite.game import SniperElite
from hardware.drivers.simulated import SimulatedBuzzer
from hardware.simulated import SimulatedBoard
from tests.firmware_host.evening import PIN, SEAL, fresh_name
from tests.firmware_host.published import latest
from tests.patience import PATIENCE
from web_panel.app import create_app
from web_panel.serve import serve
from web_panel.settings import PanelSettings

HOME = "127.0.0.1"
SEATS = {"sniper": "Ada's phone", "defenders": "Bo's tablet"}
STRANGERS = ("defenders", "table", "board")
"""The viewers that get no secrets."""
NEVER = 3600.0
"""Seconds between heartbeats: so many that none occurs during a test."""
MOMENTS = (0.05, 0.1, 0.25, 0.6, 1.0)
"""Steps in seconds by which the clock advances until every move on the board has settled."""
SEALED = ("/api/lobby",)
"""Answers that contain a seal."""
DATE = re.compile(rb"\r\nDate: [^\r]*")


class Placed(SniperElite):
    """The game, started from a given position."""

    def __init__(self, raw: Any) -> None:
        super().__init__()
        self._raw = raw

    def blank(self, board: Map, options: Any) -> Pictures:
        """Return the given position instead of an empty table."""
        return self.position(board, options, self._raw, Chance(Random(0)))

    def setup(self, board: Map, options: Any, chance: Chance) -> Iterable[Told]:
        """Report nothing: the setup is part of the position."""
        return ()


class Stack:
    """Journal, board, table, loop, interface, panel and server, on a state folder."""

    def __init__(self, state: Path, board: Map, heartbeat: float = NEVER) -> None:
        self.state, self.board, self.now = state, board, 100.0
        self.frames: list[tuple[Any, float]] = []
        self.sounds: list[tuple[Any, float]] = []
        settings = settle({"state": str(state), "map": board.slug, "controls": "simulated"})
        self._lock = only_one(state)

        def make_table(report: Any) -> Table:
            def make_io(which: Map) -> Any:
                return open_board(settings, which, state, self.clock, report)

            return Table(settings, Journal(state / FILE, self.clock), make_io, self.clock, Chance(Random(5)))

        self.loop = Loop(make_table, self.clock, rest=lambda _: None, spin=lambda _: None)
        self.access = AdminAccess(state, self.clock)
        interface = TableInterface(self.loop, self.access)
        self.server = serve(create_app(interface, PanelSettings(simulated=True, heartbeat=heartbeat)), HOME, 0)
        self.loop.start()
        self.server.start()
        self.loop.call(self._listen)
        self.mqtt = Published(interface, self.clock)
        self.keys = {seat: interface.claim(seat, PIN, device) for seat, device in SEATS.items()}
        self.lines: dict[str, Line] = {}

    def clock(self) -> float:
        return self.now

    def _listen(self, table: Table) -> None:
        (buzzer,) = table.board.io.buzzers
        assert isinstance(table.board.io.sensors, SimulatedBoard)
        assert isinstance(buzzer, SimulatedBuzzer)
        table.board.io.sensors.watch(lambda frame, at: self.frames.append((frame, at)))
        buzzer.listen(lambda tune, at: self.sounds.append((tune, at)))

    def place(self, options: Mapping[str, Any], raw: Any) -> None:
        """Start from a position, with the miniatures where they belong."""

        def begin(table: Table) -> None:
            game = Placed(raw)
            table.session.play = TableGame.begin(
                game, self.board, game.read_options(options), table.journal, table.chance
            )
            table.refresh()

        self.loop.call(begin)
        self.carry()

    def begin(self) -> None:
        """Start a game from the beginning, up to the sniper's choice of an arrow."""
        self.loop.call(lambda table: table.start({"options": {"random_setup": True}}))
        self.carry()
        while returns := self.legal("sniper", "return-objective"):
            self.acts("sniper", returns[0])
            self.carry()

    def carry(self) -> None:
        """Put the miniatures where the game has them, and wait until they settle."""
        self.loop.call(lambda table: table.session.tidy())
        for moment in MOMENTS:
            self.settle()
            # Between two turns of the loop, never within one.
            self.loop.call(lambda _, moment=moment: self.go_on(moment))
        self.settle()

    def go_on(self, seconds: float) -> None:
        """Advance the clock."""
        self.now += seconds

    def settle(self) -> None:
        """Wait until the loop has handled its inbox and published the results."""
        for _ in range(3):
            self.loop.call(lambda _: None)
        self.mqtt.round()

    def force(self, luck: Iterable[tuple[str, Any]]) -> None:
        """Set the next random results."""
        results = list(luck)
        self.loop.call(lambda table: table.chance.force(results))

    def stop(self) -> None:
        for line in self.lines.values():
            line.close()
        self.server.stop()
        self.loop.stop()
        self._lock.close()

    # --- requests of strangers -----------------------------------------------------------------------------------

    def asks(self, method: str, path: str, body: Any = None, seat: str | None = None, **headers: str) -> bytes:
        """Return status line, headers and body of an answer, without its date and the seal (an ever-changing hash)."""
        headers |= {"Host": f"{HOME}:{self.server.port}"}
        if path not in SEALED:  # the compressed size of a hash depends on the hash
            headers["Accept-Encoding"] = "gzip"
        if seat is not None:
            headers["Cookie"] = f"sniperboard-{seat}={self.keys[seat]}"
        content = b""
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            headers["Content-Length"] = str(len(content))
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        with socket.create_connection((HOME, self.server.port), timeout=PATIENCE) as line:
            line.sendall(f"{method} {path} HTTP/1.1\r\nConnection: close\r\n{head}\r\n".encode() + content)
            found = b"".join(iter(lambda: line.recv(65536), b""))
        return SEAL.sub("", DATE.sub(b"", found).decode("latin-1")).encode("latin-1")

    def acts(self, seat: str, action: Mapping[str, Any]) -> None:
        """Act as a seat on its screen."""
        line = http.client.HTTPConnection(HOME, self.server.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json", "Cookie": f"sniperboard-{seat}={self.keys[seat]}"}
        act = {"seat": seat, "action": action, "revision": self.picture(seat)["revision"], "id": fresh_name()}
        line.request("POST", "/api/act", json.dumps(act), headers)
        answer = line.getresponse()
        said = answer.read()
        line.close()
        assert answer.status == 200, said
        for _ in range(2):
            self.settle()
            self.streamed()

    def picture(self, viewer: str) -> dict[str, Any]:
        """Return the picture of a viewer."""
        found: dict[str, Any] = json.loads(latest(self.loop.followers, viewer)[1])
        return found

    def legal(self, seat: str, kind: str) -> list[dict[str, Any]]:
        """Return the legal acts of a seat of one kind."""
        return [act for act in self.picture(seat)["legal"] if act["type"] == kind]

    def follow(self) -> None:
        """Open the streams of all strangers."""
        for viewer in STRANGERS:
            self.lines[viewer] = Line(self, viewer)

    def streamed(self) -> list[bytes]:
        """Return the raw bytes each stranger's stream brought last since `forget`; empty where nothing arrived.

        A stream may skip pictures in quick succession; `numbered` tells how many there were.
        """
        return [line.read() for line in self.lines.values()]

    def forget(self) -> None:
        """Discard what has arrived so far."""
        for line in self.lines.values():
            line.read()
            line.found = b""

    def numbered(self) -> list[tuple[int, str]]:
        """Return the latest pictures of the strangers with their numbers."""
        found = (latest(self.loop.followers, viewer) for viewer in STRANGERS)
        return [(serial, SEAL.sub("", text)) for serial, text in found]


class Published(MqttBridge):
    """What an MQTT broker gets from the table, and when. There is no connection; the test runs its rounds."""

    def __init__(self, table: TableInterface, clock: Callable[[], float]) -> None:
        self.sent: list[tuple[Any, ...]] = []
        self._now = clock
        options = MqttOptions(HOME, 0, None, "", "", "sniperboard", "den", "Den", "homeassistant", False)
        super().__init__(options, table, Club())

    def _wake(self) -> None:
        """Record a wake-up of the connection: it alone would reveal that something has happened."""
        self.sent.append(("woken", self._now()))

    def round(self) -> None:
        """Publish what the connection would publish now."""
        self._take(live=True)
        while (message := self._outbox.next()) is not None:
            self.sent.append((message.topic, message.payload, message.retained, self._now()))


class Line:
    """A stranger's stream, read to the last byte."""

    def __init__(self, stack: Stack, viewer: str) -> None:
        self._stack, self._viewer, self._seen, self.found = stack, viewer, 0, b""
        self.socket = socket.create_connection((HOME, stack.server.port), timeout=PATIENCE)
        cookie = f"Cookie: sniperboard-{viewer}={stack.keys[viewer]}\r\n" if viewer in stack.keys else ""
        asked = f"GET /api/stream/{viewer} HTTP/1.1\r\nHost: {HOME}:{stack.server.port}\r\n{cookie}\r\n"
        self.socket.sendall(asked.encode())

    def read(self) -> bytes:
        """Return the last event, or the head of the answer with it. Waits for the current picture."""
        serial, text = latest(self._stack.loop.followers, self._viewer)
        while serial != self._seen and not self.found.endswith(f"{text}\n\n\r\n".encode()):
            more = self.socket.recv(65536)
            assert more, "the stream has ended"
            self.found += more
        self._seen = serial
        begin = self.found.find(b"retry:") + 1  # empty where the head came before
        *_, size, event, end = self.found.split(b"\r\n") if self.found else (b"", b"", b"")
        last = b"\r\n".join((DATE.sub(b"", self.found[:begin]), size, event, end))
        return SEAL.sub("", last.decode()).encode()

    def close(self) -> None:
        self.socket.close()


class Logs(logging.Handler):
    """A log handler that keeps all records of any logger and level."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.records: list[tuple[str, int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append((record.name, record.levelno, record.getMessage()))
