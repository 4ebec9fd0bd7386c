"""The levels of the bots: games between the strongest and the weakest, and the page about them."""

from __future__ import annotations

import pytest

from lab.arena import play_match
from lab.levels import CONTESTS, PAGE, MeasuredGame, Pairing, bot_of_level, game_section
from maker.page_parts import MADE, with_parts

PARTS = [
    # Numbered seats have the same bots and equal chances: one stands for the other by day.
    pytest.param(it, side, id=f"{it.game}-{side}", marks=[pytest.mark.nightly] if side == "player-2" else [])
    for it in CONTESTS
    for side in it.sides
]

BY_LUCK = {"stalingrad": (200, 115)}
"""The number of games, and the strongest bot's minimum wins where dice decide more than the players."""


@pytest.mark.parametrize(("contest", "strong"), PARTS)
def test_strongest_bot_beats_weakest(contest: MeasuredGame, strong: str) -> None:
    game = contest.rules
    seats = {seat: bot_of_level(game, seat, "strong" if seat == strong else "easy") for seat in contest.sides}
    count, least = BY_LUCK.get(game.name, (4, 3))
    won = [
        strong in result.ending.winners for result in play_match(contest.match(contest.boards[0], seats, 7), count, 1)
    ]
    assert sum(won) >= least


def test_match_is_won_by_both_games() -> None:
    contest = CONTESTS[0]
    one, other = contest.sides
    rows = {(contest.boards[0], one): (True, True, False), (contest.boards[0], other): (True, False, False)}
    rest = {(contest.boards[1], side): (True,) for side in contest.sides}
    pairing = Pairing(contest, "strong", "medium", {**rows, **rest})
    assert pairing.matches() == {2: 2, 1: 1, 0: 1}
    assert pairing.games().share == 0.625
    assert pairing.games(one).wins == 3
    assert "| strong | medium | 8 | 62.5% |" in game_section(contest, [pairing], 8, 1)


def test_each_game_has_its_part_and_the_others_are_kept() -> None:
    text, first = PAGE.read_text("utf-8"), CONTESTS[0].game
    assert [found[2] for found in MADE.finditer(text)] == [contest.game for contest in CONTESTS]
    before, old, after = text.partition("| level | sniper | defenders |")
    changed = with_parts(text, {first: lambda: "new"})
    assert changed.startswith(f"{before}new\n\n<!-- end -->")
    assert old not in changed
    assert changed[-1000:] == after[-1000:]
    with pytest.raises(LookupError, match="no parts chess"):
        with_parts(text, {"chess": lambda: "new"})
