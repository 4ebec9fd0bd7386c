"""A device over https that sees what everyone on its network sees: the length of each record, in both directions."""

from __future__ import annotations

import json
import socket
import ssl
from typing import Any, NamedTuple

from tests.patience import PATIENCE

HOME = "127.0.0.1"
RECORD_HEAD, MOST = 5, 1 << 16
HANDSHAKE = 22
BODY = 4096
"""Bytes of a body that a page sends: `padded` in `static/net.js`."""


class Exchange(NamedTuple):
    """An answer, with the lengths of the TLS records sent to the table and received from it."""

    status: int
    text: str
    sent: tuple[int, ...]
    got: tuple[int, ...]

    @property
    def lengths(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What everyone on the network sees."""
        return self.sent, self.got


class Records:
    """The records of one direction of a connection."""

    def __init__(self) -> None:
        self._rest = b""
        self._lengths: list[int] = []

    def add(self, data: bytes) -> None:
        """Add bytes that were transferred."""
        self._rest += data
        while len(self._rest) >= RECORD_HEAD:
            size = int.from_bytes(self._rest[3:5])
            if len(self._rest) < RECORD_HEAD + size:
                return
            if self._rest[0] != HANDSHAKE:
                self._lengths.append(size)
            self._rest = self._rest[RECORD_HEAD + size :]

    def taken(self) -> tuple[int, ...]:
        """Return the lengths since the last call."""
        assert not self._rest, "a record is incomplete"
        found, self._lengths = tuple(self._lengths), []
        return found


class SecureLine:
    """A connection over https, with the cookies of a device."""

    def __init__(self, port: int, cookies: str) -> None:
        self._raw = socket.create_connection((HOME, port), timeout=PATIENCE)
        self._raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._port, self._cookies = port, cookies
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self._from, self._to = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._from, self._to)
        self.sent, self.got = Records(), Records()
        self._rest = b""
        self._shake()

    def _shake(self) -> None:
        while True:
            try:
                self._tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                self._push()
                self._pull()
        self._push()
        self.ask("GET", "/api/lobby")  # the session tickets arrive with it

    def _push(self) -> None:
        data = self._to.read()
        self.sent.add(data)
        self._raw.sendall(data)

    def _pull(self) -> None:
        data = self._raw.recv(MOST)
        assert data, "the table has closed the connection"
        self.got.add(data)
        self._from.write(data)

    def _until(self, end: bytes) -> bytes:
        while end not in self._rest:
            self._more()
        found, _, self._rest = self._rest.partition(end)
        return found

    def _exactly(self, size: int) -> bytes:
        while len(self._rest) < size:
            self._more()
        found, self._rest = self._rest[:size], self._rest[size:]
        return found

    def _more(self) -> None:
        while True:
            try:
                self._rest += self._tls.read(MOST)
                return
            except ssl.SSLWantReadError:
                self._pull()

    def write(self, method: str, path: str, body: Any = None) -> None:
        """Send a request as a page does; a body that is text is sent unchanged."""
        content = b""
        if body is not None:
            content = (body if isinstance(body, str) else json.dumps(body)).encode()
            content += b" " * (-len(content) % BODY)
        head = f"{method} {path} HTTP/1.1\r\nHost: {HOME}:{self._port}\r\nAccept-Encoding: gzip, br\r\n"
        head += f"Cookie: {self._cookies}\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        self._tls.write(head.encode() + b"\r\n" + content)
        self._push()

    def ask(self, method: str, path: str, body: Any = None) -> Exchange:
        """Send a request and read the answer."""
        self.write(method, path, body)
        head = self._until(b"\r\n\r\n").decode()
        fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:])
        text = self._exactly(int(fields["Content-Length"])).decode()
        return Exchange(int(head.split()[1]), text, self.sent.taken(), self.got.taken())

    def event(self) -> str:
        """Return the next picture of a stream; `got` counts the records."""
        while True:
            found = self._until(b"\n\n\r\n").decode()
            if "data: {" in found:
                return found.partition("data: ")[2].rstrip(" ")

    def close(self) -> None:
        """Close the connection."""
        self._raw.close()
