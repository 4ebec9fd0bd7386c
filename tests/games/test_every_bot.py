"""The contract of every bot, found by its file.

A bot plays whole games by the rules, repeats its play with the same seed, and never sees the truth.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from types import FunctionType, ModuleType
from typing import Any

import pytest

import engine.bots
import games
from engine.bots import Bot
from engine.chance import Chance
from engine.game import REFEREE, Command, Game
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import NotUnderstood
from firmware_host.core import bots, maps
from firmware_host.core.game_files import game_folder
from games.sniper_elite import GAME
from tests.depth import DEPTH
from tests.games.random_play import board_of
from tests.toys import grid

SEATED = [
    pytest.param(game, name, seat, id=f"{game.name}-{name}-{seat}")
    for game in map(games.find, games.names())
    for name in bots.names(game)
    for seat in (it.name for it in game.seats(game.read_options({})))
    if bots.find(game, name).plays(seat)
]
OPTIONS: Mapping[str, Sequence[Any]] = {
    "sniper-elite": (
        {"random_setup": True, "switches": {"R-05": False, "R-06": False, "R-08": False, "R-24": False}},
        {"experienced_sniper": ["A", "C"], "switches": {"R-18": False, "R-26": False, "R-36": False}},
        {"experienced_defenders": ["A", "B", "C", "D"]},
        {"random_setup": True, "nest": {"ally": "AS-KARL", "gear": True}},
        {"random_setup": True, "nest": {"ally": "ghost", "gear": True}},
    ),
    "stalingrad": (
        {"players": 2, "switches": {"ST-R-01": False, "ST-R-19": False}},
        {"players": 3, "switches": {"ST-R-04": False, "ST-R-22": False}},
    ),
}
"""Options that bots have to handle, besides the defaults."""


class Table:
    """A game in which a bot plays one seat and the others play at random. `acts` are those of the bot."""

    def __init__(self, game: Game, name: str, seat: str, board: Map | None, options: Any, seed: int) -> None:
        chosen = game.read_options(options)
        self.seat, self.chance = seat, Chance(Random(seed))
        self.referee = Referee(game, game.blank(board, chosen))
        seats = [other.name for other in game.seats(chosen)]
        self.bots: dict[str, Bot] = {
            other: bots.bot_at_seat(name if other == seat else "random", game, other, self.referee.pictures[other])
            for other in seats
        }
        self.luck = {other: Chance(Random(f"{seed} {other}")) for other in seats}
        self.heard = dict.fromkeys(seats, 0)
        self.acts: list[Command] = []
        self.referee.tell(game.setup(board, chosen, self.chance))

    @property
    def bot(self) -> Bot:
        """Return the tested bot."""
        return self.bots[self.seat]

    def play(self, most: int = 10_000) -> None:
        """Play on. The bots act one after the other."""
        for _ in range(most):
            if not self.referee.to_act:
                return
            seat = self.referee.to_act[0]
            legal = self.referee.legal(seat)
            for event in self.referee.told[seat][self.heard[seat] :]:
                self.bots[seat].told(event)
            self.heard[seat] = len(self.referee.told[seat])
            command = self.bots[seat].choose(self.referee.pictures[seat], legal, self.luck[seat])
            assert command in legal
            self.referee.submit(seat, command, self.chance)
            if seat == self.seat:
                self.acts.append(command)


def test_bots_are_found_by_their_files() -> None:
    for game in map(games.find, games.names()):
        folders = [Path(str(engine.bots.__file__)).parent, game_folder(game.name) / "bots"]
        files = {path.stem.replace("_", "-") for folder in folders for path in folder.glob("[a-z]*.py")}
        assert set(bots.names(game)) == files >= {"random"}


def test_every_seat_has_a_bot_that_can_play_it() -> None:
    for game in map(games.find, games.names()):
        for seat in game.seats(game.read_options(None)):
            assert "random" in bots.names_for(game, seat.name)


def test_error_for_unknown_bot_lists_bots_and_a_suggestion() -> None:
    with pytest.raises(NotUnderstood, match=r"no bot 'wardn'; known are .*warden.* Did you mean 'warden'\?"):
        bots.find(GAME, "wardn")


def test_bot_refuses_a_seat_that_it_cannot_play() -> None:
    view = GAME.blank(grid(), GAME.read_options({}))["sniper"]
    with pytest.raises(
        NotUnderstood,
        match="cannot play for the sniper; these can: phantom, prowler, rambler, random, skulker, straggler",
    ):
        bots.bot_at_seat("warden", GAME, "sniper", view)


@pytest.mark.parametrize(("game", "name", "seat"), SEATED)
def test_bot_plays_whole_games_by_the_rules_with_any_options(game: Game, name: str, seat: str) -> None:
    others = [*enumerate(OPTIONS.get(game.name, ()), 1)]
    if DEPTH == 1:  # each bot plays with some of the options, and each of these is played by some bots
        others = others[bots.names(game).index(name) % 3 :: 3]
    for number, options in [(0, {}), *others]:
        offered = maps.offered(game)
        board = maps.load(offered[0]) if offered and not number % 2 else board_of(game)
        table = Table(game, name, seat, board, options, seed=number)
        table.play()
        assert table.referee.to_act == ()


@pytest.mark.parametrize(("game", "name", "seat"), SEATED)
def test_bot_repeats_its_play_and_holds_only_what_its_seat_knows(game: Game, name: str, seat: str) -> None:
    """The same seed gives the same acts. No referee can be reached from the bot, and only pictures of its seat."""
    table, other = (Table(game, name, seat, board_of(game), {}, seed=3) for _ in range(2))
    table.play(most=60)
    other.play(most=60)
    assert table.acts
    assert table.acts == other.acts
    own = [game.blank(board_of(game), game.read_options(None))[seat]]
    for event in table.referee.told[seat]:
        own.append(game.fold(own[-1], event))
    kind = type(table.referee.pictures[REFEREE])
    for thing in reachable(table.bot):
        assert not isinstance(thing, Referee)
        if isinstance(thing, kind):
            assert thing in own


def reachable(start: object) -> list[object]:
    """Return everything reachable from an object, except code and modules."""
    found: dict[int, object] = {}
    waiting: list[object] = [start]
    while waiting:
        thing = waiting.pop()
        if id(thing) not in found and not isinstance(thing, ModuleType | FunctionType | type):
            found[id(thing)] = thing
            waiting += gc.get_referents(thing)
    return list(found.values())
