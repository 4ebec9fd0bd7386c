"""Submit every possible command at random points of play.

A command that longhand does not list is refused, and changes nothing for any viewer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.game import REFEREE
from engine.referee import Referee
from engine.refusal import NotUnderstood, Refused
from games.sniper_elite import GAME
from games.sniper_elite.map_rules import sites_of
from games.sniper_elite.rules.words import SEATS
from tests.depth import seeds
from tests.games.second_referee import in_one_order, possible
from tests.games.sniper_elite.duel import canonical, is_sentence, plain
from tests.games.sniper_elite.histories import tiny
from tests.games.sniper_elite.longhand.menu import DECK, KINDS, SPECIALISTS, SQUADS, Act, House, menu
from tests.games.sniper_elite.longhand.random_positions import UNITS, random_position
from tests.games.sniper_elite.test_longhand import some_options

BOARD = tiny()
SPACES = list(BOARD.spaces)
SECTORS = list(sites_of(BOARD).entries)
NUMBERS = list(sites_of(BOARD).objectives)
OF_EACH_SORT = 250
"""How many commands of a type are tried at a point, where there are more."""


def ordered(words: list[str], most: int) -> list[list[str]]:
    """Return all sequences of up to `most` words, with repetition."""
    return [[*row] for length in range(most + 1) for row in product(words, repeat=length)]


def possible_acts(fields: dict[str, list[Any]]) -> list[Act]:
    """Return all ways to fill the fields. None leaves a field out."""
    ways = product(*fields.values())
    return [{name: value for name, value in zip(fields, way, strict=True) if value is not None} for way in ways]


SNIPERS: dict[str, list[Act]] = {
    "return-objective": possible_acts({"objective": NUMBERS}),
    "choose-loadout": [{"cards": [*hand]} for size in (2, 3, 4) for hand in {*combinations(DECK, size)}],
    "show-objective": possible_acts({"objective": NUMBERS}),
    "choose-entry": possible_acts({"sector": SECTORS}),
    "move": possible_acts({"path": ordered(SPACES, 3)}),
    "play": possible_acts({"card": KINDS, "unit": [None, *UNITS], "to": [None, *SPACES]}),
    "shoot": possible_acts({"target": [None, *UNITS], "draw": [None, *range(24)], "second": [None, *range(9)]}),
    "shoot-second": possible_acts({"target": UNITS}),
    "loot": [{}],
    "keep": possible_acts({"card": KINDS}),
    "complete": possible_acts({"objective": NUMBERS}),
    "end-turn": [{}],
}
DEFENDERS: dict[str, list[Act]] = {
    "choose-specialists": [{"squads": dict(zip(SQUADS, cards, strict=True))} for cards in permutations(SPECIALISTS, 3)],
    "move": possible_acts({"unit": UNITS, "to": SPACES}),
    "attack": possible_acts(
        {"unit": UNITS, "space": [None, *SPACES], "draw": [None, *range(9)], "use": [None, *SPECIALISTS]}
    ),
    "spot": possible_acts({"unit": UNITS, "space": SPACES}),
    "sweep": possible_acts({"unit": UNITS, "spaces": ordered(SPACES, 2)}),
    "deploy": possible_acts({"unit": UNITS, "space": SPACES}),
    "dismiss": possible_acts({"unit": UNITS}),
    "intel": possible_acts({"squad": [*SQUADS]}),
    "ability": possible_acts(
        {"squad": [*SQUADS], "unit": [None, *UNITS], "space": [None, *SPACES], "to": [None, *SPACES]}
    ),
    "save": possible_acts({"unit": UNITS}),
    "decline": [{}],
    "end-turn": [{}],
    "mark": possible_acts({"space": SPACES}),
    "unmark": possible_acts({"space": SPACES}),
}
SAYABLE = {"sniper": SNIPERS, "defenders": DEFENDERS}


def tried(seat: str, random: Random) -> Iterator[Act]:
    """Yield commands of every type, limited in number."""
    for sort, ways in SAYABLE[seat].items():
        for fields in random.sample(ways, min(OF_EACH_SORT, len(ways))):
            yield {"type": sort, **fields}


def standing(referee: Referee, chance: Chance) -> tuple[Any, ...]:
    """Return everything that an act could change. Pictures are frozen, so an identical picture is unchanged."""
    pictures = tuple(map(id, referee.pictures.values()))
    return pictures, tuple(len(told) for told in referee.told.values()), repr(chance.mark())


def submit_all(referee: Referee, seat: str, listed: set[str], acts: Iterator[Act]) -> tuple[int, int]:
    """Submit every command. Return how many were refused, and how many were listed."""
    chance, refused, stood = Chance(Random(1)), 0, 0
    before = standing(referee, chance)
    for act in acts:
        command = GAME.read_command(seat, act)
        if in_one_order([canonical(command)])[0] in listed:
            GAME.check(referee.pictures[seat], seat, command)
            stood += 1
            continue
        with pytest.raises((Refused, NotUnderstood)) as caught:
            referee.submit(seat, command, chance)
        assert is_sentence(caught.value.sentence), caught.value.sentence
        refused += 1
    assert standing(referee, chance) == before
    return refused, stood


def listed_for(house: House, referee: Referee, seat: str) -> set[str]:
    """Return the acts that longhand lists."""
    acts = menu(house, plain(GAME.state(referee.pictures[REFEREE])), seat)
    return {*in_one_order(canonical(GAME.read_command(seat, act)) for act in acts)}


def points(seed: int) -> Iterator[tuple[House, Referee]]:
    """Yield a random position, and positions after some acts from there."""
    random = Random(seed)
    options = some_options(random)
    house, chance = House(BOARD, options), Chance(random)
    referee = possible(GAME, BOARD, options, partial(random_position, house, random), random)
    for _ in range(3):
        yield house, referee
        for _ in range(3):
            if referee.to_act:
                seat = referee.to_act[0]
                referee.submit(seat, random.choice(referee.legal(seat)), chance)


def test_unlisted_acts_are_refused_and_change_nothing() -> None:
    refused = stood = 0
    for seed in seeds(12, by_day=5):
        for house, referee in points(seed):
            for seat in SEATS:
                counted = submit_all(referee, seat, listed_for(house, referee, seat), tried(seat, Random(seed)))
                refused, stood = refused + counted[0], stood + counted[1]
    assert refused > 10_000
    assert stood > 100


@pytest.mark.parametrize("seat", SEATS)
def test_only_listed_acts_are_accepted_before_and_after_the_game(seat: str) -> None:
    house, options = House(BOARD, {}), GAME.read_options(None)
    referee = Referee(GAME, GAME.blank(BOARD, options))
    chance = Chance(Random(3), [("objectives", [1, 3])])
    referee.tell(GAME.setup(BOARD, options, chance))
    over = {"turn": "defenders", "countdown": 1, "over": {"winner": "defenders", "reason": "countdown"}}
    raw = {**over, "sniper": {"space": "a1", "objectives": [1, 3]}, "units": {}}
    ended = Referee(GAME, GAME.position(BOARD, options, raw, chance))
    for point in (referee, ended):
        said = ({"type": sort, **fields} for sort, ways in SAYABLE[seat].items() for fields in ways[:150])
        assert submit_all(point, seat, listed_for(house, point, seat), said)[0] > 200


@pytest.mark.parametrize("name", ["x" * 300, "green-1", ""])
def test_unknown_unit_or_squad_is_no_part_of_the_seat(name: str) -> None:
    """A name that was too long counted as a fault of the game."""
    for act in ({"type": "move", "unit": name, "to": "a1"}, {"type": "intel", "squad": name}):
        assert GAME.part(GAME.read_command("defenders", act)) is None
    assert GAME.part(GAME.read_command("defenders", {"type": "move", "unit": "black-1", "to": "a1"})) == "black"
