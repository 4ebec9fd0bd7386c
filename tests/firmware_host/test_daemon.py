"""The whole daemon: only one runs on a state folder, and errors at its start are messages."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

import games
from engine.graph.fault import MapError
from engine.refusal import NotUnderstood
from firmware_host.app import daemon as app_daemon
from firmware_host.app.cli import main
from firmware_host.app.commands.run import BUG, EXIT_CODES
from firmware_host.app.daemon import HANG_NOTE, Daemon
from firmware_host.app.terminal import exit_code_of
from firmware_host.core import installed
from firmware_host.core.errors import BrokenJournal, UserError
from firmware_host.core.guarded import GameFault
from firmware_host.core.hang_note import MOST_DEATHS, HangNote, Purpose
from firmware_host.core.settings import settle
from firmware_host.records.journal import FILE, Journal, JournalError, SavedAct
from firmware_host.table import loop
from firmware_host.table.table import Table
from tests.firmware_host.evening import Evening
from tests.patience import PATIENCE, reserved_port, until


def test_two_tables_never_share_state_folder(tmp_path: Path) -> None:
    settings = settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0})
    first = Daemon(settings, time.monotonic)
    with pytest.raises(JournalError, match="another table is using this folder"):
        Daemon(settings, time.monotonic)
    first.stop()
    Daemon(settings, time.monotonic).stop()


def test_invalid_journal_is_set_aside_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / FILE).write_bytes(b"shopping list")
    daemon = Daemon(settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0}), time.monotonic)
    daemon.start()
    lost = daemon._loop.call(lambda table: table.snapshot.front["lost"])
    daemon.stop()
    (sentence,) = lost
    assert sentence.startswith("The journal games.sqlite is not a journal. It was kept as ")
    assert capsys.readouterr().err.startswith(sentence)
    assert (tmp_path / "games.set-aside.sqlite").read_bytes() == b"shopping list"


def test_faulty_file_of_a_game_is_reported_after_the_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games" / "closed" / "screens").mkdir(parents=True)
    code = "from games.stalingrad.game import Stalingrad\nGAME = type('Closed', (Stalingrad,), {'name': 'closed'})()\n"
    (tmp_path / "games" / "closed" / "__init__.py").write_text(code, "utf-8")
    (tmp_path / "games" / "closed" / "screens" / "art.svg").write_text("<svg", "utf-8")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path / "games")])
    monkeypatch.setattr(app_daemon, "REST_AFTER", 0.0)
    settings = settle({"state": str(tmp_path / "state"), "host": "127.0.0.1", "port": 0})
    daemon = Daemon(settings, time.monotonic)

    def lost() -> list[str]:
        return [*daemon._loop.read(lambda table: table.snapshot.front["lost"])]

    assert lost() == []
    daemon.start()
    (sentence,) = until(lost)
    daemon.stop()
    assert sentence.startswith("The game closed is offered without its pictures (art.svg)")
    assert not daemon._rest.is_alive()


def test_rest_of_the_start_waits_while_someone_uses_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It took the interpreter from the threads that worked on a request, several times for each."""
    now, order = [100.0], list[str]()
    settings = settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0})
    daemon = Daemon(settings, lambda: now[0])

    polled = False

    def steps() -> Iterator[None]:
        nonlocal polled
        order.append("step")
        yield
        daemon._loop.used_at = now[0]
        order.append("request")
        yield
        order.append("step")
        polled = True
        daemon._loop.used_at = began = now[0]
        yield
        assert now[0] - began == app_daemon.REST_AT_LAST

    def wait(seconds: float) -> bool:
        order.append(f"{seconds:g} s")
        now[0] += seconds
        if polled:
            daemon._loop.used_at = now[0]
        return False

    monkeypatch.setattr(app_daemon, "load_languages", steps)
    monkeypatch.setattr(installed, "check_files", lambda: iter(()))
    monkeypatch.setattr(daemon._stopping, "wait", wait)
    daemon._load_rest()
    daemon.stop()
    assert order == ["5 s", "step", "request", "5 s", "step", *12 * ["5 s"]]


