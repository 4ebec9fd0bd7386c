"""NOISE: which units hear a move, and that nothing else becomes public."""

from __future__ import annotations

import pytest

from games.sniper_elite.rules import events
from tests.games.sniper_elite.duel import sniper_turn, viewers


def alerts_of(space: str | None, path: list[str], units: dict[str, str], **more: object) -> list[object]:
    """Return the alerts that the defenders get for a move."""
    duel = sniper_turn(space, units=units, **more)  # type: ignore[arg-type]
    duel.sniper.moves(*path)
    return list(duel.defenders.knows)


@pytest.mark.rule("MP-NOISE-02", "R-10")
def test_unit_in_the_sniper_s_space_hears_a_noisy_start() -> None:
    assert alerts_of("c4", ["c5", "c6"], {"red-1": "c4"}) == [events.Alerted(("red-1",))]


@pytest.mark.rule("MP-NOISE-06", "MP-INFO-04", "R-12")
def test_unheard_noisy_move_is_not_announced() -> None:
    assert alerts_of("c4", ["c5", "c6"], {"red-1": "a8"}) == []


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
