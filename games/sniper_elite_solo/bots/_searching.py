"""Search for the solo expert: simulate the best-rated commands and choose the best outcome.

Each simulation deals the hidden cards again. The simulated sniper plays by the ratings and doesn't see the hidden
cards.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Any, Final

from engine.bots import Kind
from engine.chance import Chance
from engine.events import Event
from engine.game import Command, Game
from engine.search.budget import Budget
from engine.search.halving import Ended, best_of
from engine.search.line import Line
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.commands import Shoot
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.bots._dealing import Memory, sample_truth
from games.sniper_elite_solo.bots._outcome import win_probability
from games.sniper_elite_solo.bots._rating import Rating, Style
from games.sniper_elite_solo.rules.movement import is_noisy
from games.sniper_elite_solo.rules.picture import Picture

BUDGET: Final = Budget(lines=0)  # The initial budget: no simulations, only the ratings
FIRST: Final = Style(fear=0.4, looks=24, shoots=True)  # Rating style before the search
ON: Final = Style(fear=1.0, looks=0, shoots=True)  # Rating style in a simulation
WIDE: Final = 8  # Maximum number of commands to simulate
SAY: Final = 0.03
"""Weight of one hit in the rating, relative to the win probability from few, noisy simulations."""
WORST: Final = 2.0  # Maximum number of hits by which a rating counts as worse than the best
ROUNDS: Final = 3  # Number of defender turns in a simulation
SEEDS: Final = 1 << 62


class SoloLine(Line):
    """One simulation."""

    __slots__ = ()

    truth: Picture

    def goes_on(self, seat: str) -> Command:
        """Return the best-rated command."""
        return max(self.game.legal(self.truth, seat), key=Rating(self.truth, ON).value)


class Searcher:
    """The expert bot at its seat. It remembers which of the defenders' cards have been face up."""

    def __init__(self, game: Game) -> None:
        self.budget = BUDGET
        self._game, self._memory = game, Memory()

    def told(self, event: Event) -> None:
        """Remember the defenders' cards."""
        self._memory = self._memory.after(event)

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the command with the best simulated outcome."""
        rating = Rating(view, FIRST)
        rating.look_ahead(legal)
        commands, luck = shortlist(view, legal, rating), chance.roll("search", range(SEEDS), "bots")
        best = max(map(rating.value, commands))

        def simulate(command: Command, number: int) -> Ended:
            # A few simulations are noisy, so the rating decides near ties.
            ended = self._simulate(view, command, f"{luck}/{number}")
            return ended._replace(value=ended.value - SAY * min(WORST, best - rating.value(command)))

        return best_of(commands, simulate, self.budget)

    def _simulate(self, view: Picture, command: Command, luck: str) -> Ended:
        """Return the win probability at the end of one simulation."""
        chance, truth = Chance(Random(luck)), sample_truth(view, self._memory, Random(f"{luck}/deal"))
        line, mark = SoloLine(self._game, truth, chance), chance.mark()
        last = view.round + ROUNDS
        line.act(command)
        line.play_until(lambda now: now.truth.round >= last)
        # A defenders' turn rolls a die. Without one, the game ended before hidden cards mattered.
        return Ended(win_probability(line.truth), chance.mark() == mark)


def shortlist(view: Picture, legal: Sequence[Command], rating: Rating) -> list[Command]:
    """Return the commands to simulate, best first: one of each kind, and always the end of the turn."""
    kinds: dict[Hashable, Command] = {}
    for command in sorted(legal, key=rating.value, reverse=True):
        kinds.setdefault(_kind(view, command), command)
    ranked = list(kinds.values())
    return ranked[:WIDE] + [command for command in ranked[WIDE:] if isinstance(command, c.EndSniperTurn)]


def _kind(view: Picture, command: Any) -> Hashable:
    """Return a key shared by commands with nearly the same effect."""
    match command:
        case c.Move(path):
            return "move", path[-1], is_noisy(view, path)
        case Shoot(target):
            return "shoot", target, command.second is None
        case c.Play(card, unit):
            return "play", card, unit
    found: Hashable = command
    return found


SNIPER_KIND = Kind(lambda game, seat, view: Searcher(game), (SNIPER,), "expert", thinks=True)
