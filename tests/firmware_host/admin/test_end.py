"""The table over https, and shutting it down from the admin page: started as users start it, with its own exit
codes.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.admin import pin as pins
from firmware_host.admin.certificate import FILE, authority_der
from firmware_host.app.cli import main
from tests import speed
from tests.patience import PATIENCE
from web_panel.serve import PLAIN_HTTP_ANSWER

pytestmark = pytest.mark.true_hashes  # the table is another process

PIN = "135790"


class Service:
    """`sniperboard run` on a free port; keeps what it prints."""

    def __init__(self, state: Path, *words: str) -> None:
        command = [sys.executable, "-m", "firmware_host", "run", "--simulate", "--host", "127.0.0.1", "--port", "0"]
        command += ["--state", str(state), *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.state, self.said = state, ""
        for line in self.process.stdout:
            self.said += line
            if line.startswith("Ctrl-C"):
                break
        found = re.search(r"(https?)://127\.0\.0\.1:(\d+)/", self.said)
        assert found is not None, self.said
        self.scheme, self.port = found[1], int(found[2])

    def end(self) -> None:
        """End it as systemd does."""
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0
        assert self.process.stdout is not None
        self.process.stdout.close()

    def line(self) -> http.client.HTTPConnection:
        """Return a connection that accepts any certificate."""
        if self.scheme == "http":
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE, context=trusting)

    def ask(self, path: str, cookie: str = "", **body: Any) -> tuple[int, str, str]:
        """Return status, text and cookie of an answer. Sends a POST if there is a body."""
        line = self.line()
        headers = {"Cookie": cookie, "Content-Type": "application/json"}
        line.request("POST" if body else "GET", path, json.dumps(body) if body else None, headers)
        answer = line.getresponse()
        found = answer.status, answer.read().decode(), answer.getheader("Set-Cookie") or ""
        line.close()
        return found


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    pins.write_pin(tmp_path, PIN)
    yield tmp_path


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One table over https for all tests here, which leave it as it was."""
    state = tmp_path_factory.mktemp("secure")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashlib, "scrypt", speed.real_scrypt)
        pins.write_pin(state, PIN)
    table = Service(state, "--https")
    yield table
    table.end()


@pytest.mark.parametrize(("words", "power_off", "code"), [((), False, 10), (("--poweroff",), True, 11)])
def test_admin_page_ends_table_with_its_own_exit_code(
    state: Path, words: tuple[str, ...], power_off: bool, code: int
) -> None:
    table = Service(state, *words)
    cookie = table.ask("/api/house/enter", pin=PIN)[2].partition(";")[0]
    assert table.ask("/api/house/shut-down", cookie, power_off=power_off)[:1] == (200,)
    assert table.process.wait(PATIENCE) == code
    assert table.process.stdout is not None
    assert PIN not in table.said + table.process.stdout.read()
    table.process.stdout.close()


def test_no_pin_is_printed_without_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = Service(tmp_path)
    assert not (tmp_path / pins.FILE).exists()
    assert re.search(r"set the admin PIN with: .+ admin pin --state ", table.said)
    assert main(["house", "pin", "--make-up", "--state", str(tmp_path)]) == 0
    pin = capsys.readouterr().out.removeprefix("The admin PIN is now ").split(".")[0]
    assert table.ask("/api/house/enter", pin=pin)[0] == 200
    table.end()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="this machine has no openssl")
def test_silent_or_plain_client_of_https_delays_no_other(secure: Service) -> None:
    assert secure.scheme == "https"
    assert "fingerprint" in secure.said
    assert (secure.state / FILE).is_file()
    with (
        socket.create_connection(("127.0.0.1", secure.port)),
        socket.create_connection(("127.0.0.1", secure.port), timeout=PATIENCE) as plain,
    ):
        assert secure.ask("/api/lobby")[0] == 200
        plain.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert plain.recv(4096) == PLAIN_HTTP_ANSWER
    cookie = secure.ask("/api/house/enter", pin=PIN)[2]
    assert "Secure" in cookie.split("; ")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="this machine has no openssl")
def test_device_that_trusts_authority_connects_and_sees_same_fingerprint(secure: Service) -> None:
    der = authority_der(secure.state)
    line = http.client.HTTPSConnection(
        "127.0.0.1", secure.port, timeout=PATIENCE, context=ssl.create_default_context(cadata=der)
    )
    line.request("GET", "/trust/sniperboard.crt")
    answer = line.getresponse()
    assert (answer.status, answer.getheader("Content-Type")) == (200, "application/x-x509-ca-cert")
    assert answer.read() == der
    line.close()
    number = hashlib.sha256(der).hexdigest().upper()
    assert ":".join(number[at : at + 2] for at in range(0, 64, 2)) in secure.ask("/trust")[1]
    assert f"{secure.port}/trust" in secure.said


def test_invalid_certificate_stops_start_with_message(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = state / "mine.pem"
    bad.write_text("shopping list")
    words = ["run", "--simulate", "--host", "127.0.0.1", "--port", "0", "--state", str(state)]
    assert main([*words, "--https", "--certificate", str(bad)]) == 2
    assert "not a certificate with its key" in capsys.readouterr().err


@pytest.mark.skipif(shutil.which("openssl") is None, reason="this machine has no openssl")
def test_silent_https_clients_do_not_block_others(secure: Service) -> None:
    """Silent clients are dropped when others of their address connect. The next client gets the same descriptor and an
    answer.
    """
    with contextlib.ExitStack() as held:
        there, here = ("127.0.0.1", secure.port), ("127.0.3.1", 0)
        for number in range(120):
            line = held.enter_context(socket.create_connection(there, timeout=PATIENCE, source_address=here))
            if number % 2:
                line.sendall(b"\x16\x03\x01\x02\x00")
            if number % 10 == 9:
                assert secure.ask("/api/lobby")[0] == 200
    assert secure.ask("/api/lobby")[0] == 200
