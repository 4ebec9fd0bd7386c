"""A bot that searches: it chooses an act by simulated lines of play, and judges acts with the same simulations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, Self

from msgspec.structs import replace

from engine.advice import MOST_ACTS_AHEAD, Advice, Judged
from engine.chance import Chance
from engine.events import Event, Told
from engine.game import Command, Game, decided
from engine.search.budget import Budget
from engine.search.halving import Ended, best_of, compare
from engine.telling import Telling

MOST_ACTS: Final = 150  # The longest line. A game that goes on longer has stopped making progress.


class Line(ABC):
    """One way that a game may continue. `truth` is a picture without unknowns; all randomness comes from `chance`.

    Pictures are replaced, never changed, so that many lines can start from the same one. A game's bot defines how
    seats act, and then plays a line to its end::

        line = GreedyLine(game, truth, Chance(Random(number)))
        line.play_until(lambda line: line.truth.round > 3)
    """

    __slots__ = ("chance", "game", "truth")

    def __init__(self, game: Game, truth: Any, chance: Chance) -> None:
        self.game, self.truth, self.chance = game, truth, chance

    @abstractmethod
    def next_command(self, seat: str) -> Command:
        """Return the command that a seat would give now."""

    def act(self, command: Command, seat: str = "") -> None:
        """Carry out a legal command of `seat`; left out, of the seat that is to act."""
        telling = decided(self.game, self.truth, seat or str(self.to_act), command, self.chance)
        if isinstance(telling, Telling) and type(self).apply is Line.apply:
            self.truth = telling.truth
            return
        # All events first: deciding reads the truth, which folding replaces.
        for told in tuple(telling):
            self.apply(told)

    def apply(self, told: Told) -> None:
        """Fold an event into the truth. Override it to also follow what other viewers are told."""
        self.truth = self.game.fold(self.truth, told.event)

    @property
    def to_act(self) -> str | None:
        """The seat that has a decision to make; None once the game is over."""
        return next(iter(self.game.to_act(self.truth)), None)

    def play_until(self, done: Callable[[Self], bool]) -> None:
        """Let all seats act until `done` returns True or the game is over."""
        for _ in range(MOST_ACTS):
            seat = self.to_act
            if seat is None or done(self):
                return
            self.act(self.next_command(seat), seat)


NO_LINES: Final = Budget(lines=0)  # The initial budget has no simulations, so only merits count
LEAST_ROUNDS: Final = 24
"""Minimum number of simulations of the best act and of the one that was played, when acts are judged."""
LINES_PER_APPRAISAL: Final = 8  # The budget counts one simulation from the truth for this many lines
GUESSES: Final = 6  # Guesses of what is hidden, to find whether an act reveals some of it
SEEDS: Final = 1 << 62

Candidates = tuple[list[Command], list[float]]
"""The acts to simulate, the most promising first, and their merits (see `best_of`), if they have any."""


class Searcher(ABC):
    """Base class of bots that search. Values are chances that its own side wins.

    A game's bot defines which acts to simulate, and how a simulation starts and ends::

        class Digger(Searcher):
            ends, width = EndTurn, 8
            def candidates(self, view, legal, played=None): return self.shortlist(view, legal, worth, played), []
            def dealer(self, view, luck): return lambda number: guess(view, f"{luck}/{number}")
            def line_from(self, truth, luck): return DiggerLine(self._game, truth, Chance(Random(luck)))
            def is_done(self, line, start): return line.truth.round >= start.round + 3
            def ended(self, line, certain): return Ended(win_probability(line.truth), certain)
    """

    ends: type[Command]
    """The command that ends a turn."""
    width: int
    """The maximum number of acts that a `shortlist` chooses by their worth."""

    def __init__(self, game: Game) -> None:
        self._game, self.budget = game, NO_LINES

    def choose(self, view: Any, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act with the best simulated outcome."""
        if not self.can_simulate(view, legal):
            return self.choose_without_search(view, legal, chance)
        acts, merits = self.candidates(view, legal)
        return best_of(acts, self.simulator(view, chance), self.budget, merits)

    def weigh(self, view: Any, legal: Sequence[Command], played: Command, chance: Chance) -> Advice:
        """Judge the acts that the bot would simulate, and the one that was played."""
        if not self.can_simulate(view, legal):
            return Advice()
        acts, merits = self.candidates(view, legal, played)
        lines = self.simulator(view, chance)
        ranked = compare(acts, lines, self.budget, merits, always_keep=(played,), least=LEAST_ROUNDS)
        first, *others = (Judged(*compared) for compared in ranked)
        return Advice((replace(first, line=self._rest_of_turn(view, first.command, chance)), *others))

    def appraise(self, truth: Any, chance: Chance) -> float:
        """Return the mean of simulations that start from the truth."""
        luck, most = self.seed(chance), max(1, self.budget.lines // LINES_PER_APPRAISAL)

        def line(_: None, number: int) -> Ended:
            return self.simulate(truth, None, f"{luck}/{number}")

        return compare([None], line, Budget(most), least=most)[0].value

    def foresaw(self, view: Any, command: Command, events: Sequence[Event], chance: Chance) -> bool:
        """Return whether an act had the same visible result in several guesses, without luck, and also in the game."""
        luck = self.seed(chance)
        for number in range(GUESSES):
            line = self.line(view, f"{luck}/{number}")
            seat, before = str(line.to_act), line.chance.mark()
            guessed = tuple(decided(line.game, line.truth, seat, command, line.chance))
            if line.chance.mark() != before or [it.event for it in guessed if it.audience.includes(seat)] != [*events]:
                return False
        return True

    def seed(self, chance: Chance) -> int:
        """Return the seed of all simulations of one decision."""
        return chance.roll("search", range(SEEDS), "bots")

    def can_simulate(self, view: Any, legal: Sequence[Command]) -> bool:
        """Return whether simulations can judge a decision."""
        return True

    def choose_without_search(self, view: Any, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act for a decision that isn't simulated."""
        raise NotImplementedError

    @abstractmethod
    def candidates(self, view: Any, legal: Sequence[Command], played: Command | None = None) -> Candidates:
        """Return the acts to simulate, including the one that was `played`."""

    def shortlist(
        self, view: Any, legal: Sequence[Command], worth: Callable[[Command], float], played: Command | None = None
    ) -> list[Command]:
        """Return the best acts without similar ones, plus the end of the turn and the act that was played."""
        best: dict[Hashable, Command] = {}
        for command in sorted(legal, key=worth, reverse=True):
            best.setdefault(self.likeness(view, command), command)
        ranked = [*best.values()]
        more = [*(act for act in ranked if isinstance(act, self.ends)), *([] if played is None else [played])]
        return [*dict.fromkeys([*ranked[: self.width], *more])]

    def likeness(self, view: Any, command: Any) -> Hashable:
        """Return a key that acts with nearly the same effect have in common."""
        key: Hashable = command
        return key

    def simulator(self, view: Any, chance: Chance) -> Callable[[Command, int], Ended]:
        """Return a function that simulates an act. The same number gives the same guess of hidden facts."""
        luck = self.seed(chance)
        deal = self.dealer(view, luck)
        return lambda act, number: self.simulate(deal(number), act, f"{luck}/{number}")

    def simulate(self, truth: Any, command: Command | None, luck: str) -> Ended:
        """Return how a simulation from `truth` ends, after `command` if there is one."""
        line = self.line_from(truth, luck)
        mark = line.chance.mark()
        if command is not None:
            line.act(command)
        line.play_until(lambda now: self.is_done(now, truth))
        # An unchanged mark means that nothing was random, so repeating the simulation is pointless.
        return self.ended(line, line.chance.mark() == mark)

    def line(self, view: Any, luck: str) -> Line:
        """Return a line of play that starts from the seat's view."""
        return self.line_from(self.dealer(view, luck)(0), luck)

    @abstractmethod
    def dealer(self, view: Any, luck: int | str) -> Callable[[int], Any]:
        """Return a function that guesses hidden facts: for each number, it returns a truth that fits `view`."""

    @abstractmethod
    def line_from(self, truth: Any, luck: str) -> Line:
        """Return a line of play that starts from `truth`."""

    @abstractmethod
    def is_done(self, line: Any, start: Any) -> bool:
        """Return whether a simulation has reached its end; `start` is the truth with which it began."""

    @abstractmethod
    def ended(self, line: Any, certain: bool) -> Ended:
        """Return the value of a finished simulation. `certain`: nothing in it was random."""

    def _rest_of_turn(self, view: Any, command: Command, chance: Chance) -> tuple[tuple[str, Command], ...]:
        """Return the acts after `command` to the end of the turn."""
        line, acts = self.line(view, f"{self.seed(chance)}"), list[tuple[str, Command]]()
        seat = line.to_act
        while len(acts) < MOST_ACTS_AHEAD and seat is not None and not isinstance(command, self.ends):
            line.act(command)
            if line.to_act != seat:
                break
            command = line.next_command(seat)
            acts.append((seat, command))
        return tuple(acts)
