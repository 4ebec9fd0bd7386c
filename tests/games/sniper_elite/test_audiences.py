"""The audience of each event by the rules, compared with the events of random games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.events import Told
from engine.game import Command
from games.sniper_elite import GAME
from games.sniper_elite.rules import events
from games.sniper_elite.rules.commands import Attack, Complete, Decline, Move, Play, Save, Shoot
from tests.games.random_play import RandomGame
from tests.games.sniper_elite.duel import Duel, defenders_turn, sniper_turn
from tests.toys import grid

TO_ALL = """objective-shown specialists-chosen loadout-chosen miniature-removed alerted barked card-played distracted
    shot-declared drew revealed shot second-forfeited save-offered saved save-declined killed bag-gained looted
    objective-completed countdown turn-ended moved deployed dismissed scouted dog-placed mine-triggered intel attacked
    spotted swept wounded marked unmarked game-over opened"""
TO_THE_SNIPER = "objectives hand entry sniper-moved card-laid mine-laid target loot-drawn loot-kept"
AUDIENCES: dict[str, tuple[str, ...] | None] = {
    **dict.fromkeys(TO_ALL.split(), None),
    **dict.fromkeys(TO_THE_SNIPER.split(), ("sniper",)),
    "objective-deck": (),
}
"""Event -> its audience: None for all viewers, () for the referee only."""
NEST = {"ally-chosen", "ally-dealt", "bag-loaded", "ability-used", "ghost-revealed"}
"""Events of Eagle's Nest, whose audience depends on the ally: `test_nest.py` tests them."""
GAMES = 25


def kind(told: Told) -> str:
    """Return the event's name in the protocol."""
    return str(type(told.event).__struct_config__.tag)


def event_groups() -> Iterator[tuple[Told, ...]]:
    """Yield the events of random games, and of acts that are rare there: a wound, a bark, a save …"""
    for seed in range(GAMES):
        play = RandomGame(GAME, grid(), seed, {"experienced_sniper": ["C"] if seed % 2 else []})
        yield play.opening
        yield from (telling for _, _, telling in play.steps())
    yield acted(defenders_turn("c4", units={"red-1": "c4"}), "defenders", Attack("red-1"))
    yield acted(sniper_turn("b2"), "sniper", Complete(1))
    yield acted(sniper_turn("c4", units={}, dogs=["c5"]), "sniper", Move(("c5",)))
    medic = {"yellow": {"card": "scout"}, "red": {"card": "medic"}, "black": {"card": "jaeger"}}
    for answer in (Save("red-1"), Decline()):
        shooting = sniper_turn("c1", hand=["tommy-gun"], specialists=medic, bag={"aim": 3},
                               units={"red-1": "c2", "red-officer": "f8"})  # fmt: skip
        yield acted(shooting, "sniper", Play("tommy-gun"))
        yield acted(shooting, "sniper", Shoot("red-1", 1, 1))
        yield acted(shooting, "defenders", answer)


def acted(duel: Duel, seat: str, command: Command) -> tuple[Told, ...]:
    """Return the events of an act."""
    return duel.referee.submit(seat, command, duel.chance)


def test_every_event_is_in_the_table() -> None:
    assert {event.__struct_config__.tag for event in events.KINDS.values()} == set(AUDIENCES) | NEST


@pytest.mark.rule("MP-INFO-01", "MP-INFO-02")
def test_every_event_has_the_rule_book_s_audience() -> None:
    seen: set[str] = set()
    for telling in event_groups():
        for told in telling:
            assert told.audience.seats == AUDIENCES[kind(told)], kind(told)
            seen.add(kind(told))
    assert set(AUDIENCES) == seen


@pytest.mark.rule("MP-INFO-02")
def test_public_events_have_no_secret_fields() -> None:
    fields = {name: set(event.__struct_fields__) for event in events.KINDS.values() for name in [event.__name__]}
    public = {"Revealed", "ObjectiveCompleted", "Deployed", "Attacked", "Spotted", "Marked", "Unmarked"}
    public |= {"DogPlaced", "MineTriggered"}
    assert {name for name, known in fields.items() if "space" in known} == public | {"LootKept", "MineLaid"}
    assert {name for name, known in fields.items() if "spaces" in known} == {"Barked", "Swept"}
    assert {name for name, known in fields.items() if "path" in known} == {"SniperMoved"}
    assert {name for name, known in fields.items() if "cards" in known} == {
        *("Objectives", "Hand", "LootDrawn", "ObjectiveDeck"),
    }
