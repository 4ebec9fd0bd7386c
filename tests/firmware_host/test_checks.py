"""A start reads the running game only; past games are checked afterwards, or when someone reads them."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from shutil import copytree

import pytest

from firmware_host.core.errors import UserError
from firmware_host.records import damage
from firmware_host.records.checks import JournalCheck
from firmware_host.records.journal import Journal, JournalError, SavedAct
from firmware_host.records.past import PastGames
from tests.firmware_host.test_journal_file import alter

MOVE = {"type": "move", "unit": "red-1", "to": "R4"}
START = [{"event": {"type": "set-up"}, "to": None}]


def written(folder: Path, games: int, acts: int = 4) -> Path:
    """Write a journal with some past games and a running one; return its path."""
    journal = Journal(folder / "games.sqlite")
    for game in range(games + 1):
        number = journal.begin("toy", f"map-{game}", "abc", {}, START)
        for step in range(acts):
            told = [{"event": {"type": "moved", "step": step, "words": "x" * 200}, "to": []}]
            journal.write(number, SavedAct("defenders", MOVE, told))
    journal.close()
    return folder / "games.sqlite"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "state", 3)


class Checked:
    """A journal that is opened as the daemon does, and what its check reported."""

    def __init__(self, path: Path) -> None:
        self.journal = Journal(path, later=True)
        self.news, self.faults = 0, list[str]()
        self.check = JournalCheck(path, self.journal.checks, self._tell, self.faults.append)

    def _tell(self) -> None:
        self.news += 1

    def run(self) -> Checked:
        """Check all, and close the journal."""
        self.check.start()
        if self.check.thread.ident is not None:
            self.check.thread.join()
        return self

    @property
    def damaged(self) -> list[int]:
        return [game.number for game in self.journal.damaged]


@pytest.fixture
def entries_read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The game of each entry that is read to be checked."""
    read, rows = list[int](), damage._readable_rows

    def counted(db, number, between):  # type: ignore[no-untyped-def]
        for row in rows(db, number, between):
            read.append(number)
            yield row

    monkeypatch.setattr(damage, "_readable_rows", counted)
    yield read


@pytest.mark.parametrize("games", [0, 3, 30])
def test_start_reads_only_entries_of_running_game(tmp_path: Path, entries_read: list[int], games: int) -> None:
    path = written(tmp_path / "state", games)
    checked = Checked(path)
    assert entries_read == [games + 1] * 5
    running = checked.journal.running()
    assert running is not None
    assert len(checked.journal.entries(running.id)) == 5
    assert checked.journal.begin("toy", "next", "abc", {}, START) == games + 2
    assert entries_read == [games + 1] * 5, "the start of a game checks none"


def steps_of_start(path: Path) -> int:
    """Return how often SQLite was asked for a step of work while a journal is opened."""
    count, connect = [0], sqlite3.connect

    def counting(*args, **options):  # type: ignore[no-untyped-def]
        db = connect(*args, **options)

        def step() -> None:
            count[0] += 1

        db.set_progress_handler(step, 1)
        return db

    sqlite3.connect = counting  # type: ignore[assignment]
    try:
        Journal(path, later=True).close()
    finally:
        sqlite3.connect = connect
    return count[0]


@pytest.mark.parametrize("older", [False, True])
def test_work_of_start_does_not_grow_with_past_games(tmp_path: Path, older: bool) -> None:
    paths = [written(tmp_path / str(games), games) for games in (2, 40)]
    if older:  # a journal of a version that did not note where the running game is; its first start notes it
        for path in paths:
            alter(path, "DELETE FROM kept")
            Journal(path, later=True).close()
    few, many = map(steps_of_start, paths)
    assert few > 100
    assert many <= few + 20


def test_past_game_is_found_damaged_in_its_turn(path: Path) -> None:
    alter(path, "UPDATE entries SET at = at + 1 WHERE game = 2 AND number = 3")
    checked = Checked(path)
    assert checked.damaged == []
    assert checked.journal.checks.progress == (0, 4)
    checked.run()
    assert checked.damaged == [2]
    assert checked.news == 1
    assert checked.journal.checks.progress is None
    assert [game.id for game in checked.journal.games()] == [1, 3, 4]
    assert "2 (map-1, " in checked.journal.lost[0]


def test_game_that_is_read_before_its_turn_is_checked(path: Path, entries_read: list[int]) -> None:
    alter(path, "UPDATE entries SET at = at + 1 WHERE game = 2 AND number = 3")
    journal = Journal(path, later=True)
    past = PastGames(path, journal.checks)
    assert past.facts(2)["state"] == "damaged"
    with pytest.raises(UserError, match="damaged"):
        past.whole_game(2)
    with pytest.raises(JournalError, match="game 2 is damaged"):
        journal.entries(2)
    assert journal.find(2) == journal.damaged[0]
    assert set(entries_read) == {4, 2}, "no other game was read"
    assert past.facts(3)["state"] != "damaged"


