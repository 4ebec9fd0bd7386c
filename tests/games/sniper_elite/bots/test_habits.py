"""Statistics of seeded games: no habit of the strong bots may stand out, and beginners play badly, but with sense."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from engine.chance import Chance
from engine.game import Command
from engine.referee import Referee
from firmware_host.core import maps
from firmware_host.seats.players import BotPlayer
from games.sniper_elite import GAME
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.odds import odds
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.shooting import steadiness, targets

GAMES = 20
FEW_GAMES = 6
STRONG, BEGINNERS = ("prowler", "warden"), ("straggler", "cadet")


class Act(NamedTuple):
    """An act, and the truth before it."""

    truth: Picture
    command: Command


@cache
def acts(random_setup: bool) -> tuple[Act, ...]:
    """Return the acts of some games on both maps."""
    return tuple(act for number in range(GAMES) for act in _played(number, random_setup, STRONG))


@cache
def acts_of_beginners() -> tuple[Act, ...]:
    return tuple(act for number in range(FEW_GAMES) for act in _played(number, True, BEGINNERS))


def _played(number: int, random_setup: bool, bots: tuple[str, str]) -> Iterator[Act]:
    board = maps.load(("launch-facility", "submarine-pens")[number % 2])
    options = GAME.read_options({"random_setup": random_setup})
    referee, chance = Referee(GAME, GAME.blank(board, options)), Chance(Random(number))
    players = {
        seat: BotPlayer(bot, GAME, seat, referee.pictures[seat], Chance(Random(f"{number} {seat}")))
        for seat, bot in zip(("sniper", "defenders"), bots, strict=True)
    }
    referee.tell(GAME.setup(board, options, chance))
    while referee.to_act:
        seat = referee.to_act[0]
        command = players[seat].ask(referee)
        yield Act(referee.truth, command)
        referee.submit(seat, command, chance)


def test_sniper_keeps_different_cards() -> None:
    for _, command in acts(random_setup=False):
        if isinstance(command, c.ChooseLoadout):
            assert len(set(command.cards)) == len(command.cards)


def test_sniper_uses_every_kind_of_card() -> None:
    played = Counter(act.command.card for act in acts(random_setup=True) if isinstance(act.command, c.Play))
    assert set(played) >= {"sound-masking", "s-mine", "silenced-ammo", "distraction", "tommy-gun"}


def test_sniper_loots() -> None:
    assert any(isinstance(act.command, c.Loot) for act in acts(random_setup=False))


def test_sniper_does_not_risk_a_likely_reveal_for_a_soldier() -> None:
    for truth, command in (*acts(random_setup=False), *acts(random_setup=True)):
        if isinstance(command, c.Shoot) and command.target is not None and truth.active is None:
            goals = [truth.sites.objectives[number] for number in truth.mine.objectives]
            clears = truth.units[command.target] in goals or "officer" in command.target
            chances = odds(truth.bag, command.draw or 0, targets(truth)[command.target], steadiness(truth))
            assert clears or chances.reveal < 0.5


def test_defenders_sometimes_gather_intel() -> None:
    turns = sum(isinstance(act.command, c.EndDefendersTurn) for act in acts(random_setup=False))
    asked = sum(isinstance(act.command, c.GatherIntel) for act in acts(random_setup=False))
    assert asked > turns / 30


def test_every_specialist_is_chosen() -> None:
    teams = [act.command for act in acts(random_setup=False) if isinstance(act.command, c.ChooseSpecialists)]
    assert len({card for team in teams for card in team.squads.values()}) == 6


def test_no_turn_ends_with_most_cubes_unspent() -> None:
    for truth, command in acts(random_setup=False):
        if isinstance(command, c.EndDefendersTurn):
            assert sum(squad.left for squad in truth.squads.values()) <= 3


def test_beginners_take_no_shot_that_rather_misses() -> None:
    for truth, command in acts_of_beginners():
        if isinstance(command, c.Shoot) and command.target is not None:
            chances = odds(truth.bag, command.draw or 0, targets(truth)[command.target], steadiness(truth))
            assert chances.hit >= 0.5


def test_beginners_use_their_units_and_sometimes_look_for_the_sniper() -> None:
    commands = [act.command for act in acts_of_beginners()]
    turns = sum(isinstance(command, c.EndDefendersTurn) for command in commands)
    assert sum(isinstance(command, c.MoveUnit) for command in commands) > turns / 3
    assert sum(isinstance(command, (c.Spot, c.Sweep, c.GatherIntel)) for command in commands) > turns / 12
