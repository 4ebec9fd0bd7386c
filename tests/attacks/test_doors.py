"""Ways around https, host names and addresses, tried on real tables with a second port."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host.seats.lockout import FREE_TRIES
from tests.patience import PATIENCE, reserved_port
from tests.web_panel.doors import HOME, Door

PIN = "2468"
CLAIM = {"seat": "sniper", "pin": PIN, "device": "x"}
SPOOFS = ["X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "X-Real-IP: 127.0.0.1", "Via: 1.1 x"]
HEADERS_IN_PATHS = [
    "/%0d%0aX",
    "/%0d%0aX:%20y",
    "/%0aX",
    "/%0d",
    "/%00",
    "/%0d%0aX?%0d%0aY=z",
    "//evil.example/%0d%0aX",
]


@contextmanager
def running(state: Path, *words: str) -> Iterator[tuple[Door, Door]]:
    """The main port of a table and its second port."""
    command = [sys.executable, "-m", "firmware_host", "run", "--simulate", "--host", HOME, "--port", "0"]
    command += ["--state", str(state), *words, "--second-port"]
    with (
        reserved_port() as second,
        subprocess.Popen([*command, str(second)], stdout=subprocess.PIPE, text=True) as table,
    ):
        assert table.stdout is not None
        said = ""
        for line in table.stdout:
            said += line
            if line.startswith("Ctrl-C"):
                break
        found = re.search(r"(https?)://127\.0\.0\.1:(\d+)/", said)
        assert found is not None, said
        try:
            yield Door(int(found[2]), found[1] == "https"), Door(second)
        finally:
            table.terminate()
            assert table.wait(PATIENCE) == 0


@pytest.mark.skipif(shutil.which("openssl") is None, reason="this machine has no openssl")
def test_plain_port_next_to_https_reveals_nothing(tmp_path: Path) -> None:
    with running(tmp_path, "--https") as (secure, plain):
        for path in ("/api/claim", "/api/take-over", "/api/play-now", "/api/house/enter", "/nothing"):
            answer = plain.posts(path, **CLAIM)
            assert (answer.status, answer.code, answer.cookies) == (403, "https-only", {}), path
        for path in (*HEADERS_IN_PATHS, "/", "/sniper", "/api/lobby", "/trust", "/?language=pl", "/static/style.css"):
            answer = plain.asks(path)
            assert (answer.status, answer.cookies) == (302, {}), path
            assert answer.header("Location").startswith(f"https://{HOME}:{secure.port}/"), path
            assert "x" not in answer.headers, path
        assert plain.asks("/", host="evil.example").status == 421
        assert plain.asks(f"http://{HOME}/", host="evil.example").status == 302
        taken = secure.posts("/api/claim", **CLAIM)
        ((name, key),) = taken.cookies.items()
        assert name == f"__Host-sniperboard-{secure.port}-sniper"
        assert secure.asks("/api/picture/sniper", f"Cookie: {name}={key}").status == 200
        again = plain.asks("/api/picture/sniper", f"Cookie: {name}={key}")
        assert (again.status, b"revision" in again.body) == (302, False)


def test_headers_do_not_make_a_client_local(tmp_path: Path) -> None:
    with running(tmp_path) as doors:
        assert doors[0].posts("/api/claim", **CLAIM).status == 200
        for door in doors:
            for spoof in SPOOFS:
                for address in (HOME, "127.0.0.9"):
                    answer = door.posts("/api/heed", spoof, address=address, heeding=True)
                    assert (answer.status, answer.code) == (403, "no-seat"), spoof
            assert door.posts("/api/heed", heeding=True).status == 200
            for line, status in (("TRACE / HTTP/1.1", 405), ("get / HTTP/1.1", 501), ("GET * HTTP/1.1", 400)):
                answer = door.sends(f"{line}\r\nHost: {HOME}\r\nConnection: close\r\n\r\n")
                assert (answer.status, json.loads(answer.body)["ok"]) == (status, False), line


def test_two_tables_of_one_host_keep_their_seats_separate(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    with running(tmp_path / "1") as (one, _), running(tmp_path / "2") as (other, _):
        jar: dict[str, str] = {}
        for door in (one, other):
            jar |= door.posts("/api/claim", f"Cookie: {'; '.join(f'{n}={k}' for n, k in jar.items())}", **CLAIM).cookies
        assert len(jar) == 2
        cookies = f"Cookie: {'; '.join(f'{name}={key}' for name, key in jar.items())}"
        assert [door.asks("/api/picture/sniper", cookies).status for door in (one, other)] == [200, 200]


def test_choosing_games_stops_no_table_and_gives_no_more_guesses(tmp_path: Path) -> None:
    with running(tmp_path) as (door, _):
        assert door.posts("/api/claim", **CLAIM).status == 200
        ((name, key),) = door.posts("/api/claim", **{**CLAIM, "seat": "defenders"}).cookies.items()
        eve, codes = f"Cookie: {name}={key}", []
        for _ in range(3):
            for game in ("stalingrad", "sniper-elite"):
                assert door.posts("/api/choose", eve, game=game).status == 200
            guess = {**CLAIM, "pin": "0000"}
            codes += [door.posts("/api/take-over", address=f"127.0.0.{last}", **guess).code for last in (7, 8, 9)]
        assert codes == ["wrong-pin"] * FREE_TRIES + ["locked"] * (9 - FREE_TRIES)
    with running(tmp_path / "alone") as (door, _):
        ((name, key),) = door.posts("/api/claim", **CLAIM).cookies.items()
        eve = f"Cookie: {name}={key}"
        quick = {"seat": "player-2", "device": "x", "game": "stalingrad", "bots": {"player-1": "?"}}
        assert door.posts("/api/play-now", eve, **quick).code == "not-understood"
        for game in ("stalingrad", "sniper-elite"):
            assert door.posts("/api/choose", eve, game=game).status == 200
        assert door.asks("/api/picture/sniper", eve).status == 200


def test_stranger_takes_no_seat_in_use(tmp_path: Path) -> None:
    with running(tmp_path) as (door, _):
        quick = {"seat": "sniper", "device": ""}
        ((name, key),) = door.posts("/api/play-now", **quick).cookies.items()
        with door.line() as page:
            page.sendall(f"GET /api/stream/sniper HTTP/1.1\r\nHost: {HOME}\r\nCookie: {name}={key}\r\n\r\n".encode())
            page.recv(1)
            for path, code in (("take-over", "seat-taken"), ("release", "not-now"), ("abandon", "no-seat")):
                body = quick if path == "take-over" else {"seat": "sniper"} if path == "release" else {}
                assert door.posts(f"/api/{path}", address="127.0.0.7", **body).code == code
            assert door.asks("/api/picture/sniper", f"Cookie: {name}={key}").status == 200
