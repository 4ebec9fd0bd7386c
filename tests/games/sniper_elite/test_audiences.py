"""Who hears of which event: the table of the ledger's part 3.6, held against everything that random games tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest

from engine.games.sniper_elite import GAME, events
from engine.games.sniper_elite.commands import Attack
from engine.told import Told
from tests.games.random_play import RandomGame
from tests.games.sniper_elite.duel import defenders_turn
from tests.toys import grid

TO_ALL = """objective-shown specialists-chosen loadout-chosen miniature-removed alerted shot-declared drew revealed shot
    killed bag-gained looted objective-completed countdown turn-ended moved deployed dismissed intel attacked spotted
    swept wounded marked unmarked game-over opened"""
TO_THE_SNIPER = "objectives hand entry sniper-moved target loot-drawn loot-kept"
AUDIENCES: dict[str, tuple[str, ...] | None] = {
    **dict.fromkeys(TO_ALL.split(), None),
    **dict.fromkeys(TO_THE_SNIPER.split(), ("sniper",)),
    "objective-deck": (),
}
"""Event -> who hears of it: None everybody, () the referee alone."""
LATER = {"objective-shown"}
"""Comes with the difficulty options."""
GAMES = 25


def kind(told: Told) -> str:
    """The event's name in the protocol."""
    return str(type(told.event).__struct_config__.tag)


def tellings() -> Iterator[tuple[Told, ...]]:
    """All that is told in random games, and of a wound, which they seldom come to."""
    for seed in range(GAMES):
        play = RandomGame(GAME, grid(), seed)
        yield play.opening
        yield from (telling for _, _, telling in play.steps())
    duel = defenders_turn("c4", units={"red-1": "c4"})
    yield duel.referee.submit("defenders", Attack("red-1"), duel.chance)


def test_every_event_is_in_the_table() -> None:
    assert {event.__struct_config__.tag for event in get_args(events.AnyEvent)} == set(AUDIENCES)


@pytest.mark.rule("MP-INFO-01", "MP-INFO-02")
def test_no_event_is_told_to_others_than_the_ledger_says() -> None:
    seen: set[str] = set()
    for telling in tellings():
        for told in telling:
            assert told.audience.seats == AUDIENCES[kind(told)], kind(told)
            seen.add(kind(told))
    assert set(AUDIENCES) - seen == LATER


@pytest.mark.rule("MP-INFO-02")
def test_what_the_public_is_told_never_names_what_is_the_snipers_alone() -> None:
    fields = {name: set(event.__struct_fields__) for event in get_args(events.AnyEvent) for name in [event.__name__]}
    spaces = {"Revealed", "ObjectiveCompleted", "Deployed", "Attacked", "Spotted", "Marked", "Unmarked", "LootKept"}
    assert {name for name, known in fields.items() if "space" in known} == spaces
    assert {name for name, known in fields.items() if "path" in known} == {"SniperMoved"}
    assert {name for name, known in fields.items() if "cards" in known} == {
        *("Objectives", "Hand", "LootDrawn", "ObjectiveDeck"),
    }
