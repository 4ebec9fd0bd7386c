"""Connections to a table: requests that keep the connection open, and streams of pictures.

They are cheap enough for many in one thread: pictures of a stream are searched without decoding. Times are monotonic
seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections import deque
from collections.abc import Callable
from secrets import token_hex
from time import monotonic
from typing import Any, NamedTuple

HOST = "127.0.0.1"
OK = 200
TIMEOUT = 120.0
"""Seconds without an answer after which a table is stuck."""
REVISION = re.compile(rb'\{"viewer":"\w+","revision":(\d+),')
"""The start of a picture of a game."""
COOKIE = re.compile(r"(__Host-)?sniperboard-\d+-")
"""The start of the name of a seat's cookie."""
KEPT = 64
"""Number of newest pictures whose arrival a screen remembers."""


class Stalled(Exception):
    """An expected event did not happen; the message says which."""


class Response(NamedTuple):
    """The answer to a request, with `status` 0 if there was none, its new keys, and when the request was sent."""

    status: int
    body: bytes
    keys: dict[str, str]
    sent: float

    def granted(self, path: str) -> Response:
        """Return the answer itself. Raises `Stalled` if the request was refused or got no answer."""
        if not self.status:
            raise Stalled(f"{path} is not answered.")
        if self.status != OK:
            raise Stalled(f"{path} was refused: {self.body.decode('utf-8', 'replace')[:200]}")
        return self

    def json(self) -> Any:
        """Return the body, also of a refusal. Raises `Stalled` if it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise Stalled(f"The table's answer cannot be read: {self.body[:200]!r}.") from error


class Connection:
    """One device with its own address; the connection stays open. `keys` is seat -> cookie."""

    def __init__(self, port: int, address: str = HOST, keys: dict[str, str] | None = None) -> None:
        self._port, self._address = port, address
        self.keys = {} if keys is None else keys
        self._pipe: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> Response:
        return await self._ask("GET", path, b"")

    async def post(self, path: str, **body: Any) -> Response:
        """Send a request with a JSON body, and keep the keys of the answer."""
        answer = await self._ask("POST", path, json.dumps(body).encode())
        self.keys.update(answer.keys)
        return answer

    async def picture(self, viewer: str) -> dict[str, Any]:
        """Return a viewer's current picture. Raises `Stalled`."""
        path = f"/api/picture/{viewer}"
        picture: dict[str, Any] = (await self.get(path)).granted(path).json()
        return picture

    async def act(self, seat: str, action: dict[str, Any], revision: int) -> Response:
        """Submit an action, chosen on this revision of the seat's picture."""
        return await self.post("/api/act", seat=seat, action=action, revision=revision, id=token_hex())

    async def _ask(self, method: str, path: str, body: bytes) -> Response:
        """Send a request; try again on a new connection if the table had closed the old one."""
        sent = monotonic()
        for _ in range(1 if self._pipe is None else 2):
            with contextlib.suppress(OSError, EOFError, TimeoutError):
                async with asyncio.timeout(TIMEOUT):
                    return await self._asked(method, path, body)
            self.close()
        return Response(0, b"", {}, sent)

    async def _asked(self, method: str, path: str, body: bytes) -> Response:
        if self._pipe is None:
            # All of 127.0.0.0/8 is this machine, so each device can have an address of its own.
            self._pipe = await asyncio.open_connection(HOST, self._port, local_addr=(self._address, 0))
        reader, writer = self._pipe
        sent = monotonic()
        writer.write(request_head(method, path, self._port, self.keys, body) + body)
        status, length, keys, last = _read((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"))
        answer = Response(status, await reader.readexactly(length), keys, sent)
        if last:
            self.close()
        return answer

    def close(self) -> None:
        if self._pipe is not None:
            self._pipe[1].close()
            self._pipe = None


def request_head(method: str, path: str, port: int, keys: dict[str, str], body: bytes = b"") -> bytes:
    """Return the head of a request, as a browser sends it."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{port}"]
    if keys:
        lines.append("Cookie: " + "; ".join(f"sniperboard-{port}-{seat}={key}" for seat, key in keys.items()))
    if method == "POST":
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode()


def _read(text: str) -> tuple[int, int, dict[str, str], bool]:
    """Return status, body length and keys of an answer's head, and whether the connection closes."""
    first, *lines = text.split("\r\n")
    fields = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    headers = dict(fields)
    cookies = [value.partition(";")[0] for name, value in fields if name == "set-cookie"]
    keys = {COOKIE.sub("", name): key for name, _, key in (cookie.partition("=") for cookie in cookies)}
    length = int(headers.get("content-length", "0"))
    return int(first.split()[1]), length, keys, headers.get("connection", "").lower() == "close"


class Screen(asyncio.Protocol):
    """A screen that follows `viewer`. It keeps the latest picture and the arrival times of recent ones."""

    def __init__(self, viewer: str) -> None:
        self.viewer = viewer
        self.latest = b""
        self.pictures = 0
        self.longest_silence = 0.0
        """Longest time without data, in seconds."""
        self.lost = False
        self.came = asyncio.Event()
        self._revisions: deque[tuple[float, int]] = deque(maxlen=KEPT)
        self._awaited: dict[bytes, asyncio.Future[float]] = {}
        self._heard = b""
        self._last = monotonic()
        self._transport: asyncio.BaseTransport | None = None

    async def open(self, port: int, address: str, keys: dict[str, str]) -> None:
        """Open the stream. Raises `OSError`, or `Stalled` if no picture comes."""
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_connection(lambda: self, HOST, port, local_addr=(address, 0))
        transport.write(request_head("GET", f"/api/stream/{self.viewer}", port, keys))
        self._transport, self._last = transport, monotonic()
        await self.wait_until(lambda: bool(self.latest), "never gets a picture")

    def data_received(self, data: bytes) -> None:
        """Take the pictures out of the chunks, and skip the beats between them."""
        now = monotonic()
        self.longest_silence, self._last = max(self.longest_silence, now - self._last), now
        # An empty line ends an event. The last part may be incomplete.
        *events, self._heard = (self._heard + data).split(b"\n\n")
        for part in events:
            _, is_picture, picture = part.partition(b"data: {")
            if is_picture:
                self._take(b"{" + picture, now)

    def _take(self, picture: bytes, now: float) -> None:
        self.latest = picture
        self.pictures += 1
        if (match := REVISION.match(picture)) is not None:
            self._revisions.append((now, int(match[1])))
        for words in [words for words in self._awaited if words in picture]:
            awaited = self._awaited.pop(words)
            if not awaited.done():
                awaited.set_result(now)
        self.came.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True

    def expect(self, words: bytes) -> asyncio.Future[float]:
        """Return a future with the arrival time of the next picture that contains these words."""
        self._awaited[words] = asyncio.get_running_loop().create_future()
        return self._awaited[words]

    async def wait_for_revision(self, revision: int) -> None:
        """Wait for a picture of this revision or a later one. Raises `Stalled`."""
        await self.wait_until(lambda: bool(self._revisions) and self._revisions[-1][1] >= revision, f"lacks {revision}")

    async def wait_until(self, fact: Callable[[], bool], what: str) -> None:
        """Wait until pictures have made a fact true. Raises `Stalled`."""
        try:
            async with asyncio.timeout(TIMEOUT):
                while not fact():
                    self.came.clear()
                    await self.came.wait()
        except TimeoutError:
            raise Stalled(f"A screen of {self.viewer} {what}; it has seen {self.pictures}.") from None

    def first_after(self, revision: int) -> float | None:
        """Return the arrival time of the first picture after this revision."""
        return next((at for at, number in self._revisions if number > revision), None)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
