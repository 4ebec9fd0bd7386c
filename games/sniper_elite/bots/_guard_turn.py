"""How bots defend: what each act of a turn is worth per cube, measured by a certain wound, and the seat that chooses.

The defenders hold the objectives that the sniper may still want, and look and strike where the sniper can be.
`whereabouts.py` says where that is, `_belief.py` how likely each space is. A `Style` says how well a level plays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log2
from typing import Any

from msgspec import Struct

from engine.bots import Kind, Level, slipping
from engine.chance import Chance
from engine.game import Command, Game
from engine.lazy import Lazy
from games.sniper_elite.bots._belief import Belief, open_objectives
from games.sniper_elite.bots._fields import greatest, moved_to, steps
from games.sniper_elite.bots._following import Follower
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.odds import odds
from games.sniper_elite.rules.picture import Picture, Tokens
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import DEFENDERS, SQUAD_OF, SQUADS, START_BAG, UNITS, is_officer

LEAST = 0.02  # What an act has to be worth to be done at all
WOUND = 10.0  # What a sure wound is worth; everything else is measured by it
KNOWING = 1.5  # What a bit that is learnt is worth for later
COMPANY = 0.3
"""How a second cube counts: by this power, as two small questions tell less than one large one."""
HOLDING, COMING, FARTHEST = 1.5, 0.6, 9
"""What a unit is worth on its objective, and every step towards it, if it is no further away than that."""
THREAT = 0.06  # How much an objective far from the sniper counts
HUNTING = 7.0  # What it is worth to stand where the sniper is, falling with every step away
RETURNING = 3.0  # What it is worth to bring a unit back
SPENT = 1.5  # What a use of the Scout has to bring for an objective; who is scouted cannot strike
SURE = 0.2  # How likely a space must be for a specialist's use


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


class Turn:
    """One moment of a defenders' turn: where the sniper is thought to be, who holds what, and what acts are worth."""

    def __init__(self, view: Picture, known: Whereabouts, belief: Belief, style: Style) -> None:
        self.style, self.view, self.belief = style, view, belief
        self.ground, self.likely = known.ground, belief.likely
        self.standing = self.ground.bits(view.units.values())
        self.strikes = {squad: self._strikes(squad) for squad in SQUADS}
        near = self.belief.near
        spaces = {number: self.ground.index[view.sites.objectives[number]] for number in open_objectives(view, known)}
        self.posts = self._posts({number: (index, THREAT + near(index)) for number, index in spaces.items()})
        self._standing = Lazy(self._stands)
        self._hunted, self._hunts = belief.hunted, style.hunts * HUNTING
        self._answers = Lazy[tuple[str, int, int], float](lambda key: self._answered(*key))
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
        """Return what an act is worth for each cube that it takes, below zero for what is better left."""
        found = self._worth.get(type(command))
        return -1.0 if found is None else found(command)

    # --- the field ----------------------------------------------------------------------------------------------

    def _strikes(self, squad: str) -> int:
        """Return the spaces that a squad can attack with the cubes it has left."""
        left, found = self.view.squads[squad].left, 0
        if not left:
            return 0
        for unit in UNITS:
            space, done = self.view.units[unit], self.view.acts_done(unit)
            if SQUAD_OF[unit] == squad and space is not None and not ("attack" in done or "scout" in done):
                found |= self.ground.bit[space]
                if left > 1 and "move" not in done:
                    found |= moved_to(self.ground)[space] & ~self.standing
        return found

    def _posts(self, goals: Mapping[int, tuple[int, float]]) -> dict[str, tuple[float, list[int]]]:
        """Unit -> the threat to the objective that it should hold, and how far each space is from that: the nearest one
        not yet given. `goals` are the spaces and threats of the objectives.
        """
        ways = {number: steps(self.ground)[index] for number, (index, _) in goals.items()}
        places = [(unit, self.ground.index[space]) for unit, space in self.view.units.items() if space is not None]
        # The nearest unit to the most threatened objective comes first.
        pairs = sorted(
            (ways[number][place] / (0.05 + threat), number, unit)
            for number, (_, threat) in goals.items()
            for unit, place in places
        )
        found: dict[str, tuple[float, list[int]]] = {}
        given: set[int] = set()
        for _, number, unit in pairs:
            if unit not in found and number not in given:
                found[unit] = goals[number][1], ways[number]
                given.add(number)
        return found

    def _held(self, unit: str, index: int) -> float:
        """Return what it is worth for the unit's objective that it stands on a space."""
        if unit not in self.posts:
            return 0.0
        threat, way = self.posts[unit]
        count = way[index]
        return self.style.holds * threat * ((HOLDING if count == 0 else 0.0) - COMING * min(count, FARTHEST))

    def _place(self, unit: str, space: str) -> float:
        """Return what it is worth that a unit stands on a space."""
        index = self.ground.index[space]
        return self._hunts * self._hunted(index) + self._held(unit, index)

    # --- acts ---------------------------------------------------------------------------------------------------

    def _at(self, space: str) -> float:
        return self.likely[self.ground.index[space]]

    def _stands(self, unit: str) -> tuple[float, bool]:
        """Return what it is worth that a unit stays where it is, and whether it could strike after a Move."""
        here, squad = str(self.view.units[unit]), self.view.squads[SQUAD_OF[unit]]
        fights = squad.left > 1 and "attack" not in self.view.acts_done(unit)
        return self._place(unit, here) + (WOUND / 2 * self._at(here) if fights else 0.0), fights

    def _move(self, command: c.MoveUnit) -> float:
        stays, fights = self._standing[command.unit]
        index = self.ground.index[command.to]
        placed = self._hunts * self._hunted(index) - stays
        if command.unit in self.posts:
            placed += self._held(command.unit, index)
        return placed + WOUND / 2 * self.likely[index] if fights else placed

    def _attack(self, command: c.Attack) -> float:
        if command.use is None:
            return WOUND * self._at(str(self.view.units[command.unit]))
        there = self._at(str(command.space))
        if there < SURE:
            return -1.0
        if command.draw is None:
            return WOUND * there
        distance = self.view.map.distance(str(self.view.units[command.unit]), str(command.space)) or 0
        return WOUND * there * float(odds(_bag(self.view), command.draw or 0, distance).hit)

    def _answer(self, squad: str, cubes: int, asked: int) -> float:
        """Return what an answer about the spaces `asked` is worth: better strikes this turn, and knowing more later."""
        asked &= self.belief.possible
        if not asked or asked == self.belief.possible:
            return -1.0
        return self._answers[squad, cubes, asked]

    def _answered(self, squad: str, cubes: int, asked: int) -> float:
        left, ranked = self.view.squads[squad].left - cubes, self.belief.ranked
        after = {**self.strikes, squad: self.strikes[squad] if left else 0}
        able = [spaces for spaces in after.values() if spaces]
        reach = 0
        for spaces in able:
            reach |= spaces
        # Strikes without the answer, and strikes after either answer.
        blind = greatest(ranked, reach, len(able))
        informed = greatest(ranked, reach & asked, len(able)) + greatest(ranked, reach & ~asked, len(able))
        bits = _bits(self.belief.at(asked))
        worth: float = self.style.asks * (WOUND * (informed - blind) + KNOWING * bits) / cubes**COMPANY
        return worth

    def _spot(self, command: c.Spot) -> float:
        return self._answer(SQUAD_OF[command.unit], 1, self.ground.bit[command.space])

    def _sweep(self, command: c.Sweep) -> float:
        asked = self.ground.bits((self.view.units[command.unit], *command.spaces))
        return self._answer(SQUAD_OF[command.unit], 1, asked)

    def _intel(self, command: c.GatherIntel) -> float:
        return self._answer(command.squad, 2, self.ground.sector[command.squad])

    def _deploy(self, command: c.Deploy) -> float:
        return RETURNING + is_officer(command.unit) + self._place(command.unit, command.space) / 10

    def _ability(self, command: c.Ability) -> float:
        if command.unit is None:
            return self._kennel(str(self.view.officer_at(command.squad)))
        if command.space is not None:
            return RETURNING + self._place(command.unit, command.space) / 10
        if command.unit not in self.posts:
            return -SPENT
        here, to = self.ground.index[str(self.view.units[command.unit])], self.ground.index[str(command.to)]
        return self._held(command.unit, to) - self._held(command.unit, here) - SPENT

    def _kennel(self, space: str) -> float:
        """A dog belongs beside an objective, and no two on one space."""
        index = self.ground.index[space]
        beside = any(way[index] <= 1 for _, way in self.posts.values())
        return 1.0 if beside and space not in self.view.dogs else -1.0


