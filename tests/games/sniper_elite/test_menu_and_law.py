"""Menu and law agree: on the small map T1 every conceivable command is tried, and what is on offer is what stands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from engine.game import Command
from engine.refusal import NotUnderstood, Refused
from games.sniper_elite import GAME
from games.sniper_elite.map_rules import sites_of
from games.sniper_elite.rules import commands
from games.sniper_elite.rules.cards import CARDS
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import SQUADS, UNITS
from tests.games.sniper_elite.duel import Duel, defenders_turn, is_sentence, sniper_turn
from tests.toys import t1

T1 = t1()
SPACES = list(T1.spaces)
SEEDS = range(12)
ACTIVE = ("tommy-gun", "tommy-gun", "trench-gun", "silenced-ammo", "sound-masking")


def anywhere(random: Random) -> dict[str, str | None]:
    """Units strewn over the map, some off it."""
    spaces = random.sample(SPACES, len(SPACES))
    return {unit: spaces.pop() if random.random() < 0.6 else None for unit in UNITS}


def snipers(random: Random) -> Duel:
    """A sniper's turn of some kind."""
    more: dict[str, Any] = {name: random.random() < 0.3 for name in ("moved", "acted")}
    more |= {"completed": random.choice([[], [1]]), "active": random.choice([None, None, *ACTIVE])}
    more["bag"] = {"aim": random.randrange(7), "noise": 2, "recoil": random.randrange(4)}
    switches = {switch: random.random() < 0.5 for switch in ("R-05", "R-06", "R-08", "R-24")}
    options = {"switches": switches}
    inside = random.random() < 0.8
    space = random.choice([*["a1", "a5", "w2"], *SPACES]) if inside else None
    units = anywhere(random)
    if not inside:
        units = {unit: None if where == "w2" else where for unit, where in units.items()}
        more |= {"completed": [], "acted": False, "moved": False}
        if not switches["R-06"]:
            more["active"] = None
    more["hand"] = random.sample([card for card in CARDS if card != more["active"]], 3)
    entry = None if inside else "white"
    return sniper_turn(space, T1, options, objectives=[1, 2], units=units, entry=entry, **more)


def hunters(random: Random) -> Duel:
    """A defenders' turn of some kind."""
    cubes = ({"left": 2}, {"left": 1}, {"left": 0}, {"left": 0, "intel": True})
    squads = {squad: random.choice(cubes) for squad in SQUADS}
    acts = ("move", "attack", "spot", "sweep", "deploy", "dismiss")
    busy = [unit for squad in SQUADS for unit in random.sample([unit for unit in UNITS if squad in unit], 2)]
    done = {unit: random.sample(acts, random.choice([0, 1])) for unit in busy}
    options = {"switches": {switch: random.random() < 0.5 for switch in ("R-08", "R-18")}}
    marks = random.sample(SPACES, random.randrange(11))
    units = {unit: None if "dismiss" in done.get(unit, ()) else where for unit, where in anywhere(random).items()}
    cards = random.sample(list(SPECIALISTS), 3)
    specialists = {
        squad: {"card": card, "uses": random.choice([0, 1, 2])} for squad, card in zip(SQUADS, cards, strict=True)
    }
    more = {"specialists": specialists, "used": random.sample(SQUADS, random.randrange(2)), "marks": marks}
    return defenders_turn("a2", T1, options, objectives=[1, 2], units=units, squads=squads, done=done, **more)


def snipers_commands() -> Iterator[Command]:
    """All that a sniper could say on T1, and a little that makes no sense."""
    for length in range(4):
        yield from (commands.Move(path) for path in product(SPACES, repeat=length))
    yield commands.Move(("a1", "a2", "a3", "a4"))
    yield from (commands.Shoot(unit, draw) for unit in UNITS for draw in range(14))
    yield from (commands.Shoot(unit, *pair) for unit in UNITS for pair in product(range(1, 13), repeat=2))
    yield from (commands.Shoot(), commands.Shoot("red-1"), commands.Shoot(draw=2))
    yield from (commands.ShootSecond(unit) for unit in UNITS)
    yield from (commands.Complete(number) for number in sites_of(T1).objectives)
    yield from (commands.ReturnObjective(number) for number in sites_of(T1).objectives)
    yield from (commands.ChooseEntry(sector) for sector in sites_of(T1).entries)
    yield from (commands.Keep(card) for card in CARDS)
    yield from (commands.Play(card) for card in CARDS)
    yield from (commands.Play("distraction", unit, to) for unit, to in product(UNITS, SPACES))
    yield from (commands.Play("tommy-gun", "red-1", "a1"), commands.Play("distraction", "red-1"))
    yield from (commands.ChooseLoadout(hand) for hand in combinations(CARDS, 3))
    yield from (commands.Loot(), commands.EndSniperTurn())


def hunters_commands() -> Iterator[Command]:
    """All that the defenders could say on T1."""
    for unit, space in product(UNITS, SPACES):
        yield commands.MoveUnit(unit, space)
        yield commands.Spot(unit, space)
        yield commands.Deploy(unit, space)
        yield commands.Sweep(unit, (space,))
        yield from (commands.Sweep(unit, (space, other)) for other in SPACES)
    for unit in UNITS:
        yield from (commands.Attack(unit), commands.Dismiss(unit), commands.Sweep(unit, ()))
        yield from (commands.Attack(unit, "a1"), commands.Save(unit))
        for space, card in product(SPACES, SPECIALISTS):
            yield commands.Attack(unit, space, use=card)
            yield from (commands.Attack(unit, space, draw, "sniper") for draw in range(9))
    yield from (commands.GatherIntel(squad) for squad in SQUADS)
    for squad in SQUADS:
        yield commands.Ability(squad)
        yield from (commands.Ability(squad, unit, space) for unit, space in product(UNITS, SPACES))
        yield from (commands.Ability(squad, unit, to=space) for unit, space in product(UNITS, SPACES))
    yield from (commands.Mark(space) for space in SPACES)
    yield from (commands.Unmark(space) for space in SPACES)
    yield commands.ChooseSpecialists({"yellow": "medic", "red": "scout", "black": "jaeger"})
    yield from (commands.EndDefendersTurn(), commands.Decline())


def agree(duel: Duel, seat: str, tried: Iterator[Command]) -> int:
    """The law lets through what is on the menu and nothing else; how many refusals there were."""
    menu = duel.referee.legal(seat)
    view = duel.referee.pictures[seat]
    stood, refused = [], 0
    for command in tried:
        try:
            found = GAME.check(view, seat, command)
        except (Refused, NotUnderstood) as error:
            assert is_sentence(error.sentence), error.sentence
            assert command not in menu
            refused += 1
        else:
            assert found in menu, command
            stood.append(found)
    assert [command for command in menu if command not in stood] == []
    assert len(menu) == len({repr(command) for command in menu})
    return refused


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_sniper_may_do_is_what_is_offered(seed: int) -> None:
    duel = snipers(Random(seed))
    assert agree(duel, "sniper", snipers_commands()) > 1000
    assert agree(duel, "defenders", hunters_commands()) > 1000


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_defenders_may_do_is_what_is_offered(seed: int) -> None:
    duel = hunters(Random(seed))
    assert agree(duel, "defenders", hunters_commands()) > 1000
    assert agree(duel, "sniper", snipers_commands()) > 1000
