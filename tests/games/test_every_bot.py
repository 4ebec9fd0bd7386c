"""The contract of every bot, found by its file: plays whole games by the rules, the same again, and holds no truth."""

from __future__ import annotations

import gc
from pathlib import Path
from random import Random
from types import FunctionType, ModuleType
from typing import Any

import pytest

import engine.bots
import games.sniper_elite.bots
from engine.bots import Bot
from engine.chance import Chance
from engine.game import Command
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import NotUnderstood
from firmware_host.seats import bots
from firmware_host.table import maps
from games.sniper_elite import GAME
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import SEATS
from tests.toys import grid

SEATED = [(name, seat) for name in bots.names(GAME) for seat in bots.fitting_seats(GAME, GAME.read_options({}), name)]
OPTIONS = (
    {},
    {"random_setup": True, "switches": {"R-05": False, "R-06": False, "R-08": False, "R-24": False}},
    {"experienced_sniper": ["A", "C"], "switches": {"R-18": False, "R-26": False, "R-36": False}},
    {"experienced_defenders": ["A", "B", "C", "D"]},
)


class Table:
    """A game in which one seat is a bot's and the other plays at random. `acts` are those of the bot."""

    def __init__(self, name: str, seat: str, board: Map, options: Any, seed: int) -> None:
        chosen = GAME.read_options(options)
        self.seat, self.chance = seat, Chance(Random(seed))
        self.referee = Referee(GAME, GAME.blank(board, chosen))
        self.bots: dict[str, Bot] = {
            other: bots.seated(name if other == seat else "random", GAME, other, self.referee.pictures[other])
            for other in SEATS
        }
        self.luck = {other: Chance(Random(f"{seed} {other}")) for other in SEATS}
        self.heard = dict.fromkeys(SEATS, 0)
        self.acts: list[Command] = []
        self.referee.tell(GAME.setup(board, chosen, self.chance))

    @property
    def bot(self) -> Bot:
        """The bot that is looked at."""
        return self.bots[self.seat]

    def play(self, most: int = 10_000) -> None:
        """Play on, the bots one act after the other."""
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
    folders = [Path(str(package.__file__)).parent for package in (engine.bots, games.sniper_elite.bots)]
    files = {path.stem.replace("_", "-") for folder in folders for path in folder.glob("[a-z]*.py")}
    assert set(bots.names(GAME)) == files >= {"random", "prowler", "warden"}


def test_every_seat_has_a_bot_that_can_take_it() -> None:
    for seat in SEATS:
        assert {"random"} < set(bots.fitting(GAME, seat))


def test_a_bot_that_does_not_exist_is_answered_with_what_is_known_and_a_guess() -> None:
    with pytest.raises(NotUnderstood, match=r"no bot 'wardn'; known are: .*warden.* Did you mean 'warden'\?"):
        bots.find(GAME, "wardn")


def test_a_bot_takes_no_seat_that_it_cannot_play() -> None:
    view = GAME.blank(grid(), GAME.read_options({}))["sniper"]
    with pytest.raises(NotUnderstood, match="cannot play for the sniper; these can: prowler, random"):
        bots.seated("warden", GAME, "sniper", view)


@pytest.mark.parametrize(("name", "seat"), SEATED)
@pytest.mark.parametrize("number", range(4))
def test_it_plays_whole_games_by_the_rules_with_any_options(name: str, seat: str, number: int) -> None:
    board = grid() if number % 2 else maps.load("launch-facility")
    table = Table(name, seat, board, OPTIONS[number], seed=number)
    table.play()
    assert table.referee.truth.over is not None


@pytest.mark.parametrize(("name", "seat"), SEATED)
def test_it_plays_the_same_again_from_the_same_seed(name: str, seat: str) -> None:
    one, other = (Table(name, seat, grid(), {}, seed=9) for _ in range(2))
    one.play()
    other.play()
    assert one.acts == other.acts
    assert len(one.acts) > 3


@pytest.mark.parametrize(("name", "seat"), SEATED)
def test_it_holds_nothing_that_its_seat_was_not_told(name: str, seat: str) -> None:
    """Nothing that can be reached from the bot is a referee, its truth, or another seat's picture."""
    table = Table(name, seat, grid(), {}, seed=4)
    table.play(most=60)
    for thing in reachable(table.bot):
        assert not isinstance(thing, Referee)
        if isinstance(thing, Picture):
            assert thing.deck is None
            assert seat == "sniper" or thing.dossier is None


def reachable(start: object) -> list[object]:
    """Everything that an object leads to, code and modules aside."""
    found: dict[int, object] = {}
    waiting: list[object] = [start]
    while waiting:
        thing = waiting.pop()
        if id(thing) not in found and not isinstance(thing, ModuleType | FunctionType | type):
            found[id(thing)] = thing
            waiting += gc.get_referents(thing)
    return list(found.values())
