"""How bots defend: they hold the objectives that the sniper can still be after, and look and strike where it can be.

Where that is comes from `whereabouts.py`; how likely each of these spaces is, is guessed from how a sniper would go for
an objective. Every act is worth something a cube, and the best is done, until nothing is worth a cube. A `Style` says
how well a level does that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log2
from typing import Any

from msgspec import Struct

from engine.bots import slipping
from engine.chance import Chance
from engine.events import Event
from engine.game import Command, Game
from games.sniper_elite.bots._fields import Field, distances, greatest, masked, ranking, total, warmth
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.gaits import noticed_by, reached, special
from games.sniper_elite.rules.ground import ones
from games.sniper_elite.rules.odds import odds
from games.sniper_elite.rules.picture import Picture, Tokens
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import SNIPER, SQUADS, START_BAG, UNITS, is_officer, squad_of

TEAMS = (("jaeger", "sniper", "medic"), ("jaeger", "scout", "medic"), ("jaeger", "sniper", "scout"))
"""The specialists that are chosen, any of these."""
LEAST = 0.02
"""What an act has to be worth to be done at all."""
UNLIKELY = 0.02
"""The least weight of a space that is possible, however odd a sniper would be that went there, beside the likeliest."""
WOUND = 10.0
"""What a sure wound is worth; everything else is measured by it."""
KNOWING = 1.0
"""What a bit that is learnt is worth for later."""
COMPANY = 0.5
"""How a second cube counts: by this power, as two small questions tell less than one large one."""
HOLDING, COMING, FARTHEST = 3.0, 0.6, 9
"""What a unit is worth on its objective, and every step towards it, if it is no further away than that."""
THREAT, NEARING = 0.1, 0.75
"""How much an objective far from the sniper counts, and how one near counts for more."""
HUNTING, COOLING = 8.0, 0.6
"""What it is worth to stand where the sniper is, falling with every step away."""
RETURNING = 3.0
"""What it is worth to bring a unit back."""
SPENT = 1.5
"""What a use of the Scout has to bring for an objective; who is scouted cannot strike."""
SURE = 0.2
"""How likely a space must be for a specialist's use."""
STAYS, SNEAKS, RUNS, PULL = 0.08, 0.35, 0.6, 0.6
"""How a sniper's turn is guessed: stays, goes one space or more, and rather towards an objective."""


class Style(Struct, frozen=True):
    """How well a level defends. `guesses`: it thinks of the ways that a sniper would go, not only of those it can.

    `hunts` is how much it cares to be near the sniper, `holds` to stand on objectives, `asks` to know more, each as a
    part of the best; `slips` is how many of ten acts are any useful one rather than the best, and
    `rests` how many are the end of the turn, whatever could still be done.
    """

    guesses: bool = True
    hunts: float = 1.0
    holds: float = 1.0
    asks: float = 1.0
    slips: int = 0
    rests: int = 0


class Guard:
    """A defenders' seat. It keeps what the seat was told as whereabouts, and a guess beside it."""

    def __init__(self, game: Game, view: Picture, style: Style) -> None:
        self._game, self._view, self._style = game, view, style
        self._known = Whereabouts.begin(view)
        self._guess: Field = [1.0] * self._known.ground.size

    def told(self, event: Event) -> None:
        """Follow the game; guess anew whenever the sniper has had a turn."""
        before, self._known = self._view, self._known.after(self._view, event)
        self._view = self._game.fold(before, event)
        if isinstance(event, e.TurnEnded):
            self._guess = self._after_turn() if event.seat == SNIPER else self._likely(before)
        elif isinstance(event, e.Revealed):
            self._guess = masked(self._guess, self._known.ground.bit[event.space])

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """The act that is worth the most, the end of the turn where none is worth anything."""
        if c.EndDefendersTurn() not in legal:
            return _decision(legal, chance)
        if self._style.rests and chance.roll("rest", range(10), "bots") < self._style.rests:
            return c.EndDefendersTurn()
        turn = Turn(view, self._known, self._likely(view), self._style)
        return slipping(legal, turn.worth, c.EndDefendersTurn(), chance, self._style.slips, LEAST)

    def _likely(self, view: Picture) -> list[float]:
        """How likely the sniper is on each space, as guessed, among those that are possible."""
        possible = self._known.ground.bits(self._known.spaces(view))
        if not self._style.guesses:
            return masked([1.0] * self._known.ground.size, possible)
        least = UNLIKELY * max((self._guess[index] for index in ones(possible)), default=0.0)
        return masked([max(least, weight) for weight in self._guess], possible)

    def _after_turn(self) -> list[float]:
        """The guess a turn later: snipers go on, quietly or not, and rather towards an objective."""
        ground, view = self._known.ground, self._view
        found = [STAYS * weight for weight in self._guess]
        for index, weight in enumerate(self._guess):
            if weight:
                for share, ends in self._ways(1 << index):
                    for end in ones(ends):
                        found[end] += share * weight / ends.bit_count()
        goals = ground.bits(view.sites.objectives[number] for number in _open(view, self._known))
        return [weight * (1 + PULL**steps) for weight, steps in zip(found, distances(ground, goals), strict=True)]

    def _ways(self, start: int) -> tuple[tuple[float, int], ...]:
        """Where a turn of the sniper leads from a space: how likely a way is, and the spaces where it ends."""
        ground, view = self._known.ground, self._view
        free = ~ground.bits(view.units.values())
        quiet, noisy = ground.quiet(start, free), ground.noisy(start, free)
        if special(view):
            ends = reached(view, ground, start, noticed_by(view, (), ()), masked=False)
            noisy = quiet | sum(ends.values())
        return (SNEAKS, quiet), (RUNS, noisy & ~start)