@pytest.mark.parametrize("damaged", ["past", "running"])
def test_damaged_game_is_reported_and_other_games_and_seats_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damaged: str
) -> None:
    settings = settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0})
    evening = Evening(tmp_path, settings)
    evening.start()
    evening.table.abandon()
    evening.table.start({"options": {}})
    past, running = evening.table.journal.games()
    number = past.id if damaged == "past" else running.id
    evening.table.journal._db.execute("UPDATE entries SET at = at + 1 WHERE game = ? AND number = 0", (number,))
    evening.table.close()

    daemon = Daemon(settings, time.monotonic)
    daemon.start()
    daemon._check.thread.join()
    front, games = (json.load(urlopen(f"{daemon.addresses[0]}/api/{path}")) for path in ("lobby", "games"))
    states = {game["number"]: game["state"] for game in games["games"]}
    keys = evening.sniper_key, evening.defenders_key
    holders = daemon._loop.call(lambda table: [table.seating.holder(key).seat for key in keys])
    daemon.stop()
    said = capsys.readouterr().err
    assert front["lost"][0].startswith(f"1 game in the journal is damaged: {number} (launch-facility, ")
    assert all(sentence in said for sentence in front["lost"])
    assert holders == ["sniper", "defenders"]
    if damaged == "past":
        assert front["stage"] == "playing"
        assert len(front["lost"]) == 1
        assert states == {past.id: "damaged", running.id: "running"}
    else:
        assert front["stage"] == "lobby"
        assert front["lost"][1:] == [f"Game {number} had not ended. The table starts in the lobby."]
        assert states == {past.id: "put-away", running.id: "damaged"}


def test_file_found_damaged_stops_table_and_next_start_saves_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0})
    journal = Journal(tmp_path / FILE)
    for name in ("first", "second", "third"):
        journal.begin("toy", name, "abc", {}, [])
        journal.end(len(journal.games()))
    journal._db.execute("PRAGMA foreign_keys = OFF")
    journal._db.execute("DELETE FROM games WHERE id = 2")
    journal.close()

    first = Daemon(settings, time.monotonic)
    first.start()
    first._loop.thread.join()
    assert isinstance(first.fault, JournalError)
    first.stop()
    again = Daemon(settings, time.monotonic)
    lost = again._loop.read(lambda table: table.journal.set_aside)
    again.stop()
    assert "2 games were saved." in lost
    assert "the journal is damaged" in str(first.fault)


def test_busy_table_stops_too_when_its_file_is_found_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    daemon = Daemon(settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0}), time.monotonic)
    daemon.start()
    monkeypatch.setattr(loop, "TIMEOUT", 0.01)
    busy, asked_again, calls = threading.Event(), threading.Event(), list[object]()
    put = daemon._loop._inbox.put

    def count(item: Any) -> None:
        if busy.is_set():
            calls.append(item)
        if len(calls) > 1:  # two that end the table
            asked_again.set()
        put(item)

    monkeypatch.setattr(daemon._loop._inbox, "put", count)

    def work(table: Table) -> None:
        busy.set()
        asked_again.wait()

    while not busy.wait(0.1):  # a call is dropped if its caller gives up before it starts
        with pytest.raises(UserError):
            daemon._loop.call(work)
    daemon._end_for("the file is damaged")
    daemon._loop.thread.join(60)
    assert str(daemon.fault) == "the file is damaged"
    daemon.stop()


def test_nothing_is_set_aside_while_another_table_has_folder(tmp_path: Path) -> None:
    settings = settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0})
    first = Daemon(settings, time.monotonic)
    (tmp_path / FILE).write_bytes(b"shopping list")
    with pytest.raises(JournalError, match="another table is using this folder"):
        Daemon(settings, time.monotonic)
    assert main(["run", "--state", str(tmp_path), "--port", "0"]) == os.EX_TEMPFAIL, "it may be free soon"
    assert (tmp_path / FILE).read_bytes() == b"shopping list"
    first.stop()


def test_journal_of_newer_version_is_reported_with_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Journal(tmp_path / FILE).close()
    db = sqlite3.connect(tmp_path / FILE)
    db.execute("ALTER TABLE entries ADD COLUMN more TEXT")
    db.execute("PRAGMA user_version = 4")
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
def test_table_that_cannot_start_reports_reason_with_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: int, sentence: str
) -> None:
    assert main(["run", "--state", str(tmp_path), *options]) == code
    assert sentence in capsys.readouterr().err


