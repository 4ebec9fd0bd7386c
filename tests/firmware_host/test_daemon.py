"""The daemon put together: one at a time on a state folder, and sentences where it cannot start."""

from __future__ import annotations

import socket
import sqlite3
import time
from pathlib import Path

import pytest

from firmware_host.cli import main
from firmware_host.config import settle
from firmware_host.daemon import Daemon
from firmware_host.records.journal import FILE, Journal, JournalError


def test_two_tables_never_share_a_state_folder(tmp_path: Path) -> None:
    settings = settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0})
    first = Daemon(settings, time.monotonic)
    with pytest.raises(JournalError, match="another table is using this folder"):
        Daemon(settings, time.monotonic)
    first.stop()
    Daemon(settings, time.monotonic).stop()


def test_a_journal_that_is_none_is_set_aside_and_the_lobby_and_the_log_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILE).write_bytes(b"shopping list")
    daemon = Daemon(settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0}), time.monotonic)
    daemon.start()
    lost = daemon._loop.ask(lambda table: table.posted.front["lost"])
    daemon.stop()
    assert lost.startswith("The journal games.sqlite is no journal. It was set aside whole as games.set-aside.sqlite")
    assert capsys.readouterr().err.startswith(lost)
    assert (tmp_path / "games.set-aside.sqlite").read_bytes() == b"shopping list"


def test_nothing_is_set_aside_while_another_table_has_the_folder(tmp_path: Path) -> None:
    settings = settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0})
    first = Daemon(settings, time.monotonic)
    (tmp_path / FILE).write_bytes(b"shopping list")
    with pytest.raises(JournalError, match="another table is using this folder"):
        Daemon(settings, time.monotonic)
    assert (tmp_path / FILE).read_bytes() == b"shopping list"
    first.stop()


def test_a_journal_of_a_newer_version_is_a_sentence_with_an_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Journal(tmp_path / FILE).close()
    db = sqlite3.connect(tmp_path / FILE)
    db.execute("PRAGMA user_version = 3")
    db.close()
    assert main(["run", "--state", str(tmp_path), "--port", "0"]) == 4
    assert "written by a newer version of this program" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (["--port", "80000"], 2, "port: 80000 is not between 0 and 65535"),
        (["--board", "cardboard"], 2, "board: there is no driver 'cardboard'; known are "),
        (["--map", "launch-fcility"], 5, "Did you mean launch-facility?"),
    ],
)
def test_a_table_that_cannot_start_says_why_and_exits_with_a_code_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: int, sentence: str
) -> None:
    assert main(["run", "--state", str(tmp_path), *options]) == code
    assert sentence in capsys.readouterr().err


def test_a_busy_port_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["run", "--host", "127.0.0.1", "--port", str(port), "--state", str(tmp_path)]) == 3
    said = capsys.readouterr().err
    assert f"another program uses port {port}" in said
    assert "Choose another port with --port" in said
