"""Serves the panel over plain HTTP: a thread for each connection, none of which can hold up another.

Idle and slow clients are dropped after a few seconds, the number of connections is bounded, for all and for each
machine, and nothing about requests is logged: an address or a cookie in a log is one more place for a secret to lie.

Threads wait for clients, but only a few at a time work for them: however many ask, the table's loop gets its turn.
"""

from __future__ import annotations

import errno
import io
import logging
import re
import socket
import ssl
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from http.server import HTTPServer
from typing import Any

from flask import Flask
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler, select_address_family

from web_panel.games import BIGGEST_RECORD, RECORDS
from web_panel.guard import BIGGEST_BODY
from web_panel.seats import HERE, LOOPBACK
from web_panel.turns import Turns

log = logging.getLogger("web_panel")

PLACE = re.compile(r'File "([^"]+)", line (\d+)')
"""A place in the code, as a traceback has it."""
PATIENCE = 5.0
"""Seconds that a client may let us wait for its next byte, or refuse to take ours."""
CONNECTIONS = 160
"""More than all streams and the requests of their screens; the next one is turned away."""
EACH = 40
"""Connections of one other machine at a time: tabs enough for a family, too few to shut others out."""
WORKERS = 3
"""Requests that are worked on at the same time; the others wait for their turn."""
LEAVING = "sniperboard.leaving"
"""Where a request's environment keeps what to do when its connection ends, however it ends."""

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


class _Whole(io.BufferedIOBase):
    """What is written goes to a client in one piece, as soon as it is flushed.

    A piece of a stream is written in four parts. Each of them, sent for itself, would let go of the interpreter and
    wait for it again, behind everybody else who works.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        parts, self._parts = self._parts, []
        if parts:
            self._connection.sendall(b"".join(parts))


class _Handler(WSGIRequestHandler):
    """One connection. The answer is closed even if the client vanished in a way that breaks off the sending."""

    protocol_version = "HTTP/1.1"
    timeout = PATIENCE

    def setup(self) -> None:
        self.leaving = ExitStack()
        super().setup()
        self.wfile = _Whole(self.connection)

    def make_environ(self) -> dict[str, Any]:
        self.wfile.flush()  # a client that has asked whether it may send its body waits for the word
        here = is_here(self.client_address[0], self.connection.getsockname()[0])
        return {**super().make_environ(), LEAVING: self.leaving, HERE: here}

    def finish(self) -> None:
        try:
            self.leaving.close()
        finally:
            super().finish()

    def version_string(self) -> str:
        return "sniperboard"

    def log(self, type: str, message: str, *args: Any) -> None:
        """Nothing: see the module."""


class _Server(ThreadedWSGIServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, host: str, app: Flask, listening: socket.socket, tls: ssl.SSLContext | None) -> None:
        self._slots = threading.BoundedSemaphore(CONNECTIONS)
        self._guard = threading.Lock()
        self._held: Counter[str] = Counter()
        port = listening.getsockname()[1]
        super().__init__(host, port, _closing(app), handler=_Handler, fd=listening.fileno())
        self.ssl_context = tls

    def serve_forever(self, poll_interval: float = 0.5) -> None:
        """Unlike Werkzeug's, it leaves the door open behind it: should its thread die, another takes over."""
        HTTPServer.serve_forever(self, poll_interval)

    def process_request(self, request: Any, client_address: Any) -> None:
        """In the accepting thread, which must never wait."""
        if not self._take(request, client_address):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no thread to be had
            self._give_back(client_address)
            self.shutdown_request(request)

    def _take(self, request: socket.socket, client_address: Any) -> bool:
        """A connection's place among all, and among those of its machine."""
        if not self._slots.acquire(blocking=False):
            return False
        who = client_address[0]
        with self._guard:
            self._held[who] += 1
            fits = self._held[who] <= EACH
        if fits or is_here(who, request.getsockname()[0]):
            return True
        self._give_back(client_address)
        return False

    def _give_back(self, client_address: Any) -> None:
        with self._guard:
            self._held[client_address[0]] -= 1
            self._held += Counter()  # forgets whoever holds none
        self._slots.release()

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """In the connection's own thread."""
        try:
            request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _notice_vanished(request)
            spoken = self._secured(request)
            if spoken is not None:
                super().process_request_thread(spoken, client_address)
        finally:
            self._give_back(client_address)

    def _secured(self, connection: socket.socket) -> socket.socket | None:
        """The connection to speak over; with https, after the handshake, which a silent client has to itself."""
        if not isinstance(self.ssl_context, ssl.SSLContext):
            return connection
        connection.settimeout(PATIENCE)
        try:
            if connection.recv(1, socket.MSG_PEEK) in (b"", HANDSHAKE):
                return self.ssl_context.wrap_socket(connection, server_side=True)
            connection.sendall(PLAINLY)
        except OSError:
            pass
        self.shutdown_request(connection)
        return None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that broke off is nobody's fault; what is ours is named by its place, in no words of its own."""
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, OSError):
            place = traceback.extract_tb(error.__traceback__)[-1]
            log.error("a connection failed: %s at %s:%s", type(error).__name__, place.filename, place.lineno)

    def log(self, type: str, message: str, *args: Any) -> None:
        """A stream or an answer that broke off by a fault of ours, by its place alone: see the module."""
        if type == "error" and (places := PLACE.findall(message % args if args else message)):
            log.error("a connection failed at %s:%s", *places[-1])


