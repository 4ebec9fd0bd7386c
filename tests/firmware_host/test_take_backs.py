"""A move is taken back at the board only while no seat may act in secret: everyone sees the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.events import EVERYONE, Told, only
from engine.seats import Seat
from engine.text import Text
from firmware_host.records import record
from firmware_host.records.chain import ChainEntry
from firmware_host.records.recheck import recheck
from firmware_host.records.record import RecordError
from hardware.ports import Press, Tune
from tests.firmware_host.small_games import Race, RaceView, Stepped
from tests.firmware_host.test_without_board import SmallTable, with_pieces

RUNNER = "north-runner"


class ShadowRace(Race):
    """A race in which the south runner isn't on the board. It steps in secret, in even rounds. The other never steps
    back.
    """

    name = "shadow-race"
    title = "Shadow Race"

    def seats(self, options: Any) -> tuple[Seat, ...]:
        return Seat("north", Text("north"), secret=False, on_board=True), Seat("south", Text("south"), secret=True)

    def to_act(self, view: RaceView) -> tuple[str, ...]:
        return () if view.over else ("north",) if view.steps % 2 else ("north", "south")

    def legal(self, view: RaceView, seat: str) -> list[Any]:
        steps = super().legal(replace(view, turn=seat), seat) if seat in self.to_act(view) else []
        return [step for step in steps if seat == "south" or step.to > view.places[RUNNER]]  # type: ignore[attr-defined]

    def decide(self, truth: RaceView, command: Any, chance: Chance) -> Iterable[Told]:
        return [Told(Stepped(command.unit, command.to), EVERYONE if command.unit == RUNNER else only("south"))]

    def fold(self, view: RaceView, event: Any) -> RaceView:
        """Return the picture after an event. The rounds are those of north."""
        return replace(super().fold(view, event), turn="north", over=None, steps=view.steps + (event.unit == RUNNER))

    def standing(self, view: RaceView) -> dict[str, str | None]:
        return {RUNNER: view.places[RUNNER]}

    def placements(self, view: RaceView) -> list[Any]:
        return [it for it in super().placements(view) if it.unit == RUNNER]

    def retractable(self, view: RaceView, telling: Iterable[Told]) -> bool:
        return all(told.event.unit == RUNNER for told in telling)  # type: ignore[attr-defined]


@pytest.fixture
def shadow(tmp_path: Path) -> Iterator[SmallTable]:
    """A table with a running race against a shadow, whose miniature is in place."""
    yield from with_pieces(ShadowRace(), tmp_path)


def walk(table: SmallTable, *spaces: str) -> None:
    for space in spaces:
        table.put(RUNNER, None)
        table.put(RUNNER, space)
        assert table.sees("table")["view"]["places"][RUNNER] == space


def lifted(table: SmallTable, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what everyone sees and hears of a lifted miniature, and of the Undo button."""
    home, sounds = table.sees("table")["view"]["places"][RUNNER], list[Tune]()
    table.put(RUNNER, None)
    seen = table.sees("table")["board"], table.lit()
    table.put(RUNNER, home)
    monkeypatch.setattr(table.table.board.io, "sound", sounds.append)
    table.table.feed(Press("undo", table.now))
    table.wait(500)
    assert table.sees("table")["view"]["places"][RUNNER] == home
    return seen, sounds, table.sees("north")["take_back"], table.sees("table")["revision"]


def test_board_does_not_show_that_a_hidden_seat_has_acted(shadow: SmallTable, monkeypatch: pytest.MonkeyPatch) -> None:
    walk(shadow, "b1", "c1")
    before = lifted(shadow, monkeypatch)
    shadow.act("south", shadow.sees("south")["legal"][0])
    assert lifted(shadow, monkeypatch) == before
    shadow.put(RUNNER, None)
    shadow.put(RUNNER, "b1")
    board = shadow.sees("table")["board"]
    assert (board["state"], "c1" in board["hint"]["legal"], board["heeded"]) == ("correcting", True, True)
    shadow.put(RUNNER, None)
    shadow.put(RUNNER, "c1")
    walk(shadow, "c2")


def test_move_is_taken_back_at_the_board_while_no_one_hides(shadow: SmallTable) -> None:
    walk(shadow, "b1")
    assert shadow.sees("north")["take_back"] == [RUNNER, "b1", "a1"]
    shadow.put(RUNNER, None)
    shadow.put(RUNNER, "a1")
    assert shadow.sees("table")["view"]["round"] == 0
    walk(shadow, "b1")
    shadow.table.feed(Press("undo", shadow.now))
    shadow.wait(500)
    assert shadow.sees("table")["view"]["round"] == 0


@pytest.mark.parametrize(("steps", "refused"), [(["b1"], False), (["b1", "c1"], True)])
def test_record_takes_back_only_what_the_table_allows(shadow: SmallTable, steps: list[str], refused: bool) -> None:
    walk(shadow, *steps)
    journal, play = shadow.table.journal, shadow.table.session.play
    assert play is not None and (play.retraction() is None) == refused
    (saved,) = journal.games()
    back = ChainEntry(shadow.now, "taken-back", "north", None, [], "")
    forged = record.record_of(saved, [*journal.entries(saved.id), back])
    with pytest.raises(RecordError, match="others had heard of") if refused else nullcontext():
        assert recheck(forged, play.board).pictures["table"].steps == 0


class SecretStep(ShadowRace):
    """The same, in which the seat at the board is secret, too."""

    def seats(self, options: Any) -> tuple[Seat, ...]:
        return tuple(replace(seat, secret=True) for seat in super().seats(options))


def test_secret_seat_takes_back_on_its_screen_alone(tmp_path: Path) -> None:
    for table in with_pieces(SecretStep(), tmp_path):
        walk(table, "b1")
        assert (table.sees("north")["take_back"], table.sees("north")["undo"]) == (None, True)
        table.put(RUNNER, None)
        assert "a1" not in table.lit()
        table.put(RUNNER, "b1")
        table.table.feed(Press("undo", table.now))
        table.wait(500)
        assert table.sees("table")["view"]["places"][RUNNER] == "b1"
        table.act("north", {"type": "take-back"})
        assert table.sees("table")["view"]["places"][RUNNER] == "a1"
