"""Raw requests to a table's server, plain and over TLS, written byte by byte."""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from firmware_host.admin import certificate
from tests.patience import PATIENCE
from web_panel.serve import listening_socket, serve

HOME = "127.0.0.1"


class Answer(NamedTuple):
    """Status, headers by lower-case name, and body."""

    status: int
    headers: dict[str, list[str]]
    body: bytes

    def header(self, name: str) -> str:
        return ", ".join(self.headers.get(name.lower(), []))

    @property
    def code(self) -> str:
        """The code of a refusal in the usual shape."""
        return str(json.loads(self.body)["error"]["code"])

    @property
    def cookies(self) -> dict[str, str]:
        pairs = (cookie.partition(";")[0].partition("=") for cookie in self.headers.get("set-cookie", []))
        return {name: value for name, _, value in pairs}


class Door(NamedTuple):
    """A port of a server."""

    port: int
    tls: bool = False

    def line(self, address: str = HOME) -> socket.socket:
        """Return a connection from a loopback address; any other than 127.0.0.1 counts as a separate machine."""
        line = socket.create_connection((HOME, self.port), timeout=PATIENCE, source_address=(address, 0))
        if not self.tls:
            return line
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        return trusting.wrap_socket(line)

    def sends(self, request: str | bytes, address: str = HOME) -> Answer:
        """Return the answer to a request, which must end the connection or say that it does."""
        with self.line(address) as line:
            line.sendall(request if isinstance(request, bytes) else request.encode("latin1"))
            return read_answer(line)

    def asks(self, path: str, *headers: str, method: str = "GET", address: str = HOME, host: str = HOME) -> Answer:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *headers, "Connection: close", "", ""]
        return self.sends("\r\n".join(lines), address)

    def posts(self, path: str, *headers: str, address: str = HOME, host: str = HOME, **body: Any) -> Answer:
        data = json.dumps(body)
        lines = [f"POST {path} HTTP/1.1", f"Host: {host}", "Content-Type: application/json", *headers]
        lines += [f"Content-Length: {len(data)}", "Connection: close", "", data]
        return self.sends("\r\n".join(lines), address)


def read_answer(line: socket.socket) -> Answer:
    """Read everything that arrives until the connection ends."""
    found = b""
    try:
        while part := line.recv(1 << 16):
            found += part
    except (ConnectionResetError, ssl.SSLError):
        pass
    head, _, body = found.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin1").split("\r\n")
    headers: dict[str, list[str]] = {}
    for one in rest:
        name, _, value = one.partition(":")
        headers.setdefault(name.lower(), []).append(value.strip())
    return Answer(int(first.split()[1]), headers, body)


@contextmanager
def opened(app: Any, folder: Path, secure: bool = True) -> Iterator[tuple[Door, Door]]:
    """Return the ports of a server: the main port, over TLS if `secure`, and a second plain port."""
    tls = certificate.tls_context(certificate.ensure_file(folder, [HOME])) if secure else None
    running = serve(app, HOME, 0, tls, plain=listening_socket(HOME, 0))
    running.start()
    try:
        yield Door(running.ports[0], secure), Door(running.ports[1])
    finally:
        running.stop()
