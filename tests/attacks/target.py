"""A real table to attack: `sniperboard run` in a separate process, with both seats taken."""

from __future__ import annotations

import http.client
import json
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE
from tests.web_panel.room import Daemon

HOME = "127.0.0.1"
PIN = "2468"
MB = 1 << 20


class Target:
    """A running table with both seats taken and a game in progress."""

    def __init__(self, folder: Path) -> None:
        self.daemon = Daemon(folder / "state")
        self.cookies: dict[str, str] = {}
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        for seat in ("sniper", "defenders"):
            status, headers, _ = self.post("claim", seat=seat, pin=PIN, device=f"the {seat}'s")
            assert status == 200
            self.cookies[seat] = headers["Set-Cookie"].partition(";")[0]
        options = {"random_setup": True}
        assert self.post("start", "sniper", map="launch-facility", options=options)[0] == 200

    @property
    def port(self) -> int:
        return self.daemon.port

    def close(self) -> None:
        self.daemon.stop()

    def line(self, address: str = HOME) -> socket.socket:
        """Return a connection from a loopback address, which counts as a separate machine."""
        return socket.create_connection((HOME, self.port), timeout=PATIENCE, source_address=(address, 0))

    def ask(
        self, method: str, path: str, body: bytes | None = None, seat: str = "", address: str = HOME
    ) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of an answer."""
        asking = http.client.HTTPConnection(HOME, self.port, timeout=PATIENCE, source_address=(address, 0))
        headers = {"Content-Type": "application/json"} | ({"Cookie": self.cookies[seat]} if seat else {})
        try:
            asking.request(method, path, body, headers)
            answer = asking.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            asking.close()

    def post(self, path: str, as_seat: str = "", **body: Any) -> tuple[int, dict[str, str], bytes]:
        return self.ask("POST", f"/api/{path}", json.dumps(body).encode(), as_seat)

    def picture(self, seat: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.ask("GET", f"/api/picture/{seat}", seat=seat)[2])
        return found

    def plays_on(self) -> None:
        """Check that the game continues: the sniper's picture arrives, and the lobby answers."""
        assert self.daemon.process.poll() is None, "the table has ended"
        assert self.picture("sniper")["stage"] == "playing"
        assert self.ask("GET", "/api/lobby")[0] == 200

    def restart(self) -> None:
        """Kill the table and start it again on the same files."""
        self.daemon.kill()
        self.daemon.start()

    @property
    def peak(self) -> int:
        """Peak memory of the table, in bytes."""
        return self._memory("VmHWM:")

    @property
    def held(self) -> int:
        """Memory that the table uses now, in bytes."""
        return self._memory("VmRSS:")

    def _memory(self, name: str) -> int:
        text = Path(f"/proc/{self.daemon.process.pid}/status").read_text()
        line = next(line for line in text.splitlines() if line.startswith(name))
        return int(line.split()[1]) * 1024

    @property
    def threads(self) -> int:
        """Current number of threads of the table."""
        return len(os.listdir(f"/proc/{self.daemon.process.pid}/task"))


def head(path: str, cookie: str = "", more: str = "") -> str:
    """Return the start of a POST request whose body is to follow."""
    cookies = f"Cookie: {cookie}\r\n" if cookie else ""
    return f"POST {path} HTTP/1.1\r\nHost: {HOME}\r\nContent-Type: application/json\r\n{cookies}{more}"


def read_to_end(line: socket.socket) -> bytes:
    """Return what arrives until the connection ends."""
    found = b""
    with suppress(ConnectionResetError):
        while part := line.recv(1 << 16):
            found += part
    return found
