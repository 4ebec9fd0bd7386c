"""How the solo game's expert searches: the best acts by their weights are played on in the head, and the one that ends
best is done.

For each line what is hidden is dealt anew. In a line the sniper goes on by the same weights, without a look at what
lies face down.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, Final

from engine.chance import Chance
from engine.events import Event
from engine.game import Command, Game
from engine.search.budget import Budget
from engine.search.halving import Ended, best_of
from engine.search.line import Line
from games.sniper_elite.rules import commands as c
from games.sniper_elite_solo.bots._dealing import Memory, dealt
from games.sniper_elite_solo.bots._outcome import outcome
from games.sniper_elite_solo.bots._weighing import Moment, Style
from games.sniper_elite_solo.rules.commands import Shoot
from games.sniper_elite_solo.rules.movement import noisy
from games.sniper_elite_solo.rules.picture import Picture

BUDGET: Final = Budget(lines=0)
"""Until somebody says how long it may think, it does what it would try first."""
FIRST: Final = Style(fear=0.4, looks=24, shoots=True)
"""How acts are weighed that are to be tried."""
ON: Final = Style(fear=1.0, looks=0, shoots=True)
"""How the sniper goes on in a line."""
WIDE: Final = 8
"""So many acts are tried at the most."""
SAY: Final = 0.03
"""What a hit by the weights counts beside what the lines say, which are few and differ by luck."""
WORST: Final = 2.0
"""No act counts as more hits worse than the best."""
ROUNDS: Final = 3
"""So many turns of the defenders are played in a line."""
SEEDS: Final = 1 << 62


class SoloLine(Line):
    """One way that the game may go on."""

    __slots__ = ()

    truth: Picture

    def goes_on(self, seat: str) -> Command:
        """The first of the acts that are worth the most to a sniper who does not think long."""
        return max(self.game.legal(self.truth, seat), key=Moment(self.truth, ON).worth)


class Searcher:
    """A sniper at its seat. It remembers which of the defenders' cards lay open."""

    def __init__(self, game: Game) -> None:
        self.budget = BUDGET
        self._game, self._memory = game, Memory()

    def told(self, event: Event) -> None:
        """Follow the defenders' cards."""
        self._memory = self._memory.after(event)

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """The act whose lines end best."""
        moment = Moment(view, FIRST)
        moment.look(sorted(legal, key=moment.worth, reverse=True))
        acts, luck = shortlist(view, legal, moment.worth), chance.roll("search", range(SEEDS), "bots")
        most = max(map(moment.worth, acts))

        def line(act: Command, number: int) -> Ended:
            ended = self._played(view, act, f"{luck}/{number}")
            return ended._replace(value=ended.value - SAY * min(WORST, most - moment.worth(act)))

        return acts[0] if len(acts) == 1 else best_of(acts, line, self.budget)

    def _played(self, view: Picture, command: Command, luck: str) -> Ended:
        """How likely the sniper is to win once a line has come to an end."""
        chance = Chance(Random(luck))
        line, mark = SoloLine(self._game, dealt(view, self._memory, Random(f"{luck}/deal")), chance), chance.mark()
        last = view.round + ROUNDS
        line.act(command)
        line.play_until(lambda now: now.truth.round >= last)
        return Ended(outcome(line.truth), chance.mark() == mark)


def shortlist(view: Picture, legal: Sequence[Command], worth: Callable[[Command], float]) -> list[Command]:
    """The acts that are tried, the best first: of those that come to much the same the best; the end of the turn is
    always one of them.
    """
    found: dict[Hashable, tuple[float, Command]] = {}
    for command in legal:
        value, alike = worth(command), _alike(view, command)
        if alike not in found or value > found[alike][0]:
            found[alike] = value, command
    ranked = [command for _, command in sorted(found.values(), key=lambda pair: -pair[0])]
    ends = [command for command in ranked[WIDE:] if isinstance(command, c.EndSniperTurn)]
    return ranked[:WIDE] + ends


def _alike(view: Picture, command: Any) -> Hashable:
    """What an act comes to, much the same for acts that share it."""
    match command:
        case c.Move(path):
            return "move", path[-1], noisy(view, path)
        case Shoot(target):
            return "shoot", target, command.second is None
        case c.Play(card, unit):
            return "play", card, unit
    found: Hashable = command
    return found
