"""A running game whose code is missing at a start, as after an update of the table, continues once it is back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.graph import Map
from firmware_host.app.cli import main
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.seats.claims import Claim
from firmware_host.seats.seating import CLAIMS_KEY
from firmware_host.table.interruption import PAUSED_KEY
from firmware_host.table.starts import Starter
from firmware_host.workshop.checks import Machine
from firmware_host.workshop.doctor import examine
from tests.firmware_host import small_games
from tests.firmware_host.evening import PIN, take_over
from tests.firmware_host.small_games import CARDS, SCREEN_RACE, SEATS, Cards, CardsView, installed
from tests.firmware_host.test_without_board import SmallTable, begin_on_small_board

MISSING = "Game 1 (small-cards) cannot continue now: it is no longer installed, or was left out."


class Duel(Cards):
    """The game of cards, with the seats of Sniper Elite."""

    def blank(self, board: Map | None, options: Any) -> dict[str, CardsView]:
        return {viewer: replace(view, turn="sniper") for viewer, view in super().blank(board, options).items()}


class Table(SmallTable):
    """A table that starts without its game, too."""

    def open(self) -> None:
        """Start the table."""
        with suppress(UserError):
            super().open()
        self.wait(0)


@pytest.fixture
def updated(tmp_path: Path) -> Iterator[Table]:
    """A table that was started without the game that ran."""
    with installed(CARDS, tmp_path / "before"):
        table = Table(tmp_path, CARDS)
        table.sit_down()
        table.table.start({})
        table.wait(0)
        table.act_first("lay")
        table.table.close()
    table.open()
    yield table
    table.table.close()


@contextmanager
def repaired(table: Table, folder: str = "again") -> Iterator[None]:
    """Stop the table, install its game, and start it again."""
    table.table.close()
    with installed(CARDS, table.folder / folder):
        table.open()
        yield


def lost(table: Table) -> str:
    """Return what the lobby says about games that cannot continue."""
    return " ".join(table.table.snapshot.front["lost"])


def test_game_that_is_installed_again_continues(updated: Table) -> None:
    assert updated.sees("table")["stage"] == "lobby"
    assert MISSING in lost(updated)
    updated.pull_the_plug()
    assert MISSING in lost(updated)
    with repaired(updated):
        assert updated.sees("table")["stage"] == "playing"
        assert lost(updated) == ""
        assert len(updated.sees("table")["view"]["laid"]) == 1
        assert [updated.table.seating.holder(updated.keys[seat]).seat for seat in SEATS] == [*SEATS]
        updated.act_first("lay")


def test_game_that_is_missing_is_not_called_changed(updated: Table, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "verify", "1", "--state", str(updated.folder)]) == 3
    assert "it does not match its record, or cannot be replayed here" in capsys.readouterr().err


def test_time_out_of_game_that_is_missing_waits_with_it(updated: Table) -> None:
    updated.table.journal.store_value(PAUSED_KEY, "Ada's phone")
    updated.pull_the_plug()
    assert updated.sees("table")["paused"] is None
    updated.table.abandon()
    with repaired(updated):
        assert updated.sees("table")["paused"] == "Ada's phone"
        updated.table.abandon()
        assert updated.table.journal.stored_value(PAUSED_KEY) is None


def test_time_out_of_game_that_is_missing_ends_when_another_one_starts(updated: Table) -> None:
    updated.table.journal.store_value(PAUSED_KEY, "Ada's phone")
    updated.pull_the_plug()
    updated.table.session.begin(Starter(here=True), on_screens=True)
    assert updated.table.journal.stored_value(PAUSED_KEY) is None


def test_game_that_is_missing_ends_when_someone_takes_a_seat(updated: Table) -> None:
    """A seat of that name could give its new holder the secrets of the game."""
    updated.table.seating.claims.claim("defenders", PIN, "Eve's phone", ())
    updated.wait(0)
    assert lost(updated) == ""
    with repaired(updated):
        assert updated.sees("table")["stage"] == "lobby"
        assert updated.table.journal.running() is None


def test_game_that_is_missing_ends_when_another_one_starts(updated: Table) -> None:
    updated.table.session.begin(Starter(here=True), on_screens=True)
    updated.wait(0)
    assert lost(updated) == ""
    with repaired(updated):
        assert updated.table.session.game.name == "sniper-elite"
        assert updated.table.journal.ended(1) is not None


def test_game_that_is_missing_waits_while_people_look_at_other_games(updated: Table) -> None:
    updated.table.choose({"game": "stalingrad"})
    with repaired(updated):
        while updated.sees("table")["stage"] == "playing":
            updated.act_first("lay")
        updated.table.play_again(False)
        assert updated.table.session.game.name == "small-cards"


def test_game_that_is_missing_with_its_bot_waits(updated: Table) -> None:
    """The game that can be chosen instead has a seat of the same name, but not that bot."""
    claim = Claim("defenders", (), "", "", "", "", bot="bot-of-missing-game")
    updated.table.journal.store_value(CLAIMS_KEY, msgspec.to_builtins([claim]))
    updated.pull_the_plug()
    assert updated.table.journal.running() is not None
    assert not updated.sees("table")["seats"]["defenders"]["taken"]


def test_game_that_starts_after_one_without_sensors_was_missing_uses_them(tmp_path: Path) -> None:
    with installed(CARDS, tmp_path / "before"):
        table = Table(tmp_path, CARDS)
        table.table.session.begin(Starter(here=True), on_screens=True)
        table.table.close()
    table.open()
    table.table.session.begin(Starter(here=True))
    assert table.table.session.game.name == "sniper-elite"
    assert table.table.board.sensors_used
    table.table.close()


def test_doctor_names_game_that_is_missing(updated: Table) -> None:
    chosen = settle({"state": str(updated.folder)})
    findings = examine(Machine(updated.folder, datetime(2026, 1, 31), frozenset()), chosen)
    assert [finding.found.startswith(MISSING) for finding in findings if finding.what == "game 1"] == [True]


def test_game_whose_map_is_missing_waits(tmp_path: Path) -> None:
    with installed(SCREEN_RACE, tmp_path / "games"):
        table = Table(tmp_path, SCREEN_RACE)
        table.sit_down()
        begin_on_small_board(table)
        for _ in range(2):
            table.pull_the_plug()
            assert table.sees("table")["stage"] == "lobby"
            assert "cannot continue now: its map has changed or was removed" in lost(table)
            assert table.table.journal.running() is not None
        table.table.close()


def test_game_with_own_bot_at_seat_of_another_game_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game that is chosen meanwhile has seats of the same names, but not that bot."""
    monkeypatch.setattr(small_games, "SEATS", ("sniper", "defenders"))
    with installed(Duel(), tmp_path / "before"):
        folder = tmp_path / "before" / "small_cards" / "bots"
        folder.mkdir()
        (folder / "__init__.py").touch()
        (folder / "duelist.py").write_text("from engine.bots.random import KIND")
        table = Table(tmp_path, Duel())
        table.table.seating.claims.claim("sniper", PIN, "Ada", ())
        table.table.seating.seat_bot("defenders", "duelist")
        table.table.start({})
        table.wait(0)
        table.table.close()
    table.open()
    assert table.table.seating.claims.taken("defenders") == []
    table.pull_the_plug()
    assert table.table.journal.running() is not None
    table.table.close()


def test_start_without_game_keeps_count_of_wrong_pins(updated: Table) -> None:
    with repaired(updated):
        for _ in range(2):
            with pytest.raises(UserError, match="not the PIN"):
                take_over(updated.table, "south", "wrong", "Eve's phone")
        updated.wait(0)
        assert updated.sees("south")["wrong_pins"] == 2
    updated.pull_the_plug()
    with repaired(updated, "once more"):
        assert updated.sees("south")["wrong_pins"] == 2
