"""Random games on several maps with several options: the invariants of each game."""

from __future__ import annotations

import functools
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.game import REFEREE, TABLE
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import Refused
from firmware_host.core import maps
from games.sniper_elite.rules.commands import Complete, Loot, Move, Shoot, ShootSecond
from games.sniper_elite_solo import GAME
from games.sniper_elite_solo.rules.cards import in_use
from games.sniper_elite_solo.rules.commands import AfterHit
from games.sniper_elite_solo.rules.options import card_set
from games.sniper_elite_solo.rules.picture import Picture
from tests.games.random_play import RandomGame
from tests.games.sniper_elite.duel import plain
from tests.games.sniper_elite_solo.ground import BOARD
from tests.toys import grid

rule = pytest.mark.rule
ALL = {f"CH-{number}": "both" for number in range(1, 7)}
TABLES: list[tuple[str, Any]] = [
    ("tm1", {}), ("launch-facility", {}), ("submarine-pens", {}), ("grid", {"cards": "SP"}),
    ("tm1", {"challenges": ALL}),
    ("submarine-pens", {"nest": {"ally": "AS-KARL", "gear": True}}),
    ("tm1", {"nest": {"ally": "AS-HARROW", "gear": True}}),
    ("grid", {"nest": {"ally": "AS-SABLE"}, "challenges": ALL}),
    ("submarine-pens", {"challenges": {"CH-2": "complications", "CH-5": "benefit"}}),
]  # fmt: skip
SEEDS = range(12)
every_table = pytest.mark.parametrize(("name", "options"), TABLES)


@functools.cache
def board_of(name: str) -> Map:
    """Return a toy map or an included one."""
    toys = {"tm1": BOARD, "grid": grid()}
    return toys[name] if name in toys else maps.load(name)


def games(name: str, options: Any) -> list[RandomGame]:
    """Return random games at their start."""
    return [RandomGame(GAME, board_of(name), seed, options) for seed in SEEDS]


@rule("SO-R-38", "SO-R-54", "SO-KEY-11", "SO-HIT-02", "SO-SET-07", "SO-R-40")
@every_table
def test_invariants(name: str, options: Any) -> None:
    for play in games(name, options):
        done = 0
        for _ in play.steps():
            truth: Picture = play.referee.truth
            done = max(done, len(truth.completed))
            check_tokens(truth)
            check_cards(truth)
            standing = [space for space in truth.units.values() if space is not None]
            assert len(set(standing)) == len(standing), "one defender a space"
            assert truth.hits <= truth.numbers.hit_cap
            assert truth.round <= 10 + 9 * done
            assert truth.over is not None or play.referee.legal("sniper"), "there is always something to do"


def check_tokens(p: Picture) -> None:
    """Assert that no token is lost or added."""
    assert p.in_bag("recoil") + p.stack.count("recoil") == p.recoil
    assert p.supply("noise") >= 0
    assert p.supply("aim") >= 0
    assert min(p.bag.values()) >= 0
    assert p.stack.count("noise") <= 2
    assert p.stack.count("recoil") <= 4


def check_cards(p: Picture) -> None:
    """Assert that every card is in exactly one place."""
    assert p.deck is not None
    assert len(p.deck) == p.deck_size
    if p.slots:
        cards = [*(slot.card for slot in p.slots), *p.deck, *p.discard]
        assert len(set(cards)) == len(cards) == 3 + p.numbers.deck_cards
        assert set(cards) <= set(in_use(card_set(p.map, p.options)))
    if p.over is None:
        assert [slot.face for slot in p.slots].count("down") == 1
    drawn = (p.pending.cards or ()) if p.pending else ()
    assert p.loot_deck is not None
    assert len(p.loot_deck) == p.loot_size
    assert Counter([*p.loot_deck, *p.hand, *p.used, *drawn]) == Counter(p.loadout)


@every_table
def test_every_state_reads_back_as_a_position(name: str, options: Any) -> None:
    chosen = GAME.read_options(options)
    for play in games(name, options)[:6]:
        for number, _ in enumerate(play.steps()):
            asked = play.referee.truth.pending is not None
            if number % 4 and not asked and play.referee.to_act:
                continue
            raw = plain(GAME.state(play.referee.truth))
            twin = Referee(GAME, GAME.position(play.referee.truth.map, chosen, raw, Chance(Random(5))))
            assert plain(GAME.state(twin.truth)) == raw
            for viewer in ("sniper", TABLE, REFEREE):
                assert plain(GAME.view(twin.pictures[viewer])) == plain(GAME.view(play.referee.pictures[viewer]))
            assert twin.legal("sniper") == play.referee.legal("sniper")


@rule("SO-R-36", "SO-MOV-02", "SO-MOV-06")
@every_table
def test_command_is_offered_exactly_if_it_is_allowed(name: str, options: Any) -> None:
    """Random commands are offered exactly if they are not refused."""
    for play in games(name, options)[:4]:
        random = Random(f"{name} {play.random.random()}")
        for _ in play.steps():
            view = play.referee.pictures["sniper"]
            legal = play.referee.legal("sniper")
            for command in [made_up(view, random) for _ in range(25)]:
                try:
                    found = GAME.check(view, "sniper", command)
                except Refused as why:
                    assert command not in legal, why.sentence
                else:
                    assert found in legal


def made_up(view: Picture, random: Random) -> Any:
    """Return a random command, legal or not."""
    spaces = list(view.terrain.enterable)
    units, near = list(view.units), [*view.map.adjacent[view.space]] if view.space else spaces
    path = [random.choice(near)]
    while random.random() < 0.6:
        path.append(random.choice(view.map.adjacent[path[-1]] or spaces))
    second = random.choice([None, None, random.randint(0, 8)])
    return random.choice(
        [
            Move(tuple(path)), Move(tuple(path)), Loot(), Shoot(),
            Shoot(random.choice(units), random.randint(1, 12), second),
            Complete(random.randint(1, 9)), ShootSecond(random.choice(units)), AfterHit("recoil", random.randint(1, 3)),
            AfterHit("aim"), AfterHit("noise"),
        ]
    )  # fmt: skip


@rule("SO-R-48", "SO-R-02")
@every_table
def test_no_viewer_sees_hidden_cards(name: str, options: Any) -> None:
    """No view names a card that is hidden from its viewer."""
    for play in games(name, options)[:6]:
        for _ in play.steps():
            truth: Picture = play.referee.truth
            if truth.over is not None:
                continue
            hidden = {*(truth.deck or ()), *(str(slot.card) for slot in truth.slots if slot.face == "down")}
            shown = {*truth.discard, *(str(slot.card) for slot in truth.slots if slot.face == "up")}
            for viewer in ("sniper", TABLE):
                words = msgspec.json.encode(GAME.view(play.referee.pictures[viewer]), enc_hook=str).decode()
                assert not any(f'"{card}"' in words for card in hidden)
                assert all(f'"{card}"' in words for card in shown)
            assert plain(GAME.view(play.referee.pictures[TABLE]))["sniper"]["objectives"] is None


@every_table
def test_games_that_differ_only_in_hidden_cards_look_the_same(name: str, options: Any) -> None:
    board, chosen = board_of(name), GAME.read_options(options)
    for seed in range(4):
        one = RandomGame(GAME, board, seed, options)
        raw = plain(GAME.state(one.referee.truth))
        other = {**raw, "deck": raw["deck"][::-1]}
        pictures = [GAME.position(board, chosen, state, Chance(Random(1))) for state in (raw, other)]
        for viewer in ("sniper", TABLE):
            assert pictures[0][viewer] == pictures[1][viewer]
