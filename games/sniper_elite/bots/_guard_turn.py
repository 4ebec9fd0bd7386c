"""Defender bots: rate each act of a turn per action cube, and choose the best.

The unit of value is a fraction of a certain wound. The defenders hold the objectives that the sniper may still want,
and look and attack where the sniper can be. `whereabouts.py` determines the possible spaces, `_belief.py` their
probabilities. A `Style` defines how well a level plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, takewhile
from math import log2
from typing import Any, NamedTuple, cast

from msgspec import Struct

from engine.bots import Kind, Level, best_with_slips
from engine.chance import Chance
from engine.game import Command, Game
from engine.lazy import Lazy
from games.sniper_elite.bots._belief import Belief, Follower
from games.sniper_elite.bots._fields import moved_to, step_table, sum_of_greatest
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.map_acts import acts_of
from games.sniper_elite.rules.movement import is_slowed, reachable
from games.sniper_elite.rules.odds import odds
from games.sniper_elite.rules.picture import Picture, SquadTurn, Tokens
from games.sniper_elite.rules.specialists import SPECIALISTS, uses
from games.sniper_elite.rules.squads import RULES, able_units
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import DEFENDERS, SQUAD_OF, SQUADS, START_BAG, UNITS, is_officer

ATTACKS, DEPLOYMENTS, INTEL = (
    next(rule for rule in RULES if rule.command is command) for command in (c.Attack, c.Deploy, c.GatherIntel)
)
FRESH = SquadTurn()
END = c.EndDefendersTurn()
LEAST_VALUE = 0.02  # Minimum value of an act that the bot plays
WOUND = 10.0  # Value of a certain wound; all other values are relative to it
BIT_VALUE = 1.5  # Value of one bit of information for later turns
CUBE_EXPONENT = 0.3
"""Exponent for the number of cubes, because two small questions reveal less than one large one."""
HOLDING, COMING, FARTHEST = 1.5, 0.6, 9
"""Value of a unit on its objective, value per step towards it, and the maximum distance that counts."""
THREAT = 0.06  # Base weight of an objective far from the sniper
HUNTING = 7.0  # Value of standing where the sniper is; it falls with distance
RETURNING = 3.0  # Value of bringing a unit back
LEAST_SCOUT_GAIN = 1.5  # Minimum gain for an objective from using the Scout; a scouted unit can't attack
LEAST_SPECIALIST_CHANCE = 0.2  # Minimum probability of a space for using a specialist there
LEAST_ATTACK_CHANCE = 0.05  # Minimum probability for an attack by a bot that slips: weak players need a reason


class Style(Struct, frozen=True):
    """How well a level defends.

    `guesses`: it considers where a sniper would go, not only where one could go. `hunts` is the weight of being near
    the sniper, `holds` that of standing on objectives, and `asks` that of gaining information, each relative to the
    best level. In `slips` of ten decisions, the bot chooses any useful act instead of the best one; in `rests`, it ends
    the turn early.
    """

    guesses: bool = True
    hunts: float = 1.0
    holds: float = 1.0
    asks: float = 1.0
    slips: int = 0
    rests: int = 0


class Post(NamedTuple):
    """The objective that a unit guards: its space, the threat to it, and the distance of each space from it."""

    goal: int
    threat: float
    way: list[int]


class Turn:
    """One moment of a defenders' turn: the belief, the units' posts, and the values of acts."""

    def __init__(self, view: Picture, whereabouts: Whereabouts, belief: Belief, style: Style) -> None:
        self.style, self.view, self.whereabouts, self.belief = style, view, whereabouts, belief
        self.ground, self.likely = whereabouts.ground, belief.likely
        self.posts = belief.cached(tuple(view.units.values()), self._posts)
        self._staying = Lazy(self._value_of_staying)
        self._hunted, self._hunts = belief.hunted, style.hunts * HUNTING
        self._answers = Lazy[tuple[str, int, int], float](lambda key: self._answer_value(*key))
        self._worth: Mapping[type[Command], Callable[[Any], float]] = {
            c.MoveUnit: self._rate_move,
            c.Attack: self._rate_attack,
            c.Spot: lambda act: self._rate_question(SQUAD_OF[act.unit], 1, self.ground.bit[act.space]),
            c.Sweep: self._rate_sweep,
            c.GatherIntel: lambda act: self._rate_question(act.squad, 2, self.ground.sector[act.squad]),
            c.Deploy: self._rate_deployment,
            c.Ability: self._rate_ability,
            c.EndDefendersTurn: lambda _: 0.0,
        }

    def worth(self, command: Command) -> float:
        """Return the value of an act per cube. It is negative for acts that are better left out."""
        rate = self._worth.get(type(command))
        return -1.0 if rate is None else rate(command)

    def best(self) -> Command:
        """Return the first act with the highest worth, or the end of the turn if no act is worth playing.

        The Scout's ability is left out: its many acts are rarely the best.
        """
        most, best_act = LEAST_VALUE, cast(Command, END)
        for worth, command in self._rated():
            if worth > most:
                most, best_act = worth, command
        return best_act

    def _rated(self) -> Iterator[tuple[float, Command]]:
        """Yield the acts that can be the best with their worth, in the order in which `legal` lists them."""
        view, acts = self.view, acts_of(self.view.map)
        for unit, here in able_units(view, "move"):
            yield from self._best_move(unit, here)
        # A specialist isn't used on a vague guess, so these attacks are listed last.
        sure = self.belief.ranked[0][0] >= LEAST_SPECIALIST_CHANCE
        attacks = cast(Iterable[c.Attack], ATTACKS.offers(view))
        yield from ((self._rate_attack(act), act) for act in takewhile(lambda act: sure or act.use is None, attacks))
        possible, bits = self.belief.possible, self.ground.bits
        for action, table in (("spot", acts.spots), ("sweep", acts.sweeps)):
            for unit, here in able_units(view, action):
                # Most units are far from the sniper.
                if bits((here, *view.map.adjacent[here])) & possible:
                    yield from ((self.worth(act), act) for act in table[unit, here])
        yield from ((self.worth(act), act) for act in DEPLOYMENTS.offers(view))
        if any(turn.left == FRESH.left for turn in view.squads.values()):
            yield from ((self.worth(act), act) for act in INTEL.offers(view))
        squads = [squad for squad in SQUADS if view.specialists[squad].card != "scout"]
        yield from ((self._rate_ability(act), act) for squad in squads for act in uses(view, squad, c.Ability))

    def _best_move(self, unit: str, here: str) -> Iterator[tuple[float, Command]]:
        """Yield the best move of a unit, if it has one."""

        def ranked() -> list[tuple[float, c.MoveUnit]]:
            moves = reachable(self.view, unit)
            return sorted(zip(map(self._rate_move, moves), moves, strict=True), key=lambda pair: -pair[0])

        # Other units only occupy spaces, so the values are the same for many turns.
        post, fights = self.posts.get(unit), self._can_attack_after_move(unit)
        key = unit, here, post and post.goal, fights, is_slowed(self.view, unit)
        occupied = self.view.units.values()
        yield from islice((pair for pair in self.belief.cached(key, ranked) if pair[1].to not in occupied), 1)

    # --- the field ----------------------------------------------------------------------------------------------

    @cached_property
    def strikes(self) -> dict[str, int]:
        """Squad -> the spaces that it can attack with its remaining cubes."""
        return {squad: self._strikes(squad) for squad in SQUADS}

    def _strikes(self, squad: str) -> int:
        """Return the spaces that a squad can attack with its remaining cubes."""
        left, targets, standing = self.view.squads[squad].left, 0, self.ground.bits(self.view.units.values())
        if not left:
            return 0
        for unit in UNITS:
            space, done = self.view.units[unit], self.view.acts_done(unit)
            if SQUAD_OF[unit] == squad and space is not None and not ("attack" in done or "scout" in done):
                targets |= self.ground.bit[space]
                # A Move before the attack takes a second cube.
                if left > 1 and "move" not in done:
                    targets |= moved_to(self.ground)[space] & ~standing
        return targets

    def _posts(self) -> dict[str, Post]:
        """Return unit -> its post. Each objective is assigned to its nearest unit that has none yet."""
        index, near, objectives = self.ground.index, self.belief.near, self.view.sites.objectives
        objective_numbers = self.belief.cached("objectives", self.whereabouts.objectives)
        goals = {number: index[objectives[number]] for number in objective_numbers if number not in self.view.completed}
        # An objective is threatened by how near the sniper probably is, wherever the units stand.
        posts = {
            number: Post(goal, THREAT + near(goal), step_table(self.ground)[goal]) for number, goal in goals.items()
        }
        places = [(unit, index[space]) for unit, space in self.view.units.items() if space is not None]
        # The nearest unit to the most threatened objective comes first.
        pairs = sorted(
            (post.way[place] / (0.05 + post.threat), number, unit)
            for number, post in posts.items()
            for unit, place in places
        )
        post_of: dict[str, Post] = {}
        for _, number, unit in pairs:
            if unit not in post_of and number in posts:
                post_of[unit] = posts.pop(number)
        return post_of

    def _post_value(self, unit: str, index: int) -> float:
        """Return the value, for the unit's objective, of the unit being on a space."""
        if unit not in self.posts:
            return 0.0
        post = self.posts[unit]
        count = post.way[index]
        return self.style.holds * post.threat * ((HOLDING if count == 0 else 0.0) - COMING * min(count, FARTHEST))

    def _place_value(self, unit: str, space: str) -> float:
        index = self.ground.index[space]
        return self._hunts * self._hunted(index) + self._post_value(unit, index)

    # --- acts ---------------------------------------------------------------------------------------------------

    def _probability(self, space: str) -> float:
        return self.likely[self.ground.index[space]]

    def _value_of_staying(self, unit: str) -> tuple[float, bool]:
        """Return the value of a unit staying where it is, and whether it could attack after a Move."""
        here, fights = str(self.view.units[unit]), self._can_attack_after_move(unit)
        return self._place_value(unit, here) + (WOUND / 2 * self._probability(here) if fights else 0.0), fights

    def _can_attack_after_move(self, unit: str) -> bool:
        return self.view.squads[SQUAD_OF[unit]].left > 1 and "attack" not in self.view.acts_done(unit)

    def _rate_move(self, command: c.MoveUnit) -> float:
        stays, fights = self._staying[command.unit]
        index = self.ground.index[command.to]
        placed = self._hunts * self._hunted(index) - stays
        if command.unit in self.posts:
            placed += self._post_value(command.unit, index)
        return placed + WOUND / 2 * self.likely[index] if fights else placed

    def _rate_attack(self, command: c.Attack) -> float:
        if command.use is None:
            here = self._probability(str(self.view.units[command.unit]))
            return -1.0 if self.style.slips and here < LEAST_ATTACK_CHANCE else WOUND * here
        # A specialist has few uses, so it isn't spent on a vague guess.
        there = self._probability(str(command.space))
        if there < LEAST_SPECIALIST_CHANCE:
            return -1.0
        # The Jaeger attacks without a draw. Only the aimed shot can miss.
        if command.draw is None:
            return WOUND * there
        distance = self.view.map.distance(str(self.view.units[command.unit]), str(command.space)) or 0
        return WOUND * there * float(odds(_bag(self.view), command.draw or 0, distance).hit)

    def _rate_question(self, squad: str, cubes: int, spaces: int) -> float:
        """Return the value of an answer about `spaces`: attacks gained this turn, and information for later turns."""
        # A question whose answer is already certain has no value.
        spaces &= self.belief.possible
        if not spaces or spaces == self.belief.possible:
            return -1.0
        return self._answers[squad, cubes, spaces]

    def _answer_value(self, squad: str, cubes: int, question: int) -> float:
        left, ranked = self.view.squads[squad].left - cubes, self.belief.ranked
        # A squad that uses its last cube for a question can't attack after the answer.
        after = {**self.strikes, squad: self.strikes[squad] if left else 0}
        able = [spaces for spaces in after.values() if spaces]
        reach = 0
        for spaces in able:
            reach |= spaces
        # Compare attacks without the answer to attacks after either answer.
        blind = sum_of_greatest(ranked, reach, len(able))
        informed = sum_of_greatest(ranked, reach & question, len(able)) + sum_of_greatest(
            ranked, reach & ~question, len(able)
        )
        bits = _bits(self.belief.at(question))
        worth: float = self.style.asks * (WOUND * (informed - blind) + BIT_VALUE * bits) / cubes**CUBE_EXPONENT
        return worth

    def _rate_sweep(self, command: c.Sweep) -> float:
        swept = self.ground.bits((self.view.units[command.unit], *command.spaces))
        return self._rate_question(SQUAD_OF[command.unit], 1, swept)

    def _rate_deployment(self, command: c.Deploy) -> float:
        # Officers come first: soldiers can be deployed only next to them.
        return RETURNING + is_officer(command.unit) + self._place_value(command.unit, command.space) / 10

    def _rate_ability(self, command: c.Ability) -> float:
        if command.unit is None:
            return self._rate_kennel(str(self.view.officer_at(command.squad)))
        if command.space is not None:
            return RETURNING + self._place_value(command.unit, command.space) / 10
        if command.unit not in self.posts:
            return -LEAST_SCOUT_GAIN
        here, to = self.ground.index[str(self.view.units[command.unit])], self.ground.index[str(command.to)]
        return self._post_value(command.unit, to) - self._post_value(command.unit, here) - LEAST_SCOUT_GAIN

    def _rate_kennel(self, space: str) -> float:
        """Rate placing a dog: next to an objective, and at most one per space."""
        index = self.ground.index[space]
        beside = any(post.way[index] <= 1 for post in self.posts.values())
        return 1.0 if beside and space not in self.view.dogs else -1.0