def test_port_in_use_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["run", "--host", "127.0.0.1", "--port", str(port), "--state", str(tmp_path)]) == 3
    said = capsys.readouterr().err
    assert f"another program uses port {port}" in said
    assert "Choose another port with --port" in said


PLAYFUL = """
import os, signal, socket
os.umask(0o777)
for number in (signal.SIGPIPE, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)
taken = socket.socket()
taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
taken.bind(("127.0.0.1", {port}))
taken.listen()
"""


def test_game_cannot_take_the_port_or_change_the_process(tmp_path: Path) -> None:
    """The table ended with the message that another program uses its port, at each start; or its folders could not be
    read by the next one; or it ended with the process of a bot.
    """
    state, game = tmp_path / "state", tmp_path / "games" / "playful"
    game.mkdir(parents=True)
    with reserved_port() as port:
        (game / "__init__.py").write_text(PLAYFUL.format(port=port), "utf-8")
        options = ["run", "--simulate", f"--state={state}", "--host=127.0.0.1", f"--port={port}"]
        with subprocess.Popen(
            [sys.executable, "-m", "firmware_host", *options],
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as table:
            assert table.stdout is not None
            try:
                assert table.stdout.readline() == b"\n"
                table.send_signal(signal.SIGPIPE)
                assert b"playful" in urlopen(f"http://127.0.0.1:{port}/api/lobby").read()
                (boards,) = state.glob("boards")
                assert {oct(it.stat().st_mode & 0o777) for it in (boards, *boards.glob("*"))} == {"0o700"}
                table.send_signal(signal.SIGTERM)
                assert table.wait(PATIENCE) == 0
            finally:
                table.kill()


def test_error_of_the_system_at_the_start_counts_for_the_next_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game can cause it. The message was that the port is taken, and no game was left out."""
    for _ in range(MOST_DEATHS):
        monkeypatch.setattr(socket, "gethostname", partial(open, tmp_path / "nothing"))
        assert main(["run", "--simulate", "--port", "0", "--state", str(tmp_path / "state")]) == os.EX_TEMPFAIL
    assert "The table cannot start ([Errno 2] No such file" in capsys.readouterr().err
    assert HangNote.read(tmp_path / "state" / "hung", lambda _: None) != ()


class GamesMapError(MapError):
    def __init__(self) -> None:
        super().__init__("a", [])


@pytest.mark.parametrize("step", ["_show_first", "open"])
@pytest.mark.parametrize(
    ("playing", "error", "blamed"),
    [
        (True, KeyError, "sniper-elite"),
        (False, KeyError, "stalingrad"),
        (True, GamesMapError, "sniper-elite"),
        (True, MemoryError, None),
    ],
)
def test_fault_of_the_table_is_blamed_on_its_game_the_second_time(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    playing: bool,
    error: type[Exception],
    blamed: str | None,
) -> None:
    """A light with an odd role stopped the table at each of seven starts. No check can know all that games return."""
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    evening = Evening(state)
    if playing:
        evening.start()
    else:
        evening.table.choose({"game": "stalingrad"})
    evening.table.close()

    def fail(table: Table) -> None:
        raise error

    monkeypatch.setattr(Table, step, fail)
    for left_out in [(), (Purpose(blamed),) if blamed else ()]:
        with suppress(KeyError, MemoryError, RuntimeError):  # raised before the loop runs
            assert main(["run", "--simulate", "--port", "0", "--state", str(state)]) == BUG
        assert HangNote.read(state / HANG_NOTE, installed.game_of) == left_out


@pytest.mark.parametrize("works", [True, False])
def test_game_that_keeps_the_loop_busy_at_each_start_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, works: bool
) -> None:
    """Ten starts failed, and after five the innocent games were left out. A slow disk is no fault of a game."""
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    evening = Evening(state)
    evening.start()
    evening.table.close()
    ends = threading.Event()

    def keep_busy(_: Table) -> None:
        while works and not ends.is_set():
            pass
        ends.wait(PATIENCE)

    def stop(daemon: app_daemon.Daemon, fault: bool, stop: Any = app_daemon.Daemon.stop) -> None:
        ends.set()
        stop(daemon, fault)

    monkeypatch.setattr(loop, "TIMEOUT", 0.5)
    monkeypatch.setattr(app_daemon, "TIMEOUT", 0.1)
    monkeypatch.setattr(Table, "open", keep_busy)
    monkeypatch.setattr(app_daemon.Daemon, "stop", stop)
    for left_out in [(), (Purpose("sniper-elite"),) if works else ()]:
        ends.clear()
        assert main(["run", "--simulate", "--port", "0", "--state", str(state)]) == os.EX_TEMPFAIL
        assert HangNote.read(state / HANG_NOTE, installed.game_of) == left_out


@pytest.mark.parametrize("step", ["restored", "Table.refresh"])
@pytest.mark.parametrize("error", [NotUnderstood("a"), MapError("a", []), SystemExit(10)])
def test_game_cannot_choose_the_exit_code_of_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, step: str
) -> None:
    """With the code of wrong settings, of a wrong map or of a shutdown, systemd left the table off for good."""

    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(f"firmware_host.table.table.{step}", fail)
    with pytest.raises(RuntimeError):
        main(["run", "--simulate", "--port", "0", "--state", str(tmp_path / "state")])


def test_fault_of_a_game_at_the_start_is_no_wrong_setting(capsys: pytest.CaptureFixture[str]) -> None:
    """systemd starts a table with wrong settings only once."""

    def start() -> int:
        raise GameFault("own", ValueError())

    assert exit_code_of(start, EXIT_CODES) == BUG
    assert "own" in capsys.readouterr().err


def test_certificate_is_created_before_games_are_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that changes PATH hid the program openssl."""
    monkeypatch.setenv("PATH", "")
    assert main(["run", "--simulate", "--https", "--port", "0", "--state", str(tmp_path / "state")]) == 2
    assert not (tmp_path / "state" / HANG_NOTE).exists(), "it is written before the first game is imported"


def test_page_that_cannot_be_read_is_found_by_the_second_start(tmp_path: Path) -> None:
    path = tmp_path / "state" / FILE
    journal = Journal(path)
    number = journal.begin("toy", "first", "abc", {}, [])
    journal.write(number, SavedAct("defenders", {"text": "x" * 200}, [], "content name"))
    journal.end(number)
    journal.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (at,) = db.execute("SELECT at FROM entries WHERE kind = 'act'").fetchone()
    data = bytearray(path.read_bytes())
    length = data.index(struct.pack(">d", at) + b"act") - 14
    data[length] ^= 0x70
    path.write_bytes(data)
    settings = settle({"state": str(path.parent), "host": "127.0.0.1", "port": 0})
    with pytest.raises(BrokenJournal, match="The next start checks all of it"):
        Daemon(settings, time.monotonic)
    Daemon(settings, time.monotonic).stop()
    assert [*path.parent.glob("games.set-aside*")]


@pytest.mark.parametrize("byte", [1, 2, 4, 5, 8, 9, 10, 11])
@pytest.mark.parametrize("tree", ["games", "sqlite_autoindex_games_1", "kept", "sqlite_autoindex_kept_1"])
def test_damaged_page_of_small_table_stops_one_start_at_most(tmp_path: Path, tree: str, byte: int) -> None:
    path = tmp_path / "state" / FILE
    journal = Journal(path)
    for number in range(1, 9):
        journal.store_value(f"value {number}", "x" * 100)
        journal.begin("toy", "first", "abc", {}, [])
        journal.end(number)
    journal.close()
    with closing(sqlite3.connect(path)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (tree,)).fetchone()
    data = bytearray(path.read_bytes())
    data[4096 * (page - 1) + byte] ^= 1
    path.write_bytes(data)
    settings = settle({"state": str(path.parent), "host": "127.0.0.1", "port": 0})
    with suppress(BrokenJournal):
        Daemon(settings, time.monotonic).stop()
    daemon = Daemon(settings, time.monotonic)
    journal = daemon._loop.read(lambda table: table.journal)
    found = [journal.stored_value(f"value {number}") for number in range(1, 9)]
    daemon.stop()
    assert found == ["x" * 100] * 8 or [*path.parent.glob("games.set-aside*")]
