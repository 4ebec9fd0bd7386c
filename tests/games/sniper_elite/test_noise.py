"""NOISE: which units hear a move, and that nothing else becomes public."""

from __future__ import annotations

import pytest

from games.sniper_elite.rules import events
from tests.games.sniper_elite.duel import sniper_turn, viewers
from tests.toys import grid


def alerts_of(space: str | None, path: list[str], units: dict[str, str], **more: object) -> list[object]:
    """Return the alerts that the defenders get for a move."""
    duel = sniper_turn(space, units=units, **more)  # type: ignore[arg-type]
    duel.sniper.moves(*path)
    return list(duel.defenders.knows)


@pytest.mark.rule("MP-NOISE-01", "MP-INFO-03")
def test_move_of_one_space_sends_the_defenders_no_event() -> None:
    assert alerts_of("c4", ["c5"], {"red-1": "c6", "red-2": "c4", "red-officer": "b5"}) == []


@pytest.mark.rule("MP-NOISE-02")
def test_every_unit_next_to_the_path_hears_it() -> None:
    units = {"yellow-1": "c3", "red-1": "d5", "black-1": "c7", "black-2": "b3", "red-2": "d7", "yellow-2": "e5"}
    assert alerts_of("c4", ["c5", "c6"], units) == [events.Alerted(("yellow-1", "red-1", "black-1"))]


@pytest.mark.rule("MP-NOISE-02", "R-10")
def test_unit_in_the_sniper_s_space_hears_a_noisy_start() -> None:
    assert alerts_of("c4", ["c5", "c6"], {"red-1": "c4"}) == [events.Alerted(("red-1",))]


@pytest.mark.rule("MP-NOISE-03", "MP-NOISE-04", "MP-INFO-04", "R-11")
def test_alerts_are_one_set_without_count_or_place() -> None:
    near_start = alerts_of("c4", ["c5", "c6"], {"red-2": "c3", "red-1": "c7", "yellow-1": "b5"})
    again = alerts_of("c7", ["c6", "c5", "c4"], {"red-2": "c3", "red-1": "d7", "yellow-1": "b6"})
    assert near_start == again == [events.Alerted(("yellow-1", "red-1", "red-2"))]


@pytest.mark.rule("MP-NOISE-05", "R-81")
def test_walls_levels_and_obstructions_do_not_muffle_noise() -> None:
    board = grid(kinds={"b5": "enclosed", "b6": "elevated"})
    units = {"red-1": "b5", "red-2": "b6"}
    assert alerts_of("c4", ["c5", "c6"], units, board=board) == [events.Alerted(("red-1", "red-2"))]
    blind = grid(kinds={"c6": "obstruction"})
    assert alerts_of("c4", ["c5", "b5"], {"red-1": "c7", "red-2": "b7"}, board=blind) == []


@pytest.mark.rule("MP-NOISE-06", "MP-INFO-04", "R-12")
def test_unheard_noisy_move_is_not_announced() -> None:
    assert alerts_of("c4", ["c5", "c6"], {"red-1": "a8"}) == []


@pytest.mark.rule("MP-NOISE-07")
def test_one_difficult_space_is_quiet_and_two_are_noisy() -> None:
    board = grid(difficult=["c5"])
    assert alerts_of("c4", ["c5"], {"red-1": "c6"}, board=board) == []
    assert alerts_of("c3", ["c4", "c5"], {"red-1": "c6"}, board=board) == [events.Alerted(("red-1",))]


@pytest.mark.rule("MP-NOISE-09")
def test_alert_changes_only_what_the_defenders_know() -> None:
    duel = sniper_turn("c4", units={"red-1": "d5", "red-officer": "a6"})
    before = duel.table
    duel.sniper.moves("c5", "c6")
    assert duel.table.heard == ("red-1",)
    assert duel.table.marks == ()
    for field in ("units", "squads", "done", "bag", "miniature", "countdown", "turn"):
        assert getattr(duel.table, field) == getattr(before, field)


@pytest.mark.rule("MP-NOISE-10", "MP-INFO-21", "R-11")
def test_unit_shot_before_the_move_hears_nothing() -> None:
    duel = sniper_turn("c4", units={"red-1": "c6", "red-2": "d5"})
    duel.sniper.shoots("red-1", aim=2)
    duel.sniper.moves("b4", "b5", "b6")
    kinds = [type(event) for event in duel.defenders.knows]
    assert events.Alerted not in kinds
    duel = sniper_turn("c4", units={"red-1": "c6", "red-2": "d5"})
    duel.sniper.shoots("red-1", aim=2)
    duel.sniper.moves("c5", "c6")
    assert duel.defenders.knows[-1] == events.Alerted(("red-2",))
    assert viewers(duel, events.Alerted) == {"sniper", "defenders", "table"}


@pytest.mark.rule("MP-NOISE-02", "MP-MOVE-08", "R-06")
def test_entering_is_noisy_from_the_entry_space_on() -> None:
    assert alerts_of(None, ["f8"], {"red-1": "e8"}, entry="white") == []
    assert alerts_of(None, ["f8", "f7"], {"red-1": "e8", "red-2": "d7"}, entry="white") == [events.Alerted(("red-1",))]
