"""Serves the panel: one thread, in which Tornado reads requests and sends answers, and workers that answer them.

Slow, silent and idle clients cost a socket and no thread; how many there may be is in `connections.py`. Nothing about
requests is logged: an address or a cookie in a log is one more place for a secret to lie.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import ssl
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from flask import Flask
from tornado.http1connection import HTTP1ConnectionParameters, HTTP1ServerConnection
from tornado.iostream import IOStream, StreamClosedError
from tornado.platform.asyncio import AsyncIOMainLoop

from firmware_host.core.proxies import NO_PROXIES, plain_address
from web_panel.connections import Connection, Connections
from web_panel.gateway import Bodies, Gateway, GatewayAnswer, name_place
from web_panel.origin import PROXIES
from web_panel.seats import LANES, LOOPBACK, SEATS
from web_panel.workers import Workers

log = logging.getLogger("web_panel")

PATIENCE = 5.0
"""Seconds in which a client has to agree on https, and then to send the whole head of its next request."""
BACKLOG = 64
"""Connections that the system keeps until they are taken."""
HEAD_SIZE = 16 << 10
"""Bytes of a request's head."""
PIECE = 16 << 10
"""Bytes that are read at once."""
PANEL_BODIES = Bodies()
BREATHER = 0.5
"""Seconds before connections are taken again, when there was no descriptor left for one."""

HANDSHAKE = b"\x16"
"""The first byte of whoever speaks TLS."""
PLAINLY = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
    b"This table speaks https: write https:// before its address.\n"
)

SENTENCES = {
    errno.EADDRINUSE: "another program uses port {port}",
    errno.EACCES: "port {port} needs rights that this user has not",
    errno.EADDRNOTAVAIL: "this computer has no address {host}",
}


class _Places(logging.Handler):
    """Tells of what goes wrong in a library by its place alone; its other messages hold addresses of clients."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            name_place("a connection failed", record.exc_info[1])


class _MonotonicLoop(AsyncIOMainLoop):
    """Tornado's loop over asyncio's. By Tornado's own clock, timeouts would end when the machine's clock is set."""

    def time(self) -> float:
        """Monotonic seconds."""
        return self.asyncio_loop.time()


class Listener(NamedTuple):
    """A socket that listens, and what its clients have to agree on, None for plain HTTP."""

    socket: socket.socket
    tls: ssl.SSLContext | None


class Server:
    """The panel's server, listening from the moment it is made; `port` is that of the first listener."""

    def __init__(self, app: Flask, listening: Sequence[Listener], connections: Connections, bodies: Bodies) -> None:
        self._app, self._listening, self._connections, self._bodies = app, listening, connections, bodies
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._stopped = False
        self._thread = self._fresh()
        self.ports: tuple[int, ...] = tuple(one.socket.getsockname()[1] for one in listening)
        self.port = self.ports[0]

    def start(self) -> None:
        """Answer from now on, in a thread of its own."""
        self._thread.start()
        self._ready.wait()

    def revive(self) -> bool:
        """Begin to answer again, should the thread have died; whether it had."""
        if self._stopped or self._thread.is_alive():
            return False
        self._thread = self._fresh()
        self.start()
        return True

    def stop(self) -> None:
        """Answer no more; may be called twice."""
        self._stopped = True
        self.end_thread()
        for listener in self._listening:
            listener.socket.close()

    def end_thread(self) -> None:
        """End the thread that answers, and all connections; the port stays taken."""
        if self._thread.is_alive() and self._loop is not None:
            with suppress(RuntimeError):  # the loop has closed meanwhile
                self._loop.call_soon_threadsafe(self._ended.set)
            self._thread.join()

    def _fresh(self) -> threading.Thread:
        self._ready.clear()
        return threading.Thread(target=self._run, name="panel", daemon=True)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:
            name_place("the server failed", error)
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_exception_handler(_on_fault)
        _MonotonicLoop()  # whatever Tornado does in this thread finds it
        workers, lane = Workers[GatewayAnswer](self._app.extensions[SEATS]), self._app.extensions[LANES]
        proxies = self._app.extensions.get(PROXIES, NO_PROXIES)
        self._gateway = Gateway(self._app, self._connections, lane, workers, self._bodies, proxies)
        watching = self._loop.create_task(self._gateway.watch_lanes())
        self._take_connections()
        self._ready.set()
        try:
            await self._ended.wait()
        finally:
            watching.cancel()
            for listener in self._listening:
                self._loop.remove_reader(listener.socket)
            workers.end()
            await asyncio.sleep(0)  # what was accepted last becomes a connection now
            for connection in self._connections:
                connection.close()
                self._connections.remove(connection)
            await asyncio.sleep(0)

    # --- taking connections ---------------------------------------------------------------------------------------

    def _take_connections(self) -> None:
        assert self._loop is not None
        for listener in self._listening:
            self._loop.add_reader(listener.socket, self._accept, listener)

    def _accept(self, listener: Listener) -> None:
        assert self._loop is not None
        for _ in range(BACKLOG):
            try:
                taken, address = listener.socket.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:  # no descriptor is left: the open connections have to end first
                for one in self._listening:
                    self._loop.remove_reader(one.socket)
                self._loop.call_later(BREATHER, self._take_connections)
                return
            self._gateway.run(self._talk(taken, address[0], listener.tls))

    async def _talk(self, taken: socket.socket, address: str, tls: ssl.SSLContext | None) -> None:
        """Have a client's requests answered, if there is a place for it."""
        _prepare(taken)
        stream = IOStream(taken, max_buffer_size=4 * PIECE, read_chunk_size=PIECE)
        talk, protocol = asyncio.current_task(), "http" if tls is None else "https"
        assert talk is not None
        address, own = (plain_address(one) or one for one in (address, taken.getsockname()[0]))
        client = Connection(address, is_here(address, own), protocol, talk.cancel)
        if not self._connections.add(client):
            stream.close()
            return
        try:
            if tls is not None:
                stream = await asyncio.wait_for(self._secured(stream, tls), PATIENCE)
        except (OSError, TimeoutError, StreamClosedError, asyncio.CancelledError):
            self._connections.remove(client)
            if stream.socket is not None:  # a handshake that ends takes the socket with it
                stream.close()
            return
        client.close = stream.close
        HTTP1ServerConnection(stream, _parameters(), client).start_serving(self._gateway)

    async def _secured(self, stream: IOStream, tls: ssl.SSLContext) -> IOStream:
        """The line to speak over, after the handshake. Raises `OSError` where the client does not speak TLS."""
        await _readable(stream.socket)
        if stream.socket.recv(1, socket.MSG_PEEK) in (b"", HANDSHAKE):
            return await stream.start_tls(True, tls)
        await stream.write(PLAINLY)
        raise ConnectionAbortedError


