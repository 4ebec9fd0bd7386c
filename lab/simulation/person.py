"""A simulated person at the board, who knows every miniature, intends moves, follows hints and answers truthfully.

The actions of people are in `moves.py` and `disturbances.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from engine.game import Command
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.hints import (
    Correction,
    Orders,
    Question,
    Remove,
    SensorHint,
    UnknownPiece,
    WrongPlace,
)
from lab.simulation.handling import Handled

LOOK_AT_IT = 2600
"""Milliseconds after letting go until a person looks at the hint."""
MOST_STEPS = 60
"""Maximum number of hints that a person follows."""


class Person:
    """A person with intended moves (`meant`), the questions asked, and what failed (`lost`)."""

    def __init__(self, hands: Handled, random: Random, moves: Mapping[str, int]) -> None:
        self.hands = hands
        self.moves = dict(moves)
        self.random = random
        self.meant: list[tuple[str, str]] = []
        self.questions = 0
        self.carries: list[tuple[int, int]] = []
        self.lost: list[str] = []
        self.in_hand: list[str] = []

    # --- what there is ------------------------------------------------------------------------------------------

    @property
    def facts(self) -> Facts:
        return self.hands.table.facts

    def goals(self, unit: str) -> list[str]:
        return self.hands.free(self.facts.goals.get(unit, ()))

    def movers(self, count: int, alike: bool | None = None) -> list[str]:
        """Return `count` random units that can move, or []. `alike`: with the same look, or with different ones."""
        busy = {unit for unit, _ in self.meant}
        able = [unit for unit in self.facts.goals if self.hands.places.get(unit) and self.goals(unit)]
        units = [unit for unit in able if unit not in busy and self.moves[self.facts.groups[unit]] > 0]
        self.random.shuffle(units)
        for first in units:
            look = self.facts.look_of(first)
            others = [unit for unit in units if unit != first and alike in (None, self.facts.look_of(unit) == look)]
            # The squad of the first one has no second move.
            if self.moves[self.facts.groups[first]] < 2:
                others = [unit for unit in others if self.facts.groups[unit] != self.facts.groups[first]]
            if len(others) >= count - 1:
                return [first, *others[: count - 1]]
        return []

    def felt(self) -> list[str]:
        """Return the miniatures that stand alone on their spaces; sensors only detect the lifting of these."""
        stood = [space for space in self.hands.places.values() if space is not None]
        return [unit for unit, space in self.hands.places.items() if space is not None and stood.count(space) == 1]

    def near(self, space: str, steps: int = 1) -> list[str]:
        """Return the empty spaces within some steps."""
        reached = {space}
        for _ in range(steps):
            reached |= {other for one in reached for other in self.facts.near[one]}
        return self.hands.free(sorted(reached - {space}))

    def bordering(self, space: str) -> list[str]:
        return [other for other in self.hands.table.board.enterable if other in self.facts.bordering[space]]

    def anywhere(self) -> list[str]:
        """Return all empty spaces."""
        return self.hands.free(self.hands.table.board.enterable)

    def elsewhere(self) -> list[str]:
        """Return all empty spaces where no miniature may come from the box."""
        boxed = {unit for unit, home in self.facts.standing.items() if home is None}
        deployed = {goal for unit in boxed for goal in self.facts.goals.get(unit, ())}
        return [space for space in self.anywhere() if space not in deployed]

    # --- what hands do ------------------------------------------------------------------------------------------

    def lift(self, thing: str) -> None:
        self.hands.lift(thing)
        self.in_hand.append(thing)

    def put(self, thing: str, space: str) -> None:
        self.hands.put(thing, space)
        self.in_hand = [other for other in self.in_hand if other != thing]

    def pause(self, least: int, most: int) -> None:
        """Wait some milliseconds."""
        self.hands.wait(least, most)

    def carry(self, thing: str, space: str) -> None:
        self.lift(thing)
        self.pause(180, 1500)
        self.put(thing, space)

    def plan_move(self, unit: str, occupied: Iterable[str] = ()) -> str | None:
        """Choose a goal for a unit and intend the move; return None if there is no goal."""
        goals = [goal for goal in self.goals(unit) if goal not in occupied]
        if not goals:
            return None
        goal = self.random.choice(goals)
        self.intend(unit, goal)
        return goal

    def intended(self, occupied: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
        """Yield one random unit and the goal of its intended move, if any."""
        for unit in self.movers(1):
            if (goal := self.plan_move(unit, occupied)) is not None:
                yield unit, goal

    def intend(self, unit: str, goal: str) -> None:
        """Intend a move, and count it for the unit's squad."""
        self.meant.append((unit, goal))
        self.moves[self.facts.groups[unit]] -= 1

    def way(self, start: str, goal: str) -> list[str]:
        """Return at most four empty spaces on a way between two spaces."""
        spaces: list[str] = []
        here = start
        for _ in range(self.random.randint(1, 4)):
            closer = [space for space in self.near(here) if space not in (start, goal, *spaces)]
            if not closer:
                break
            best = min(self.facts.steps(space, goal) for space in closer)
            # People do not always take the shortest way.
            here = self.random.choice([space for space in closer if self.facts.steps(space, goal) <= best + 1])
            spaces.append(here)
        return spaces

    def slide(self, thing: str, goal: str) -> None:
        """Slide a miniature over sensors on the way, without resting on them."""
        here = str(self.hands.places[thing])
        self.lift(thing)
        for space in self.way(here, goal):
            self._glide(here, space)
            self.put(thing, space)
            self.pause(15, 60)
            self.lift(thing)
            here = space
        self._glide(here, goal)
        self.put(thing, goal)

    def _glide(self, start: str, goal: str) -> None:
        """Wait while a miniature slides between two spaces at up to 2.5 m/s."""
        steps = self.facts.steps(start, goal)
        self.pause(5 if steps <= 1 else 15 * steps, 60 * steps)

    # --- what the table says ------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Follow the hints of the table until board and game agree."""
        carried, needed = 0, None
        for _ in range(MOST_STEPS):
            self.hands.wait(LOOK_AT_IT)
            hint = self.hands.table.hint
            if self.hands.table.agreed:
                break
            if hint is None:
                if not self._let_go():
                    break
            elif isinstance(hint, Question):
                self._answer(hint)
            elif isinstance(hint, Correction):
                if needed is None:  # the fewest carries: one for each miniature on a wrong space
                    needed = sum(thing is not None for thing in self.hands.astray().values())
                carried += self._correct(hint)
            elif isinstance(hint, Orders):
                order = self.random.choice([order for order in hint.orders if not order.waits])
                carried += self._correct(Correction(order.start, order.to, order.unit, order.sentence))
            elif isinstance(hint, WrongPlace):
                self._put_right(hint)
            elif isinstance(hint, Remove | UnknownPiece):
                self._take_off(hint.spaces)
            else:
                assert isinstance(hint, SensorHint), f"no setup in the middle of a game: {hint}"
                break
        else:
            self.lost.append(f"after {MOST_STEPS} hints still {self.hands.table.hint}")
        if needed is not None:
            self.carries.append((carried, needed))
        if not self.hands.table.agreed:
            self.lost.append(f"no agreement, and the table says {self.hands.table.hint}")

    def _let_go(self) -> bool:
        """Put a miniature in the hand back, and return whether there was one.

        If another one stands on its space, lift that one first.
        """
        for thing in self.in_hand:
            look = self.hands.look(thing)
            missing = [space for space, other in self.hands.astray().items() if other is None]
            like = (space for space in missing if self.facts.look_of(self.facts.homes[space]) == look)
            home = self._home_of(thing) or next(iter(sorted(like)), None)
            if home is not None:
                self.put(thing, home)
                return True
        homes = ((thing, self.facts.standing.get(thing)) for thing in self.in_hand)
        for thing, home in homes:
            if home is not None and (other := self.hands.astray().get(home)) is not None and other != thing:
                self.lift(other)
                self.pause(200, 900)
                self.put(thing, home)
                return True
        return False

    def _answer(self, question: Question) -> None:
        """Answer with a tap on the screen, or by lifting the right miniature and setting it down again."""
        self.questions += 1
        true = [choice for choice in question.between if self._is_so(choice.unit, choice.action)]
        # False sorts first: of several true answers, an intended move is preferred.
        true.sort(key=lambda choice: (choice.unit, self._goal_of(choice.action)) not in self.meant)
        if not true:
            (only, *others) = question.between
            if others or not self._put_back(only.unit, only.tap):
                self.lost.append(f"none of the answers is true: {question.sentence}")
                self.tidy()
            return
        tap = true[0].tap
        there = self.hands.on(tap)
        if there and self.random.random() < 0.5:
            self.lift(there[0])
            self.pause(200, 900)
            self.put(there[0], tap)
        else:
            self.hands.pick(tap)
        self.hands.wait(LOOK_AT_IT)
        if self.hands.table.hint == question:
            self.lost.append(f"the answer {tap} did not end: {question.sentence}")
            self.tidy()

    def _put_back(self, unit: str, space: str) -> bool:
        """Answer no by carrying the miniature, or the one in its place, home; return whether that is possible."""
        there = [thing for thing in self.hands.on(space) if thing in self.hands.astray().values()]
        for thing in [unit] if unit in self.hands.on(space) else [*there, unit]:
            home = self._home_of(thing)
            if home is not None and self.hands.places.get(thing) is not None:
                self.carry(thing, home)
                return True
        return False

    def _is_so(self, unit: str, action: Any) -> bool:
        return self.hands.look(unit) in map(self.hands.look, self.hands.on(self._goal_of(action)))

    def _goal_of(self, action: Command) -> str:
        return self.hands.table.made_by[action].to

    def _correct(self, hint: Correction) -> int:
        """Make the correction of a hint; return the number of carries, 0 for setting down the miniature in the hand."""
        look = self.facts.look_of(hint.unit)
        there = [] if hint.start is None else self.hands.on(hint.start)
        meant = [thing for thing in there if self.hands.look(thing) == look]
        # If no miniature has that look, use the one that belongs there.
        meant += [thing for thing in there if self.facts.standing.get(thing) == hint.to]
        if meant:
            self.carry(meant[0], hint.to)
            return 1
        alike = [thing for thing in self.in_hand if self.hands.look(thing) == look]
        loose = [thing for thing in self.hands.astray().values() if thing and self.hands.look(thing) == look]
        if alike:
            self.put(alike[0], hint.to)
            return 0
        if loose and self._has_room(loose[0], hint.to):
            self.carry(loose[0], hint.to)
            return 1
        if self._let_go():
            return 0
        self.lost.append(f"this cannot be done: {hint.sentence}")
        self.tidy()
        return 0

    def _put_right(self, hint: WrongPlace) -> None:
        """Carry misplaced miniatures to their intended space if that is legal, else home."""
        for space in hint.spaces:
            for thing in self.hands.on(space):
                meant = [goal for unit, goal in self.meant if unit == thing and goal in hint.legal]
                goal = meant[0] if meant and not self.hands.on(meant[0]) else self._home_of(thing)
                if goal is None:
                    self.lift(thing)
                else:
                    self.carry(thing, goal)
                self.pause(600, 900)

    def _take_off(self, spaces: Iterable[str]) -> None:
        for space in spaces:
            for thing in self.hands.on(space):
                self.lift(thing)
                self.pause(100, 300)

    def _home_of(self, thing: str) -> str | None:
        home = self.facts.standing.get(thing)
        return home if home is not None and self._has_room(thing, home) else None

    def _has_room(self, thing: str, home: str) -> bool:
        """Return whether only miniatures that belong there stand on a miniature's home."""
        return all(other == thing or self.facts.standing.get(other) == home for other in self.hands.on(home))

    def tidy(self) -> None:
        """Give up, and put everything on the space that it has in the game."""
        for thing in self.hands.astray().values():
            if thing is not None:
                self.lift(thing)
                self.pause(200, 300)
        for space in self.hands.astray():
            unit = self.facts.homes.get(space)
            looks = [thing for thing in self.in_hand if unit is not None]
            fitting = [thing for thing in looks if self.hands.look(thing) == self.hands.look(unit)]
            if fitting:
                self.put(fitting[0], space)
                self.pause(300, 400)
