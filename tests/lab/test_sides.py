"""Several seats of one side, and games that are told which seat acts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from games.treasure.game import Treasure
from games.treasure.words import HIDER

from engine.chance import Chance
from engine.events import Told
from engine.game import Command, Ending, sides
from engine.plain import Picture
from firmware_host.play.ending import results_of
from firmware_host.play.game import TableGame
from firmware_host.records.journal import FILE, Journal
from lab.arena import Result, summarize
from lab.authoring.play import Sample
from lab.ratings import count_outcomes, make_pairings


class Detectives(Treasure):
    """All seekers win together, and the game is told who acts."""

    decide = None  # type: ignore[assignment]

    def teams(self, options: Any) -> dict[str, tuple[str, ...]]:
        return {HIDER: (HIDER,), "seekers": tuple(seat.name for seat in self.seats(options) if not seat.secret)}

    def decide_for(self, truth: Picture, seat: str, command: Command, chance: Chance) -> Iterable[Told]:
        assert seat == truth.at.turn, "it is told who acts"
        return Treasure.decide(truth, command, chance)


GAME = Detectives()
ISLAND = GAME.make_map("island")
OPTIONS = GAME.read_options({"seekers": 3})
SIDES = {"seekers": ("red", "blue", "green"), HIDER: (HIDER,)}


def test_seats_of_a_team_are_one_side() -> None:
    assert sides(GAME, OPTIONS) == SIDES
    assert sides(Treasure(), OPTIONS) == {seat: (seat,) for seat in ("red", "blue", "green", HIDER)}


def test_game_that_is_told_who_acts_can_be_played() -> None:
    assert all(not play.referee.to_act for play in Sample(GAME, ISLAND).plays)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("winner", "won"),
    [(HIDER, [False, False, True]), ("red", [True, True, False]), ("seekers", [True, True, False])],
)
def test_all_seats_of_a_team_win_together(tmp_path: Path, winner: str, won: list[bool]) -> None:
    class Finished(Detectives):
        def ending(self, view: Picture) -> Ending:
            return Ending((winner,), "found", 1)

    play = TableGame(Finished(), ISLAND, OPTIONS, Journal(tmp_path / FILE), Chance(Random(1)))
    assert [it.won for it in results_of(play, [(seat, seat) for seat in ("red", "blue", HIDER)])] == won


def test_arena_counts_the_games_of_a_side() -> None:
    results = [
        Result(1, Ending(winners, "found", 2), 9) for winners in (("red",), ("red", "blue"), (HIDER,), ("seekers",))
    ]
    found = summarize(results, SIDES)
    assert {side: share.wins for side, share in found.wins.items()} == {"seekers": 3, HIDER: 1}


def test_one_bot_plays_all_seats_of_its_side() -> None:
    pairings = make_pairings(GAME, [(ISLAND, OPTIONS)], ["digger", "random"], seed=1)  # type: ignore[arg-type]
    assert [(it.first.seat, it.first.bot, it.second.seat, it.second.bot) for it in pairings] == [
        ("seekers", "digger", HIDER, "random"),
        ("seekers", "random", HIDER, "random"),
    ]
    assert pairings[0].match.seats == {"red": "digger", "blue": "digger", "green": "digger", HIDER: "random"}
    lost = count_outcomes(pairings[:1], [Result(1, Ending((HIDER,), "hidden", 4), 9)], 1)
    won = count_outcomes(pairings[:1], [Result(1, Ending(("blue",), "found", 4), 9)], 1)
    assert [lost[0].wins, won[0].wins] == pytest.approx([0, 1])
