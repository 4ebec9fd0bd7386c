"""The luck of players: the stars that shots bring on average, by their exact odds, and what they brought."""

from __future__ import annotations

from games.stalingrad import GAME
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.events import EvadeRolled, ShootRolled


def shot(seat: str, card: str, value: int, hit: bool) -> ShootRolled:
    return ShootRolled(seat, card, 1, value, hit)


def test_luck_is_the_sum_of_all_shots() -> None:
    assert (CARDS["C08"].stars, CARDS["C03"].stars) == (5, 2)
    events = [
        shot("player-1", "C08", 3, hit=True),
        shot("player-2", "C03", 7, hit=False),
        EvadeRolled("player-1", "C09", 4, 9, evaded=False),
        shot("player-1", "C03", -2, hit=False),
        shot("player-2", "C08", 10, hit=True),
    ]
    found = {it.seat: (it.expected, it.got) for it in GAME.fortunes(events)}
    assert found == {"player-1": (1.5, 5), "player-2": (6.4, 5)}


def test_luck_in_words() -> None:
    lucky, unlucky, even = (
        str(GAME.fortunes([shot("player-1", "C08", value, hit)])[0].said)
        for value, hit in ((2, True), (2, False), (10, True))
    )
    assert lucky.endswith("rolled 4.0 stars above expectation")
    assert unlucky.endswith("rolled 1.0 stars below expectation")
    assert even.endswith("rolled exactly as expected")
