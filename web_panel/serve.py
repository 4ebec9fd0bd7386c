"""Serve the panel: one thread in which Tornado reads requests and sends answers, and worker threads.

Slow, silent and idle clients use a socket but no thread; `connections.py` limits their number. Requests are not logged,
because an address or a cookie in a log could leak a secret.
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
from typing import Any, NamedTuple, cast

from flask import Flask
from tornado.http1connection import HTTP1ConnectionParameters, HTTP1ServerConnection
from tornado.iostream import IOStream, SSLIOStream, StreamClosedError
from tornado.platform.asyncio import AsyncIOMainLoop

from firmware_host.core.children import keep_from_forks
from firmware_host.core.errors import CannotListen
from firmware_host.core.proxies import NO_PROXIES, plain_address
from web_panel.connections import Arrivals, Connection, Connections, InParts, LaneTurns
from web_panel.failures import log_place
from web_panel.gateway import Bodies, Gateway, GatewayAnswer
from web_panel.origin import PROXIES
from web_panel.seats import LANES, LOOPBACK, SEATS
from web_panel.tls import HANDSHAKE, TlsSocket
from web_panel.workers import Workers

log = logging.getLogger("web_panel")

TIMEOUT = 5.0
"""Seconds for a client's TLS handshake, and for the whole head of each request."""
BACKLOG = 1024
"""Connections that the system queues until they are accepted. It drops any more, and their clients have to retry after
seconds."""
SOCKETS_AT_ONCE = 64
"""Connections that are taken from the system at once. The requests of others are read in between."""
CONNECTIONS_AT_ONCE = 16
"""New connections that the server starts to serve at once.

It reads the requests that have arrived before it starts with more. Otherwise a proxy that opens many connections at
once would use all places for connections without a request.
"""
HEAD_SIZE = 16 << 10
"""Maximum bytes of a request's head."""
PIECE = 16 << 10
"""Bytes that are read at once."""
BUFFERS = {"max_buffer_size": 4 * PIECE, "read_chunk_size": PIECE}
"""The buffers of a connection. They are small, because strangers can open many."""
PANEL_BODIES = Bodies()
RETRY_SECONDS = 0.5
"""Seconds until connections are accepted again after the file descriptors ran out."""

PLAIN_HTTP_ANSWER = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
    b"This table speaks https: write https:// before its address.\n"
)

SENTENCES = {
    errno.EADDRINUSE: "another program uses port {port}",
    errno.EACCES: "port {port} needs rights that this user has not",
    errno.EADDRNOTAVAIL: "this computer has no address {host}",
}


