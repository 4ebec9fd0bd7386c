"""The bots: how each level uses its Aids."""

from __future__ import annotations

from random import Random

from engine.chance import Chance
from firmware_host.core import bots
from games.stalingrad import GAME
from games.stalingrad.rules.commands import Commit, Play
from games.stalingrad.rules.picture import Picture, Player

NAMES = ("conscript", "hasty", "careful")


def rolling(card: str, hand: tuple[str, ...]) -> Picture:
    """Return a position in which player 1, with these Aids, is about to shoot at a target."""
    player = Player(hand=hand, hand_size=len(hand))
    options = GAME.read_options({})
    players = {"player-1": player, "player-2": Player()}
    return Picture(options=options, players=players, turn="player-1", phase="target", card=card, deck_size=30)


def chosen(name: str, view: Picture, seed: int = 1) -> object:
    """Return a bot's choice there."""
    bot = bots.bot_at_seat(name, GAME, "player-1", view)
    return bot.choose(view, GAME.legal(view, "player-1"), Chance(Random(seed)))


def test_there_is_a_bot_for_each_level() -> None:
    ranked = bots.ranked(GAME, "player-1")[:3]
    assert tuple(ranked) == NAMES
    assert [bots.find(GAME, name).level for name in ranked] == ["easy", "medium", "strong"]


def test_conscript_never_spends_an_aid() -> None:
    assert chosen("conscript", rolling("C08", ("C01", "C20"))) == Commit(())
    hunting = Picture(options=GAME.read_options({}), players=rolling("C08", ("C34",)).players, turn="player-1")
    assert not isinstance(chosen("conscript", hunting), Play)


def test_careful_bot_spends_aids_only_where_worth_it() -> None:
    assert chosen("careful", rolling("C08", ("C01", "C20"))) == Commit(("C01", "C20")), "five stars"
    assert chosen("careful", rolling("C04", ("C01", "C20"))) == Commit(()), "one star"


def test_hasty_bot_sometimes_wastes_aids() -> None:
    done = {chosen("hasty", rolling("C04", ("C01", "C20")), seed) for seed in range(20)}
    assert Commit(()) in done
    assert {Commit(("C01",)), Commit(("C20",))} <= done
