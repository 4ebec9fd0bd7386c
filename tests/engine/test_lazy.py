from __future__ import annotations

from engine.lazy import kept_for_latest


class Counting:
    """A game that counts how often its acts are looked for. A seat has the acts that the picture says."""

    def __init__(self) -> None:
        self.asked = 0

    @kept_for_latest
    def legal(self, view: dict[str, list[str]], seat: str) -> list[str]:
        self.asked += 1
        return view.get(seat, [])


def test_acts_of_the_latest_picture_are_looked_for_once() -> None:
    game, view = Counting(), {"red": ["walk", "rest"]}
    first = game.legal(view, "red")
    assert first == ["walk", "rest"]
    first.clear()  # as a caller might do
    assert game.legal(view, "blue") == []
    assert game.legal(view, "red") == ["walk", "rest"]
    assert game.asked == 2
    # An equal picture could have changed in between.
    assert game.legal(dict(view), "red") == []
    assert game.asked == 3


def test_acts_of_another_game_or_seat_are_its_own() -> None:
    game, other, view = Counting(), Counting(), {"red": ["walk"], "blue": ["rest"]}
    for asked in (game, other):
        assert asked.legal(view, "red") == ["walk"]
        assert asked.legal(view, "blue") == ["rest"]
        assert asked.asked == 2
