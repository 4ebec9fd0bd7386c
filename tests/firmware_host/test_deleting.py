"""Past games are deleted permanently with their results. Running games are not, and no number is used twice."""

from __future__ import annotations

import io
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from firmware_host.analysis.analysis_files import path_of
from firmware_host.core.errors import UserError
from firmware_host.records import imports, results
from firmware_host.records.journal import FILE, Journal
from firmware_host.records.past import PastGames
from firmware_host.records.results import Result
from firmware_host.records.state_folder import only_one
from tests.firmware_host.test_cli_map import Terminal
from tests.firmware_host.test_games_cli import Built, GamesCommand, built, played
from tests.long_record import long_record

__all__ = ["built"]


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    found = Journal(tmp_path / FILE)
    for name in ("first", "second"):
        found.end(found.begin("toy", name, "abc", {}, [{"event": {"type": name}, "to": None}]))
    found.begin("toy", "third", "abc", {}, [])
    for number, name in ((1, "Ada"), (2, "Ada"), (2, "Bob")):
        kept = [*results.read_results(found), Result(number, "toy", "sniper", name, True)]
        found.store_value(results.RESULTS_KEY, kept)
    yield found
    found.close()


def test_game_is_deleted_with_its_results_and_nothing_else(journal: Journal) -> None:
    was = journal.entries(2), journal.running()
    results.delete_game(journal, 1)
    assert [game.id for game in journal.games()] == [2, 3]
    assert journal.entries(1) == []
    assert (journal.entries(2), journal.running()) == was
    assert [(result.number, result.name) for result in results.read_results(journal)] == [(2, "Ada"), (2, "Bob")]


def test_no_number_is_used_twice(journal: Journal) -> None:
    journal.end(3)
    for number in (3, 2):
        results.delete_game(journal, number)
    assert journal.begin("toy", "fourth", "abc", {}, []) == 4
    journal.end(4)
    results.delete_game(journal, 4)
    journal.close()
    again = Journal(journal.path)
    assert again.begin("toy", "fifth", "abc", {}, []) == 5
    again.close()


def test_deleting_running_or_unknown_game_is_refused(journal: Journal) -> None:
    for number, code in ((3, "not-now"), (9, "not-found"), (0, "not-found"), (-1, "not-found")):
        with pytest.raises(UserError) as caught:
            results.delete_game(journal, number)
        assert caught.value.code == code
    assert len(journal.games()) == 3


def test_damaged_game_can_be_deleted(journal: Journal) -> None:
    journal._db.execute("UPDATE entries SET telling = '[]' WHERE game = 1 AND number = 0")
    journal.close()
    again = Journal(journal.path)
    past = PastGames(again.path, again.checks)
    assert [game["state"] for game in past.listed()["games"]] == ["running", "unknown", "damaged"]
    results.delete_game(again, 1)
    past.forget(1)
    assert again.damaged == ()
    assert [game["number"] for game in past.listed()["games"]] == [3, 2]
    again.close()


def test_deleted_data_is_overwritten_and_its_space_used_again(tmp_path: Path) -> None:
    journal, secret = Journal(tmp_path / FILE), b"the sniper is on L7"
    sizes = []
    for _ in range(6):
        number = journal.begin("toy", "first", "abc", {}, [{"event": {"where": secret.decode() * 5000}, "to": []}])
        journal.end(number)
        results.delete_game(journal, number)
        journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        sizes.append((tmp_path / FILE).stat().st_size)
        assert secret not in (tmp_path / FILE).read_bytes()
    assert len({*sizes[1:]}) == 1, sizes
    journal.shrink()
    assert (tmp_path / FILE).stat().st_size < sizes[0] / 2
    journal.close()


def test_deleted_imports_make_room_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path / FILE)
    monkeypatch.setattr(imports, "MOST_IMPORTED", 1)
    one, other = long_record(60, 4), long_record(60, 5, 2e9)
    number = imports.import_record(journal, one)
    with pytest.raises(UserError, match="no room for more"):
        imports.check_new(journal, other)
    results.delete_game(journal, number)
    imports.check_new(journal, other)
    imports.check_new(journal, one)
    journal.close()


def test_deleted_game_can_no_longer_be_viewed(tmp_path: Path) -> None:
    journal = Journal(tmp_path / FILE)
    played(journal, 3, {"random_setup": True}, 2000).put_away()
    past = PastGames(journal.path)
    past.page(1, 0)
    results.delete_game(journal, 1)
    for ask in (past.facts, past.whole_game, past.record, past.ending):
        with pytest.raises(UserError, match="There is no game 1 here"):
            ask(1)
    past.forget(1)
    assert not past._pages._found
    assert not past._facts._found
    assert 1 not in past._histories
    journal.close()


# --- the command ------------------------------------------------------------------------------------------------


@pytest.fixture
def command(tmp_path: Path, built: Built, capsys: pytest.CaptureFixture[str]) -> GamesCommand:
    return GamesCommand(tmp_path, built, capsys)


def numbers(command: GamesCommand) -> list[str]:
    return [line.split()[0] for line in command.games("list")[1].splitlines()]


def test_command_asks_and_deletes(command: GamesCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("no\n"))
    assert command.games("delete", "1")[0] == 1
    assert numbers(command) == ["1", "2"]
    monkeypatch.setattr("sys.stdin", Terminal("yes\n"))
    code, said, _ = command.games("delete", "1", "1")
    assert code == 0
    assert "over" in said or "put away" in said
    assert said.endswith("Game 1 is deleted.\n")
    assert numbers(command) == ["2"]


def test_command_needs_yes_without_terminal(command: GamesCommand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    code, _, error = command.games("delete", "1")
    assert (code, error) == (1, "There is no terminal to ask on. Add --yes to delete without confirmation.\n")
    before, analysis = (command.state / FILE).stat().st_size, path_of(command.state, 1)
    analysis.parent.mkdir()
    analysis.write_text("its analysis")
    assert command.games("delete", "1", "--yes")[:2] == (0, "Game 1 is deleted.\n")
    assert not analysis.exists()
    assert (command.state / FILE).stat().st_size < before
    assert numbers(command) == ["2"]


@pytest.mark.parametrize(
    ("which", "code", "sentence"),
    [("9", 1, "There is no game 9 here. Nothing was deleted."), ("2", 1, "Game 2 is on the table. Put it away first.")],
)
def test_several_games_are_deleted_all_or_none(command: GamesCommand, which: str, code: int, sentence: str) -> None:
    found, _, error = command.games("delete", "1", which, "--yes")
    assert found == code
    assert sentence in error
    assert numbers(command) == ["1", "2"]


def test_command_deletes_nothing_while_table_runs(command: GamesCommand) -> None:
    with only_one(command.state):
        code, _, error = command.games("delete", "1", "--yes")
    assert code == 4
    assert "another table is using this folder" in error
    assert "delete games on its admin page" in error
    assert numbers(command) == ["1", "2"]


def test_missing_journal_is_not_created(tmp_path: Path, command: GamesCommand) -> None:
    (command.state / FILE).unlink()
    assert command.games("delete", "1", "--yes")[0] == 4
    assert not (command.state / FILE).exists()
    with pytest.raises(sqlite3.Error):
        sqlite3.connect(f"file:{command.state / FILE}?mode=ro", uri=True).execute("SELECT 1 FROM games")
