"""Rate commands for the computer snipers: cost and gain in hits, including consequences.

The ratings use the sniper's own picture only. The defenders' open cards are public, so the rules simulate what each of
them would do. A face-down card counts as the average of the open ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from engine.bots import Bot, Kind, Level, best
from engine.chance import Chance
from engine.game import Command
from engine.lazy import Lazy
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.commands import Shoot
from games.sniper_elite.rules.events import Wounded
from games.sniper_elite.rules.shooting import around
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules.act import Telling
from games.sniper_elite_solo.rules.commands import AfterHit, PlaceReturn
from games.sniper_elite_solo.rules.events import Hit
from games.sniper_elite_solo.rules.movement import is_noisy
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.shooting import float_odds, steadiness, targets
from games.sniper_elite_solo.rules.terrain import NO_WAY
from games.sniper_elite_solo.rules.turn import resolve_card

DONE: Final = 1000.0  # Rating of completing an objective, which has priority over everything else
FIRST: Final = 200.0
"""Bonus for acts with a gain. They come before the next move, which could put the gain out of reach."""
NEVER: Final = -1000.0
WOUND: Final = 3.0  # Cost of a wound, in addition to its hit
LOST: Final = 40.0  # Cost of losing by wounds
STRIDE: Final = 2.0  # Average spaces per turn
SPARE: Final = 3  # Turns that should remain when the last objective is reached
LOOTED: Final = 0.5  # Value of a loadout card
HARD: Final = 2.0  # Cost of a defender on an objective, in spaces
REWARD: Final = {"recoil": 1.0, "noise": 1.3, "aim": 0.6}
"""Value of a token as the reward for a hit: it absorbs a hit or improves the bag."""
LIKED: Final = (
    "sound-masking", "distraction", "silenced-ammo", "tommy-gun", "trench-gun", "s-mine",
    "climbing-gear", "diving-gear",
)  # fmt: skip
"""Loadout cards, most useful first."""
NEARBY: Final = (2.0, 0.8, 0.45, 0.2)
"""Cost of a defender by its distance, if the cards aren't simulated."""

End = tuple[str | None, str | None]
"""The space where the sniper ends its turn, and the last known sector at that time."""


class Style(Struct, frozen=True):
    """How a bot plays.

    `fear` is the cost of a hit relative to one space of the path. `looks` is how many of the best turn endings are
    simulated against the defenders' open cards. `shoots` is whether the bot shoots and plays cards.
    """

    fear: float
    looks: int
    shoots: bool


class RatingBot(Bot):
    """A sniper that chooses the command with the best rating. It needs no memory: all it uses is public."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the command with the best rating. Ties are broken at random."""
        rating = Rating(view, self._style)
        rating.look_ahead(legal)
        return best(legal, rating.value, chance)


def rating_kind(level: Level, style: Style, slow: bool = False) -> Kind:
    return Kind(lambda game, seat, view: RatingBot(style), (SNIPER,), level, slow=slow)


