"""Supervision of the running table: signals, reloaded settings, dead threads, and exit codes."""

from __future__ import annotations

import gc
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from firmware_host.admin.choices import LIVE_SETTINGS, reload_settings
from firmware_host.app.commands import run
from firmware_host.app.daemon import DEATHS, Daemon
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.table.loop import Call, Loop
from firmware_host.table.table import Table
from tests.firmware_host.evening import Evening
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
DARK = '[sniperboard]\nhost = "127.0.0.1"\nport = 0\nbrightness = 0.5\n'


# --- signals ----------------------------------------------------------------------------------------------------


class Service:
    """`sniperboard run` as systemd runs it, watched through its socket and its log."""

    def __init__(self, folder: Path, **process: Any) -> None:
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ear.bind(str(folder / "notify"))
        self._ear.settimeout(PATIENCE)
        self.log = folder / "log"
        self.settings = folder / "sniperboard.toml"
        self.settings.write_text(DARK)
        command = [sys.executable, "-m", "firmware_host", "run", "--simulate", "--config", str(self.settings)]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [*command, "--state", str(folder / "state")],
                stdout=log, stderr=log, cwd=ROOT,
                env={**os.environ, "NOTIFY_SOCKET": str(folder / "notify")}, **process,
            )  # fmt: skip

    def next_message(self) -> str:
        """Return the next message to systemd."""
        return self._ear.recv(4096).decode()

    def close(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait()
        self._ear.close()


@contextmanager
def service(folder: Path, **process: Any) -> Iterator[Service]:
    found = Service(folder, **process)
    try:
        assert found.next_message().startswith("READY=1")
        yield found
    finally:
        found.close()


def test_sighup_reloads_settings_and_names_those_that_need_restart(tmp_path: Path) -> None:
    with service(tmp_path, stdin=subprocess.DEVNULL) as table:
        for text, said in (
            (
                DARK.replace("0.5", "0.25").replace("port = 0", "port = 8123"),
                "Changed: brightness. These need a restart",
            ),
            (DARK.replace("0.5", "7"), "The settings were not changed:\nbrightness: 7"),
            (DARK, "Changed: brightness."),
        ):
            table.settings.write_text(text)
            table.process.send_signal(signal.SIGHUP)
            assert table.next_message().startswith("RELOADING=1\nMONOTONIC_USEC=")
            assert table.next_message().startswith("READY=1")
            assert said in table.log.read_text("utf-8")
        assert "need a restart: port." in table.log.read_text("utf-8")
        table.process.send_signal(signal.SIGTERM)
        assert table.next_message() == "STOPPING=1"
        assert table.process.wait(PATIENCE) == 0


def test_closed_terminal_ends_table(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with service(tmp_path, stdin=theirs, start_new_session=True) as table:
        os.close(theirs)
        os.close(ours)
        table.process.send_signal(signal.SIGHUP)
        assert table.next_message() == "STOPPING=1"
        assert table.process.wait(PATIENCE) == 0


def test_live_settings_count_at_once_and_others_are_named(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settle({"brightness": 0.5}))
    again = reload_settings(
        evening.settings, settle({"brightness": 0.25, "port": 81, "bot_pause_ms": 100, "rest_ms": 5})
    )
    assert (again.changed, again.waiting) == (("brightness", "bot_pause_ms"), ("port", "rest_ms"))
    evening.table.reload(again.settings)
    assert evening.table.board.io.look.brightness == 0.25
    assert evening.table.settings.port == 8000, "settings that need a restart must be named again next time"
    assert reload_settings(again.settings, settle({"port": 81})).waiting == ("port",)
    assert reload_settings(settle(), settle()).changed == ()
    assert {"board", "port", "state", "map"} & LIVE_SETTINGS == set()


# --- threads ----------------------------------------------------------------------------------------------------


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    found = Daemon(settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0}), time.monotonic)
    found.start()
    yield found
    found.stop()


def answers(daemon: Daemon) -> bool:
    found = re.search(r":(\d+)/", daemon.addresses[0])
    assert found is not None
    with socket.create_connection(("127.0.0.1", int(found[1])), timeout=PATIENCE) as line:
        line.sendall(b"GET /api/lobby HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return line.recv(12) == b"HTTP/1.1 200"


def kill_panel(daemon: Daemon) -> None:
    """End the thread that accepts connections, as a fault would."""
    server = daemon._server
    assert server is not None
    server.end_thread()


def test_dead_panel_thread_is_reported_and_restarted(daemon: Daemon, caplog: pytest.LogCaptureFixture) -> None:
    assert answers(daemon)
    kill_panel(daemon)
    daemon.maintain()
    assert answers(daemon)
    assert "The panel's thread had died" in caplog.text
    assert not daemon.failed


def test_thread_that_dies_repeatedly_stops_table(daemon: Daemon) -> None:
    for _ in range(DEATHS + 1):
        assert not daemon.failed
        kill_panel(daemon)
        daemon.maintain()
    assert daemon.failed


@pytest.mark.parametrize("other", [socket.socket, partial(open, os.devnull)])
def test_table_whose_port_was_closed_stops(daemon: Daemon, other: Callable[[], Any]) -> None:
    """A game that closes all descriptors closes the ports, too, and others get their numbers."""
    assert not daemon.failed
    with other() as opened:
        os.dup2(opened.fileno(), daemon._listening.fileno())
    assert daemon.failed


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_loop_that_ends_without_a_fault_stops_the_table(tmp_path: Path) -> None:
    """A game can set a function for `threading.settrace` that raises an error, at the start of each thread."""

    def trace(*_: object) -> None:
        raise ValueError

    daemon = Daemon(settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0}), time.monotonic)
    assert not daemon.failed
    threading.settrace(trace)
    try:
        with pytest.raises(UserError):
            daemon.start()
    finally:
        threading.settrace(cast(Any, None))
    assert daemon.failed
    daemon.stop()


