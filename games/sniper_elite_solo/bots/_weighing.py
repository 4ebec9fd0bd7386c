"""What acts are worth to a computer sniper, counted in hits: what they cost, what they bring, what comes after.

All of it is worked out from the sniper's own picture. The open cards of the defenders are public, so what each would do
is played out by the rules on that picture; what lies face down counts as the mean of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from engine.bots import best
from engine.chance import Chance
from engine.events import Event
from engine.game import Command
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.events import Wounded
from games.sniper_elite.rules.shooting import around
from games.sniper_elite_solo.rules import odds
from games.sniper_elite_solo.rules.commands import AfterHit, PlaceReturn, Shoot
from games.sniper_elite_solo.rules.defenders import resolve
from games.sniper_elite_solo.rules.events import Hit
from games.sniper_elite_solo.rules.movement import noisy
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.shooting import targets
from games.sniper_elite_solo.rules.telling import Telling
from games.sniper_elite_solo.rules.terrain import NO_WAY

DONE: Final = 1000.0
"""An objective is completed before anything else is done."""
FIRST: Final = 200.0
"""What brings anything is done before moving on, as it may be out of reach then."""
WOUND: Final = 3.0
"""What a wound costs beside its hit."""
LOST: Final = 40.0
"""What the end of the game by wounds costs."""
STRIDE: Final = 2.0
"""Spaces that a turn brings on average."""
SPARE: Final = 3
"""Turns that should be left when the last objective is reached."""
LOOTED: Final = 0.5
"""What a loadout card is worth."""
HARD: Final = 2.0
"""What a defender on an objective costs, counted in spaces."""
REWARD: Final = {"recoil": 1.0, "noise": 1.3, "aim": 0.6}
"""What a token is worth that a hit brings: a hit less to fear, or a better bag."""
LIKED: Final = (
    "sound-masking",
    "distraction",
    "silenced-ammo",
    "tommy-gun",
    "trench-gun",
    "s-mine",
    "climbing-gear",
    "diving-gear",
)
"""Loadout cards, the most useful first."""
NEARBY: Final = (2.0, 0.8, 0.45, 0.2)
"""What a defender costs that stands so many spaces away, where the cards are not played out."""


class Style(Struct, frozen=True):
    """How a bot plays. `fear` is what a hit is worth beside a space of the way, `looks` how many of its best moves are
    played out against the defenders' open cards, `shoots` whether it shoots and plays cards.
    """

    fear: float
    looks: int
    shoots: bool


class Weigher:
    """A sniper at its seat. It remembers nothing, as everything that matters lies open."""

    def __init__(self, style: Style) -> None:
        self._style = style

    def told(self, event: Event) -> None:
        """The picture has all of it."""

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """What is worth the most."""
        moment = Moment(view, self._style)
        if self._style.looks:
            moment.look(sorted(legal, key=moment.worth, reverse=True))
        return best(legal, moment.worth, chance)


class Moment:
    """One decision: the picture, and what each act would be worth. What several acts have in common is worked out
    once.
    """

    def __init__(self, view: Picture, style: Style) -> None:
        self.view, self.style = view, style
        self._terrain, self._on_board = view.terrain, view.on_board
        self._goals = tuple(self._terrain.objectives[number] for number in view.undone)
        self._lefts: dict[str | None, float] = {}
        self._ways: dict[tuple[str, bool], float] = {}
        self._shots: dict[tuple[str, int], float] = {}
        self._rewards: dict[str, float] = {}
        self.harm: dict[tuple[str | None, str | None], float] = {}
        self._worth: Mapping[type[Command], Callable[[Any], float]] = {
            c.ReturnObjective: lambda command: 0.0,
            c.ChooseEntry: self._entry,
            c.Move: self._move,
            c.Play: self._play,
            Shoot: self._shoot,
            c.ShootSecond: lambda command: self._guarding(command.target),
            AfterHit: lambda command: REWARD[command.option] * (command.count or 1),
            c.Loot: lambda command: FIRST + LOOTED if style.shoots else -1.0,
            c.Complete: lambda command: DONE,
            c.Keep: lambda command: -float(LIKED.index(command.card)),
            PlaceReturn: lambda command: float(self._terrain.distance(command.space, view.space)),
            c.EndSniperTurn: lambda command: self._standing(view.space, view.lks),
        }

    def worth(self, command: Command) -> float:
        """In hits, compared with the other acts of this moment."""
        return self._worth[type(command)](command)

    # --- the way ------------------------------------------------------------------------------------------------

    def _left(self, space: str | None) -> float:
        """How far it is from a space over all objectives that are left, by the shorter order."""
        found = self._lefts.get(space)
        if found is None:
            ways = [self._leg(space, goal) + rest for goal, rest in self._rests]
            found = self._lefts[space] = min(ways, default=0.0)
        return found

    @cached_property
    def _rests(self) -> list[tuple[str, float]]:
        """Each objective that is left, and what is to be gone once it is reached."""
        return [(goal, sum(self._leg(goal, other) for other in self._goals if other != goal)) for goal in self._goals]

    def _leg(self, start: str | None, goal: str) -> float:
        far = self._terrain.distance(start, goal)
        return (30.0 if far == NO_WAY else float(far)) + HARD * (self.view.unit_on(goal) is not None)

    @cached_property
    def _hurry(self) -> float:
        """What a space of the way is worth: more, the fewer turns are left for it."""
        turns = max(1, self.view.deck_size + (10 if len(self._goals) > 1 else 0) - SPARE)
        return 0.5 * max(1.0, self._left(self.view.space) / (STRIDE * turns))

    def _entry(self, command: c.ChooseEntry) -> float:
        return -self._left(self._terrain.entries[command.sector])

    # --- where a turn ends --------------------------------------------------------------------------------------

    def _standing(self, space: str | None, lks: str | None) -> float:
        """What it is worth to end the turn on a space while the defenders look in a sector."""
        view = self.view
        if space is None:
            return -DONE
        reached = self.style.fear * self._danger(space, lks)
        free = not view.acted and space in self._goals
        return DONE / 2 * free - reached - self._hurry * self._left(space)

    def _danger(self, space: str, lks: str | None) -> float:
        """The hits that are to be expected on a space: at the end of the turn, and by the defenders."""
        near = not self._terrain.within_reach(space).isdisjoint(self._on_board.values())
        played = self.harm.get((space, lks))
        if played is None:
            away = map(self._terrain.towards[space].__getitem__, self._on_board.values())
            played = sum(NEARBY[steps] for steps in away if steps < len(NEARBY)) / 3
        return near + played

    def _severity(self, hits: int) -> float:
        """How bad so many more hits are: the less is left, the worse."""
        health = len(self.view.stack) + 4 * (1 - self.view.wounds)
        return hits * max(1.0, 6.0 / max(1, health))

    def _move(self, command: c.Move) -> float:
        end, loud = command.path[-1], noisy(self.view, command.path)
        found = self._ways.get((end, loud))
        return self._way(end, loud) if found is None else found

    def _way(self, end: str, loud: bool) -> float:
        """A move, however it gets there."""
        view, sector = self.view, self._terrain.sector_of(end)
        hurt = loud and sector == view.lks
        lks = sector if loud else view.lks
        found = self._standing(end, lks) - self.style.fear * self._severity(int(hurt)) - 0.05 * loud
        self._ways[end, loud] = found
        return found

    # --- looking ahead ------------------------------------------------------------------------------------------

    def look(self, ranked: Sequence[Command]) -> None:
        """Play the defenders' open cards out after the best of some acts."""
        view = self.view
        for command in ranked:
            if len(self.harm) >= self.style.looks:
                break
            if isinstance(command, c.EndSniperTurn):
                end = (view.space, view.lks)
            elif isinstance(command, c.Move):
                sector = view.terrain.sector_of(command.path[-1])
                end = (command.path[-1], sector if noisy(view, command.path) else view.lks)
            else:
                continue
            if end[0] is not None and end not in self.harm:
                self.harm[end] = self._played(*end)
        self._ways.clear()

    def _played(self, space: str | None, lks: str | None) -> float:
        """The mean harm of the open cards to a sniper on a space."""
        start = replace(self.view, space=space, lks=lks, hits=0, wounded=False, deck=(), pending=None, volley=None)
        open_slots = [number for number, slot in enumerate(start.slots) if slot.card is not None]
        found = [self._harm_of(start, number) for number in open_slots]
        return sum(found) / len(found) if found else 0.0

    def _harm_of(self, start: Picture, slot: int) -> float:
        telling = Telling(start, Chance(Random(slot)))
        resolve(telling, slot)
        hits = sum(isinstance(told.event, Hit) for told in telling.told)
        wounds = sum(isinstance(told.event, Wounded) for told in telling.told)
        after = telling.truth
        guarded = sum(after.unit_on(after.terrain.objectives[number]) is not None for number in after.undone)
        return self._severity(hits) + WOUND * wounds + LOST * telling.over + 0.2 * guarded

    # --- shots and cards ----------------------------------------------------------------------------------------

    def _guarding(self, unit: str | None) -> float:
        """What it is worth that a defender goes: more on an objective to be done, or beside the sniper."""
        view = self.view
        if unit is None:
            return 0.0
        space = view.units[unit]
        near = self._terrain.distance(space, view.space)
        return 0.4 + 2.5 * (space in self._goals) + (1.0 if near <= 2 else 0.0)

    def _shoot(self, command: Shoot) -> float:
        view = self.view
        if not self.style.shoots:
            return -1.0
        if command.target is None or command.draw is None:
            hit = around(view.map, str(view.space), view.units)
            return FIRST + len(hit) - 1.5 if len(hit) > 1 else -1.0
        worth = self._shot(command.target, command.draw) + 0.3 * (command.second is not None)
        return FIRST + worth if worth > 0 else -1.0

    def _shot(self, target: str, draw: int) -> float:
        """One shot with a count, as FIRST is not counted."""
        found = self._shots.get((target, draw))
        if found is None:
            found = self._shots[target, draw] = self._aimed(target, draw)
        return found

    def _aimed(self, target: str, draw: int) -> float:
        need = self._targets.get(target)
        if need is None:
            return -1.0
        bag, quiet = self.view.bag, self.view.active == "silenced-ammo"
        hit, misfire, reveal = odds.approximate(bag["aim"], bag["noise"], bag["recoil"], draw, need, quiet)
        if target not in self._rewards:
            self._rewards[target] = 1.6 + self._guarding(target)
        return hit * self._rewards[target] - self._one_hit * reveal * self._drawn_near - 0.8 * misfire - 0.35

    @cached_property
    def _one_hit(self) -> float:
        return self._severity(1)

    @cached_property
    def _targets(self) -> dict[str, int]:
        return targets(self.view)

    @cached_property
    def _drawn_near(self) -> float:
        """How much a noise costs: most, if the defender that it draws is beside the sniper."""
        near = min((self._terrain.distance(unit, self.view.space) for unit in self._on_board.values()), default=NO_WAY)
        return 0.9 if near <= 1 else 0.4 if near <= 2 else 0.15

    def _play(self, command: c.Play) -> float:
        view = self.view
        if not self.style.shoots or view.space is None:
            return -DONE
        near = sum(self._terrain.distance(unit, view.space) <= 3 for unit in self._on_board.values())
        match command.card:
            case "distraction":
                return self._distraction(command)
            case "s-mine":
                return FIRST + 0.2 if near >= 2 else -DONE
            case "sound-masking":
                return FIRST if not view.moved and near >= 2 else -DONE
            case "trench-gun":
                return FIRST if len(around(view.map, str(view.space), view.units)) > 1 else -DONE
            case "tommy-gun" | "silenced-ammo":
                return FIRST if not view.acted and near >= 1 and len(targets(view)) > 1 else -DONE
        return -DONE

    def _distraction(self, command: c.Play) -> float:
        """Who stands on an objective is led off it, and who stands near is led away."""
        view = self.view
        if command.unit is None or command.to is None:
            return -DONE
        start, distance = view.units[command.unit], self._terrain.distance
        away = distance(command.to, view.space) - distance(start, view.space)
        cleared = (start in self._goals) - (command.to in self._goals)
        close = distance(start, view.space) <= 2
        worth = 2.0 * cleared + 0.5 * away * close
        return FIRST + worth if worth >= 1.0 else -DONE