class Rating:
    """Ratings for the commands of one decision. Values shared by several commands are computed once."""

    def __init__(self, view: Picture, style: Style) -> None:
        self.view, self.style = view, style
        self._terrain, self._on_board = view.terrain, view.on_board
        self._goals = tuple(self._terrain.objectives[number] for number in view.undone)
        self._path_left = Lazy(self._shortest_tour)
        self._moves = Lazy(self._rate_move)
        self._shots = Lazy(self._rate_shot)
        self.harm: dict[End, float] = {}
        """Simulated turn endings -> harm from the defenders' cards."""
        self._values: Mapping[type[Command], Callable[[Any], float]] = {
            c.ReturnObjective: lambda command: 0.0,
            c.ChooseEntry: lambda command: -self._path_left[self._terrain.entries[command.sector]],
            c.Move: lambda command: self._moves[command.path[-1], is_noisy(view, command.path)],
            c.Play: self._play,
            Shoot: self._shoot,
            c.ShootSecond: lambda command: self._gain_without(command.target),
            AfterHit: lambda command: REWARD[command.option] * (command.count or 1),
            c.Loot: lambda command: FIRST + LOOTED if style.shoots else -1.0,
            c.Complete: lambda command: DONE,
            c.Keep: lambda command: -float(LIKED.index(command.card)),
            PlaceReturn: lambda command: float(self._terrain.distance(command.space, view.space)),
            c.EndSniperTurn: lambda command: self._end_turn(view.space, view.lks),
        }

    def value(self, command: Command) -> float:
        """Return the rating of a command in hits, relative to the other commands of this decision."""
        return self._values[type(command)](command)

    # --- the path -------------------------------------------------------------------------------------------------

    def _shortest_tour(self, space: str | None) -> float:
        """Return the distance from a space through all remaining objectives, in the shorter order."""
        return min((self._leg(space, goal) + rest for goal, rest in self._rests), default=0.0)

    @cached_property
    def _rests(self) -> list[tuple[str, float]]:
        """Each remaining objective, with the distance still to go once it is reached."""
        return [(goal, sum(self._leg(goal, other) for other in self._goals if other != goal)) for goal in self._goals]

    def _leg(self, start: str | None, goal: str) -> float:
        # An objective without a path counts as very far, so that tours can still be compared.
        far = self._terrain.distance(start, goal)
        return (30.0 if far == NO_WAY else float(far)) + HARD * (self.view.unit_on(goal) is not None)

    @cached_property
    def _step_value(self) -> float:
        """Value of one space of the path. It rises as turns run out."""
        # The first objective renews the deck, which gives about ten more turns.
        turns = max(1, self.view.deck_size + (10 if len(self._goals) > 1 else 0) - SPARE)
        return 0.5 * max(1.0, self._path_left[self.view.space] / (STRIDE * turns))

    # --- where a turn ends ----------------------------------------------------------------------------------------

    def _end_turn(self, space: str | None, lks: str | None) -> float:
        """Return the value of ending the turn on a space with a last known sector."""
        if space is None:
            return NEVER
        # A sniper that still has its action can complete the objective before the turn ends.
        free = not self.view.acted and space in self._goals
        danger = self.style.fear * self._danger(space, lks)
        return DONE / 2 * free - danger - self._step_value * self._path_left[space]

    def _danger(self, space: str, lks: str | None) -> float:
        """Return the expected hits on a space, at the end of the turn and from the defenders' cards."""
        near = not self._terrain.within_reach[space].isdisjoint(self._on_board.values())
        played = self.harm.get((space, lks))
        if played is None:
            away = map(self._terrain.towards[space].__getitem__, self._on_board.values())
            # Without a simulation, the distance of each defender gives a rough estimate.
            played = sum(NEARBY[steps] for steps in away if steps < len(NEARBY)) / 3
        return near + played

    def _severity(self, hits: int) -> float:
        """Return the cost of `hits` hits. It rises as health falls."""
        # The first wound builds a stack of three and takes one hit itself.
        health = len(self.view.stack) + 4 * (1 - self.view.wounds)
        return hits * max(1.0, 6.0 / max(1, health))

    def _rate_move(self, key: tuple[str, bool]) -> float:
        """Return the value of a move by its end and its noise, regardless of its path."""
        (end, noisy), view = key, self.view
        # A noisy move inside the last known sector costs a hit. Elsewhere it updates the sector.
        sector = self._terrain.sector_of[end]
        hurt = noisy and sector == view.lks
        lks = sector if noisy else view.lks
        return self._end_turn(end, lks) - self.style.fear * self._severity(int(hurt)) - 0.05 * noisy

    # --- looking ahead --------------------------------------------------------------------------------------------

    def look_ahead(self, legal: Sequence[Command]) -> None:
        """Simulate the defenders' open cards after the best ends of a turn, as many as the style's `looks`."""
        if not self.style.looks:
            return
        for command in sorted(legal, key=self.value, reverse=True):
            if len(self.harm) >= self.style.looks:
                break
            if isinstance(command, c.EndSniperTurn):
                end: End = (self.view.space, self.view.lks)
            elif isinstance(command, c.Move):
                sector = self._terrain.sector_of[command.path[-1]]
                end = (command.path[-1], sector if is_noisy(self.view, command.path) else self.view.lks)
            else:
                continue
            if end[0] is not None and end not in self.harm:
                self.harm[end] = self._play_out(*end)
        # The cached ratings don't include the harm that is now known.
        self._moves.clear()

    def _play_out(self, space: str | None, lks: str | None) -> float:
        """Return the average harm of the open cards to a sniper on a space."""
        # Simulate from the start of the defenders' turn: hits are reset, and no question is pending.
        start = replace(self.view, space=space, lks=lks, hits=0, wounded=False, deck=(), pending=None, volley=None)
        open_slots = [number for number, slot in enumerate(start.slots) if slot.card is not None]
        found = [self._harm_of_card(start, number) for number in open_slots]
        return sum(found) / len(found) if found else 0.0

    def _harm_of_card(self, start: Picture, slot: int) -> float:
        # A fixed seed per slot makes ratings repeatable. It only decides between equally bad outcomes.
        telling = Telling(start, Chance(Random(slot)))
        resolve_card(telling, slot)
        hits = sum(isinstance(told.event, Hit) for told in telling.told)
        wounds = sum(isinstance(told.event, Wounded) for told in telling.told)
        after = telling.truth
        guarded = sum(after.unit_on(after.terrain.objectives[number]) is not None for number in after.undone)
        return self._severity(hits) + WOUND * wounds + LOST * telling.over + 0.2 * guarded

    # --- shots and cards ------------------------------------------------------------------------------------------

    def _gain_without(self, unit: str | None) -> float:
        """Return the value of removing a defender. It is higher on an objective or near the sniper."""
        if unit is None:
            return 0.0
        space = self.view.units[unit]
        near = self._terrain.distance(space, self.view.space)
        return 0.4 + 2.5 * (space in self._goals) + (1.0 if near <= 2 else 0.0)

    def _shoot(self, command: Shoot) -> float:
        view = self.view
        if not self.style.shoots:
            return -1.0
        if command.target is None or command.draw is None:
            hit = around(view.map, str(view.space), view.units)
            return FIRST + len(hit) - 1.5 if len(hit) > 1 else -1.0
        value = self._shots[command.target, command.draw] + 0.3 * (command.second is not None)
        return FIRST + value if value > 0 else -1.0

    def _rate_shot(self, key: tuple[str, int]) -> float:
        """Return the value of one shot at a target with `draw` tokens, without the bonus `FIRST`."""
        target, draw = key
        need = self._targets.get(target)
        if need is None:
            return -1.0
        bag, silenced, steady = self.view.bag, self.view.active == "silenced-ammo", steadiness(self.view)
        hit, misfire, reveal = float_odds(bag["aim"], bag["noise"], bag["recoil"], draw, need, silenced, steady)
        # Every shot has a small cost, so that the bot doesn't try hopeless ones.
        gain, noise = 1.6 + self._gain_without(target), self._severity(1) * self._noise_cost
        return hit * gain - noise * reveal - 0.8 * misfire - 0.35

    @cached_property
    def _targets(self) -> dict[str, int]:
        return targets(self.view)

    @cached_property
    def _noise_cost(self) -> float:
        """Cost of a noise in hits. It is highest if the defender that it attracts is next to the sniper."""
        towards = self._terrain.towards[self.view.space]
        near = min(map(towards.__getitem__, self._on_board.values()), default=NO_WAY)
        return 0.9 if near <= 1 else 0.4 if near <= 2 else 0.15

    def _play(self, command: c.Play) -> float:
        view = self.view
        if not self.style.shoots or view.space is None:
            return NEVER
        near = sum(self._terrain.distance(space, view.space) <= 3 for space in self._on_board.values())
        match command.card:
            case "distraction":
                return self._distraction(command)
            case "s-mine":
                return FIRST + 0.2 if near >= 2 else NEVER
            case "sound-masking":
                return FIRST if not view.moved and near >= 2 else NEVER
            case "trench-gun":
                return FIRST if len(around(view.map, str(view.space), view.units)) > 1 else NEVER
            case "tommy-gun" | "silenced-ammo":
                return FIRST if not view.acted and near >= 1 and len(targets(view)) > 1 else NEVER
        return NEVER

    def _distraction(self, command: c.Play) -> float:
        """Rate moving a defender off an objective or away from the sniper."""
        view = self.view
        if command.unit is None or command.to is None:
            return NEVER
        start, distance = view.units[command.unit], self._terrain.distance
        # How much farther from the sniper the defender ends up.
        away = distance(command.to, view.space) - distance(start, view.space)
        cleared = (start in self._goals) - (command.to in self._goals)
        close = distance(start, view.space) <= 2
        value = 2.0 * cleared + 0.5 * away * close
        return FIRST + value if value >= 1.0 else NEVER
