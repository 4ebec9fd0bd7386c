"""What the table does as a service, with the unit's system-call filter in force."""

from __future__ import annotations

import http.client
import json
import os
import re
import select
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware_host.core import bots, maps
from firmware_host.seats import searching
from firmware_host.seats.searching import SearchProcess
from games.sniper_elite import GAME
from tests.patience import PATIENCE, until
from tests.sandbox import MISSING, UNIT

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)

CONFINED = (sys.executable, "-m", "tests.sandbox")
ROOT = Path(__file__).resolve().parents[1]


def older_unit(folder: Path) -> Path:
    """The older unit, without the one call that the current one allows again. A machine may still have it."""
    unit = folder / "older.service"
    unit.write_text(UNIT.read_text("utf-8").replace("SystemCallFilter=setpriority\n", ""), "utf-8")
    assert unit.read_text("utf-8") != UNIT.read_text("utf-8")
    return unit


def in_sandbox(unit: Path, *command: str) -> tuple[str, ...]:
    return (*CONFINED, str(unit), *command)


def output_in_sandbox(code: str, unit: Path = UNIT) -> str:
    """Return what Python prints inside the sandbox."""
    done = subprocess.run(
        in_sandbox(unit, sys.executable, "-c", code), cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_filter_is_in_force() -> None:
    tried = "import os\ntry:\n  os.sched_setaffinity(0, {0})\nexcept PermissionError:\n  print('forbidden')"
    assert output_in_sandbox(tried) == "forbidden"
    raw = "import socket\ntry:\n  socket.socket(socket.AF_PACKET)\nexcept OSError:\n  print('forbidden')"
    assert output_in_sandbox(raw) == "forbidden"
    assert output_in_sandbox("import os; print(os.nice(0))") == str(os.nice(0))


def test_bot_runs_at_lower_priority() -> None:
    search = thinking(UNIT)
    until(lambda: search.answer() is not None)
    assert os.getpriority(os.PRIO_PROCESS, search.child.pid) == min(19, os.nice(0) + 10)
    search.close()


def test_bot_runs_where_priority_cannot_be_changed(tmp_path: Path) -> None:
    unit = older_unit(tmp_path)
    assert (
        output_in_sandbox("import os\ntry:\n  os.nice(1)\nexcept PermissionError:\n  print('forbidden')", unit)
        == "forbidden"
    )
    search = thinking(unit)
    until(lambda: search.answer() is not None)
    search.close()


def thinking(unit: Path) -> SearchProcess:
    """An expert bot in the sandbox that was asked for its first act."""
    board, options = maps.load("launch-facility"), GAME.read_options({"random_setup": True})
    who = searching.seated_bot("marshal", GAME, "defenders", board, options, "1")
    search = SearchProcess(who, in_sandbox(unit, *searching.PROGRAM))
    search.ask((), 0.1)
    return search


# --- the whole daemon -------------------------------------------------------------------------------------------


@contextmanager
def service(folder: Path, unit: Path) -> Iterator[http.client.HTTPSConnection]:
    """The daemon with expert bots, its own certificate and an unreachable broker; yields a connection to it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear, socket.create_server(("127.0.0.1", 0)) as unanswering:
        ear.bind(str(folder / "notify"))
        words = ["run", "--simulate", "--host", "127.0.0.1", "--port", "0", "--state", str(folder / "state")]
        words += ["--https", "--mqtt-broker", "127.0.0.1"]
        words += ["--mqtt-port", str(unanswering.getsockname()[1]), "--bot-pause-ms", "100", "--bot-thought-ms", "50"]
        command = in_sandbox(unit, sys.executable, "-m", "firmware_host", *words)
        with (folder / "log").open("wb") as log:
            environment = {**os.environ, "NOTIFY_SOCKET": str(folder / "notify"), "PYTHONUNBUFFERED": "1"}
            daemon = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            until(lambda: readable(ear) or daemon.poll() is not None)
            assert daemon.poll() is None, (folder / "log").read_text()
            assert ear.recv(4096).startswith(b"READY=1")
            found = re.search(r"https://127\.0\.0\.1:(\d+)/", (folder / "log").read_text())
            assert found is not None
            trusting = ssl._create_unverified_context()
            with closing(
                http.client.HTTPSConnection("127.0.0.1", int(found[1]), timeout=PATIENCE, context=trusting)
            ) as line:
                yield line
        finally:
            daemon.send_signal(signal.SIGTERM)
            assert daemon.wait(60) == 0, (folder / "log").read_text()


def readable(ear: socket.socket) -> bool:
    """Return whether there is something to read."""
    return bool(select.select([ear], [], [], 0)[0])


def call(line: http.client.HTTPSConnection, method: str, path: str, **body: Any) -> Any:
    """Return the daemon's answer."""
    line.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json"})
    answer = line.getresponse()
    found = json.loads(answer.read())
    assert answer.status == 200, found
    return found


@pytest.mark.parametrize(
    "older", [pytest.param(False, id="unit"), pytest.param(True, id="older unit", marks=pytest.mark.nightly)]
)
def test_experts_play_each_other_at_a_sandboxed_table(tmp_path: Path, older: bool) -> None:
    with service(tmp_path, older_unit(tmp_path) if older else UNIT) as line:
        for seat in ("sniper", "defenders"):
            kinds = {name: bots.find(GAME, name) for name in bots.own_names(GAME)}
            (expert,) = (name for name, kind in kinds.items() if kind.thinks and kind.plays(seat))
            call(line, "POST", "/api/bot", seat=seat, bot=expert)
        call(line, "POST", "/api/start", map="launch-facility", options={"random_setup": True})
        until(lambda: call(line, "GET", "/api/picture/table")["view"]["round"] > 1)
        seats = call(line, "GET", "/api/picture/table")["seats"]
        assert {seat: seats[seat]["trouble"] for seat in seats} == {"sniper": None, "defenders": None}
    said = (tmp_path / "log").read_text()
    assert "not permitted" not in said, said
    assert "fingerprint" in said, "openssl has made a certificate"
