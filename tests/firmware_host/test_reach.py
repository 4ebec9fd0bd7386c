"""How the table can be reached: without any network, at addresses that come and go, at a second port."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from firmware_host.app.daemon import Daemon
from firmware_host.app.reach import addresses
from firmware_host.core.settings import settle
from tests.patience import PATIENCE, reserved_port

APART = ("unshare", "--net")
"""Runs a command without any network, not even the machine's own loopback."""


def has_namespaces() -> bool:
    """Return whether this machine lets a process run in a network namespace of its own."""
    try:
        made = subprocess.run([*APART, "ip", "link", "add", "d0", "type", "bridge"], capture_output=True, check=False)
    except OSError:
        return False
    return made.returncode == 0


@pytest.mark.skipif(not has_namespaces(), reason="this machine does not let us make a network of our own")
def test_table_starts_without_network_and_prints_its_address_later(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "firmware_host", "run", "--simulate", "--port", "0", "--state", str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen([*APART, *command], stdout=pipe, stderr=pipe, text=True) as table:
        assert table.stdout is not None and table.stderr is not None
        (end := threading.Timer(PATIENCE, table.kill)).start()  # ends a table that prints nothing
        said = ""
        while "Ctrl-C" not in said:
            said += (line := table.stdout.readline())
            assert line, said
        assert "http://127.0.0.1:" in said

        def inside(words: str) -> str:
            done = ["nsenter", "--net", "--target", str(table.pid), *words.split()]
            return subprocess.run(done, capture_output=True, text=True, check=True).stdout

        for words in ("link set lo up", "link add d0 type bridge", "address add 10.42.0.1/24 dev d0", "link set d0 up"):
            inside(f"ip {words}")
        told = table.stderr.readline()
        assert told.startswith("The table is now at http://10.42.0.1:")
        address = told.split()[5]
        asking = f"import urllib.request as r;print(r.urlopen('{address}api/lobby').read().decode())"
        found = subprocess.run(
            ["nsenter", "--net", "--target", str(table.pid), sys.executable, "-c", asking],
            capture_output=True,
            text=True,
            check=True,
        )
        assert json.loads(found.stdout)["addresses"][0] == address
        table.terminate()
        assert table.wait(PATIENCE) == 0
        end.cancel()


def test_address_of_ipv6_has_brackets() -> None:
    assert addresses("::1", 8000) == ["http://[::1]:8000/"]
    assert addresses("localhost", 8000, secure=True) == ["https://localhost:8000/"]


def test_second_port_answers_like_first(tmp_path: Path) -> None:
    with reserved_port() as second:
        settings = settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0, "second_port": second})
        daemon = Daemon(settings, time.monotonic)
        daemon.start()
        try:
            for address in (daemon.addresses[0], f"http://127.0.0.1:{second}/"):
                assert json.load(urlopen(f"{address}api/lobby"))["stage"] == "lobby"
        finally:
            daemon.stop()
        socket.create_server(("127.0.0.1", second)).close()  # it is free again


def test_table_goes_on_without_second_port_and_reports_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        settings = settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0, "second_port": taken})
        daemon = Daemon(settings, time.monotonic)
        daemon.start()
        try:
            assert f"The second port {taken} cannot be used (another program uses port" in capsys.readouterr().err
            assert json.load(urlopen(f"{daemon.addresses[0]}api/lobby"))["stage"] == "lobby"
        finally:
            daemon.stop()