class _Places(logging.Handler):
    """Logs a library's errors by their place alone; its other messages contain clients' addresses."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            log_place("a connection failed", record.exc_info[1])


class _MonotonicLoop(AsyncIOMainLoop):
    """Tornado's loop on top of asyncio's.

    With Tornado's own clock, timeouts would expire when the machine's clock is set.
    """

    def time(self) -> float:
        """Return monotonic seconds."""
        return self.asyncio_loop.time()


class Listener(NamedTuple):
    """A listening socket and its TLS context, None for plain HTTP."""

    socket: socket.socket
    tls: ssl.SSLContext | None


class Server:
    """The panel's server. It listens as soon as it is created; `port` is the first listener's."""

    def __init__(self, app: Flask, listening: Sequence[Listener], connections: Connections, bodies: Bodies) -> None:
        self._app, self._listening, self._connections, self._bodies = app, listening, connections, bodies
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._stopped = self._beginning = False
        self._arrivals = Arrivals()
        self._thread = self._new_thread()
        self.ports: tuple[int, ...] = tuple(listener.socket.getsockname()[1] for listener in listening)
        self.port = self.ports[0]

    def start(self) -> None:
        """Start answering, in a new thread."""
        self._thread.start()
        # The caller may open a connection at once, so wait until the loop listens.
        self._ready.wait()

    def restart_if_dead(self) -> bool:
        """Start answering again if the thread has died; return whether it had died."""
        if self._stopped or self._thread.is_alive():
            return False
        self._thread = self._new_thread()
        self.start()
        return True

    @property
    def has_ports(self) -> bool:
        """Whether the listening sockets are open: a game that closes all descriptors closes them, too."""
        try:
            options = [it.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) for it in self._listening]
        except OSError:
            return False
        # These numbers can belong to other sockets now.
        return all(options)

    def stop(self) -> None:
        """Stop answering. May be called twice."""
        self._stopped = True
        self.end_thread()
        for listener in self._listening:
            listener.socket.close()

    def end_thread(self) -> None:
        """End the thread that answers, and all connections; the port stays bound."""
        if self._thread.is_alive() and self._loop is not None:
            with suppress(RuntimeError):  # the loop has closed in the meantime
                # An asyncio event may only be set in its own loop's thread.
                self._loop.call_soon_threadsafe(self._ended.set)
            self._thread.join()

    def _new_thread(self) -> threading.Thread:
        self._ready.clear()
        return threading.Thread(target=self._run, name="panel", daemon=True)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as error:
            log_place("the server failed", error)
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_exception_handler(_on_fault)
        _MonotonicLoop()  # Tornado uses it for everything in this thread
        workers, lane = Workers[GatewayAnswer](self._app.extensions[SEATS]), self._app.extensions[LANES]
        proxies = self._app.extensions.get(PROXIES, NO_PROXIES)
        self._gateway = Gateway(self._app, self._connections, lane, workers, self._bodies, proxies)
        self._turns = LaneTurns()
        watching = self._loop.create_task(self._gateway.watch_lanes())
        self._take_connections()
        self._ready.set()
        try:
            await self._ended.wait()
        finally:
            # First stop accepting, then end the workers, then close open connections.
            watching.cancel()
            for listener in self._listening:
                self._loop.remove_reader(listener.socket)
            workers.end()
            for client_socket in self._arrivals:
                client_socket.close()
            self._arrivals, self._beginning = Arrivals(), False
            await asyncio.sleep(0)  # sockets that were just accepted become connections now
            for connection in self._connections:
                connection.close()
                self._connections.remove(connection)
            await asyncio.sleep(0)

    # --- accepting connections ------------------------------------------------------------------------------------

    def _take_connections(self) -> None:
        assert self._loop is not None
        for index, listener in enumerate(self._listening):
            self._loop.add_reader(listener.socket, self._accept, index)

    def _accept(self, index: int) -> None:
        """Accept the next sockets from a listener, and start to serve those that are due."""
        assert self._loop is not None
        for _ in range(SOCKETS_AT_ONCE):
            try:
                client_socket, address = self._listening[index].socket.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                break
            except OSError:  # no descriptor is left: open connections must end first
                # Without this, the readable sockets would wake the loop endlessly.
                for listener in self._listening:
                    self._loop.remove_reader(listener.socket)
                self._loop.call_later(RETRY_SECONDS, self._take_connections)
                break
            # Addresses take turns: one that opens many connections does not delay the others.
            self._arrivals.add(address[0], client_socket, index)
        if not self._beginning:
            self._begin()

    def _begin(self) -> None:
        """Start to serve the sockets whose turn it is. The next ones follow after the loop has read the requests that
        have arrived."""
        assert self._loop is not None
        for _ in range(CONNECTIONS_AT_ONCE):
            if (arrival := self._arrivals.next(self._loop.time())) is None:
                break
            address, client_socket, index = arrival
            self._gateway.run(self._talk(client_socket, address, self._listening[index].tls))
        wait = self._arrivals.seconds_to_wait()
        self._beginning = wait is not None
        if wait is not None:
            self._loop.call_later(wait, self._begin)

    async def _talk(self, client_socket: socket.socket, address: str, tls: ssl.SSLContext | None) -> None:
        """Answer a client's requests, if there is a place for its connection."""
        _configure(client_socket)
        stream = IOStream(client_socket, **BUFFERS)
        talk, protocol = asyncio.current_task(), "http" if tls is None else "https"
        assert talk is not None
        # An IPv4 client of an IPv6 socket appears as ::ffff:a.b.c.d.
        address, own = (plain_address(text) or text for text in (address, client_socket.getsockname()[0]))
        client = Connection(address, address in (*LOOPBACK, own), protocol, talk.cancel)
        # Check before the TLS handshake, which costs much more than closing the socket.
        if not self._connections.add(client):
            stream.close()
            return
        try:
            if tls is not None:
                # A client that never finishes its handshake would hold its place forever.
                stream = await asyncio.wait_for(self._secured(stream, tls), TIMEOUT)
        except (OSError, TimeoutError, StreamClosedError, asyncio.CancelledError):
            self._connections.remove(client)
            stream.close()
            return
        # Until this point, `close` cancelled the handshake.
        client.close = stream.close
        parameters = HTTP1ConnectionParameters(chunk_size=PIECE, max_header_size=HEAD_SIZE)
        read = cast(IOStream, InParts(stream, client, self._turns, TIMEOUT))
        HTTP1ServerConnection(read, parameters, client).start_serving(self._gateway)

    async def _secured(self, stream: IOStream, tls: ssl.SSLContext) -> IOStream:
        """Return the connection after the TLS handshake. Raises `OSError` if the client does not use TLS."""
        await _wait_until_readable(stream.socket)
        # Peek at the first byte: a browser that speaks plain HTTP gets a readable hint instead of a TLS error.
        if stream.socket.recv(1, socket.MSG_PEEK) in (b"", HANDSHAKE):
            call_soon = asyncio.get_running_loop().call_soon
            secured = SSLIOStream(cast(socket.socket, TlsSocket(stream.socket, tls, call_soon)), **BUFFERS)
            try:
                return await secured.wait_for_handshake()
            except BaseException:
                secured.close()
                raise
        await stream.write(PLAIN_HTTP_ANSWER)
        raise ConnectionAbortedError


