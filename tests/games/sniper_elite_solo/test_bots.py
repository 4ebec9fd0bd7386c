"""The bots' ratings, and the tool that measures how hard the game is for them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.game import Command
from engine.referee import Referee
from firmware_host.core import maps
from firmware_host.seats.players import BotPlayer
from games.sniper_elite.rules.commands import EndSniperTurn, Move
from games.sniper_elite.rules.events import GameOver, TurnEnded
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo import GAME
from games.sniper_elite_solo.bots import careful, reckless, steady
from games.sniper_elite_solo.bots._rating import Rating, Style
from games.sniper_elite_solo.rules.events import Hit, LksUpdated, SoloCardTurned
from games.sniper_elite_solo.rules.picture import Picture
from lab import balance

BOARD = maps.load("launch-facility")
BOARDS = {name: maps.load(name) for name in balance.BOARDS}
FEARFUL, BOLD = Style(fear=1.0, looks=8, shoots=True), Style(fear=0.0, looks=0, shoots=False)


def chosen(kind: Any, view: Picture) -> Command:
    """Return what a kind of bot chooses."""
    found: Command = kind.KIND.sit(GAME, SNIPER, view).choose(view, GAME.legal(view, SNIPER), Chance(Random(1)))
    return found


@pytest.fixture(scope="module")
def opening() -> Picture:
    """Return a picture with the sniper on the map, ready for the first turn."""
    referee = Referee(GAME, GAME.blank(BOARD, GAME.read_options(None)))
    chance = Chance(Random(3))
    referee.tell(GAME.setup(BOARD, GAME.read_options(None), chance))
    player = BotPlayer("steady", GAME, SNIPER, referee.pictures[SNIPER], Chance(Random(3)))
    while referee.pictures[SNIPER].space is None:
        referee.submit(SNIPER, player.ask(referee), chance)
    found: Picture = referee.pictures[SNIPER]
    return replace(found, moved=False)


@pytest.mark.parametrize("kind", [reckless, steady, careful])
def test_bots_complete_an_objective_first(opening: Picture, kind: Any) -> None:
    goal = opening.terrain.objectives[opening.undone[0]]
    there = replace(opening, space=goal, units=dict.fromkeys(opening.units))
    assert chosen(kind, there).__struct_config__.tag == "complete"


def test_ending_next_to_a_defender_is_rated_lower(opening: Picture) -> None:
    here = str(opening.space)
    beside = opening.map.walk[here][0]
    empty = replace(opening, units=dict.fromkeys(opening.units))
    held = replace(opening, units={**empty.units, "yellow-1": beside})
    end = EndSniperTurn()
    assert Rating(held, FEARFUL).value(end) < Rating(empty, FEARFUL).value(end)
    assert Rating(held, BOLD).value(end) == Rating(empty, BOLD).value(end)
    seen = Rating(held, FEARFUL)
    seen.harm[here, held.lks] = 0.0
    assert seen.value(end) == Rating(empty, FEARFUL).value(end) - 1.0, "ending the turn there costs a hit"


def test_look_ahead_plays_out_the_open_cards(opening: Picture) -> None:
    here = str(opening.space)
    beside = next(space for space in opening.map.walk[here])
    units = dict.fromkeys(opening.units) | {"yellow-1": beside}
    card = replace(opening.slots[0], card="SC-09", face="up")
    scanned = replace(opening, units=units, slots=(card,), possible=(), acted=True, moved=True)
    moment = Rating(scanned, FEARFUL)
    moment.look_ahead([EndSniperTurn()])
    assert moment.harm[here, opening.lks] >= 1.0, "a defender that has not moved scans adjacent spaces"
    away = Rating(replace(scanned, units=dict.fromkeys(opening.units)), FEARFUL)
    away.look_ahead([EndSniperTurn()])
    assert away.harm[here, opening.lks] < 1.0


def test_noisy_move_is_rated_lower_than_a_masked_one(opening: Picture) -> None:
    moves = [command for command in GAME.legal(opening, SNIPER) if isinstance(command, Move)]
    loud = next(
        move for move in moves if len(move.path) > 1 and opening.terrain.sector_of[move.path[-1]] == opening.lks
    )
    masked = replace(opening, active="sound-masking")
    assert Rating(masked, FEARFUL).value(loud) - Rating(opening, FEARFUL).value(loud) >= 1.0, "a whole hit"


# --- the measure --------------------------------------------------------------------------------------------------


def test_balance_is_deterministic_and_counts_every_game() -> None:
    wanted = [balance.PlannedGame(balance.Setting("launch-facility", "steady"), number) for number in range(3)]
    one, other = balance.Tally(), balance.Tally()
    for it in wanted:
        one.add(balance.play_planned(BOARDS, it))
        other.add(balance.play_planned(BOARDS, it))
    assert one == other
    assert one.played == 3 == sum(one.causes.values()) == sum(one.rounds.values())
    assert one.won == one.causes["objectives"]
    assert sum(one.resolved.values()) >= 3
    assert set(one.hits) <= set(one.resolved)


def test_tally_counts_hits_and_updates_by_card() -> None:
    game = [
        Hit("noisy-move", None, "recoil"),
        LksUpdated("red"),
        TurnEnded("sniper"),
        SoloCardTurned("SC-06", 1),
        LksUpdated("red"),
        Hit("search", "red-1", "recoil"),
        Hit("search", "red-2", None),
        TurnEnded("defenders"),
        Hit("noise", "red-1", "noise"),
        LksUpdated("black"),
        GameOver("defenders", "wounds"),
    ]
    found = balance.tally_of(game, 3)
    assert (found.resolved, found.hits, found.updates) == ({"SC-06": 1}, {"SC-06": 2}, {"SC-06": 1})
    assert (found.won, found.causes, found.rounds, found.fatal) == (0, {"wounds": 1}, {3: 1}, {"SC-06": 2})
    won = balance.tally_of([*game[:-1], GameOver("sniper", "objectives")], 3)
    assert (won.won, won.fatal) == (1, {})


def test_page_lists_bots_by_map_and_rates_the_difficulty() -> None:
    tally = balance.play_planned(BOARDS, balance.PlannedGame(balance.Setting("submarine-pens", "reckless"), 1))
    for won, judged in ((8, "too easy"), (5, "within the target"), (1, "too hard")):
        tally.played, tally.won = 10, won
        written = balance.balance_page(dict.fromkeys(balance.all_settings(), tally), 10, 1)
        assert f"With the veteran deck, launch-facility is {judged} for the careful bot" in written
    found = dict.fromkeys(balance.all_settings(), tally)
    written = balance.balance_page(found, 1, 7)
    assert all(f"| {it.deck} | {it.board} | {it.bot} |" in written for it in found)
    assert all(f"| {it.board} | {it.challenge} " in written for it in found if it.challenge)
    assert "--games 1 --seed 7" in written
    drawn = balance.plot_wins(found)
    assert drawn.count('fill="#2d6cb5"') == sum(it.challenge is None for it in found)
