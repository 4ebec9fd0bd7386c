"""What bots guess of the sniper's whereabouts, beside what is possible."""

from __future__ import annotations

import pytest

from tools.belief import gains


@pytest.mark.parametrize("board", ["launch-facility", "submarine-pens"])
def test_the_guess_is_better_than_to_hold_all_possible_spaces_for_alike(board: str) -> None:
    """A bit of the gain is luck: 30 games give some 180 turns, whose mean errs by less than 0.15."""
    found = [gain for number in range(30) for gain in gains(board, f"test/{number}")]
    assert len(found) > 100
    assert sum(found) / len(found) > 0.3
