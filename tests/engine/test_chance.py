"""Chance: random results are of the right shape, repeat with their seed, and can be forced to what is possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random, SystemRandom
from typing import Any

import pytest

from engine.chance import Chance
from engine.refusal import NotUnderstood, Refused

BAG = {"aim": 6, "noise": 2, "recoil": 3, "suppression": 0}
CARDS = ("mine", "mine", "gun", 4)


def forced(*results: tuple[str, Any]) -> Chance:
    """Chance with forced results."""
    return Chance(Random(1), results)


def test_an_order_holds_every_item_once_and_repeats_with_its_seed() -> None:
    orders = [Chance(Random(seed)).order("deck", CARDS, "MP-SETUP-09") for seed in range(30)]
    assert all(Counter(order) == Counter(CARDS) for order in orders)
    assert len(set(orders)) > 8
    assert orders == [Chance(Random(seed)).order("deck", CARDS, "MP-SETUP-09") for seed in range(30)]


def test_a_forced_order_names_the_top_and_the_rest_is_shuffled() -> None:
    orders = [Chance(Random(s), [("deck", ["gun", "mine"])]).order("deck", CARDS, "MP-SETUP-09") for s in range(9)]
    assert {order[:2] for order in orders} == {("gun", "mine")}
    assert {order[2:] for order in orders} == {("mine", 4), (4, "mine")}


def test_an_assignment_gives_different_values_and_keeps_what_is_forced() -> None:
    for seed in range(20):
        chance = Chance(Random(seed), [("who", {"b": "x"})])
        given = chance.assign("who", ["a", "b", "c"], ["x", "y", "z", "w"], "MP-SETUP-22")
        assert list(given) == ["a", "b", "c"]
        assert given["b"] == "x"
        assert len(set(given.values())) == 3


def test_drawn_tokens_come_from_the_bag() -> None:
    seen = Counter[tuple[int, ...]]()
    for seed in range(300):
        drawn = Chance(Random(seed)).tokens("draw", BAG, 5, "MP-SHOOT-06")
        assert sum(drawn.values()) == 5
        assert list(drawn) == list(BAG)
        assert all(0 <= drawn[token] <= BAG[token] for token in BAG)
        seen[tuple(drawn.values())] += 1
    assert len(seen) == 12, "every draw that the bag allows"


def test_a_forced_draw_fixes_the_kinds_it_names_and_leaves_the_others_open() -> None:
    seen = set()
    for seed in range(40):
        drawn = Chance(Random(seed), [("draw", {"aim": 2})]).tokens("draw", BAG, 5, "MP-SHOOT-06")
        assert drawn["aim"] == 2
        assert sum(drawn.values()) == 5
        seen.add(drawn["noise"])
    assert seen == {0, 1, 2}


def test_a_die_shows_each_of_its_faces_and_repeats_with_its_seed() -> None:
    rolled = [Chance(Random(seed)).roll("shoot", range(10), "ST-R-06") for seed in range(200)]
    assert set(rolled) == set(range(10))
    assert max(Counter(rolled).values()) < 45, "no face is far more likely than the others"
    assert rolled == [Chance(Random(seed)).roll("shoot", range(10), "ST-R-06") for seed in range(200)]


def test_a_forced_die_shows_what_was_forced_and_the_next_is_rolled() -> None:
    seen = set()
    for seed in range(40):
        chance = Chance(Random(seed), [("shoot", 7)])
        assert chance.roll("shoot", range(10), "ST-R-06") == 7
        seen.add(chance.roll("shoot", range(10), "ST-R-06"))
    assert len(seen) > 6


@pytest.mark.parametrize("value", [10, -1])
def test_a_die_shows_no_face_that_it_does_not_have(value: int) -> None:
    with pytest.raises(Refused, match=r"The forced result 'shoot' is impossible"):
        forced(("shoot", value)).roll("shoot", range(10), "ST-R-06")


@pytest.mark.parametrize("value", [True, 1.0, "7", [7], None])
def test_what_is_no_whole_number_is_no_face_of_a_die(value: Any) -> None:
    with pytest.raises(NotUnderstood, match="expected a whole number"):
        forced(("shoot", value)).roll("shoot", range(10), "ST-R-06")


def test_a_die_that_is_rolled_again_after_rewinding_shows_the_same() -> None:
    chance = Chance(Random(3))
    mark = chance.mark()
    first = [chance.roll("shoot", range(10), "ST-R-06") for _ in range(5)]
    chance.rewind(mark)
    assert [chance.roll("shoot", range(10), "ST-R-06") for _ in range(5)] == first


def test_marks_inside_one_another_are_rewound_each_to_its_own_point() -> None:
    chance = Chance(Random(3), [("shoot", 4)])
    outer = chance.mark()
    assert chance.roll("shoot", range(10), "ST-R-06") == 4, "forced"
    inner = chance.mark()
    chance.mark()
    first = [chance.roll("shoot", range(10), "ST-R-06") for _ in range(5)]
    chance.rewind(inner)
    assert [chance.roll("shoot", range(10), "ST-R-06") for _ in range(5)] == first
    chance.rewind(outer)
    assert [chance.roll("shoot", range(10), "ST-R-06") for _ in range(6)] == [4, *first]


def test_marks_are_equal_as_long_as_nothing_is_drawn() -> None:
    chance = Chance(Random(3))
    before = chance.mark()
    assert chance.mark() == before
    chance.roll("shoot", range(10), "ST-R-06")
    assert chance.mark() != before


def test_forced_results_are_used_in_order_and_then_chance_goes_on() -> None:
    chance = forced(("deck", [4]), ("draw", {"aim": 1}))
    assert chance.order("deck", CARDS, "MP-SETUP-09")[0] == 4
    assert chance.tokens("draw", BAG, 1, "MP-SHOOT-06")["aim"] == 1
    assert sum(chance.tokens("draw", BAG, 3, "MP-SHOOT-06").values()) == 3


def deck(chance: Chance) -> Any:
    """Ask for an order."""
    return chance.order("deck", CARDS, "MP-SETUP-09")


def draw(chance: Chance) -> Any:
    """Ask for five tokens."""
    return chance.tokens("draw", BAG, 5, "MP-SHOOT-06")


def who(chance: Chance) -> Any:
    """Ask for an assignment."""
    return chance.assign("who", ["a", "b"], ["x", "y", "z"], "MP-SETUP-22")


@pytest.mark.parametrize(
    ("ask", "kind", "value", "rule"),
    [
        (deck, "deck", ["gun", "gun"], "MP-SETUP-09"),
        (deck, "deck", ["bow"], "MP-SETUP-09"),
        (deck, "deck", [4.0], "MP-SETUP-09"),
        (deck, "deck", [[[]]], "MP-SETUP-09"),
        (deck, "draw", {}, "MP-SETUP-09"),
        (draw, "draw", {"aim": 7}, "MP-SHOOT-06"),
        (draw, "draw", {"aim": -1}, "MP-SHOOT-06"),
        (draw, "draw", {"aim": True}, "MP-SHOOT-06"),
        (draw, "draw", {"aim": 1.0}, "MP-SHOOT-06"),
        (draw, "draw", {"aim": "1"}, "MP-SHOOT-06"),
        (draw, "draw", {"luck": 1}, "MP-SHOOT-06"),
        (draw, "draw", {"aim": 4, "noise": 2}, "MP-SHOOT-06"),
        (draw, "draw", {"aim": 0, "noise": 1}, "MP-SHOOT-06"),
        (who, "who", {"d": "x"}, "MP-SETUP-22"),
        (who, "who", {"a": "q"}, "MP-SETUP-22"),
        (who, "who", {"a": "x", "b": "x"}, "MP-SETUP-22"),
    ],
)
def test_the_impossible_is_refused_under_the_rule_that_asks(
    ask: Callable[[Chance], Any], kind: str, value: Any, rule: str
) -> None:
    with pytest.raises(Refused, match="impossible") as caught:
        ask(forced((kind, value)))
    assert caught.value.rule == rule


@pytest.mark.parametrize(("ask", "value"), [(deck, {}), (draw, []), (who, "x"), (draw, None)])
def test_a_result_of_the_wrong_shape_is_not_understood(ask: Callable[[Chance], Any], value: Any) -> None:
    with pytest.raises(NotUnderstood, match="expected"):
        ask(forced((ask.__name__, value)))


def test_force_replaces_what_was_not_used() -> None:
    chance = forced(("deck", ["mine"]))
    chance.force([("deck", ["gun"])])
    assert deck(chance)[0] == "gun"
    chance.force([("deck", ["mine"])])
    chance.force([])
    assert len(deck(chance)) == 4


def test_it_is_said_what_the_bag_holds_when_more_is_asked_of_it() -> None:
    with pytest.raises(Refused, match="a bag of 6 aim, 2 noise"):
        draw(forced(("draw", {"aim": 7})))


def test_rewinding_forgets_what_was_drawn() -> None:
    chance = forced(("deck", [4, "gun"]))
    mark = chance.mark()
    first = (deck(chance), draw(chance))
    chance.rewind(mark)
    assert (deck(chance), draw(chance)) == first


def test_the_systems_own_randomness_can_be_marked_too() -> None:
    chance = Chance(SystemRandom(), [("deck", [4])])
    mark = chance.mark()
    assert deck(chance)[0] == 4
    chance.rewind(mark)
    assert deck(chance)[0] == 4


def test_a_mark_after_going_back_knows_what_is_forced_by_then() -> None:
    chance = Chance(Random(1))
    first = chance.mark()
    chance.force([("die", 6)])
    forced = chance.mark()
    chance.rewind(first)
    assert chance.mark() == first != forced


def test_a_mark_after_going_back_is_no_mark_of_what_came_later() -> None:
    chance = Chance(Random(1))
    first = chance.mark()
    chance.roll("shoot", range(10), "ST-R-06")
    later = chance.mark()
    chance.rewind(first)
    again = chance.mark()
    assert again != later, "the roll between them is forgotten"
    shown = [chance.roll("shoot", range(10), "ST-R-06") for _ in range(5)]
    chance.rewind(again)
    assert [chance.roll("shoot", range(10), "ST-R-06") for _ in range(5)] == shown