@pytest.mark.parametrize("fault", [ValueError, MemoryError, SystemExit])
def test_end_of_loop_is_noticed_and_no_call_waits(
    daemon: Daemon, fault: type[BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    secret = " ".join(("where", "it", "is"))

    def break_it(table: Table) -> None:
        table.journal.store_value("half", "done")  # the commit means that this can no longer be refused
        raise fault(secret)

    with pytest.raises(Exception, match="stopped because of a fault"):
        daemon._loop.call(break_it)
    daemon._loop.thread.join(20)
    assert not daemon._loop.thread.is_alive()
    assert daemon.failed
    assert isinstance(daemon.fault, fault)
    said = capsys.readouterr().err
    assert fault.__name__ in said
    assert secret not in said


def test_cancelled_call_is_not_done_later() -> None:
    done: list[str] = []
    call = Call(lambda _: done.append("an act"))
    assert call.answer.cancel()
    call.run(None)  # type: ignore[arg-type]
    assert done == []


# --- exit codes -------------------------------------------------------------------------------------------------


def test_journal_that_breaks_while_running_has_its_own_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = Loop.start

    def start_and_break(loop: Loop) -> None:
        opened(loop)
        loop.call(lambda table: table.journal._db.execute("DROP TABLE kept") and None)
        with suppress(Exception):
            loop.call(lambda table: table.board.use_sensors(False))

    monkeypatch.setattr(Loop, "start", start_and_break)
    arguments = ["run", "--simulate", "--host", "127.0.0.1", "--port", "0", "--state", str(tmp_path)]
    from firmware_host.app.cli import main

    assert main(arguments) == run.BROKEN_JOURNAL
    assert "no such table: kept" in capsys.readouterr().err


def test_loaded_objects_are_frozen_for_garbage_collector_while_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start, tend, frozen, collects = Daemon.start, Daemon.maintain, list[int](), list[bool]()

    def start_and_look(daemon: Daemon) -> None:
        collects.append(gc.isenabled())
        start(daemon)

    def tend_and_end(daemon: Daemon) -> None:
        tend(daemon)
        frozen.append(gc.get_freeze_count())
        collects.append(gc.isenabled())
        daemon.ended.set()

    monkeypatch.setattr(Daemon, "start", start_and_look)
    monkeypatch.setattr(Daemon, "maintain", tend_and_end)
    # Objects frozen by tests/conftest.py would hide those that the table freezes, and the table unfreezes both.
    gc.unfreeze()
    before = gc.get_freeze_count()
    from firmware_host.app.cli import main

    assert main(["run", "--simulate", "--host", "127.0.0.1", "--port", "0", "--state", str(tmp_path)]) == 0
    assert "The table is open" in capsys.readouterr().out
    assert frozen[0] > before + 10_000
    assert gc.get_freeze_count() == before
    assert [*collects, gc.isenabled()] == [False, True, True], "the start collects nothing"


def test_end_of_a_command_collects_nothing() -> None:
    script = (
        "import atexit, gc, sys; atexit.register(lambda: print(gc.get_freeze_count())); sys.argv = ['x', 'rules']; "
        "from firmware_host.app.cli import entry; entry()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout.splitlines()[-1]) > 10_000


def test_every_exit_code_is_unique_and_documented() -> None:
    codes = {name: value for name, value in vars(run).items() if name.isupper() and type(value) is int}
    assert len(set(codes.values())) == len(codes)
    told = (ROOT / "systemd" / "README.md").read_text("utf-8")
    unit = (ROOT / "systemd" / "sniperboard.service").read_text("utf-8")
    prevented = re.search(r"^RestartPreventExitStatus=(.*)$", unit, re.MULTILINE)
    assert prevented is not None
    # A game can end the process with any code, also with 0.
    assert re.search(r"^Restart=always$", unit, re.MULTILINE)
    for name, code in codes.items():
        line = re.search(rf"^\| {code} \|.*\| (yes|no) \|$", told, re.MULTILINE)
        assert line is not None, f"{name} ({code}) is not in the table of systemd/README.md"
        again = str(code) not in prevented[1].split()
        assert line[1] == ("yes" if again else "no"), name
