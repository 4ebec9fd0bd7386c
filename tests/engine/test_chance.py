"""Random results: they have the right type, repeat with their seed, and can be forced to possible results."""

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
    """Return chance with forced results."""
    return Chance(Random(1), results)


def test_order_has_every_item_once_per_seed() -> None:
    orders = [Chance(Random(seed)).order("deck", CARDS, "MP-SETUP-09") for seed in range(30)]
    assert all(Counter(order) == Counter(CARDS) for order in orders)
    assert len(set(orders)) > 8
    assert orders == [Chance(Random(seed)).order("deck", CARDS, "MP-SETUP-09") for seed in range(30)]


def test_forced_order_sets_only_the_top() -> None:
    orders = [Chance(Random(s), [("deck", ["gun", "mine"])]).order("deck", CARDS, "MP-SETUP-09") for s in range(9)]
    assert {order[:2] for order in orders} == {("gun", "mine")}
    assert {order[2:] for order in orders} == {("mine", 4), (4, "mine")}


def test_assignment_is_injective_with_forced_values() -> None:
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


def test_forced_draw_sets_only_named_tokens() -> None:
    seen = set()
    for seed in range(40):
        drawn = Chance(Random(seed), [("draw", {"aim": 2})]).tokens("draw", BAG, 5, "MP-SHOOT-06")
        assert drawn["aim"] == 2
        assert sum(drawn.values()) == 5
        seen.add(drawn["noise"])
    assert seen == {0, 1, 2}


def test_every_face_of_a_die_comes_up() -> None:
    rolled = [Chance(Random(seed)).roll("shoot", range(10), "ST-R-06") for seed in range(200)]
    assert set(rolled) == set(range(10))
    assert max(Counter(rolled).values()) < 45, "no face is far more likely than the others"
    assert rolled == [Chance(Random(seed)).roll("shoot", range(10), "ST-R-06") for seed in range(200)]


def test_forced_die_is_followed_by_random_rolls() -> None:
    seen = set()
    for seed in range(40):
        chance = Chance(Random(seed), [("shoot", 7)])
        assert chance.roll("shoot", range(10), "ST-R-06") == 7
        seen.add(chance.roll("shoot", range(10), "ST-R-06"))
    assert len(seen) > 6


@pytest.mark.parametrize("value", [10, -1])
def test_unknown_face_is_refused(value: int) -> None:
    with pytest.raises(Refused, match=r"The forced result 'shoot' is impossible"):
        forced(("shoot", value)).roll("shoot", range(10), "ST-R-06")


@pytest.mark.parametrize("value", [True, 1.0, "7", [7], None])
def test_face_has_to_be_a_whole_number(value: Any) -> None:
    with pytest.raises(NotUnderstood, match="expected a whole number"):
        forced(("shoot", value)).roll("shoot", range(10), "ST-R-06")


def test_nested_marks_rewind_to_their_own_moments() -> None:
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


def test_draws_are_those_of_the_source() -> None:
    chance, source = Chance(Random(8)), Random(8)
    assert [chance.roll("die", range(1 << bits), "R") for bits in (1, 8, 32, 33, 62)] == [
        source.choice(range(1 << bits)) for bits in (1, 8, 32, 33, 62)
    ]
    cards = [*range(69)]
    source.shuffle(cards)
    assert chance.order("deck", range(69), "R") == tuple(cards)
    assert chance.secret() == source.randbytes(32)


def test_draws_repeat_after_a_long_way_back() -> None:
    chance = Chance(Random(8))
    mark = chance.mark()
    first = [chance.roll("die", range(6), "R") for _ in range(100_000)]
    chance.rewind(mark)
    assert [chance.roll("die", range(6), "R") for _ in range(100_000)] == first
    del mark
    chance.draw_from(SystemRandom())  # frees the whole chain at once


def test_marks_are_equal_if_nothing_is_drawn() -> None:
    chance = Chance(Random(3))
    before = chance.mark()
    assert chance.mark() == before
    chance.roll("shoot", range(10), "ST-R-06")
    assert chance.mark() != before


def test_forced_results_are_used_in_order() -> None:
    chance = forced(("deck", [4]), ("draw", {"aim": 1}))
    assert chance.order("deck", CARDS, "MP-SETUP-09")[0] == 4
    assert chance.tokens("draw", BAG, 1, "MP-SHOOT-06")["aim"] == 1
    assert sum(chance.tokens("draw", BAG, 3, "MP-SHOOT-06").values()) == 3


def deck(chance: Chance) -> Any:
    """Return a drawn order."""
    return chance.order("deck", CARDS, "MP-SETUP-09")


def draw(chance: Chance) -> Any:
    """Return five drawn tokens."""
    return chance.tokens("draw", BAG, 5, "MP-SHOOT-06")


def who(chance: Chance) -> Any:
    """Return a drawn assignment."""
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
def test_impossible_result_is_refused_with_the_rule_that_asks(
    ask: Callable[[Chance], Any], kind: str, value: Any, rule: str
) -> None:
    with pytest.raises(Refused, match="impossible") as caught:
        ask(forced((kind, value)))
    assert caught.value.rule == rule


def name(chance: Chance) -> Any:
    """Return one drawn name."""
    return chance.one("name", ["a", "b"], "MP-SETUP-22")


@pytest.mark.parametrize(("ask", "value"), [(deck, {}), (draw, []), (who, "x"), (draw, None), (name, 7)])
def test_result_of_the_wrong_type_is_not_understood(ask: Callable[[Chance], Any], value: Any) -> None:
    with pytest.raises(NotUnderstood, match="expected"):
        ask(forced((ask.__name__, value)))


def test_force_replaces_unused_results() -> None:
    chance = forced(("deck", ["mine"]))
    chance.force([("deck", ["gun"])])
    assert deck(chance)[0] == "gun"
    chance.force([("deck", ["mine"])])
    chance.force([])
    assert len(deck(chance)) == 4


def test_error_lists_the_bag() -> None:
    with pytest.raises(Refused, match="a bag of 6 aim, 2 noise"):
        draw(forced(("draw", {"aim": 7})))


def test_forced_results_rewind_with_system_randomness() -> None:
    chance = Chance(SystemRandom(), [("deck", [4])])
    mark = chance.mark()
    assert deck(chance)[0] == 4
    chance.rewind(mark)
    assert deck(chance)[0] == 4


def test_rewinding_restores_forced_results() -> None:
    chance = Chance(Random(1))
    first = chance.mark()
    chance.force([("die", 6)])
    forced = chance.mark()
    chance.rewind(first)
    assert chance.mark() == first != forced
