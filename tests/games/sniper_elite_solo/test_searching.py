"""The expert bot: its samples of hidden cards, and its choices in simple positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.game import REFEREE, Command
from engine.referee import Referee
from engine.search.budget import Budget
from firmware_host.core import maps
from firmware_host.seats.players import BotPlayer
from games.sniper_elite.rules.commands import Complete
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo import GAME
from games.sniper_elite_solo.bots._rating import Rating, Style
from games.sniper_elite_solo.bots._searching import Memory, SoloLine, SoloSearcher, sample_truth
from games.sniper_elite_solo.rules.cards import is_urgent
from games.sniper_elite_solo.rules.events import DeckShuffled, Slotted
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.validation import validate_position
from tests.depth import DEPTH
from tests.games.random_play import RandomGame

LINES = Budget(16)
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("launch-facility", {}),
    ("submarine-pens", {"deck": "veteran"}),
    ("launch-facility", {"deck": "veteran", "nest": {"ally": "AS-KARL", "gear": True}}),
    ("submarine-pens", {"challenges": {"CH-6": "both"}}),
)


class Careful:
    """A game of the careful bot, which lasts longer than a random one."""

    def __init__(self, board: str, options: dict[str, Any], seed: int, bot: str = "careful") -> None:
        drawn, chosen = maps.load(board), GAME.read_options(options)
        self.referee, self.chance = Referee(GAME, GAME.blank(drawn, chosen)), Chance(Random(seed))
        self.player = BotPlayer(bot, GAME, SNIPER, self.referee.pictures[SNIPER], Chance(Random(seed)), LINES)
        self.memory, self._heard = Memory(), 0
        self.not_down: set[str] = set()
        """Cards that were face up before the last reshuffle, so that the face-down card is none of them."""
        self.referee.tell(GAME.setup(drawn, chosen, self.chance))

    @property
    def view(self) -> Picture:
        """The seat's picture."""
        found: Picture = self.referee.pictures[SNIPER]
        return found

    @property
    def truth(self) -> Picture:
        """The referee's picture."""
        found: Picture = self.referee.pictures[REFEREE]
        return found

    def acts(self, most: int = 1000) -> Iterator[Command]:
        """Yield each act before it is made."""
        for _ in range(most):
            if not self.referee.to_act:
                return
            self._remember()
            command = self.player.ask(self.referee)
            yield command
            self.referee.submit(SNIPER, command, self.chance)

    def _remember(self) -> None:
        told = self.referee.told[SNIPER]
        for event in told[self._heard :]:
            if isinstance(event, DeckShuffled):
                self.not_down = set(self.memory.seen)
            elif isinstance(event, Slotted) and event.face == "down":
                self.not_down = set()
            self.memory = self.memory.after(event)
        self._heard = len(told)


def seen_of(truth: Picture, view: Picture) -> Picture:
    """Return a truth as the viewer of `view` sees it."""
    slots = tuple(replace(slot, card=None) if slot.face == "down" else slot for slot in truth.slots)
    pending = truth.pending
    if pending is not None and pending.name == "return-objective":
        pending = replace(pending, deck=None)
    return replace(truth, slots=slots, deck=None, loot_deck=None, pending=pending)


@pytest.mark.parametrize(("board", "options"), GAMES)
@pytest.mark.parametrize("seed", range(2 * DEPTH))
def test_sampled_truth_is_possible_and_fits_the_view(board: str, options: dict[str, Any], seed: int) -> None:
    game = Careful(board, options, seed)
    for number, _ in enumerate(game.acts()):
        truth = sample_truth(game.view, game.memory, Random(number))
        validate_position(truth)
        assert seen_of(truth, game.view) == game.view
        assert truth.deck is not None
        assert len(truth.deck) == truth.deck_size
        assert Counter(truth.loot_deck) == Counter(game.truth.loot_deck)


@pytest.mark.parametrize(("board", "options"), GAMES)
@pytest.mark.parametrize("seed", range(3 * DEPTH))
def test_memory_is_true_and_kept_in_samples(board: str, options: dict[str, Any], seed: int) -> None:
    """Reshuffled cards are in the deck, and the face-down card is one that it can be."""
    game = Careful(board, options, seed)
    shuffled = False
    for number, _ in enumerate(game.acts()):
        view, memory = game.view, game.memory
        back = memory.seen - {slot.card for slot in view.slots} - set(view.discard)
        shuffled = shuffled or bool(back)
        for truth in (game.truth, *(sample_truth(view, memory, Random(f"{number}/{again}")) for again in range(5))):
            down = {slot.card for slot in truth.slots if slot.face == "down"}
            assert back <= set(truth.deck or ()) | down
            assert not down & game.not_down
            assert not memory.first or all(card and is_urgent(card) and card not in memory.seen for card in down)
    assert shuffled or len(game.view.completed) != 1