async def _wait_until_readable(client: socket.socket) -> None:
    """Wait until something can be read."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    number = client.fileno()

    def set_ready() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(number, set_ready)
    try:
        await ready
    finally:
        loop.remove_reader(number)


def _configure(client: socket.socket) -> None:
    """Configure a socket: send at once, and, where supported, detect clients that vanished silently."""
    client.setblocking(False)
    with suppress(OSError):
        # Without this, the system holds back small pieces, such as the events of a stream.
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(TIMEOUT * 1000))


def _on_fault(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    # Lost connections are normal and not worth a log line.
    if isinstance(error, BaseException) and not isinstance(error, OSError | StreamClosedError):
        log_place("a connection failed", error)


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
    """Return a server for `app`, not started yet; with `tls` it uses https. Port 0 takes any free port.

    `connections` is empty and sets the limits of connections; `bodies` sets the limits of request bodies. `plain` is an
    additional listening socket (see `listen`) for plain HTTP. `listening` is an existing socket to use instead of
    `host` and `port`. Raises `CannotListen`.
    """
    library = logging.getLogger("tornado")
    # Tornado's messages contain addresses of clients, so they must not reach the log.
    library.handlers, library.propagate = [_Places(logging.ERROR)], False
    first = Listener(listening or listening_socket(host, port), tls)
    more = [] if plain is None else [Listener(plain, None)]
    return Server(app, [first, *more], Connections() if connections is None else connections, bodies)


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises `CannotListen`."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        # A restart must not wait for old connections to time out.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        words = SENTENCES.get(error.errno or 0, error.strerror or "the address cannot be used")
        raise CannotListen(error.errno, words.format(host=host, port=port), f"{host}:{port}") from None
    return keep_from_forks(listening)
