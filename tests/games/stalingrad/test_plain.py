"""Compare random games with the plain second implementation: legal commands, events and truth after every act."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from games.stalingrad.rules.cards import CARDS
from tests.games.protocol_client import Json, Table
from tests.games.stalingrad.plain import DECK, ROWS, PlainGame
from tests.games.stalingrad.table import SWITCHES, new, options

TYPES = {"T": "target", "D": "danger", "A": "aid", "N": "nothing"}
OFF = [off for size in range(5) for off in combinations(SWITCHES, size)]


@pytest.mark.rule("ST-CMP-01", "ST-CMP-02", "ST-R-24")
def test_cards_match_the_rule_book() -> None:
    assert len(DECK.split("\n")) == 69 + 2
    for name, title, kind, stars, letter, amount in ROWS:
        card = CARDS[name]
        assert (card.title, card.kind, card.stars, card.amount) == (title, TYPES[kind], int(stars), int(amount))
        assert (card.letter or "-") == (letter if kind == "A" else "-")
    assert [name for name, *_ in ROWS] == list(CARDS)
    assert len({card.title for card in CARDS.values()}) == 69


class Pair:
    """A game and its copy in the plain implementation. The copy acts first, and its dice are forced on the game."""

    def __init__(self, players: int, off: tuple[str, ...], seed: int) -> None:
        self.random = Random(seed)
        self.dice: list[tuple[str, int]] = []
        deck = self.random.sample(list(CARDS), 69)
        self.plain = PlainGame(players, set(off), deck, self.roll)
        self.game: Table = new(players, off=off, chance=[["deck", deck], *self.dice])

    def roll(self, kind: str) -> int:
        self.dice.append((kind, self.random.choice((0, 0, *range(10)))))
        return self.dice[-1][1]

    def step(self) -> list[Json]:
        seat = self.plain.game["turn"]
        menu = self.plain.legal()
        sorts: dict[str, list[Json]] = {}
        for action in menu:
            sorts.setdefault(action["type"], []).append(action)
        action = self.random.choice(sorts[self.random.choice(list(sorts))])
        assert self.game.ask("legal", seat=seat) == menu
        self.dice = []
        told = self.plain.act(action)
        answer = self.game.ask("act", seat=seat, action=action, chance=self.dice)
        assert answer["events"] == [{**event, "told": "all"} for event in told]
        assert answer["to_act"] == ([] if self.plain.game["turn"] is None else [self.plain.game["turn"]])
        return told


@pytest.mark.rule("ST-R-30", "ST-R-29", "ST-R-25")
@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("off", OFF, ids=" ".join)
def test_random_game_matches_the_plain_rules(number: int, off: tuple[str, ...]) -> None:
    # Half of the combinations of players and rulings, which still test each number of players with many rulings.
    players = 2 * number + 1 + OFF.index(off) % 2
    pair = Pair(players, off, seed=players * 100 + OFF.index(off))
    assert pair.game.ask("events", seat="table") == pair.plain.told
    while pair.plain.game["turn"] is not None:
        pair.step()
        assert pair.game.state() == pair.plain.state()
        others = [name for name in pair.plain.seats if name != pair.plain.game["turn"]]
        assert all(pair.game.ask("legal", seat=name) == [] for name in others)


def test_every_moment_can_be_described_as_a_position() -> None:
    for number, off in enumerate(OFF[::3]):
        pair = Pair(2 + number % 3, off, number)
        for _ in range(60):
            if pair.plain.game["turn"] is None:
                break
            pair.step()
            twin = Table()
            chosen = options(len(pair.plain.seats), off)
            twin.ask("position", game="stalingrad", options=chosen, position=pair.plain.state())
            assert twin.state() == pair.plain.state()
            for name in ("table", *pair.plain.seats):
                assert twin.ask("view", seat=name) == pair.game.ask("view", seat=name)