def _bits(share: float) -> float:
    """Return the bits of information in a yes or no with this share of yes; zero if the answer is certain."""
    if share <= 0.0 or share >= 1.0:
        return 0.0
    return -share * log2(share) - (1 - share) * log2(1 - share)


def _bag(view: Picture) -> Tokens:
    """The shot bag; of a ghost whom nobody knows yet the standard sniper's, with what was seen to come and go."""
    if not view.in_the_dark:
        return view.bag
    return {token: max(0, number + view.bag[token]) for token, number in START_BAG.items()}


# --- the seat -------------------------------------------------------------------------------------------------

END = c.EndDefendersTurn()


class Guard(Follower):
    """The defenders' seat."""

    def __init__(self, game: Game, view: Picture, style: Style) -> None:
        super().__init__(game, view, open_minded=not style.guesses)
        self._style = style

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act that is worth the most, the end of the turn where none is worth anything."""
        if END not in legal:
            return decision(legal, chance)
        if self._style.rests and chance.roll("rest", range(10), "bots") < self._style.rests:
            return END
        turn = Turn(view, self._known, self._guess.belief(self._known, view), self._style)
        return slipping(legal, turn.worth, END, chance, self._style.slips, LEAST)


def guard_kind(level: Level, style: Style) -> Kind:
    """Return the kind of bot that defends like this."""
    return Kind(lambda game, seat, view: Guard(game, view, style), (DEFENDERS,), level)


def decision(legal: Sequence[Command], chance: Chance) -> Command:
    """Decide outside the defenders' turn: random specialists, so that nobody can expect them, and always a save."""
    if isinstance(legal[0], c.ChooseSpecialists):
        return c.ChooseSpecialists(chance.assign("specialists", SQUADS, tuple(SPECIALISTS), "bots"))
    saving = [command for command in legal if isinstance(command, c.Save)]
    return saving[0] if saving else legal[0]
