"""How bots search: they look ahead from the acts with the best weights, and choose the one that ends best.

The sniper knows everything that matters, so its lines differ by luck alone; the defenders in them act on what the table
has heard. The defenders deal the sniper's secrets again for each line, as likely as they believe them to be.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, Final

from engine.bots import Kind
from engine.chance import Chance
from engine.game import Command, Game
from engine.search.budget import Budget
from engine.search.halving import Ended, best_of
from games.sniper_elite.bots._dealing import dealt, evenly
from games.sniper_elite.bots._following import Follower, in_public
from games.sniper_elite.bots._guard_turn import END as DEFENDERS_END
from games.sniper_elite.bots._guard_turn import WOUND, decision
from games.sniper_elite.bots._guard_turn import Turn as GuardTurn
from games.sniper_elite.bots._line import GUARDED, SNEAKED, Line
from games.sniper_elite.bots._outcome import outcome
from games.sniper_elite.bots._sneak_turn import Turn as SneakTurn
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import DEFENDERS, SNIPER

BUDGET: Final = Budget(lines=0)
"""Without a time limit, a bot does what it would try first."""
WIDE, NARROW = 14, 7
"""So many acts are tried at the most, by the sniper and by the defenders: what comes of the latter's hangs on what is
hidden, so that each needs more lines.
"""
ROUNDS: Final = 3
"""After so many rounds a line ends, at the start of the sniper's turn. The outcome after two rounds misled both sides,
compared with games played to the end. More than three gained the defenders little for their time; the sniper would
gain from them, against defenders that act as its lines suppose.
"""
VAIN: Final = -1.0
"""What acts of the defenders are worth that are not tried at all: tracking cubes, questions whose answer is known."""
SAY: Final = 0.012
"""What a tenth of a sure wound's worth is in chances to win, as far as no lines tell better."""
SEEDS: Final = 1 << 62


class Searcher(Follower):
    """What searching bots of both sides have in common: they are given a budget."""

    def __init__(self, game: Game, view: Picture) -> None:
        super().__init__(game, view)
        self.budget = BUDGET

    def _search(
        self, acts: Sequence[Command], line: Callable[[Command, int], Ended], merits: Sequence[float] = ()
    ) -> Command:
        return acts[0] if len(acts) == 1 else best_of(acts, line, self.budget, merits)

    def _played(self, truth: Picture, command: Command, luck: str) -> Ended:
        """Return how likely the sniper is to win once a line from `truth` has come to an end."""
        chance = Chance(Random(luck))
        public = in_public(self._view)
        line, mark = Line(self._game, truth, public, self._known, self._guess, chance), chance.mark()
        last = truth.round + ROUNDS
        line.act(command)
        line.play_until(lambda now: now.truth.round >= last and now.truth.turn == SNIPER)
        return Ended(outcome(line.truth, line.known, line.guess, line.public), chance.mark() == mark)


class SniperSearch(Searcher):
    """The sniper's seat."""

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act whose lines end best for the sniper."""
        worth = SneakTurn(view, self._known, self._guess, legal, SNEAKED).worth
        if view.pending is not None and view.pending.name != "keep" and view.pending.name != "shoot-second":
            return max(legal, key=worth)
        acts = shortlist(legal, worth, WIDE)
        luck = chance.roll("search", range(SEEDS), "bots")
        return self._search(acts, lambda act, number: self._played(view, act, f"{luck}/{number}"))


class GuardSearch(Searcher):
    """The defenders' seat."""

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act whose lines end best for the defenders."""
        if DEFENDERS_END not in legal:
            return decision(legal, chance)
        belief = self._guess.belief(self._known, view)
        worth = GuardTurn(view, self._known, belief, GUARDED).worth
        acts = shortlist([act for act in legal if worth(act) > VAIN], worth, NARROW)
        luck = chance.roll("search", range(SEEDS), "bots")
        start = Random(luck).random()

        def line(act: Command, number: int) -> Ended:
            random = Random(f"{luck}/deal/{number}")
            truth = dealt(view, self._known, belief, random, evenly(start, number))
            return Ended(1 - self._played(truth, act, f"{luck}/{number}").value)

        return self._search(acts, line, [SAY * max(-WOUND, min(WOUND, worth(act))) for act in acts])


def shortlist(legal: Sequence[Command], worth: Callable[[Command], float], width: int) -> list[Command]:
    """The acts that are tried, the best first: of those that come to much the same the best, and of these the first
    `width`; the end of the turn always.
    """
    found: dict[Hashable, tuple[float, Command]] = {}
    for command in legal:
        value, alike = worth(command), _alike(command)
        if alike not in found or value > found[alike][0]:
            found[alike] = value, command
    ranked = sorted(found.values(), key=lambda pair: -pair[0])
    ends = [command for _, command in ranked if isinstance(command, c.EndSniperTurn | c.EndDefendersTurn)]
    acts = [command for _, command in ranked[:width]]
    return acts + [command for command in ends if command not in acts]


def _alike(command: Any) -> Hashable:
    """Return what an act comes to, much the same for acts that share it."""
    match command:
        case c.Move(path):
            return "move", path[-1]
        case c.Shoot(target):
            return "shoot", target, command.second is None
        case c.Play(card, unit):
            return "play", card, unit
        case c.Sweep(unit):
            return "sweep", unit
        case c.Attack(unit, space):
            return "attack", unit, space
    found: Hashable = command
    return found


SNIPER_KIND = Kind(lambda game, seat, view: SniperSearch(game, view), (SNIPER,), "expert", thinks=True)
DEFENDERS_KIND = Kind(lambda game, seat, view: GuardSearch(game, view), (DEFENDERS,), "expert", thinks=True)
