"""Search for the solo expert: simulate the best-rated commands and choose the best outcome.

Each simulation deals the hidden cards again, with their real probabilities: the defenders' deck, the face-down card,
and the cards removed at the start. The simulated sniper plays by the ratings and doesn't see the hidden cards.

The outcome is estimated by logistic regression on a few features, at the start of the sniper's turn. The weights were
fitted to the results of 9,400 games. Each game continued from a state of another game, with health, places, cards and
tokens changed at random. Without these changes, features that occur together would get wrong weights: a sniper who has
shot many defenders has often been found by many.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import exp
from random import Random
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from engine.bots import Kind
from engine.chance import Chance
from engine.events import Event
from engine.game import Command, Game
from engine.search.halving import Ended, best_of
from engine.search.searcher import Candidates, Line, Searcher
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.cards import without
from games.sniper_elite.rules.commands import Shoot
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.bots._rating import Rating, Style
from games.sniper_elite_solo.rules import events
from games.sniper_elite_solo.rules.cards import is_urgent
from games.sniper_elite_solo.rules.movement import is_noisy
from games.sniper_elite_solo.rules.picture import Pending, Picture
from games.sniper_elite_solo.rules.terrain import NO_WAY


class Memory(Struct, frozen=True):
    """What a seat remembers of the defenders' cards.

    `seen` are the cards that have been face up. `shuffled` are the seen cards that went back into the deck after the
    face-down card was laid, so the face-down card is none of them. `first`: the face-down card was laid at the start,
    so it is urgent.
    """

    seen: frozenset[str] = frozenset()
    shuffled: frozenset[str] = frozenset()
    first: bool = False

    def after(self, event: Event) -> Memory:
        match event:
            case events.SlotsLaid(slots):
                return Memory(frozenset(slot.card for slot in slots if slot.card is not None), first=True)
            case events.SoloCardTurned(card):
                return replace(self, seen=self.seen | {card})
            case events.Slotted(None):
                return Memory(self.seen)
            case events.Slotted(str(card)):
                return replace(self, seen=self.seen | {card})
            case events.DeckShuffled():
                return replace(self, shuffled=self.seen)
        return self


def sample_truth(view: Picture, memory: Memory, random: Random) -> Picture:
    """Return a random truth that is possible for the sniper, who sees `view`."""
    hidden, deck = _solo_cards(view, memory, random)
    slots = tuple(replace(slot, card=hidden) if slot.card is None else slot for slot in view.slots)
    drawn = () if view.pending is None else view.pending.cards or ()
    left = without(view.loadout, (*view.hand, *view.used, *drawn))
    loot = left if len(left) == view.loot_size else tuple(random.sample(left, view.loot_size))
    return replace(view, slots=slots, deck=deck, loot_deck=loot, pending=_pending(view, random))


def _solo_cards(view: Picture, memory: Memory, random: Random) -> tuple[str | None, tuple[str, ...]]:
    """Return the face-down card, if any, and the deck."""
    open_cards = {slot.card for slot in view.slots} | set(view.discard)
    closed, seen = [card for card in view.cards_in_use if card not in open_cards], memory.seen | open_cards
    down = view.hidden_card
    # An urgent card that was never seen is either the one removed at the start or the first face-down card.
    never = [card for card in closed if card not in seen and is_urgent(card)]
    rest = [card for card in closed if card not in never]
    # The first face-down card is urgent, so it is one of those never seen.
    if down and memory.first and never:
        return random.choice(never), _deck(rest, seen, view.deck_size, random)
    number = view.deck_size + down
    cards = _deck(rest if len(rest) >= number else closed, seen, number, random)
    if not down:
        return None, cards
    # Cards shuffled back after the face-down card was laid can't be that card.
    hidden = random.choice([card for card in cards if card not in memory.shuffled] or cards)
    return hidden, tuple(card for card in cards if card != hidden)


def _deck(cards: list[str], seen: frozenset[str | None], number: int, random: Random) -> tuple[str, ...]:
    """Return `number` of the cards in random order, among them all `seen`, which were shuffled back."""
    back = [card for card in cards if card in seen]
    others = [card for card in cards if card not in seen]
    found = [*back, *random.sample(others, number - len(back))]
    random.shuffle(found)
    return tuple(found)


def _pending(view: Picture, random: Random) -> Pending | None:
    """Return the pending question. If an objective is to be returned, add the remaining objectives."""
    if view.pending is None or view.pending.name != "return-objective":
        return view.pending
    deck = [number for number in view.terrain.objectives if number not in view.mine]
    random.shuffle(deck)
    return replace(view.pending, deck=tuple(deck))


LONGEST: Final = 20  # Upper limit of a path length
STRIDE: Final = 2.0  # Average spaces per turn
LOW: Final = 4  # Number of hits left from which on each one matters more
UNWOUNDED: Final = 4  # Additional hits left before the first wound

WEIGHTS: Final = {
    "constant": 2.67,
    "two to do": -2.58,
    "health": 0.22,
    "low health": 0.23,
    "way": -0.08,
    "way to the first": -0.15,
    "late": 1.18,
    "turns to spare": 0.08,
    "close by": -0.14,
    "near": -0.06,
    "suspected": -0.26,
    "guarded": -0.32,
    "aim": 0.1,
    "noise": -0.21,
    "hand": 0.07,
    "defenders": -0.15,
    "possible": 0.22,
    "veteran deck": -1.58,
}


def features(p: Picture) -> dict[str, float]:
    """Return the features that `WEIGHTS` applies to. The game must not be over."""
    terrain, units = p.terrain, tuple(p.on_board.values())
    goals = [terrain.objectives[number] for number in p.undone]
    ways = [min(terrain.distance(p.space, goal), LONGEST) for goal in goals]
    # With two goals, pairing the list with its reverse gives the distances in both directions.
    between = [min(terrain.distance(goal, other), LONGEST) for goal, other in zip(goals, reversed(goals), strict=True)]
    first = min(ways)
    # The deck limits the time: it loses one card a turn, and the last objective must be reached before it is empty.
    spare = p.deck_size - (first + 1) / STRIDE
    health = len(p.stack) + UNWOUNDED * (p.wounds == 0)
    away = [terrain.distance(unit, p.space) for unit in units]
    guards = [min((terrain.distance(unit, goal) for unit in units), default=NO_WAY) for goal in goals]
    return {
        "constant": 1,
        "two to do": len(goals) == 2,
        "health": health,
        "low health": min(health, LOW),
        "way": min(map(sum, zip(ways, between, strict=True))),
        "way to the first": first,
        "late": min(0.0, spare),
        "turns to spare": min(max(spare, 0.0), 6.0),
        "close by": sum(steps <= 2 for steps in away),
        "near": sum(2 < steps <= 5 for steps in away),
        "suspected": terrain.sector_of[str(p.space)] == p.lks,
        "guarded": sum(steps <= 1 for steps in guards),
        "aim": p.bag["aim"],
        "noise": p.bag["noise"],
        "hand": len(p.hand),
        "defenders": len(units),
        "possible": len(p.possible),
        "veteran deck": p.options.deck == "veteran",
    }


def win_probability(p: Picture) -> float:
    """Return the probability that the sniper wins. Return 0 or 1 once the game is over."""
    if p.over is not None:
        return float(p.over.winner == SNIPER)
    return 1 / (1 + exp(-sum(WEIGHTS[name] * value for name, value in features(p).items())))


FIRST: Final = Style(fear=0.4, looks=24, shoots=True)  # Rating style before the search
ON: Final = Style(fear=1.0, looks=0, shoots=True)  # Rating style in a simulation
SAY: Final = 0.03
"""Weight of one hit in the rating, relative to the win probability from few, noisy simulations."""
WORST: Final = 2.0  # Maximum number of hits by which a rating counts as worse than the best
ROUNDS: Final = 3  # Number of defender turns in a simulation


class SoloLine(Line):
    """One simulation."""

    __slots__ = ()

    truth: Picture

    def next_command(self, seat: str) -> Command:
        return max(self.game.legal(self.truth, seat), key=Rating(self.truth, ON).value)


class SoloSearcher(Searcher):
    """The expert bot at its seat. It remembers which of the defenders' cards have been face up."""

    ends, width = c.EndSniperTurn, 8

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._memory = Memory()

    def told(self, event: Event) -> None:
        """Remember the defenders' cards."""
        self._memory = self._memory.after(event)

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        rating = _rated(view, legal)
        commands, simulate = self.shortlist(view, legal, rating.value), self.simulator(view, chance)
        best = max(map(rating.value, commands))

        def line(command: Command, number: int) -> Ended:
            # A few simulations are noisy, so the rating decides near ties.
            ended = simulate(command, number)
            return ended._replace(value=ended.value - SAY * min(WORST, best - rating.value(command)))

        return best_of(commands, line, self.budget)

    def candidates(self, view: Picture, legal: Sequence[Command], played: Command | None = None) -> Candidates:
        return self.shortlist(view, legal, _rated(view, legal).value, played), []

    def likeness(self, view: Picture, command: Any) -> Hashable:
        match command:
            case c.Move(path):
                return "move", path[-1], is_noisy(view, path)
            case Shoot(target):
                return "shoot", target, command.second is None
            case c.Play(card, unit):
                return "play", card, unit
        return super().likeness(view, command)

    def dealer(self, view: Picture, luck: int | str) -> Callable[[int], Picture]:
        return lambda number: sample_truth(view, self._memory, Random(f"{luck}/{number}/deal"))

    def line_from(self, truth: Picture, luck: str) -> SoloLine:
        return SoloLine(self._game, truth, Chance(Random(luck)))

    def is_done(self, line: SoloLine, start: Picture) -> bool:
        return line.truth.round >= start.round + ROUNDS

    def ended(self, line: SoloLine, certain: bool) -> Ended:
        # A defenders' turn rolls a die. Without one, the game ended before hidden cards mattered.
        return Ended(win_probability(line.truth), certain)


def _rated(view: Picture, legal: Sequence[Command]) -> Rating:
    rating = Rating(view, FIRST)
    rating.look_ahead(legal)
    return rating


SNIPER_KIND = Kind(lambda game, seat, view: SoloSearcher(game), (SNIPER,), "expert", thinks=True)
