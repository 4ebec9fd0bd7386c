"""The clients of a drilled table: plain HTTP as browsers use it, and streams that are read at intervals."""

from __future__ import annotations

import http.client
import json
import select
import socket
from typing import Any

from tests.patience import PATIENCE

PIN = "2468"
Gone = (OSError, http.client.HTTPException)
"""What a client gets when the table is killed."""


class Client:
    """One browser, which keeps its connection and its seats' keys. The keys survive a restart of the table."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        """`address` is a loopback address; any other than the default stands for a separate machine."""
        self.address = address
        self.keys: dict[str, str] = {}
        self.port = 0
        self.gives_up = False
        """Whether an internal error of the table counts as a lost table."""
        self._line: http.client.HTTPConnection | None = None

    def reach(self, port: int) -> None:
        """Set the port of the restarted table."""
        self.leave()
        self.port = port
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=(self.address, 0))
        self._line.connect()
        self._line.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def leave(self) -> None:
        """Close the connection."""
        if self._line is not None:
            self._line.close()

    def get(self, path: str) -> dict[str, Any]:
        """Return the content of a path. Raises one of `Gone`."""
        return self._ask("GET", path, None)

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        """Return the answer to a command, including a refusal. Raises one of `Gone`."""
        return self._ask("POST", path, json.dumps(body))

    def claim(self, seat: str) -> None:
        """Take a seat and keep its key; if the answer to an earlier claim was lost, take it over."""
        mine = {"seat": seat, "pin": PIN, "device": f"the {seat}'s phone"}
        if not self.post("/api/claim", **mine)["ok"]:
            assert self.post("/api/take-over", **mine)["ok"]

    def _ask(self, method: str, path: str, body: str | None) -> dict[str, Any]:
        assert self._line is not None
        if select.select([self._line.sock], [], [], 0)[0]:  # the table has closed a connection that was idle for long
            self.reach(self.port)
        headers = {"Content-Type": "application/json", "Cookie": self.cookies}
        self._line.request(method, path, body, headers)
        answer = self._line.getresponse()
        found: dict[str, Any] = json.loads(answer.read())
        if self.gives_up and answer.status == 500:
            raise ConnectionError(found)
        for cookie in answer.headers.get_all("Set-Cookie", ()):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.keys[name.removeprefix(f"sniperboard-{self.port}-")] = value
        return found

    @property
    def cookies(self) -> str:
        """The headers of every request."""
        return "; ".join(f"sniperboard-{self.port}-{seat}={key}" for seat, key in self.keys.items())


class Stream:
    """A screen that follows a viewer. What arrived before the table was killed can still be read afterwards."""

    def __init__(self, client: Client, viewer: str) -> None:
        """Raises one of `Gone`."""
        self._socket = socket.create_connection(("127.0.0.1", client.port), timeout=PATIENCE)
        self._socket.sendall(
            f"GET /api/stream/{viewer} HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\n"
            f"Cookie: {client.cookies}\r\n\r\n".encode()
        )
        self._heard = b""
        self.picture: dict[str, Any] | None = None

    def read(self, to_the_end: bool = False) -> None:
        """Read what has arrived; with `to_the_end`, everything from a table that has ended."""
        while to_the_end or select.select([self._socket], [], [], 0)[0]:
            try:
                came = self._socket.recv(1 << 20)
            except OSError:
                break
            if not came:
                break
            self._heard += came
        *whole, self._heard = self._heard.split(b"\n\n")
        for part in whole:
            _, separator, picture = part.partition(b"data: {")  # the size of the chunk is before it
            if separator:
                self.picture = json.loads(b"{" + picture)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()
