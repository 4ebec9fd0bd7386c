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
from engine.events import Told
from engine.game import Command, Game
from engine.search import line
from engine.search.halving import Ended
from engine.search.searcher import Candidates, Searcher
from games.sniper_elite.bots._belief import Follower, Guess, in_public
from games.sniper_elite.bots._dealing import even_quantile, sample_truth
from games.sniper_elite.bots._guard_turn import END as DEFENDERS_END
from games.sniper_elite.bots._guard_turn import WOUND, decision
from games.sniper_elite.bots._guard_turn import Style as GuardStyle
from games.sniper_elite.bots._guard_turn import Turn as GuardTurn
from games.sniper_elite.bots._outcome import outcome
from games.sniper_elite.bots._sneak_turn import Style as SneakStyle
from games.sniper_elite.bots._sneak_turn import Turn as SneakTurn
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import DEFENDERS, SNIPER

GUARDED, SNEAKED = GuardStyle(), SneakStyle()


class Line(line.Line):
    """One possible continuation. `truth` is the sniper's picture. The other fields use public events only."""

    __slots__ = ("guess", "known", "public")

    truth: Picture

    def __init__(
        self, game: Game, truth: Picture, public: Picture, known: Whereabouts, guess: Guess, chance: Chance
    ) -> None:
        super().__init__(game, truth, chance)
        self.public, self.known, self.guess = public, known, guess

    def apply(self, told: Told) -> None:
        """Apply an event. The sniper receives all of them; only public events update the public information."""
        super().apply(told)
        # No list of seats means that the event is public.
        if told.audience.seats is None:
            before = self.public
            self.public = self.game.fold(before, told.event)
            self.known = self.known.after(before, told.event)
            self.guess = self.guess.after(before, told.event, self.known, self.public)

    def next_command(self, seat: str) -> Command:
        """Return the next command of the given side."""
        return self.sniper_command() if seat == SNIPER else self.defenders_command()

    def defenders_command(self) -> Command:
        """Return the defenders' command."""
        if self.public.pending is not None:
            return decision(self.game.legal(self.public, DEFENDERS), self.chance)
        return GuardTurn(self.public, self.known, self.guess.belief(self.known, self.public), GUARDED).best()

    def sniper_command(self) -> Command:
        """Return the sniper's command."""
        legal = self.game.legal(self.truth, SNIPER)
        return SneakTurn(self.truth, self.known, self.guess, legal, SNEAKED).best()


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


class EliteSearcher(Searcher, Follower):
    """Base class of the searching bots of both sides."""

    def __init__(self, game: Game, view: Picture) -> None:
        Searcher.__init__(self)
        Follower.__init__(self, game, view)

    def simulator(self, view: Picture, chance: Chance) -> Callable[[Command, int], Ended]:
        luck = self.seed(chance)
        deal = self._dealer(view, luck)
        return lambda act, number: self.simulate(deal(number), act, f"{luck}/{number}")

    def simulate(self, truth: Picture, command: Command | None, luck: str) -> Ended:
        line = self._line(truth, luck)
        mark, last = line.chance.mark(), truth.round + ROUNDS
        if command is not None:
            line.act(command)
        line.play_until(lambda now: now.truth.round >= last and now.truth.turn == SNIPER)
        value = outcome(line.truth, line.known, line.guess, line.public)
        # An unchanged mark means that nothing was random, so repeating the simulation is pointless.
        return self._valued(value, line.chance.mark() == mark)

    def line(self, view: Picture, luck: str) -> Line:
        return self._line(self._dealer(view, luck)(0), luck)

    def _line(self, truth: Picture, luck: str) -> Line:
        return Line(self._game, truth, in_public(self._view), self._known, self._guess, Chance(Random(luck)))

    def _valued(self, sniper: float, certain: bool) -> Ended:
        """Return the value of a simulation for its side, from the sniper's chance."""
        return Ended(sniper, certain)

    def _dealer(self, view: Picture, luck: int | str) -> Callable[[int], Picture]:
        """Return the truth for simulations by their number."""
        return lambda number: view


class SniperSearch(EliteSearcher):
    """The bot at the sniper's seat."""

    ends = c.EndSniperTurn

    def can_simulate(self, view: Picture, legal: Sequence[Command]) -> bool:
        return view.pending is None or view.pending.name in ("keep", "shoot-second")

    def choose_without_search(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        return max(legal, key=self._worth(view, legal))

    def candidates(self, view: Picture, legal: Sequence[Command], played: Command | None = None) -> Candidates:
        return shortlist(legal, self._worth(view, legal), WIDE, played), []

    def _worth(self, view: Picture, legal: Sequence[Command]) -> Callable[[Command], float]:
        return SneakTurn(view, self._known, self._guess, legal, SNEAKED).worth


class GuardSearch(EliteSearcher):
    """The bot at the defenders' seat."""

    ends = c.EndDefendersTurn

    def can_simulate(self, view: Picture, legal: Sequence[Command]) -> bool:
        return DEFENDERS_END in legal

    def choose_without_search(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        return decision(legal, chance)

    def candidates(self, view: Picture, legal: Sequence[Command], played: Command | None = None) -> Candidates:
        worth = GuardTurn(view, self._known, self._guess.belief(self._known, view), GUARDED).worth
        acts = shortlist([act for act in legal if worth(act) > VAIN], worth, NARROW, played)
        return acts, [SAY * max(-WOUND, min(WOUND, worth(act))) for act in acts]

    def _dealer(self, view: Picture, luck: int | str) -> Callable[[int], Picture]:
        belief, start = self._guess.belief(self._known, view), Random(luck).random()

        def deal(number: int) -> Picture:
            random = Random(f"{luck}/deal/{number}")
            return sample_truth(view, self._known, belief, random, even_quantile(start, number))

        return deal

    def _valued(self, sniper: float, certain: bool) -> Ended:
        # Never certain: even if nothing was random in this line, the next deal can differ.
        return Ended(1 - sniper)


def shortlist(
    legal: Sequence[Command], worth: Callable[[Command], float], width: int, played: Command | None = None
) -> list[Command]:
    """Return the best `width` acts, best first, the end of the turn, and the act that was played. Of similar acts, only
    the best counts.
    """
    found: dict[Hashable, tuple[float, Command]] = {}
    for command in legal:
        value, alike = worth(command), _alike(command)
        if alike not in found or value > found[alike][0]:
            found[alike] = value, command
    ranked = sorted(found.values(), key=lambda pair: -pair[0])
    ends = [command for _, command in ranked if isinstance(command, c.EndSniperTurn | c.EndDefendersTurn)]
    acts = [command for _, command in ranked[:width]]
    more = ends if played is None else [*ends, played]
    return acts + [command for command in dict.fromkeys(more) if command not in acts]


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