def test_game_whose_row_is_damaged_is_never_listed(path: Path) -> None:
    alter(path, "UPDATE games SET game = CAST(x'ff' AS TEXT) WHERE id = 2")
    alter(path, "UPDATE games SET map = 'no' WHERE id = 1")
    journal = Journal(path, later=True)
    assert [game.id for game in journal.games()] == [3, 4]
    listed = {game["number"]: game["state"] for game in PastGames(path, journal.checks).listed()["games"]}
    assert (listed[1], listed[2]) == ("damaged", "damaged")


def test_running_game_that_is_damaged_is_closed_at_once(path: Path) -> None:
    alter(path, "UPDATE entries SET at = at + 1 WHERE game = 4 AND number = 3")
    checked = Checked(path)
    assert checked.damaged == [4]
    assert checked.journal.running() is None
    assert "starts in the lobby" in checked.journal.lost[1]
    checked.run()
    assert (checked.damaged, checked.news) == ([4], 0), "it was reported at the start"


def test_game_deleted_before_it_is_checked_again_is_not_damaged(path: Path) -> None:
    checked = Checked(path)
    checked.run()
    checked.journal.delete(2)
    assert not checked.journal.is_still_intact(2)
    assert checked.journal.damaged == ()


def test_game_deleted_during_check_is_not_damaged(path: Path) -> None:
    alter(path, "UPDATE entries SET at = at + 1 WHERE game = 2 AND number = 3")
    checked = Checked(path)
    reached, deleted = threading.Event(), threading.Event()

    def wait_in_game_2(db, number, between=lambda: None, real=damage.is_intact):  # type: ignore[no-untyped-def]
        if number == 2:
            reached.set()
            assert deleted.wait(60)
        return real(db, number, between)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(damage, "is_intact", wait_in_game_2)
        checked.check.start()
        assert reached.wait(60)
        checked.journal.delete(2)
        deleted.set()
        checked.check.thread.join()
    assert (checked.damaged, checked.faults) == ([], [])


def test_check_can_be_stopped_at_any_time(tmp_path: Path) -> None:
    path = written(tmp_path / "state", 1, acts=200)
    checked = Checked(path)
    reached = threading.Event()
    checked.check._between = lambda between=checked.check._between: (reached.set(), between())  # type: ignore[method-assign]
    checked.check.start()
    assert reached.wait(60)
    checked.check.stop()
    assert not checked.check.thread.is_alive()
    assert checked.faults == []


def test_damaged_file_is_saved_by_next_start(path: Path) -> None:
    alter(path, "DELETE FROM games WHERE id = 2")
    checked = Checked(path).run()
    (sentence,) = checked.faults
    assert sentence == f"{path}: the journal is damaged. The next start saves what can be read of it."
    checked.journal.request_check()
    checked.journal.close()
    again = Journal(path, later=True)
    assert "3 games were saved." in again.set_aside
    assert again.running() is not None
    again.close()
    again = Journal(path, later=True)
    assert again.checks.progress is not None, "one start checks the whole file"
    assert "3 games were saved." in again.set_aside, "it is shown until a game begins"
    again.begin("toy", "third", "abc", {}, [])
    again.close()
    assert Journal(path, later=True).set_aside == ()


def test_flipped_bytes_are_found_sooner_or_later(tmp_path: Path) -> None:
    data = written(tmp_path / "state", 3, acts=8).parent
    whole = (data / "games.sqlite").read_bytes()
    before = Journal(data / "games.sqlite")
    known = {game.id: before.entries(game.id) for game in before.games()}
    before.close()
    random, later = Random(5), 0
    for number in range(40):
        folder = copytree(data, tmp_path / str(number))
        bits = bytearray(whole)
        bits[random.randrange(100, len(bits))] ^= 1 << random.randrange(8)
        (folder / "games.sqlite").write_bytes(bits)
        checked = Checked(folder / "games.sqlite")
        at_once = checked.damaged
        checked.run()
        later += bool(checked.faults) or checked.damaged != at_once
        if not checked.faults:
            left = {game.id: checked.journal.entries(game.id) for game in checked.journal.games()}
            assert all(entries == known[game][: len(entries)] for game, entries in left.items())
            assert left.keys() | set(checked.damaged) == known.keys() or checked.journal.set_aside
        checked.journal.close()
    assert later > 5


@pytest.mark.parametrize("deleted", [False, True])
def test_game_that_a_reader_finishes_after_its_turn_is_not_named_again(path: Path, deleted: bool) -> None:
    alter(path, "UPDATE entries SET telling = '[]' WHERE game = 2 AND number = 3")
    checked = Checked(path)
    checks, meanwhile = checked.journal.checks, list[None]()

    def its_turn() -> None:
        if meanwhile:
            return
        meanwhile.append(None)
        checked.run()
        if deleted:
            checks.forget(2)

    with closing(sqlite3.connect(path)) as db:
        checks.is_intact(db, 2, its_turn)
    checked.journal.close()
    assert checked.damaged == ([] if deleted else [2])
