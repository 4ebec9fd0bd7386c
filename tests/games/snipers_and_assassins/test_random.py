"""Random games of 2 to 6 players: positions that read back, and the list of legal commands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.game import REFEREE, Command
from engine.refusal import Refused
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.rules import commands, places
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.words import markers_of
from tests.games.random_play import RandomGame

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"healing": True}, {"core_only": True, "first": "player-2"})
GAMES = [(count, number) for count in range(2, 7) for number in range(len(OPTIONS))]
ACTS = 150
every_game = pytest.mark.parametrize(("count", "number"), GAMES)


def options_of(count: int, number: int) -> dict[str, Any]:
    return {"players": count, **OPTIONS[number]}


@cache
def moments_of(count: int, number: int) -> list[Picture]:
    """Return the positions of a random game from its start on. All tests share them."""
    game = RandomGame(GAME, GAME.make_map(f"pathways-{count}"), 10 * count + number, options_of(count, number))
    moments: list[Picture] = [game.referee.truth]
    for _ in range(ACTS):
        if game.referee.to_act:
            game.step()
            moments.append(game.referee.truth)
    return moments


@every_game
def test_every_moment_can_be_described_as_a_position(count: int, number: int) -> None:
    board, options = GAME.make_map(f"pathways-{count}"), GAME.read_options(options_of(count, number))
    for moment in moments_of(count, number)[::7]:
        raw = msgspec.json.decode(msgspec.json.encode(GAME.state(moment)))
        pictures = GAME.position(board, options, raw, Chance(Random(1)))
        assert pictures[REFEREE] == msgspec.structs.replace(moment, swept=(), fallen=()), "except for the news"
        seat = moment.turn
        assert GAME.legal(pictures[seat], seat) == GAME.legal(moment, seat)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_exactly_the_listed_commands_are_legal(count: int) -> None:
    """Every offered command passes the check, and every other command is refused."""
    for moment in moments_of(count, 1)[:: 80 // count]:
        if moment.over is None:
            menu = GAME.legal(moment, moment.turn)
            assert len(set(menu)) == len(menu)
            assert all(is_accepted(moment, command) for command in menu)
            allowed = [command for command in possible_commands(moment) if is_accepted(moment, command)]
            assert set(allowed) == set(menu)


def is_accepted(moment: Picture, command: Command) -> bool:
    """Return whether the check accepts a command of the seat whose turn it is."""
    try:
        return GAME.check(moment, moment.turn, command) == command
    except Refused:
        return False


def possible_commands(moment: Picture) -> Iterator[Command]:
    """Yield every command with known names. Mines are limited to those near the ends of the move."""
    spaces = places.spaces(moment.pathways)
    targets = (None, *markers_of(moment.seats))
    yield from (commands.EndTurn(), commands.Claymore())
    yield from (commands.Hold(marker) for marker in markers_of(moment.seats))
    yield from (commands.ChooseTarget(seat) for seat in moment.seats)
    for space in spaces:
        for kind in (commands.ChooseStart, commands.PlaceLeader, commands.WalkC, commands.JumpC, commands.DoubleTwo):
            yield kind(space)
        yield from (commands.DoubleContinue(space), commands.DoubleFast(2, space), commands.Plant(space))
        for target in targets:
            yield from (commands.WalkB(space, target), commands.JumpB(space, target), commands.DoubleOne(space, target))
            yield commands.DoubleFast(1, space, target)
            if target is not None:
                yield commands.OptionA("shoot-move", space, target)
                yield commands.OptionA("move-shoot", space, target)
        yield from (commands.Walk(space), commands.Jump(space))
    if moment.setup is None:
        yield from mined(moment)


def mined(moment: Picture) -> Iterator[Command]:
    """Yield moves of the Assassin close to its place, with mines close to both."""
    here = moment.at(moment.own("assassin"))
    near = [name for name in places.spaces(moment.pathways) if places.distance(name, here) <= 4]
    for to, when, space in product(near, ("before", "after"), near):
        mine = commands.Mine(when, space)  # type: ignore[arg-type]
        yield from (commands.Walk(to, mine), commands.Jump(to, mine))
