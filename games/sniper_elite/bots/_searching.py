"""Search for both sides: simulate the acts with the best ratings and choose the best outcome.

The sniper knows everything that matters, so its simulations differ only by luck. The simulated defenders act on public
information. For the defenders, each simulation samples the sniper's secrets again, according to their belief.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from engine.bots import Kind
from engine.chance import Chance
from engine.events import Told
from engine.game import Command, Game
from engine.search import searcher
from engine.search.halving import Ended
from engine.search.searcher import Candidates, Searcher
from games.sniper_elite.bots._belief import Belief, Follower, Guess, in_public
from games.sniper_elite.bots._fields import step_table
from games.sniper_elite.bots._guard_turn import END as DEFENDERS_END
from games.sniper_elite.bots._guard_turn import WOUND, decision
from games.sniper_elite.bots._guard_turn import Style as GuardStyle
from games.sniper_elite.bots._guard_turn import Turn as GuardTurn
from games.sniper_elite.bots._outcome import outcome
from games.sniper_elite.bots._sneak_turn import Style as SneakStyle
from games.sniper_elite.bots._sneak_turn import Turn as SneakTurn
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.cards import full_deck, without
from games.sniper_elite.rules.ground import Secret, spaces_by_state
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.picture import Dossier, Picture
from games.sniper_elite.rules.setup import loadout_size, start_bag
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import DEFENDERS, SNIPER

DISTANCE_DECAY = 0.6
"""Factor per step by which an objective's weight falls with its distance from the sniper's space."""
GOLDEN = (5**0.5 - 1) / 2
MINES = 2  # Number of S-Mines in the game


def even_quantile(start: float, number: int) -> float:
    """Return a quantile from 0 to 1 for each `number` from 0 on, evenly spread (Weyl's golden-ratio sequence)."""
    return (start + number * GOLDEN) % 1


def sample_truth(view: Picture, whereabouts: Whereabouts, belief: Belief, random: Random, quantile: float) -> Picture:
    """Return a possible truth for the defenders, who see `view` in their own turn.

    `quantile`, from 0 to 1, selects the sniper's space, so a few truths can cover all its possible spaces. Everything
    else is random.
    """
    ground = whereabouts.ground
    index = _at(belief, quantile)
    secret = _secret(view, whereabouts, index, random)
    named = _named(view, random) if view.in_the_dark else view
    # A face-down card that doesn't mask a movement is a mine.
    # There are only MINES of those, so any further face-down card masks.
    masks = max(secret.maskings, view.face_down_size - MINES)
    mines = view.face_down_size - masks
    down = (*["sound-masking"] * masks, *["s-mine"] * mines)
    unplayed = without(full_deck(view), (*view.face_up, *down))
    hand = tuple(random.sample(unplayed, min(named.hand_size, len(unplayed))))
    deck = without(unplayed, hand)
    # The bits after the spaces are the arrows of a sniper that hasn't entered yet.
    inside = index < len(ground.names)
    dossier = Dossier(
        space=ground.names[index] if inside else None,
        entry=None if inside else next(sector for sector, arrow in ground.arrow.items() if arrow >> index & 1),
        objectives=secret.objectives,
        hand=hand,
        face_down=down,
        # Deduction doesn't follow mines, so each can lie on any space.
        mines=tuple(random.choice(ground.names) for _ in range(mines)),
        looted=ground.spaces(secret.looted),
        loot_deck=deck,
    )
    return replace(named, dossier=dossier, hand_size=len(hand), deck_size=len(deck))


def _at(belief: Belief, quantile: float) -> int:
    """Return the index of the space at a quantile of the belief, with the most likely spaces first."""
    reached = list(accumulate(weight for weight, _ in belief.ranked))
    number = min(bisect_right(reached, quantile), len(reached) - 1)
    return belief.ranked[number][1].bit_length() - 1


def _secret(view: Picture, whereabouts: Whereabouts, index: int, random: Random) -> Secret:
    """Return a secret that fits a space. Objectives near the space are more likely."""
    ground = whereabouts.ground
    fitting = sorted(
        secret
        for spots, secrets in whereabouts.stands.items()
        if any(part >> index & 1 for part in spaces_by_state(ground, spots))
        for secret in secrets
    )
    weights = []
    for secret in fitting:
        goals = [view.sites.objectives[number] for number in secret.objectives if number not in view.completed]
        # The constant keeps secrets with distant objectives possible.
        weights.append(0.2 + sum(DISTANCE_DECAY ** step_table(ground)[ground.index[goal]][index] for goal in goals))
    return random.choices(fitting, weights)[0]


def _named(view: Picture, random: Random) -> Picture:
    """Return the view with a random allied sniper in place of the ghost, and all public changes since the start."""
    ally = random.choice(sorted(ALLIES))
    start = start_bag(view.options, ally)
    # In the picture of an unknown ghost, the bag holds only public changes, which can be negative.
    bag = {token: max(0, number + view.bag[token]) for token, number in start.items()}
    return replace(view, ally=ally, bag=bag, hand_size=max(0, loadout_size(view.options, ally) + view.hand_size))


GUARDED, SNEAKED = GuardStyle(), SneakStyle()


class Line(searcher.Line):
    """One possible continuation. `truth` is the sniper's picture. The other fields use public events only."""

    __slots__ = ("guess", "public", "whereabouts")

    truth: Picture

    def __init__(
        self, game: Game, truth: Picture, public: Picture, whereabouts: Whereabouts, guess: Guess, chance: Chance
    ) -> None:
        super().__init__(game, truth, chance)
        self.public, self.whereabouts, self.guess = public, whereabouts, guess

    def apply(self, told: Told) -> None:
        """Apply an event. The sniper receives all of them; only public events update the public information."""
        super().apply(told)
        # No list of seats means that the event is public.
        if told.audience.seats is None:
            before = self.public
            self.public = self.game.fold(before, told.event)
            self.whereabouts = self.whereabouts.after(before, told.event)
            self.guess = self.guess.after(before, told.event, self.whereabouts, self.public)

    def next_command(self, seat: str) -> Command:
        return self.sniper_command() if seat == SNIPER else self.defenders_command()

    def defenders_command(self) -> Command:
        if self.public.pending is not None:
            return decision(self.game.legal(self.public, DEFENDERS), self.chance)
        return GuardTurn(
            self.public, self.whereabouts, self.guess.belief(self.whereabouts, self.public), GUARDED
        ).best()

    def sniper_command(self) -> Command:
        legal = self.game.legal(self.truth, SNIPER)
        return SneakTurn(self.truth, self.whereabouts, self.guess, legal, SNEAKED).best()

    def outcome(self) -> float:
        """Return the probability that the sniper wins."""
        return outcome(self.truth, self.whereabouts, self.guess, self.public)


ROUNDS: Final = 3
"""Most rounds in a simulation, which ends at the start of the sniper's turn.

After two rounds, the estimated outcome misled both sides, compared with games played to the end. More than three rounds
gained the defenders little for the time. The sniper would gain from more, but only against defenders that act as its
simulations assume.
"""
LEAST_LINES: Final = 6
"""Lines that a decision should have. With less time, they end after fewer rounds: few long lines show little, and the
last one ends late.
"""
NOT_SIMULATED: Final = -1.0
"""Rating of defender acts that aren't simulated: tracking cubes, and questions whose answer is known."""
RATING_WEIGHT: Final = 0.012
"""Win probability per rating point (a tenth of a certain wound), used when simulations don't decide."""


class EliteSearcher(Searcher, Follower):
    """Base class of the searching bots of both sides."""

    def __init__(self, game: Game, view: Picture) -> None:
        Searcher.__init__(self, game)
        Follower.__init__(self, game, view)
        self._rounds, self._lines, self._seconds_per_round = ROUNDS, 0, 0.0

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act with the best simulated outcome. The time that lines took before decides how long they are."""
        self._rounds, self._lines, clock = ROUNDS, 0, self.budget.clock
        if clock is None:
            return super().choose(view, legal, chance)
        if self._seconds_per_round:
            affordable = int(self.budget.seconds / (LEAST_LINES * self._seconds_per_round))
            self._rounds = max(1, min(ROUNDS, affordable))
        start = clock()
        act = super().choose(view, legal, chance)
        if self._lines:
            self._seconds_per_round = (clock() - start) / (self._lines * self._rounds)
        return act

    def line_from(self, truth: Picture, luck: str) -> Line:
        self._lines += 1
        return Line(self._game, truth, in_public(self._view), self._whereabouts, self._guess, Chance(Random(luck)))

    def is_done(self, line: Line, start: Picture) -> bool:
        return line.truth.round >= start.round + self._rounds and line.truth.turn == SNIPER

    def likeness(self, view: Picture, command: Any) -> Hashable:
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
        return super().likeness(view, command)


class SniperSearch(EliteSearcher):
    """The bot at the sniper's seat."""

    ends, width = c.EndSniperTurn, 14

    def can_simulate(self, view: Picture, legal: Sequence[Command]) -> bool:
        return view.pending is None or view.pending.name in ("keep", "shoot-second")

    def choose_without_search(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        return max(legal, key=self._worth(view, legal))

    def candidates(self, view: Picture, legal: Sequence[Command], played: Command | None = None) -> Candidates:
        return self.shortlist(view, legal, self._worth(view, legal), played), []

    def dealer(self, view: Picture, luck: int | str) -> Callable[[int], Picture]:
        return lambda number: view

    def ended(self, line: Line, certain: bool) -> Ended:
        return Ended(line.outcome(), certain)

    def _worth(self, view: Picture, legal: Sequence[Command]) -> Callable[[Command], float]:
        return SneakTurn(view, self._whereabouts, self._guess, legal, SNEAKED).worth


class GuardSearch(EliteSearcher):
    """The bot at the defenders' seat. Its results depend on hidden information, so each act needs more simulations."""

    ends, width = c.EndDefendersTurn, 7

    def can_simulate(self, view: Picture, legal: Sequence[Command]) -> bool:
        return DEFENDERS_END in legal

    def choose_without_search(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        return decision(legal, chance)

    def candidates(self, view: Picture, legal: Sequence[Command], played: Command | None = None) -> Candidates:
        worth = GuardTurn(view, self._whereabouts, self._guess.belief(self._whereabouts, view), GUARDED).worth
        acts = self.shortlist(view, [act for act in legal if worth(act) > NOT_SIMULATED], worth, played)
        return acts, [RATING_WEIGHT * max(-WOUND, min(WOUND, worth(act))) for act in acts]

    def dealer(self, view: Picture, luck: int | str) -> Callable[[int], Picture]:
        belief, start = self._guess.belief(self._whereabouts, view), Random(luck).random()

        def deal(number: int) -> Picture:
            random = Random(f"{luck}/deal/{number}")
            return sample_truth(view, self._whereabouts, belief, random, even_quantile(start, number))

        return deal

    def ended(self, line: Line, certain: bool) -> Ended:
        # Never certain: even if nothing was random in this line, the next deal can differ.
        return Ended(1 - line.outcome())


SNIPER_KIND = Kind(lambda game, seat, view: SniperSearch(game, view), (SNIPER,), "expert", thinks=True)
DEFENDERS_KIND = Kind(lambda game, seat, view: GuardSearch(game, view), (DEFENDERS,), "expert", thinks=True)