def _parameters() -> HTTP1ConnectionParameters:
    return HTTP1ConnectionParameters(chunk_size=PIECE, max_header_size=HEAD_SIZE, header_timeout=PATIENCE)


async def _readable(line: socket.socket) -> None:
    """Until something can be read."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    number = line.fileno()

    def found() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(number, found)
    try:
        await ready
    finally:
        loop.remove_reader(number)


def _prepare(line: socket.socket) -> None:
    """Send at once, and let the system give up a phone that left without a word, where it knows how to."""
    line.setblocking(False)
    with suppress(OSError):
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(PATIENCE * 1000))


def _on_fault(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    if isinstance(error, BaseException) and not isinstance(error, OSError | StreamClosedError):
        name_place("a connection failed", error)


def serve(
    app: Flask,
    host: str,
    port: int,
    tls: ssl.SSLContext | None = None,
    connections: Connections | None = None,
    plain: socket.socket | None = None,
    bodies: Bodies = PANEL_BODIES,
    listening: socket.socket | None = None,
) -> Server:
    """A server for `app`, not started yet, over https with `tls`; port 0 takes any free one.

    `connections` are empty, and say how many there may be; `bodies` how large those of requests. `plain` listens too
    (see `listen`), and speaks plain HTTP. `listening` is there already, in place of `host` and `port`.

    Raises `OSError` whose `strerror` says in words why it cannot listen there.
    """
    library = logging.getLogger("tornado")
    library.handlers, library.propagate = [_Places(logging.ERROR)], False
    first = Listener(listening or listen(host, port), tls)
    more = [] if plain is None else [Listener(plain, None)]
    return Server(app, [first, *more], Connections() if connections is None else connections, bodies)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises `OSError` whose `strerror` says in words why it cannot."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        words = SENTENCES.get(error.errno or 0, error.strerror or "the address cannot be used")
        raise OSError(error.errno, words.format(host=host, port=port)) from None
    return listening


def is_here(client: str, server: str) -> bool:
    """Whether a client is on this very machine: it speaks from a loopback address, or from the one it speaks to."""
    return client in LOOPBACK or client == server
