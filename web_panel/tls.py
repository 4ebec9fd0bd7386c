"""TLS on a socket, with limits on long handshakes and on records that carry little data.

OpenSSL reads from a socket until a record with data arrives. Records without data, for example key updates, cost it as
much time as others, so one client that sends them in a loop would keep everyone else waiting. Records of a single byte
cost even more. Here, OpenSSL gets each record by itself, and a client that sends many such records is disconnected.
After a long hello it would compare each key share with each group, so that ends the connection, too.
"""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

T = TypeVar("T")

HANDSHAKE = b"\x16"
"""The first byte of a record of a handshake, and of all that a TLS client sends."""
HEADER = 5
"""Bytes of a record's header: its type, the version, and the length of the rest in two bytes (RFC 8446, 5.1)."""
LARGEST = (16 << 10) + 2048
"""Maximum bytes of a record after its header; TLS 1.3 allows fewer (RFC 5246, 6.2.3)."""
LONGEST_HANDSHAKE = 8 << 10
"""Bytes that a client may send before a connection is established. Browsers send about 2 KB, or twice that if they must
repeat their hello.
"""
SMALL_RECORDS = 64
"""Records without data that a client may send. A handshake takes about four; browsers send no others."""
BYTES_PER_RECORD = 32
"""Bytes of data after which a client may send one more record."""
IN_A_ROUND = 8
"""Records of a connection that are read in one round of the server's loop. Others are served in between."""
AT_ONCE = 16 << 10
"""Bytes that are encrypted at once: one full record."""


class TlsSocket:
    """The server's end of a TLS connection on a non-blocking socket.

    It replaces the `ssl.SSLSocket` of Tornado's `SSLIOStream`, which uses the methods that are defined here; all others
    are those of the socket. They raise `ssl.SSLWantReadError` and `ssl.SSLWantWriteError` where the socket would block,
    other `ssl.SSLError`s where the client breaks the protocol, and `ConnectionResetError` if it sends too many records,
    or asks for another handshake.
    """

    def __init__(self, plain: socket.socket, context: ssl.SSLContext, call_soon: Callable[..., object]) -> None:
        """`call_soon` calls a function in the next round of the server's loop."""
        self._plain, self._call_soon = plain, call_soon
        self._received, self._to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._received, self._to_send, server_side=True)
        self._record = bytearray()
        self._unsent = b""
        self._accepted, self._established, self._handshake_left = 0, False, LONGEST_HANDSHAKE
        self._credit, self._left = float(SMALL_RECORDS), IN_A_ROUND

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)

    def do_handshake(self) -> None:
        """Continue the handshake."""
        self._with_records(self._tls.do_handshake)
        self._established = True

    def recv_into(self, buffer: bytearray | memoryview, size: int) -> int:
        """Read up to `size` bytes of data into `buffer`, and return their number: 0 at the end of the connection."""
        try:
            # With a buffer, the number of its bytes is returned.
            number = cast(int, self._with_records(lambda: self._tls.read(size, cast(bytearray, buffer))))
        except ssl.SSLEOFError:  # closed without a closing message, as browsers do
            return 0
        self._credit = min(SMALL_RECORDS, self._credit + number / BYTES_PER_RECORD)
        return number

    def send(self, data: bytes | memoryview) -> int:
        """Send the beginning of `data`; return the number of its bytes that were sent.

        After `ssl.SSLWantWriteError`, the next call must have the same data: a part of it is already encrypted.
        """
        if not self._accepted:
            self._accepted = self._tls.write(data[:AT_ONCE])
        if not self._flush():
            raise ssl.SSLWantWriteError(ssl.SSL_ERROR_WANT_WRITE)
        accepted, self._accepted = self._accepted, 0
        return accepted

    def _with_records(self, act: Callable[[], T]) -> T:
        """Call `act` with one more record each time, until it has what it needs."""
        while True:
            try:
                return act()
            except ssl.SSLWantReadError:
                self._receive()
            finally:
                with suppress(OSError):  # the next call of the socket fails, too
                    self._flush()

    def _receive(self) -> None:
        """Pass the next record to OpenSSL. Nothing is read beyond it, so that the socket stays readable."""
        if not self._left:  # the socket is still readable in the next round
            raise ssl.SSLWantReadError(ssl.SSL_ERROR_WANT_READ)
        while missing := self._missing():
            try:
                part = self._plain.recv(missing)
            except BlockingIOError:
                raise ssl.SSLWantReadError(ssl.SSL_ERROR_WANT_READ) from None
            if not part:
                self._received.write_eof()
                return
            self._record += part
        # In TLS 1.2, such a record can hold hundreds of requests for another handshake, and OpenSSL would refuse one
        # after another. TLS 1.3 encrypts the type of later messages.
        if self._established and self._record[:1] == HANDSHAKE:
            raise ConnectionResetError(errno.ECONNRESET, "another TLS handshake")
        self._received.write(self._record)
        self._handshake_left -= len(self._record)
        self._record.clear()
        if self._left == IN_A_ROUND:
            self._call_soon(self._begin_round)
        self._left -= 1
        self._credit -= 1
        if self._credit < 0:
            raise ConnectionResetError(errno.ECONNRESET, "too many small TLS records")

    def _begin_round(self) -> None:
        self._left = IN_A_ROUND

    def _missing(self) -> int:
        if len(self._record) < HEADER:
            return HEADER - len(self._record)
        length = int.from_bytes(self._record[3:HEADER])
        if length > (LARGEST if self._established else self._handshake_left):
            raise ConnectionResetError(errno.ECONNRESET, "a TLS record is too long")
        return HEADER + length - len(self._record)

    def _flush(self) -> bool:
        """Send what is encrypted; return whether nothing is left."""
        while self._unsent or self._to_send.pending:
            self._unsent = self._unsent or self._to_send.read()
            try:
                self._unsent = self._unsent[self._plain.send(self._unsent) :]
            except BlockingIOError:
                return False
        return True