def _bits(share: float) -> float:
    """Return the information, in bits, of a yes-or-no answer whose probability of yes is `share`."""
    if share <= 0.0 or share >= 1.0:
        return 0.0
    return -share * log2(share) - (1 - share) * log2(1 - share)


def _bag(view: Picture) -> Tokens:
    """Return the shot bag. For an unknown ghost, start with the standard sniper's bag and add the public changes."""
    if not view.in_the_dark:
        return view.bag
    return {token: max(0, number + view.bag[token]) for token, number in START_BAG.items()}


# --- the seat -------------------------------------------------------------------------------------------------


class Guard(Follower):
    """The bot at the defenders' seat."""

    def __init__(self, game: Game, view: Picture, style: Style) -> None:
        super().__init__(game, view, open_minded=not style.guesses)
        self._style = style

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act with the highest value, or the end of the turn if none has any."""
        if END not in legal:
            return decision(legal, chance)
        if self._style.rests and chance.roll("rest", range(10), "bots") < self._style.rests:
            return END
        turn = Turn(view, self._whereabouts, self._guess.belief(self._whereabouts, view), self._style)
        return best_with_slips(legal, turn.worth, END, chance, self._style.slips, LEAST_VALUE)


def guard_kind(level: Level, style: Style) -> Kind:
    return Kind(lambda game, seat, view: Guard(game, view, style), (DEFENDERS,), level)


def decision(legal: Sequence[Command], chance: Chance) -> Command:
    """Decide outside the defenders' turn: choose random, unpredictable specialists, and always save."""
    if isinstance(legal[0], c.ChooseSpecialists):
        return c.ChooseSpecialists(chance.assign("specialists", SQUADS, tuple(SPECIALISTS), "bots"))
    saving = [command for command in legal if isinstance(command, c.Save)]
    return saving[0] if saving else legal[0]
