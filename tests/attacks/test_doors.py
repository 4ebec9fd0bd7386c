"""Ways around https, host names and addresses, tried on real tables with a second port."""

from __future__ import annotations

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
        for path in ("/%0d%0aX:%20y", "/", "/sniper", "/api/lobby", "/trust", "/?language=pl", "/static/style.css"):
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


def test_choosing_games_gives_no_more_guesses(tmp_path: Path) -> None:
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
