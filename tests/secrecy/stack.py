"""A whole table as the daemon puts it together, with its server on a port, from the position that a test wants, and all
that leaves it towards strangers. Its clock moves when the test says so.
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
from web_panel.app import create_app
from web_panel.serve import serve
from web_panel.settings import PanelSettings

HOME = "127.0.0.1"
SEATS = {"sniper": "Ada's phone", "defenders": "Bo's tablet"}
STRANGERS = ("defenders", "table", "board")
"""The viewers that are told no secret."""
NEVER = 3600.0
"""Seconds between beats: so many that none falls into a test."""
MOMENTS = (0.05, 0.1, 0.25, 0.6, 1.0)
"""Seconds by which the clock goes on, one after the other, until every hand has come to rest."""
SEALED = ("/api/lobby",)
"""What is packed with a seal in it."""
DATE = re.compile(rb"\r\nDate: [^\r]*")


class Placed(SniperElite):
    """The game, begun in the middle."""

    def __init__(self, raw: Any) -> None:
        super().__init__()
        self._raw = raw

    def blank(self, board: Map, options: Any) -> Pictures:
        """The position in place of a blank table."""
        return self.position(board, options, self._raw, Chance(Random(0)))

    def setup(self, board: Map, options: Any, chance: Chance) -> Iterable[Told]:
        """Nothing is told: it is all there."""
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

        self.loop = Loop(make_table, self.clock, rest=lambda _: None)
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
        """Go on from a position, the miniatures where they belong."""

        def begin(table: Table) -> None:
            game = Placed(raw)
            table.session.play = TableGame.begin(
                game, self.board, game.read_options(options), table.journal, table.chance
            )
            table.refresh()

        self.loop.call(begin)
        self.carry()

    def begin(self) -> None:
        """Go on from the beginning: the sniper is to choose an arrow."""
        self.loop.call(lambda table: table.start({"options": {"random_setup": True}}))
        self.carry()
        while returns := self.legal("sniper", "return-objective"):
            self.acts("sniper", returns[0])
            self.carry()

    def carry(self) -> None:
        """The miniatures follow the game, and come to rest."""
        self.loop.call(lambda table: table.session.tidy())
        for moment in MOMENTS:
            self.settle()
            self.loop.call(lambda _, moment=moment: self.go_on(moment))  # between two turns, never in one
        self.settle()

    def go_on(self, seconds: float) -> None:
        """Time passes."""
        self.now += seconds

    def settle(self) -> None:
        """Whatever lies in the inbox is done when this returns, and what follows is published."""
        for _ in range(3):
            self.loop.call(lambda _: None)
        self.mqtt.round()

    def force(self, luck: Iterable[tuple[str, Any]]) -> None:
        """What chance brings next."""
        results = list(luck)
        self.loop.call(lambda table: table.chance.force(results))

    def stop(self) -> None:
        for line in self.lines.values():
            line.close()
        self.server.stop()
        self.loop.stop()
        self._lock.close()

    # --- what strangers do and get ------------------------------------------------------------------------------

    def asks(self, method: str, path: str, body: Any = None, seat: str | None = None, **headers: str) -> bytes:
        """Status line, headers and body of an answer, but for its date and the seal, which is another hash always."""
        headers |= {"Host": f"{HOME}:{self.server.port}"}
        if path not in SEALED:  # how small a packed hash is depends on the hash
            headers["Accept-Encoding"] = "gzip"
        if seat is not None:
            headers["Cookie"] = f"sniperboard-{seat}={self.keys[seat]}"
        content = b""
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            headers["Content-Length"] = str(len(content))
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        with socket.create_connection((HOME, self.server.port), timeout=20) as line:
            line.sendall(f"{method} {path} HTTP/1.1\r\nConnection: close\r\n{head}\r\n".encode() + content)
            found = b"".join(iter(lambda: line.recv(65536), b""))
        return SEAL.sub("", DATE.sub(b"", found).decode("latin-1")).encode("latin-1")

    def acts(self, seat: str, action: Mapping[str, Any]) -> None:
        """A seat acts on its screen."""
        line = http.client.HTTPConnection(HOME, self.server.port, timeout=20)
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
        """What a viewer is shown."""
        found: dict[str, Any] = json.loads(latest(self.loop.followers, viewer)[1])
        return found

    def legal(self, seat: str, kind: str) -> list[dict[str, Any]]:
        """What a seat may do, of one kind."""
        return [act for act in self.picture(seat)["legal"] if act["type"] == kind]

    def follow(self) -> None:
        """Open the streams of all strangers."""
        for viewer in STRANGERS:
            self.lines[viewer] = Line(self, viewer)

    def streamed(self) -> list[bytes]:
        """What came last over each stranger's stream since `forget`, as it came; empty where nothing did.

        Of pictures in quick succession a stream may pass over some: how many there were, `numbered` tells.
        """
        return [line.read() for line in self.lines.values()]

    def forget(self) -> None:
        """What has come so far is known."""
        for line in self.lines.values():
            line.read()
            line.found = b""

    def numbered(self) -> list[tuple[int, str]]:
        """The latest pictures of the strangers with their numbers."""
        found = (latest(self.loop.followers, viewer) for viewer in STRANGERS)
        return [(serial, SEAL.sub("", text)) for serial, text in found]


class Published(MqttBridge):
    """What an MQTT broker hears of the table, and when: the line itself is left out, and the test plays its rounds."""

    def __init__(self, table: TableInterface, clock: Callable[[], float]) -> None:
        self.heard: list[tuple[Any, ...]] = []
        self._now = clock
        options = MqttOptions(HOME, 0, None, "", "", "sniperboard", "den", "Den", "homeassistant", False)
        super().__init__(options, table, Club())

    def _wake(self) -> None:
        """The table wakes the line: that alone would tell somebody that something has happened."""
        self.heard.append(("woken", self._now()))

    def round(self) -> None:
        """What the line would do now."""
        self._take(live=True)
        while (message := self._outbox.next()) is not None:
            self.heard.append((message.topic, message.payload, message.retained, self._now()))


class Line:
    """A stranger's stream, read to the last byte."""

    def __init__(self, stack: Stack, viewer: str) -> None:
        self._stack, self._viewer, self._seen, self.found = stack, viewer, 0, b""
        self.socket = socket.create_connection((HOME, stack.server.port), timeout=20)
        cookie = f"Cookie: sniperboard-{viewer}={stack.keys[viewer]}\r\n" if viewer in stack.keys else ""
        asked = f"GET /api/stream/{viewer} HTTP/1.1\r\nHost: {HOME}:{stack.server.port}\r\n{cookie}\r\n"
        self.socket.sendall(asked.encode())

    def read(self) -> bytes:
        """The last event, or the head of the answer with it; waits for the picture as it is."""
        serial, text = latest(self._stack.loop.followers, self._viewer)
        while serial != self._seen and not self.found.endswith(f"{text}\n\n\r\n".encode()):
            more = self.socket.recv(65536)
            assert more, "the stream has ended"
            self.found += more
        self._seen = serial
        begin = self.found.find(b"retry:") + 1  # nothing of it where the head came before
        *_, size, event, end = self.found.split(b"\r\n") if self.found else (b"", b"", b"")
        last = b"\r\n".join((DATE.sub(b"", self.found[:begin]), size, event, end))
        return SEAL.sub("", last.decode()).encode()

    def close(self) -> None:
        self.socket.close()


class Logs(logging.Handler):
    """Whatever is logged by anybody at any level."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.records: list[tuple[str, int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append((record.name, record.levelno, record.getMessage()))
