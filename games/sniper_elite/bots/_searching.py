"""Search for both sides: simulate the acts with the best ratings and choose the best outcome.

The sniper knows everything that matters, so its simulations differ only by luck. The simulated defenders act on public
information. For the defenders, each simulation samples the sniper's secrets again, according to their belief.
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
from games.sniper_elite.bots._belief import Follower, in_public
from games.sniper_elite.bots._dealing import even_quantile, sample_truth
from games.sniper_elite.bots._guard_turn import END as DEFENDERS_END
from games.sniper_elite.bots._guard_turn import WOUND, decision
from games.sniper_elite.bots._guard_turn import Turn as GuardTurn
from games.sniper_elite.bots._line import GUARDED, SNEAKED, Line
from games.sniper_elite.bots._outcome import outcome
from games.sniper_elite.bots._sneak_turn import Turn as SneakTurn
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import DEFENDERS, SNIPER

BUDGET: Final = Budget(lines=0)  # The initial budget: no simulations, only the ratings
WIDE, NARROW = 14, 7
"""Maximum number of acts to simulate, for the sniper and for the defenders.

The defenders' results depend on hidden information, so each of their acts needs more simulations.
"""
ROUNDS: Final = 3
"""Number of rounds in a simulation, which ends at the start of the sniper's turn.

After two rounds, the estimated outcome misled both sides, compared with games played to the end. More than three rounds
gained the defenders little for the time. The sniper would gain from more, but only against defenders that act as its
simulations assume.
"""
VAIN: Final = -1.0
"""Rating of defender acts that aren't simulated: tracking cubes, and questions whose answer is known."""
SAY: Final = 0.012
"""Win probability per rating point (a tenth of a certain wound), used when simulations don't decide."""
SEEDS: Final = 1 << 62


class Searcher(Follower):
    """Base class of the searching bots. It has a budget."""

    def __init__(self, game: Game, view: Picture) -> None:
        super().__init__(game, view)
        self.budget = BUDGET

    def _played(self, truth: Picture, command: Command, luck: str) -> Ended:
        """Return the sniper's win probability at the end of a simulation that starts from `truth`."""
        chance = Chance(Random(luck))
        public = in_public(self._view)
        line, mark = Line(self._game, truth, public, self._known, self._guess, chance), chance.mark()
        last = truth.round + ROUNDS
        line.act(command)
        line.play_until(lambda now: now.truth.round >= last and now.truth.turn == SNIPER)
        # An unchanged mark means that nothing was random, so repeating the simulation is pointless.
        return Ended(outcome(line.truth, line.known, line.guess, line.public), chance.mark() == mark)


class SniperSearch(Searcher):
    """The bot at the sniper's seat."""

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act with the best simulated outcome for the sniper."""
        worth = SneakTurn(view, self._known, self._guess, legal, SNEAKED).worth
        if view.pending is not None and view.pending.name != "keep" and view.pending.name != "shoot-second":
            return max(legal, key=worth)
        acts = shortlist(legal, worth, WIDE)
        luck = chance.roll("search", range(SEEDS), "bots")
        return best_of(acts, lambda act, number: self._played(view, act, f"{luck}/{number}"), self.budget)


class GuardSearch(Searcher):
    """The bot at the defenders' seat."""

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act with the best simulated outcome for the defenders."""
        if DEFENDERS_END not in legal:
            return decision(legal, chance)
        belief = self._guess.belief(self._known, view)
        worth = GuardTurn(view, self._known, belief, GUARDED).worth
        acts = shortlist([act for act in legal if worth(act) > VAIN], worth, NARROW)
        luck = chance.roll("search", range(SEEDS), "bots")
        start = Random(luck).random()

        def line(act: Command, number: int) -> Ended:
            random = Random(f"{luck}/deal/{number}")
            # All acts use the same deals, so that their results are comparable.
            truth = sample_truth(view, self._known, belief, random, even_quantile(start, number))
            # Never certain: even if nothing was random in this line, the next deal can differ.
            return Ended(1 - self._played(truth, act, f"{luck}/{number}").value)

        return best_of(acts, line, self.budget, [SAY * max(-WOUND, min(WOUND, worth(act))) for act in acts])


def shortlist(legal: Sequence[Command], worth: Callable[[Command], float], width: int) -> list[Command]:
    """Return the best `width` acts, best first, and the end of the turn. Of similar acts, only the best counts."""
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
    """Return a key shared by acts with nearly the same effect."""
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
