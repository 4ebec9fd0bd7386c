"""INFO: who learns what. The tests for leaks in whole games are in test_twins.py."""

from __future__ import annotations

from typing import Any

import pytest

from games.sniper_elite import GAME
from games.sniper_elite.rules import events
from games.sniper_elite.rules.cards import FULL_DECK
from tests.games.sniper_elite.duel import Duel, defenders_turn, plain, sniper_turn


def public(duel: Duel) -> dict[str, Any]:
    """Return the table's view as the protocol writes it."""
    view: dict[str, Any] = plain(GAME.view(duel.table))
    return view


@pytest.mark.rule("MP-INFO-01")
def test_everything_on_the_table_is_public() -> None:
    duel = sniper_turn(
        "c4",
        units={"red-1": "c6"},
        dogs=["a1"],
        wounds=1,
        countdown=4,
        specialists={"yellow": {"card": "medic", "uses": 1, "suppression": False}},
        face_down=["s-mine"],
        mines=["a1"],
        hand=["distraction", "tommy-gun"],
        miniature="c3",
        marks=["d1"],
    )
    view = public(duel)
    assert view["units"] == {**dict.fromkeys(GAME.standing(duel.table)), "red-1": "c6"}
    assert view["specialists"]["yellow"] == {"card": "medic", "uses": 1, "suppression": False}
    assert (view["dogs"], view["marks"], view["countdown"]) == (["a1"], ["d1"], 4)
    assert (view["sniper"]["wounds"], view["sniper"]["miniature"]) == (1, "c3")
    assert view["counts"] == {"hand": 2, "loot_deck": len(FULL_DECK) - 3, "face_down": 1, "looted": 0}
    assert view == plain(GAME.view(duel.defenders.view))


@pytest.mark.rule("MP-INFO-02")
def test_sniper_s_secrets_are_null_for_other_viewers() -> None:
    duel = sniper_turn("c1", mines=["a1"], face_down=["s-mine"], hand=["distraction"], looted=["a4"], entry="white")
    duel.sniper.loots()
    view = public(duel)
    secrets = ("space", "objectives", "hand", "face_down", "mines", "looted", "moved", "been", "log")
    assert {name: view["sniper"][name] for name in secrets} == dict.fromkeys(secrets)
    assert (view["entry"], view["loot_deck"], view["pending"]) == (None, None, None)
    mine = plain(GAME.view(duel.sniper.view))
    assert all(mine["sniper"][name] is not None for name in secrets)
    assert mine["pending"]["for"] == "keep"


@pytest.mark.rule("MP-INFO-12", "MP-INFO-13", "MP-INFO-14", "MP-INFO-15", "R-48")
def test_answers_are_public_and_yes_or_no() -> None:
    duel = defenders_turn("c5", units={"red-officer": "b6", "yellow-1": "c4", "black-1": "d5", "black-2": "b5"})
    duel.defenders.gather_intel("red")
    duel.defenders.attack("yellow-1")
    duel.defenders.sweep("black-2", "b4", "c5")
    duel.defenders.spot("black-1", "d4")
    assert duel.referee.told["table"] == [
        events.Intel("red", True),
        events.Attacked("yellow-1", "c4", False),
        events.Swept("black-2", ("b4", "c5"), True),
        events.Spotted("black-1", "d4", False),
    ]
    assert duel.sniper.knows == duel.defenders.knows == duel.referee.told["table"]


@pytest.mark.rule("MP-INFO-21")
def test_public_events_keep_their_order() -> None:
    duel = sniper_turn("c4", units={"red-1": "c6", "red-2": "b5"})
    duel.sniper.moves("d4", "d5")
    duel.sniper.ends_turn()
    assert [type(event) for event in duel.defenders.knows] == [events.TurnEnded]
    other = sniper_turn("c4", units={"red-1": "c6", "red-2": "d6"})
    other.sniper.shoots("red-1", aim=1, recoil=1)
    other.sniper.moves("d4", "d5")
    other.sniper.ends_turn()
    kinds = [type(event) for event in other.defenders.knows]
    assert kinds == [events.ShotDeclared, events.Drew, events.Shot, events.Alerted, events.TurnEnded]


@pytest.mark.rule("MP-INFO-22")
def test_log_is_the_sniper_s_secret_during_the_game() -> None:
    duel = sniper_turn("c4")
    duel.sniper.ends_turn()
    assert public(duel)["sniper"]["log"] is None
    assert public(duel)["opened"] is None
    assert plain(GAME.view(duel.sniper.view))["sniper"]["log"] == [[10, "c4"]]


@pytest.mark.rule("MP-INFO-23", "R-16")
def test_bag_is_part_of_the_public_picture() -> None:
    duel = sniper_turn("b2")
    duel.sniper.completes(1)
    assert public(duel)["bag"] == {"aim": 6, "noise": 3, "recoil": 3, "suppression": 0}