class Server:
    """The panel's server, listening from the moment it is made."""

    def __init__(self, app: Flask, host: str, listening: socket.socket, tls: ssl.SSLContext | None) -> None:
        self._server = _Server(host, app, listening, tls)
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._stopped = False
        self.port: int = self._server.port

    def start(self) -> None:
        """Answer from now on, in a thread of its own."""
        self._thread.start()

    def _run(self) -> None:
        self._server.serve_forever()

    def revive(self) -> bool:
        """Begin to answer again, should the thread have died; whether it had."""
        if self._stopped or self._thread.is_alive():
            return False
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._thread.start()
        return True

    def stop(self) -> None:
        """Answer no more; may be called twice."""
        self._stopped = True
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()


def serve(app: Flask, host: str, port: int, tls: ssl.SSLContext | None = None) -> Server:
    """A server for `app`, not started yet, over https with `tls`; port 0 takes any free one.

    Raises `OSError` whose `strerror` says in words why it cannot listen there.
    """
    family = select_address_family(host, port)
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(_Server.request_queue_size)
        return Server(app, host, listening, tls)
    except OSError as error:
        words = SENTENCES.get(error.errno or 0, error.strerror or "the address cannot be used")
        raise OSError(error.errno, words.format(host=host, port=port)) from None
    finally:
        listening.close()


def is_here(client: str, server: str) -> bool:
    """Whether a client is on this very machine: it speaks from a loopback address, or from the one it speaks to."""
    return client in LOOPBACK or client == server


def _closing(app: Flask) -> Callable[..., Iterable[bytes]]:
    turns = Turns(WORKERS)

    def run(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        _receive(environ)
        with turns.working():
            answer = app(environ, start)
        close = getattr(answer, "close", None)
        if close is not None:
            environ[LEAVING].callback(close)
        return answer

    return run


def _receive(environ: dict[str, Any]) -> None:
    """Have the whole body before anybody works on it: waiting for a slow client must take nobody's place.

    One that is too big is left alone; `guard.py` refuses it unread.
    """
    length = environ.get("CONTENT_LENGTH") or "0"
    if length.isdigit() and 0 < int(length) <= _biggest(environ) and "HTTP_TRANSFER_ENCODING" not in environ:
        environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(int(length)))


def _biggest(environ: dict[str, Any]) -> int:
    """How much is read of a body: records of games are the only large ones."""
    return BIGGEST_RECORD if environ["PATH_INFO"] == RECORDS else BIGGEST_BODY


def _notice_vanished(connection: socket.socket) -> None:
    """Let the system give up a phone that left without a word, where it knows how to."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(PATIENCE * 1000))
