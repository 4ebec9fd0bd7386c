"""SHOOT and BAG: the shot and its effect on the bag."""

from __future__ import annotations

from typing import Any

import pytest

from engine.refusal import NotUnderstood
from games.sniper_elite import GAME
from games.sniper_elite.rules import events
from games.sniper_elite.rules.commands import Shoot
from games.sniper_elite.rules.words import START_BAG
from tests.games.sniper_elite.duel import SPECIALISTS, Duel, defenders_turn, sniper_turn, viewers
from tests.toys import grid

FULL = {"aim": 11, "noise": 9, "recoil": 3, "suppression": 3}
USED = {squad: {**card, "suppression": False} for squad, card in SPECIALISTS.items()}


def result(duel: Duel) -> str | None:
    """Return the public result of the last shot."""
    shots = [event.result for event in duel.defenders.knows if isinstance(event, events.Shot)]
    return shots[-1] if shots else None


def facing(target: str = "red-1", distance: int = 2, **more: Any) -> Duel:
    """Return a sniper on c1 that sees `target` at a distance along the row."""
    return sniper_turn("c1", units={target: f"c{1 + distance}"}, **more)


@pytest.mark.rule("MP-SHOOT-01")
def test_only_a_unit_in_sight_can_be_shot_at() -> None:
    duel = sniper_turn("c4", units={"red-1": "c7", "red-2": "b5", "red-officer": "c8"})
    assert {offer.target for offer in duel.sniper.menu(Shoot)} == {"red-1", "red-officer"}
    with duel.refuses("MP-SHOOT-01", "cannot see"):
        duel.sniper.shoots("red-2", 5)
    with duel.refuses("MP-SHOOT-01", "not on the board"):
        duel.sniper.shoots("black-1", 5)
    walled = sniper_turn("c4", board=grid(kinds={"c5": "enclosed"}), units={"red-1": "c7"})
    assert walled.sniper.menu(Shoot) == []


@pytest.mark.rule("MP-SHOOT-03", "MP-SHOOT-13", "MP-INFO-06")
def test_target_is_fixed_and_stays_secret_on_a_miss() -> None:
    duel = facing()
    heard = duel.sniper.shoots("red-1", aim=1, recoil=2)
    assert heard[0] == events.Target("red-1")
    assert viewers(duel, events.Target) == {"sniper"}
    assert duel.defenders.knows == duel.referee.told["table"]
    assert not any("red-1" in str(event) for event in duel.defenders.knows)


@pytest.mark.rule("MP-SHOOT-04", "MP-INFO-05")
def test_token_count_is_declared_before_the_draw() -> None:
    duel = facing()
    duel.sniper.shoots("red-1", aim=3, recoil=1)
    assert [type(event) for event in duel.defenders.knows[:2]] == [events.ShotDeclared, events.Drew]
    assert duel.defenders.knows[0] == events.ShotDeclared(4)
    for unsaid in ({"target": "red-1"}, {"draw": 3}):
        with pytest.raises(NotUnderstood):
            facing().sniper.does("shoot", **unsaid)


@pytest.mark.rule("MP-SHOOT-05", "R-13")
@pytest.mark.parametrize("distance", [1, 2, 5])
def test_token_count_is_at_least_the_distance(distance: int) -> None:
    duel = facing(distance=distance)
    assert min(offer.draw for offer in duel.sniper.menu(Shoot)) == distance
    if distance > 1:
        with duel.refuses("MP-SHOOT-05"):
            duel.sniper.shoots("red-1", distance - 1)
    duel.sniper.shoots("red-1", distance)


@pytest.mark.rule("MP-SHOOT-06", "R-13")
def test_bag_limits_the_token_count_and_draws_are_shown() -> None:
    duel = facing()
    assert max(offer.draw for offer in duel.sniper.menu(Shoot)) == 11
    with duel.refuses("MP-SHOOT-06", "bag holds only 11"):
        duel.sniper.shoots("red-1", 12)
    duel.sniper.shoots("red-1", 11)
    assert events.Drew(START_BAG) in duel.defenders.knows
    poor = facing(bag={"aim": 1, "noise": 1})
    assert [offer.draw for offer in poor.sniper.menu(Shoot)] == [2]


@pytest.mark.rule("MP-SHOOT-06")
def test_draws_are_random_and_without_replacement() -> None:
    seen = set()
    for seed in range(40):
        duel = facing(seed=seed)
        duel.sniper.shoots("red-1", 4)
        drawn = next(event.tokens for event in duel.defenders.knows if isinstance(event, events.Drew))
        assert sum(drawn.values()) == 4
        assert all(drawn[token] <= START_BAG[token] for token in drawn)
        seen.add(tuple(drawn.items()))
    assert len(seen) > 5


@pytest.mark.rule("MP-SHOOT-10", "MP-SHOOT-20", "R-75")
@pytest.mark.parametrize(
    ("noise", "suppression", "revealed"),
    [(1, 0, False), (2, 0, True), (2, 1, False), (3, 1, True), (3, 2, False), (4, 2, True)],
)
def test_two_noise_more_than_suppression_reveal_the_sniper(noise: int, suppression: int, revealed: bool) -> None:
    duel = facing(bag=FULL, specialists=USED)
    duel.sniper.shoots("red-1", aim=2, noise=noise, suppression=suppression)
    assert (duel.table.miniature == "c1") == revealed
    assert (events.Revealed("c1", "shot") in duel.defenders.knows) == revealed