def test_removed_cards_are_sampled_evenly() -> None:
    game = Careful("launch-facility", {"deck": "veteran"}, 1)
    next(game.acts())
    dealings = [sample_truth(game.view, game.memory, Random(number)) for number in range(2000)]
    cards = Counter(card for truth in dealings for card in truth.deck or ())
    usable = game.view.cards_in_use
    assert set(cards) == {card for card in usable if not is_urgent(card)}
    assert all(0.78 < count / 2000 < 0.86 for count in cards.values()), "nine of eleven are in the deck"
    downs = Counter(slot.card for truth in dealings for slot in truth.slots if slot.face == "down")
    assert len(downs) == 2
    assert all(0.45 < count / 2000 < 0.55 for count in downs.values())
    tops = Counter(truth.deck[0] for truth in dealings if truth.deck)
    assert all(0.06 < count / 2000 < 0.12 for count in tops.values())


def test_reshuffled_cards_are_spread_over_the_deck() -> None:
    game = Careful("launch-facility", {}, 1)
    for _ in game.acts():
        back = game.memory.seen - {slot.card for slot in game.view.slots} - set(game.view.discard)
        if len(back) > 2 and game.view.deck_size > len(back) + 2:
            break
    dealings = [sample_truth(game.view, game.memory, Random(number)).deck or () for number in range(400)]
    for place in (0, -1):
        share = sum(deck[place] in back for deck in dealings) / 400
        assert abs(share - len(back) / game.view.deck_size) < 0.12


def test_expert_plays_from_any_position() -> None:
    game = RandomGame(GAME, maps.load("submarine-pens"), seed=3, options={"deck": "veteran"})
    for number, _ in zip(range(60), game.steps(), strict=False):
        view = game.referee.pictures[SNIPER]
        if not game.referee.to_act:
            return
        validate_position(sample_truth(view, Memory(), Random(number)))
        if not number % 6:
            bot = SoloSearcher(GAME)
            bot.budget = LINES
            legal = game.referee.legal(SNIPER)
            assert bot.choose(view, legal, Chance(Random(number))) in legal


def test_expert_is_deterministic() -> None:
    one, other = (Careful("launch-facility", {"deck": "veteran"}, 2, "cunning") for _ in range(2))
    assert list(one.acts(12)) == list(other.acts(12))


def test_expert_without_budget_follows_the_ratings() -> None:
    game = Careful("launch-facility", {"deck": "veteran"}, 4)
    for _ in game.acts(20):
        legal = game.referee.legal(SNIPER)
        moment = Rating(game.view, Style(fear=0.4, looks=24, shoots=True))
        moment.look_ahead(legal)
        found = SoloSearcher(GAME).choose(game.view, legal, Chance(Random(1)))
        assert moment.value(found) == max(map(moment.value, legal))


def test_shortlist_has_each_kind_once_and_the_end_of_turn() -> None:
    game = Careful("launch-facility", {}, 5)
    tried = 0
    for _ in game.acts():
        legal = game.referee.legal(SNIPER)
        rating = Rating(game.view, Style(fear=1.0, looks=0, shoots=True))
        acts = SoloSearcher(GAME).shortlist(game.view, legal, rating.value)
        ways = [command.path[-1] for command in acts if type(command).__name__ == "Move" and len(command.path) > 1]
        assert len(ways) == len(set(ways))
        assert [type(command).__name__ for command in acts].count("EndSniperTurn") == any(
            type(command).__name__ == "EndSniperTurn" for command in legal
        )
        tried += len(acts)
    assert tried


def test_expert_completes_the_last_objective_at_once() -> None:
    game = Careful("launch-facility", {"deck": "veteran"}, 6)
    for _ in game.acts():
        if game.view.space is not None and game.view.pending is None and not game.view.acted:
            break
    first, last = game.view.mine
    there = replace(game.view, space=game.view.terrain.objectives[last], completed=(first,))
    bot = SoloSearcher(GAME)
    bot.budget = Budget(40)
    assert bot.choose(there, GAME.legal(there, SNIPER), Chance(Random(1))) == Complete(last)


def test_line_ends_on_time_and_leaves_the_truth_unchanged() -> None:
    game = Careful("launch-facility", {}, 7)
    for _ in game.acts(10):
        pass
    truth = game.truth
    line = SoloLine(GAME, truth, Chance(Random(1)))
    line.play_until(lambda now: now.truth.round >= truth.round + 2)
    assert line.truth.over is not None or line.truth.round == truth.round + 2
    assert game.truth is truth
    line.play_until(lambda now: False)
    assert line.to_act is None
