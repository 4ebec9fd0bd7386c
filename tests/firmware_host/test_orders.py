"""Several carries as one list: which piece goes where, what waits, and what is left after a restart."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from engine.text import Text
from firmware_host.board.tracking import guide
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.orders import assigned, list_carries, misplaced

NEAR = {f"s{n}": tuple(f"s{m}" for m in (n - 1, n + 1) if 1 <= m <= 9) for n in range(1, 10)}
SQUADS = {"red-1": "red", "red-2": "red", "red-officer": "red", "black-1": "black"}


def facts(before: dict[str, str | None], **standing: str | None) -> Facts:
    """Return miniatures (`_` for `-`) on a row of nine spaces; the two soldiers of a squad look alike."""
    return Facts(
        standing={unit.replace("_", "-"): space for unit, space in standing.items()},
        looks={"red-1": "red-1", "red-2": "red-1", "red-officer": "red-officer", "black-1": "black-1"},
        groups=SQUADS,
        near=NEAR,
        before=before,
    )


def test_piece_follows_its_move_even_if_identical_one_is_nearer() -> None:
    known = facts({}, red_1="s9", red_2="s3")
    assert assigned(known, {"red-1": "s2", "red-2": "s8"}, ["s9", "s3"]) == [
        ("red-1", "s2", "s9"),
        ("red-2", "s8", "s3"),
    ]


def test_identical_piece_carried_there_is_accepted() -> None:
    known = facts({}, red_1="s9", red_2="s3")
    assert assigned(known, {"red-2": "s8"}, ["s9"]) == [("red-2", "s8", "s9")]


def test_different_piece_never_takes_a_place() -> None:
    known = facts({}, red_officer="s9", black_1="s3")
    ways = assigned(known, {"black-1": "s8"}, ["s9", "s3"])
    assert ways == [("red-officer", None, "s9"), ("black-1", "s8", "s3")]


def test_carry_to_occupied_space_waits_and_swap_can_start() -> None:
    known = facts({}, red_1="s2", black_1="s3")
    chain = list_carries(known, [("red-1", "s1", "s2"), ("black-1", "s2", "s3")], {"s1", "s2"})
    assert [(order.unit, order.waits) for order in chain.orders] == [("red-1", True), ("black-1", False)]
    swap = list_carries(known, [("red-1", "s3", "s2"), ("black-1", "s2", "s3")], {"s2", "s3"})
    assert [order.waits for order in swap.orders] == [False, False]


def test_looks_of_one_squad_are_distinguished() -> None:
    known = facts({}, red_1="s5", red_officer="s6", red_2="s8", black_1="s7")
    ways = [("red-1", "s1", "s5"), ("red-officer", "s2", "s6"), ("red-2", "s4", "s8"), ("black-1", "s3", "s7")]
    found = {order.unit: (order.squad, order.look) for order in list_carries(known, ways, ()).orders}
    assert found == {"red-1": ("red", 0), "red-officer": ("red", 1), "red-2": ("red", 0), "black-1": ("black", 0)}


CHAIN = {"red-1": "s1", "black-1": "s2", "red-officer": "s9"}
"""Red goes to the space that black leaves, black goes on, and the officer stays."""


def remaining_carries(*came: str) -> dict[str, str | None] | None:
    return misplaced(facts(CHAIN, red_1="s2", black_1="s3", red_officer="s9"), came)


def test_rest_of_chain_is_found_from_spaces_after_restart() -> None:
    assert remaining_carries("s1", "s2", "s9") == {"red-1": "s1", "black-1": "s2"}
    assert remaining_carries("s1", "s3", "s9") == {"red-1": "s1"}
    assert remaining_carries("s2", "s3", "s9") is None
    assert remaining_carries("s1", "s9") == {"red-1": "s1", "black-1": None}, "black is lifted"


def test_position_not_explained_by_moves_is_left_to_other_hints() -> None:
    assert remaining_carries("s1", "s2", "s7") is None, "the officer has strayed, and no one moved it"
    assert remaining_carries("s1", "s2") is None
    assert misplaced(facts({}, red_1="s2"), ("s1",)) is None


def test_single_miniature_is_set_up_by_its_name() -> None:
    facts: Any = SimpleNamespace(owners={}, called=lambda unit: Text("The {unit}", unit=unit))
    assert guide._to_set_up(facts, "captain", ["captain"], ["chapel"]) == (
        "The captain belongs on chapel. Set it down there."
    )
    assert "Set up the red miniatures" in guide._to_set_up(facts, "red", ["one", "two"], ["a1", "a2"])