def _decision(legal: Sequence[Command], chance: Chance) -> Command:
    """What is asked outside the defenders' turn: specialists, and whether the medic saves."""
    if isinstance(legal[0], c.ChooseSpecialists):
        squads = chance.order("squads", SQUADS, "warden")
        team = chance.order("team", TEAMS, "warden")[0]
        return c.ChooseSpecialists({squad: team[squads.index(squad)] for squad in SQUADS})
    saving = [command for command in legal if isinstance(command, c.Save)]
    return saving[0] if saving else legal[0]


def _open(view: Picture, known: Whereabouts) -> list[int]:
    """The objectives that can still be completed."""
    return [number for number in known.objectives() if number not in view.completed]


class Turn:
    """One moment of a defenders' turn: where the sniper is thought to be, who holds what, and what acts are worth."""

    def __init__(self, view: Picture, known: Whereabouts, likely: Field, style: Style) -> None:
        self.style = style
        self.view, self.ground, self.likely = view, known.ground, likely
        self.standing = self.ground.bits(view.units.values())
        self.strikes = {squad: self._strikes(squad) for squad in SQUADS}
        self.ranked = ranking(likely)
        self.hunted = warmth(self.ground, likely, COOLING)
        near = warmth(self.ground, likely, NEARING)
        spaces = {number: view.sites.objectives[number] for number in _open(view, known)}
        self.threats = {n: THREAT + near[self.ground.index[space]] for n, space in spaces.items()}
        self.posts = self._posts(spaces)
        self._worth: Mapping[type[Command], Callable[[Any], float]] = {
            c.MoveUnit: self._move,
            c.Attack: self._attack,
            c.Spot: self._spot,
            c.Sweep: self._sweep,
            c.GatherIntel: self._intel,
            c.Deploy: self._deploy,
            c.Ability: self._ability,
            c.EndDefendersTurn: lambda _: 0.0,
        }

    def worth(self, command: Command) -> float:
        """What an act is worth for each cube that it takes, below nought for what is better left."""
        found = self._worth.get(type(command))
        return -1.0 if found is None else found(command)

    # --- the field ----------------------------------------------------------------------------------------------

    def _reach(self, unit: str) -> int:
        """About where a unit's Move can end."""
        near = self.ground.near(self.ground.bits([self.view.units[unit]]))
        return (near | self.ground.near(near)) & ~self.standing & self.ground.board

    def _strikes(self, squad: str) -> int:
        """The spaces that a squad can attack with the cubes it has left."""
        left, found = self.view.squads[squad].left, 0
        for unit in UNITS:
            space, done = self.view.units[unit], self.view.acts_done(unit)
            if squad_of(unit) == squad and space is not None and left and not {"attack", "scout"} & {*done}:
                found |= self.ground.bit[space]
                if left > 1 and "move" not in done:
                    found |= self._reach(unit)
        return found

    def _posts(self, numbers: Iterable[int]) -> dict[str, tuple[float, list[int]]]:
        """Unit -> how far each space is from the objective that it should hold: the nearest one not yet given."""
        goals = {number: self.ground.bit[self.view.sites.objectives[number]] for number in numbers}
        fields = {number: distances(self.ground, goal) for number, goal in goals.items()}
        pairs = sorted(
            (fields[number][self.ground.index[space]] / (0.05 + self.threats[number]), number, unit)
            for number in goals
            for unit, space in self.view.units.items()
            if space is not None
        )
        found: dict[str, tuple[float, list[int]]] = {}
        given: set[int] = set()
        for _, number, unit in pairs:
            if unit not in found and number not in given:
                found[unit] = self.threats[number], fields[number]
                given.add(number)
        return found

    def _held(self, unit: str, space: str) -> float:
        """What it is worth for the unit's objective that it stands on a space."""
        if unit not in self.posts:
            return 0.0
        threat, way = self.posts[unit]
        steps = way[self.ground.index[space]]
        return self.style.holds * threat * ((HOLDING if steps == 0 else 0.0) - COMING * min(steps, FARTHEST))

    def _place(self, unit: str, space: str) -> float:
        """What it is worth that a unit stands on a space."""
        return self.style.hunts * HUNTING * self.hunted[self.ground.index[space]] + self._held(unit, space)

    # --- acts ---------------------------------------------------------------------------------------------------

    def _at(self, space: str) -> float:
        return self.likely[self.ground.index[space]]

    def _move(self, command: c.MoveUnit) -> float:
        here = str(self.view.units[command.unit])
        placed = self._place(command.unit, command.to) - self._place(command.unit, here)
        fights = self.view.squads[squad_of(command.unit)].left > 1 and "attack" not in self.view.acts_done(command.unit)
        return placed + (WOUND * (self._at(command.to) - self._at(here)) / 2 if fights else 0.0)

    def _attack(self, command: c.Attack) -> float:
        if command.use is None:
            return WOUND * self._at(str(self.view.units[command.unit]))
        there = self._at(str(command.space))
        if there < SURE:
            return -1.0
        if command.use == "jaeger":
            return WOUND * there
        distance = self.view.map.distance(str(self.view.units[command.unit]), str(command.space)) or 0
        return WOUND * there * float(odds(_bag(self.view), command.draw or 0, distance).hit)

    def _answer(self, squad: str, cubes: int, asked: int) -> float:
        """What an answer about the spaces `asked` is worth: better strikes this turn, and knowing more later."""
        left = self.view.squads[squad].left - cubes
        after = {**self.strikes, squad: self.strikes[squad] if left else 0}
        able = [spaces for spaces in after.values() if spaces]
        reach = 0
        for spaces in able:
            reach |= spaces
        blind = greatest(self.ranked, reach, len(able))
        informed = greatest(self.ranked, reach & asked, len(able)) + greatest(self.ranked, reach & ~asked, len(able))
        bits = self._bits(total(self.likely, asked))
        return self.style.asks * (WOUND * (informed - blind) + KNOWING * bits) / cubes**COMPANY if bits else -1.0

    @staticmethod
    def _bits(share: float) -> float:
        """What a yes or no tells that is a yes so often; nought where it is known before."""
        if share <= 0.0 or share >= 1.0:
            return 0.0
        return -share * log2(share) - (1 - share) * log2(1 - share)

    def _spot(self, command: c.Spot) -> float:
        return self._answer(squad_of(command.unit), 1, self.ground.bit[command.space])

    def _sweep(self, command: c.Sweep) -> float:
        asked = self.ground.bits((self.view.units[command.unit], *command.spaces))
        return self._answer(squad_of(command.unit), 1, asked)

    def _intel(self, command: c.GatherIntel) -> float:
        return self._answer(command.squad, 2, self.ground.sector[command.squad])

    def _deploy(self, command: c.Deploy) -> float:
        return RETURNING + is_officer(command.unit) + self._place(command.unit, command.space) / 10

    def _ability(self, command: c.Ability) -> float:
        if command.unit is None:
            return self._kennel(str(self.view.officer_at(command.squad)))
        if command.space is not None:
            return RETURNING + self._place(command.unit, command.space) / 10
        here = str(self.view.units[command.unit])
        return self._held(command.unit, str(command.to)) - self._held(command.unit, here) - SPENT

    def _kennel(self, space: str) -> float:
        """A dog belongs beside an objective, and no two on one space."""
        index = self.ground.index[space]
        beside = any(way[index] <= 1 for _, way in self.posts.values())
        return 1.0 if beside and space not in self.view.dogs else -1.0


def _bag(view: Picture) -> Tokens:
    """The shot bag; of a ghost whom nobody knows yet the standard sniper's, with what was seen to come and go."""
    if not view.in_the_dark:
        return view.bag
    return {token: max(0, number + view.bag[token]) for token, number in START_BAG.items()}
