"""Pass HTTP requests from Tornado to the WSGI application, and send its answers.

A request reaches a worker of its lane (`workers.py`) only when its whole body has arrived. Streams need no thread: the
server's own thread sends their pictures (`streams.py`). A refusal counts as a read of its lane, so it never waits for
an action.
"""

from __future__ import annotations

import asyncio
import io
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from email.utils import formatdate
from types import MappingProxyType
from typing import Any, NamedTuple, cast
from urllib.parse import unquote_to_bytes

from tornado.http1connection import HTTP1Connection
from tornado.httputil import (
    HTTPHeaders,
    HTTPInputError,
    HTTPMessageDelegate,
    HTTPServerConnectionDelegate,
    HTTPServerRequest,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.iostream import StreamClosedError

from firmware_host.api.interface import Lane, Text
from firmware_host.core.proxies import NO_PROXIES, Proxies
from web_panel.body import BIGGEST_BODY
from web_panel.connections import Budget, Connection, Connections, Limit, Limits, Stage
from web_panel.failures import SENTENCES, log_place, plain_refusal
from web_panel.games import BIGGEST_RECORD, RECORDS
from web_panel.origin import PROXIED, origin_of
from web_panel.padding import joined, unused_write
from web_panel.rate_limits import TOO_OFTEN
from web_panel.seats import AT_TABLE, LANE
from web_panel.streams import STREAM, Bell, Stream
from web_panel.target import REFUSED, Refusal, read_target
from web_panel.workers import Crowded, RequestKind, Workers

BODY_SECONDS = 10.0
"""Seconds within which a whole body must arrive."""
RECORD_SECONDS = 30.0
"""The same for a body that may be larger than others."""
REFUSED_BODY = 4 << 20
"""Maximum bytes of a refused body that are read and dropped, so that the client gets the answer."""
REST_SECONDS = 2.0
"""Seconds of silence after which a refused client is assumed to have stopped sending its body."""
ANSWER_SECONDS = 20.0
"""Seconds within which a client must accept an answer, or one piece of a stream."""
PUT_OFF_SECONDS = 1.0
"""Seconds until a client that sends too many requests gets that answer.

Without the delay, it would send the next request at once.
"""
ANSWERS = Limits(strangers=Limit(10 << 20, 5 << 20), others=Limit(6 << 20, 5 << 20))
"""Maximum bytes of all answers that clients have not accepted yet."""
LANES_SECONDS = 1.0
"""Seconds between two checks that each connection is in the lane of its key."""
READS = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""
PACED = frozenset({"/api/house", "/api/house/report.txt"})
"""Reads that wait for the table like actions: their answers are delayed like those of changes."""
LONG_WORK = re.compile(r"/api/(career|lesson|(games|puzzle|replay)(/.*)?)|/games/\d+")
"""The addresses of past games, lessons and puzzles, whose work takes long. All lanes share one queue for this work."""
UNLIMITED = 1 << 200
"""The body size limit given to Tornado. `Exchange` checks sizes itself, with the panel's own errors."""

TOO_LARGE = Refusal("too-large", SENTENCES["too-large"])
TOO_MUCH = Refusal("busy", Text("The table is busy. Try again in a moment."))


class Bodies(NamedTuple):
    """Limits of request bodies, in bytes.

    `usual` is the maximum of one body. `larger` maps addresses to higher maximums. `held` limits the bodies that have
    arrived and are still being processed.
    """

    usual: int = BIGGEST_BODY
    larger: Mapping[str, int] = MappingProxyType({RECORDS: BIGGEST_RECORD})
    held: Limits = Limits(strangers=Limit(4 << 20, 2 << 20), others=Limit(3 << 20, 2 << 20))


class GatewayAnswer(NamedTuple):
    """The application's answer: a `body`, or a `stream` to follow."""

    status: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes = b""
    stream: Stream | None = None


class Gateway(HTTPServerConnectionDelegate):
    """Serve `app` to the `connections`. `lane` finds the lane of a request: see `LANES`."""

    def __init__(
        self, app: Callable[..., Iterable[bytes]], connections: Connections,
        lane: Callable[[str, str, bool], Callable[[], Lane]], workers: Workers[GatewayAnswer], limits: Bodies,
        proxies: Proxies = NO_PROXIES,
    ) -> None:  # fmt: skip
        self.connections, self.lane, self.limits, self.proxies = connections, lane, limits, proxies
        self.bodies, self.answers = Budget(limits.held), Budget(ANSWERS)
        self._app, self._workers = app, workers
        self._tasks: set[asyncio.Task[None]] = set()
        self.bell = Bell(asyncio.get_running_loop())

    def start_request(self, server_conn: object, request_conn: Any) -> Exchange:
        """Handle a connection that waits for its next request. Tornado calls this."""
        self.connections.mark_idle(request_conn.context)
        return Exchange(self, request_conn)

    def on_close(self, server_conn: Any) -> None:
        """Remove a closed connection. Tornado calls this."""
        self.connections.remove(server_conn.context)

    async def watch_lanes(self) -> None:
        """Keep each connection in the lane of its key, until cancelled."""
        while True:
            await asyncio.sleep(LANES_SECONDS)
            self.connections.leave_lost_lanes()

    async def work(self, environ: dict[str, Any], lane: Callable[[], Lane]) -> GatewayAnswer:
        """Return the application's answer, computed by a worker of the request's lane.

        A request is refused if it belongs to another `lane` by the time a worker is free: someone who has left a seat
        must not keep its workers busy for the next holder. Refusals are handled as reads, because they take time, too.
        """

        def answer() -> GatewayAnswer:
            # The key may have moved while the request was queued.
            lost = REFUSED not in environ and lane() != environ[LANE]
            return self._answer({**environ, REFUSED: TOO_MUCH} if lost else environ)

        kind = kind_of(environ)
        try:
            return await self._workers.run(environ[LANE], kind, answer)
        except Crowded:
            return CROWDED if kind is RequestKind.READ else await self.refused(environ, lane)

    async def refused(self, environ: dict[str, Any], lane: Callable[[], Lane]) -> GatewayAnswer:
        """Return the "busy" error. It is small, so it always fits the lane's limit."""
        # Don't return the stream of a first answer that did not fit.
        return await self.work({**environ, STREAM: None, REFUSED: TOO_MUCH}, lane)

    def run(self, task: Any) -> None:
        """Run a coroutine in the server's thread until it is done."""
        running = asyncio.get_running_loop().create_task(task)
        self._tasks.add(running)
        # asyncio keeps only weak references to tasks.
        running.add_done_callback(self._tasks.discard)

    def _answer(self, environ: dict[str, Any]) -> GatewayAnswer:
        head: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> Callable[[bytes], object]:
            head[:] = status, headers
            return unused_write

        try:
            parts = self._app(environ, start)
            stream: Stream | None = environ.get(STREAM)
            # If a worker thread sent a stream's body, the stream would block it until it ends.
            body = b"" if stream is not None else joined(parts)
        except Exception as error:
            log_place("a request failed", error)
            return BROKEN
        code, _, reason = head[0].partition(" ")
        return GatewayAnswer(int(code), reason, head[1], body, stream)


BROKEN = GatewayAnswer(
    500,
    "Internal Server Error",
    [("Content-Type", "application/json")],
    plain_refusal("broken", SENTENCES["broken"]),
)
"""The answer if the application has failed so badly that it built none. It is made before, as memory may be full."""
CROWDED = GatewayAnswer(
    503,
    "Service Unavailable",
    [("Content-Type", "application/json"), ("Retry-After", "5"), ("Refresh", "5")],
    plain_refusal(*TOO_MUCH),
)
"""The answer if too many refusals for a member are already waiting."""


class Exchange(HTTPMessageDelegate):
    """One request and its answer."""

    def __init__(self, gateway: Gateway, http: HTTP1Connection) -> None:
        self._gateway, self._http = gateway, http
        self._client = cast(Connection, http.context)
        self._body = bytearray()
        self._held = self._dropped = 0
        self._most = gateway.limits.usual
        self._begun = False
        self._ends = False
        """Whether the connection closes after this request, because what follows an unreadable request can't be parsed.
        """
        self._current_lane: Callable[[], Lane]
        self._stop_timer: Callable[[], None] = lambda: None
        """Called when the whole request has arrived: until then, it has limited time."""
        self._arrived: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the whole request has arrived."""
        self._closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    # --- Tornado's callbacks, in the order of the calls ---------------------------------------------------------------

    def headers_received(self, start_line: Any, headers: HTTPHeaders) -> None:
        """Handle the head of the request. Raises `HTTPInputError` if it cannot be read."""
        line, refusal = read_target(cast(RequestStartLine, start_line), headers)
        self._ends = refusal is not None
        origin = origin_of(self._client.peer, headers, self._gateway.proxies)
        self._client.origin = origin
        try:
            self._request = HTTPServerRequest(connection=self._http, start_line=line, headers=headers)
        except ValueError:  # a port with more digits than Python reads
            raise HTTPInputError("the host cannot be read") from None
        # A header that isn't UTF-8 would make the cookie parser raise an error.
        if not _is_text(headers.get("Cookie", "")):
            del headers["Cookie"]  # the table's own cookies are always UTF-8
        self._most = self._gateway.limits.larger.get(self._request.path, self._most)
        self._current_lane = self._gateway.lane(headers.get("Cookie", ""), origin.address, origin.here)
        self._lane = self._current_lane()
        if not self._gateway.connections.move_to_lane(self._client, self._lane):
            refusal = TOO_MUCH
        # A function, not a lane: the key may pass to another seat while the connection is open.
        self._client.current_lane = self._current_lane
        # Tornado's own limit closes the connection without an answer.
        self._http.set_max_body_size(UNLIMITED)
        seconds = RECORD_SECONDS if self._most > BIGGEST_BODY else BODY_SECONDS
        # Tornado's own limit would read the body in another task.
        self._stop_timer = asyncio.get_running_loop().call_later(seconds, self._client.close).cancel
        # Refuse a declared length before the body arrives. A body of unknown length is counted in `data_received`.
        length = headers.get("Content-Length", "")
        if refusal is not None:
            self._begin(refusal)
        elif length.isascii() and length.isdecimal() and int(length[:20]) > self._most:
            self._begin(TOO_LARGE)

    def data_received(self, chunk: bytes) -> None:
        """Handle a part of the body; drop it if the request is already refused."""
        if self._begun:
            self._dropped += len(chunk)
            if self._dropped > REFUSED_BODY:
                self._client.close()
            return
        if len(self._body) + len(chunk) > self._most:
            self._begin(TOO_LARGE)
        elif not self._gateway.bodies.reserve(self._lane, len(chunk)):
            self._begin(TOO_MUCH)
        else:
            self._held += len(chunk)
            self._body += chunk

    def finish(self) -> None:
        """Handle the end of the request."""
        self._stop_timer()
        # Needed for a refused request, too: `_read_rest` waits for the end of its body.
        self._arrived.set_result(None)
        if not self._begun:
            self._begin()

    def on_connection_close(self) -> None:
        """Handle a client's disconnection."""
        self._stop_timer()
        if not self._closed.done():
            self._closed.set_result(None)
        if not self._begun:
            self._drop_body()

    # --- the answer -----------------------------------------------------------------------------------------------

    def _begin(self, refusal: Refusal | None = None) -> None:
        """Start processing the request, or refuse it."""
        self._begun = True
        if not self._follow_key():
            refusal = TOO_MUCH
        self._client.stage = Stage.WORKING
        self._http.set_close_callback(self.on_connection_close)
        environ = self._environ()
        if refusal is not None:
            environ[REFUSED] = refusal
        self._gateway.run(self._respond(environ))

    def _follow_key(self) -> bool:
        """Move to the lane of the request's key; return False if that lane is full.

        The key may have moved to another seat while the body arrived.
        """
        lane, bodies = self._current_lane(), self._gateway.bodies
        if lane == self._lane:
            return True
        bodies.release(self._lane, self._held)
        self._lane, bytes_held = lane, self._held
        self._held = bytes_held if bodies.reserve(lane, bytes_held) else 0
        return self._held == bytes_held and self._gateway.connections.move_to_lane(self._client, lane)

    async def _respond(self, environ: dict[str, Any]) -> None:
        try:
            answer = await self._gateway.work(environ, self._current_lane)
        finally:
            self._drop_body()
        if TOO_OFTEN in environ or answer is CROWDED:
            await asyncio.wait({self._closed}, timeout=PUT_OFF_SECONDS)
        size, budget = len(answer.body), self._gateway.answers
        # A client that does not read its answers must not fill the memory.
        if not budget.reserve(self._lane, size):
            if answer.stream is not None:
                answer.stream.close()
            size, answer = 0, await self._gateway.refused(environ, self._current_lane)
        try:
            await self._send(answer)
        except StreamClosedError:
            pass
        finally:
            budget.release(self._lane, size)
            if answer.stream is not None:
                answer.stream.close()

    def _drop_body(self) -> None:
        if self._held:
            self._gateway.bodies.release(self._lane, self._held)
        self._held = 0
        self._body = bytearray()

    async def _send(self, answer: GatewayAnswer) -> None:
        headers = HTTPHeaders()
        for name, value in answer.headers:
            headers.add(name, value)
        # PEP 3333 leaves these two headers to the server.
        headers["Date"], headers["Server"] = formatdate(usegmt=True), "sniperboard"
        if self._ends:
            headers["Connection"] = "close"
        line = ResponseStartLine("HTTP/1.1", answer.status, answer.reason)
        self._client.stage = Stage.STREAMING if answer.stream is not None else Stage.ANSWERING
        body = answer.body if self._request.method != "HEAD" else b""
        if not await self._sent(self._http.write_headers(line, headers, chunk=body)):
            return
        if answer.stream is None or self._request.method == "HEAD" or await self._follow(answer.stream):
            await self._read_rest()
            self._http.finish()
        if self._ends:
            self._client.close()

    async def _read_rest(self) -> None:
        """Read the rest of a refused body, as long as the client sends it.

        If the server closed a connection with unread data, the client would get a reset and could lose the answer.
        """
        ends: set[asyncio.Future[None]] = {self._arrived, self._closed}
        if not self._arrived.done():
            self._client.stage = Stage.IDLE  # done early, so that others can use its place
        before = -1
        while before < self._dropped and not any(end.done() for end in ends):
            before = self._dropped
            await asyncio.wait(ends, timeout=REST_SECONDS, return_when=asyncio.FIRST_COMPLETED)

    async def _follow(self, stream: Stream) -> bool:
        """Send a stream's pieces as they arrive. Return whether the stream ended by itself."""
        loop, news, bell = asyncio.get_running_loop(), asyncio.Event(), self._gateway.bell
        self._closed.add_done_callback(lambda _: news.set())
        stream.on_news(lambda: bell.note(news))
        timer: asyncio.TimerHandle | None = None

        def beat() -> None:
            nonlocal timer
            timer = None
            news.set()

        try:
            while not stream.ended:
                # Clear first: news between `next_piece` and the wait sets the event again.
                news.clear()
                piece = stream.next_piece()
                if piece is None:
                    # One timer for each beat: one for each wait would cost as much as sending a picture.
                    timer = timer or loop.call_later(stream.seconds_to_beat(), beat)
                    await news.wait()
                elif not await self._sent(self._http.write(piece.encode())):
                    return False
                if self._closed.done():
                    return False
        finally:
            if timer is not None:
                timer.cancel()
        return True

    async def _sent(self, writing: Any) -> bool:
        """Return whether the data has been sent; close the connection of a client that takes too long."""
        # A write finishes when the client has accepted it, usually at once. The timeout frees the memory of a client
        # that never reads.
        if not writing.done():
            await asyncio.wait({writing, self._closed}, timeout=ANSWER_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if writing.done() and not writing.cancelled() and writing.exception() is None:
            return True
        self._client.close()
        return False

    def _environ(self) -> dict[str, Any]:
        """Convert the request to a WSGI environment (PEP 3333)."""
        request, origin = self._request, self._client.origin
        # An IPv6 address contains colons, so split at the last one.
        host, _, port = request.host.rpartition(":")
        path = unquote_to_bytes(request.path).decode("latin1")
        environ: dict[str, Any] = {
            "REQUEST_METHOD": request.method,
            "SCRIPT_NAME": "",
            # Flask ignores additional slashes at the start, so all other code that uses the path must ignore them, too.
            "PATH_INFO": re.sub("^/+", "/", path),
            "QUERY_STRING": request.query,
            "REMOTE_ADDR": origin.address,
            "SERVER_NAME": host or request.host,
            "SERVER_PORT": port if port.isdecimal() else "80",
            "SERVER_PROTOCOL": request.version,
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": origin.scheme,
            "wsgi.input": io.BytesIO(self._body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "CONTENT_LENGTH": str(len(self._body)),
            AT_TABLE: origin.here,
            PROXIED: origin.proxied,
            LANE: self._lane,
        }
        for name, value in request.headers.items():
            # `X_Real_Ip` and `X-Real-Ip` would get the same key; ignore the ambiguous spelling.
            if "_" not in name and name not in ("Content-Length", "Transfer-Encoding"):
                environ["HTTP_" + name.replace("-", "_").upper()] = value
        if "HTTP_CONTENT_TYPE" in environ:
            environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE")
        return environ


def kind_of(environ: Mapping[str, Any]) -> RequestKind:
    """Return the kind of worker for a request."""
    path = environ["PATH_INFO"]
    if REFUSED in environ:
        return RequestKind.READ
    if path == RECORDS and environ["REQUEST_METHOD"] not in READS:
        return RequestKind.IMPORT  # checking a record takes far longer than anything else
    if LONG_WORK.fullmatch(path):
        return RequestKind.LONG
    # Anything that may wait for the table is an action, so that it never blocks reads.
    return RequestKind.ACT if environ["REQUEST_METHOD"] not in READS or path in PACED else RequestKind.READ


def _is_text(header: str) -> bool:
    """Return whether a header, read as one character per byte, is UTF-8."""
    try:
        header.encode("latin1").decode()
    except UnicodeError:
        return False
    return True
