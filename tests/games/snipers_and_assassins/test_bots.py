"""The game's bots: they can play any seat, beat random play, and recognise a good act."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from engine.bots import LEVELS
from engine.chance import Chance
from engine.referee import Referee
from firmware_host.core import bots
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.bots._weighing import turns
from games.snipers_and_assassins.rules.picture import Picture
from tests.depth import DEPTH
from tests.games.snipers_and_assassins.test_on_board import picture_of

NAMES = ["hunter", "novice", "racer", "rookie"]
OWN = pytest.mark.parametrize("name", NAMES)


def play(kinds: Sequence[str], seed: int, **options: Any) -> Picture:
    """Return the ending of a game between bots, one for each seat."""
    chosen, chance = GAME.read_options({"players": len(kinds), **options}), Chance(Random(seed))
    board = GAME.make_map(f"pathways-{len(kinds)}")
    referee = Referee(GAME, GAME.blank(board, chosen))
    seats = dict(zip(referee.truth.seats, kinds, strict=True))
    players = {seat: bots.bot_at_seat(kind, GAME, seat, referee.pictures[seat]) for seat, kind in seats.items()}
    luck = {seat: Chance(Random(f"{seed} {seat}")) for seat in seats}
    referee.tell(GAME.setup(board, chosen, chance))
    while referee.to_act:
        (seat,) = referee.to_act
        menu = referee.legal(seat)
        command = players[seat].choose(referee.pictures[seat], menu, luck[seat])
        assert command in menu
        referee.submit(seat, command, chance)
    truth: Picture = referee.truth
    return truth


def test_there_is_a_bot_for_each_level() -> None:
    ranked = bots.ranked(GAME, "player-1")[:4]
    assert ranked == ["novice", "rookie", "racer", "hunter"]
    assert [bots.find(GAME, name).level for name in ranked] == list(LEVELS[:4])


@OWN
def test_bot_beats_random_play_from_either_seat(name: str) -> None:
    for seed, kinds in enumerate([(name, "random"), ("random", name)]):
        over = play(kinds, seed).over
        assert over is not None
        assert over.winner == f"player-{1 + kinds.index(name)}"


@pytest.mark.parametrize("count", [3, 4, 5, 6] if DEPTH > 1 else [5])
def test_games_of_many_players_end_with_a_winner(count: int) -> None:
    kinds = ["racer", "hunter"] * (count // 2) + ["racer"] * (count % 2)
    over = play(kinds, count, healing=True).over
    assert over is not None
    assert over.winner is not None


@OWN
def test_bot_takes_out_the_leader_when_possible(name: str) -> None:
    view = picture_of(S1="C9", A1="D11", A2="B3", S2="C10")
    seat = "player-1"
    chosen = bots.bot_at_seat(name, GAME, seat, view).choose(view, GAME.legal(view, seat), Chance(Random(1)))
    assert getattr(chosen, "to", "") == "DR"


@OWN
def test_leader_hides_far_from_its_hunter(name: str) -> None:
    starts = {"p1": {"start": "AL"}, "p2": {"start": "BL"}, "p3": {"start": "CL"}}
    hunted = {key: {**part, "target": f"player-{n % 3 + 1}"} for n, (key, part) in enumerate(starts.items(), 1)}
    view = picture_of(3, setup="leader", **hunted)  # type: ignore[arg-type]
    seat = "player-1"
    chosen = bots.bot_at_seat(name, GAME, seat, view).choose(view, GAME.legal(view, seat), Chance(Random(1)))
    assert getattr(chosen, "space", "") in ("ER", "AR"), "player 3 hunts it, from CL"


@pytest.mark.parametrize("seed", range(5))
def test_rookie_never_misses_a_win(seed: int) -> None:
    view = picture_of(S1="C9", A1="D11", A2="B3", S2="C10")
    chosen = bots.bot_at_seat("rookie", GAME, "player-1", view).choose(
        view, GAME.legal(view, "player-1"), Chance(Random(seed))
    )
    assert getattr(chosen, "to", "") == "DR"


@pytest.mark.parametrize(("name", "stopped"), [("hunter", True), ("racer", False)])
def test_only_the_hunter_stops_a_win_before_running_on(name: str, stopped: bool) -> None:
    """Assassin 2 is one step from the Leader and out of range: Assassin 1 has to jump on it."""
    view = picture_of(S1="A4", A1="B12", S2="D4", A2="A12")
    bot, seat, luck = bots.bot_at_seat(name, GAME, "player-1", view), "player-1", Chance(Random(1))
    while view.turn == seat:
        for told in GAME.decide(view, bot.choose(view, GAME.legal(view, seat), luck), luck):
            view = GAME.fold(view, told.event)
    assert (view.at("assassin-2") != "A12") is stopped


def test_estimated_turns_of_an_assassin() -> None:
    assert turns("D11", "DR") == 1
    assert turns("A1", "DR") == 9
    assert turns("AL", "DL") == 4
