"""TLS connections: complete data through a slow network, and clients that send records with little data."""

from __future__ import annotations

import errno
import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

import pytest

from firmware_host.admin.certificate import ensure_file, tls_context
from tests.patience import PATIENCE, until
from tests.web_panel.conftest import Panel
from tests.web_panel.test_serve import HOME
from web_panel import serve as module
from web_panel.serve import Server, serve
from web_panel.tls import (
    AT_ONCE,
    BYTES_PER_RECORD,
    HANDSHAKE,
    HEADER,
    IN_A_ROUND,
    LARGEST,
    LONGEST_HANDSHAKE,
    SMALL_RECORDS,
    TlsSocket,
)

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="this machine has no openssl")


@pytest.fixture(scope="module")
def own_context(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    return tls_context(ensure_file(tmp_path_factory.mktemp("certificate"), [HOME]))


class Pair:
    """Both ends of a connection in one thread: the client's records are in memory until `pass_on` sends them."""

    def __init__(self, context: ssl.SSLContext, version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> None:
        near, self.far = socket.socketpair()
        near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        near.setblocking(False)
        self.far.setblocking(False)
        self.calls = list[Callable[[], None]]()
        self.server = TlsSocket(near, context, self.calls.append)
        self.received, self.sent = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = ssl.create_default_context()
        client.check_hostname, client.verify_mode, client.maximum_version = False, ssl.CERT_NONE, version
        self.client = client.wrap_bio(self.received, self.sent)
        ends: list[ssl.SSLObject | TlsSocket] = [self.client, self.server]
        while ends:
            with suppress(ssl.SSLWantReadError):
                ends[0].do_handshake()
                ends = ends[1:]
            ends.reverse()
            self.pass_on()

    def pass_on(self) -> None:
        """Send all that either end has sent to the other one, and begin the next round of a loop."""
        for call in self.calls:
            call()
        self.calls.clear()
        self.far.sendall(self.sent.read())
        with suppress(BlockingIOError):
            self.received.write(self.far.recv(1 << 20))

    def read(self) -> bytes:
        """Return what the server reads at once."""
        buffer = bytearray(AT_ONCE)
        return bytes(buffer[: self.server.recv_into(buffer, AT_ONCE)])


@pytest.fixture
def pair(own_context: ssl.SSLContext) -> Iterator[Pair]:
    pair = Pair(own_context)
    yield pair
    pair.server.close()
    pair.far.close()


def test_all_data_arrives_through_a_slow_network(pair: Pair) -> None:
    data, seen = bytes(range(256)) * 1000, b""
    left = memoryview(data)
    while len(seen) < len(data):
        with suppress(ssl.SSLWantWriteError):
            if left:
                left = left[pair.server.send(left) :]
        pair.pass_on()
        with suppress(ssl.SSLWantReadError):
            seen += pair.client.read(1 << 20)
    assert seen == data
    assert not left


def test_record_is_read_when_its_last_byte_has_arrived(pair: Pair) -> None:
    for data in (b"first", b"second"):
        pair.client.write(data)
        record = pair.sent.read()
        for at in range(len(record)):
            with pytest.raises(ssl.SSLWantReadError):
                pair.read()
            pair.far.sendall(record[at : at + 1])
        assert pair.read() == data


def test_client_that_sends_many_small_records_is_disconnected(pair: Pair) -> None:
    """A key update, which Python can't send, counts like a record of one byte."""
    allowed = 0
    with pytest.raises(ConnectionResetError) as refused:
        while allowed <= 2 * SMALL_RECORDS:
            pair.client.write(b"x")
            pair.pass_on()
            assert pair.read() == b"x"
            allowed += 1
    assert refused.value.errno == errno.ECONNRESET, "Tornado closes such a connection without a log line"
    assert SMALL_RECORDS // 2 < allowed <= SMALL_RECORDS + 4


@pytest.mark.parametrize(("size", "record"), [(300, 1), (LONGEST_HANDSHAKE, 4000), (LONGEST_HANDSHAKE, 16000)])
def test_long_hello_or_many_small_records_are_refused(own_context: ssl.SSLContext, size: int, record: int) -> None:
    """OpenSSL accepts a hello of 128 KiB in any number of records; the most expensive one of 62 KiB takes it 25 ms."""
    sent, client = ssl.MemoryBIO(), ssl.create_default_context()
    client.set_alpn_protocols([*["x" * 255] * (size // 256), "http/1.1"])
    with suppress(ssl.SSLWantReadError):
        client.wrap_bio(ssl.MemoryBIO(), sent, server_hostname=HOME).do_handshake()
    hello = sent.read()[HEADER:]
    assert size < len(hello) < size + 1000
    near, far = socket.socketpair()
    near.setblocking(False)
    with near, far:
        parts = [hello[at : at + record] for at in range(0, len(hello), record)]
        far.sendall(b"".join(HANDSHAKE + b"\x03\x01" + len(part).to_bytes(2) + part for part in parts))
        calls = list[Callable[[], None]]()
        server = TlsSocket(near, own_context, calls.append)
        with pytest.raises(ConnectionResetError):
            for _ in range(size):
                with suppress(ssl.SSLWantReadError):
                    server.do_handshake()
                for call in calls:
                    call()


def test_records_with_enough_data_have_no_limit(pair: Pair) -> None:
    for _ in range(10 * SMALL_RECORDS):
        pair.client.write(b"x" * BYTES_PER_RECORD)
        pair.pass_on()
        assert pair.read() == b"x" * BYTES_PER_RECORD


def test_another_handshake_is_refused(own_context: ssl.SSLContext) -> None:
    """A record of TLS 1.2 held 250 requests for it, and OpenSSL answered each."""
    pair = Pair(own_context, ssl.TLSVersion.TLSv1_2)
    with closing(pair.server), pair.far:
        pair.client.write(b"x")
        pair.pass_on()
        assert pair.read() == b"x"
        pair.far.sendall(HANDSHAKE + b"\x03\x03\x00\x01\x00")
        with pytest.raises(ConnectionResetError):
            pair.read()


def test_few_records_are_read_in_a_round(pair: Pair) -> None:
    """A body of 4 MB in records of 32 bytes kept everyone else waiting, within the limit of small records."""
    pair.pass_on()
    for _ in range(IN_A_ROUND + 1):
        pair.client.write(b"x" * BYTES_PER_RECORD)
    pair.far.sendall(pair.sent.read())
    for _ in range(IN_A_ROUND):
        assert pair.read()
    with pytest.raises(ssl.SSLWantReadError):
        pair.read()
    pair.pass_on()
    assert pair.read()


def test_too_long_record_ends_the_connection(pair: Pair) -> None:
    pair.far.sendall(b"\x17\x03\x03" + (LARGEST + 1).to_bytes(2))
    with pytest.raises(ConnectionResetError):
        pair.read()


@pytest.mark.parametrize("whole", [True, False])
def test_end_of_the_connection_is_read_as_such(pair: Pair, whole: bool) -> None:
    pair.client.write(b"last")
    records = pair.sent.read()
    pair.far.sendall(records if whole else records[:-1])
    pair.far.shutdown(socket.SHUT_WR)
    assert [pair.read(), pair.read()] == ([b"last", b""] if whole else [b"", b""])


@pytest.fixture
def server(panel: Panel, own_context: ssl.SSLContext) -> Iterator[Server]:
    running = serve(panel.app, HOME, 0, tls=own_context)
    running.start()
    yield running
    running.stop()


def test_client_that_updates_its_keys_again_and_again_is_disconnected(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of key updates kept everyone else waiting: OpenSSL handled them within one read."""
    monkeypatch.setattr(module, "TIMEOUT", 2 * PATIENCE)  # it is not disconnected because it sends no request
    command = ["openssl", "s_client", "-tls1_3", "-connect", f"{HOME}:{server.port}"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, bufsize=0
    ) as client:
        try:
            assert client.stdin is not None
            assert client.stderr is not None
            with suppress(BrokenPipeError):
                for _ in range(2 * SMALL_RECORDS):
                    client.stdin.write(b"k\n")
                    # It takes a line at a time, so each one waits for the report of the one before.
                    while (line := client.stderr.readline()) and b"KEYUPDATE" not in line:
                        pass
            client.wait(PATIENCE)  # it ends with its connection
        finally:
            client.kill()


def test_client_that_stops_within_its_hello_is_disconnected(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT", 0.2)
    with socket.create_connection((HOME, server.port), timeout=PATIENCE) as line:
        line.sendall(b"\x16\x03\x01\x02\x00")
        assert line.recv(1) == b""
    until(lambda: not len(server._connections))