@pytest.mark.rule("MP-SHOOT-14", "MP-TURN-06")
def test_target_cannot_be_changed_after_the_draw() -> None:
    duel = sniper_turn("c4", units={"red-1": "c6", "red-2": "c2"})
    duel.sniper.shoots("red-1", aim=1, recoil=1)
    assert duel.sniper.menu(Shoot) == []
    with duel.refuses("MP-TURN-06"):
        duel.sniper.shoots("red-2", 2)


@pytest.mark.rule("MP-SHOOT-17", "MP-INFO-20")
def test_revealed_miniature_stays_where_the_shot_was_taken() -> None:
    duel = facing()
    duel.sniper.shoots("red-1", aim=2, noise=2)
    duel.sniper.moves("b1")
    assert duel.table.miniature == "c1"
    assert duel.truth.mine.space == "b1"
    assert GAME.optional(duel.table) == {"c1"}


@pytest.mark.rule("MP-SHOOT-18")
def test_sniper_cannot_shoot_from_the_arrow() -> None:
    duel = sniper_turn(None, entry="yellow", objectives=(8, 9), units={"red-1": "a2"})
    assert duel.sniper.menu(Shoot) == []
    with duel.refuses("MP-SHOOT-18"):
        duel.sniper.shoots("red-1", 2)


@pytest.mark.rule("MP-SHOOT-19")
def test_shot_unit_can_return_in_the_next_defenders_turn() -> None:
    duel = facing("red-officer")
    duel.sniper.shoots("red-officer", aim=2)
    duel.sniper.ends_turn()
    duel.defenders.deploy("red-officer", "b6")
    duel.defenders.deploy("red-1", "a6")
    assert duel.units("red-officer", "red-1") == ("b6", "a6")


def test_card_weapons_are_refused_until_the_card_is_played() -> None:
    duel = facing()
    with duel.refuses("MP-LOAD-12"):
        duel.sniper.does("shoot", target="red-1", draw=2, second=2)
    with duel.refuses("MP-LOAD-16"):
        duel.sniper.does("shoot")


# --- the bag ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-SHOOT-12", "MP-INFO-05", "MP-BAG-01", "MP-BAG-07", "MP-INFO-23", "R-16")
def test_killed_soldier_is_removed_and_adds_an_aim_in_public() -> None:
    duel = facing("black-2")
    duel.sniper.shoots("black-2", aim=2, noise=1)
    assert duel.defenders.knows[2:] == [events.Shot("hit"), events.Killed("black-2", "shot"), events.BagGained("aim")]
    assert viewers(duel, events.Killed) == {"sniper", "defenders", "table"}
    assert duel.table.units["black-2"] is None
    for viewer in ("sniper", "defenders", "table", "referee"):
        assert duel.referee.pictures[viewer].bag == {**START_BAG, "aim": 7}
    assert all(card.suppression for card in duel.table.specialists.values())


@pytest.mark.rule("MP-BAG-06", "R-45")
def test_empty_supply_skips_the_token_but_not_the_event() -> None:
    shot = facing(bag={"aim": 11, "noise": 2, "recoil": 3})
    shot.sniper.shoots("red-1", aim=2)
    assert shot.units("red-1") == (None,)
    assert shot.table.bag["aim"] == 11
    done = sniper_turn("b2", bag={"aim": 6, "noise": 9, "recoil": 3})
    done.sniper.completes(1)
    assert done.table.completed == (1,)
    assert done.table.bag["noise"] == 9
    spotted = defenders_turn("c4", units={"yellow-1": "c3"}, bag={"aim": 6, "noise": 9, "recoil": 3})
    assert spotted.defenders.spot("yellow-1", "c4")[-1] == events.Revealed("c4", "spot")
    for viewer in (shot, done, spotted):
        assert viewers(viewer, events.BagGained) == set()


@pytest.mark.rule("MP-BAG-07", "MP-BAG-11")
def test_nothing_leaves_the_bag_and_no_recoil_is_added() -> None:
    duel = sniper_turn("c1", units={"red-1": "c3", "red-officer": "b1", "yellow-1": "d1"})
    for target, tokens in (("red-1", {"aim": 2}), ("red-officer", {"aim": 1}), ("yellow-1", {"recoil": 3, "noise": 2})):
        before = dict(duel.table.bag)
        duel.sniper.shoots(target, **tokens)
        assert all(duel.table.bag[token] >= before[token] for token in before)
        assert duel.table.bag["recoil"] == 3
        duel.sniper.ends_turn()
        bag = dict(duel.table.bag)
        duel.defenders.dismiss("yellow-1")
        duel.defenders.ends_turn()
        assert duel.table.bag == bag, "neither dismissing nor a new round changes the bag"
        if duel.table.units["yellow-1"] is None:
            break
