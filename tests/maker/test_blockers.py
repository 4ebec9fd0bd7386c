"""Explanations of missing sight: the best line is valid, no line is better, and the sentence names the rule."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace

from engine.graph.model import Map, Sight
from maker.mapping.blockers import Blame, find_blame
from maker.mapping.sight import with_sights
from tests.engine.graph.drawings import Sheet, box, drawn, looked, row
from tests.engine.graph.random_maps import random_map
from tests.engine.graph.test_derive import hall
from tests.maker import oracle, witnesses
from tests.maker.test_sight_rules import ell


def unseen(found: Map) -> dict[tuple[str, str], Blame]:
    """Return every pair of spaces without sight, with the reason."""
    return {(a, b): find_blame(found, a, b) for a, b in combinations(found.spaces, 2) if found.sight(a, b) is None}


def claims(found: Map, blames: dict[tuple[str, str], Blame]) -> Map:
    """Return the map with the best lines as sights, for checking them like sights."""
    sights: dict[str, dict[str, Sight]] = {}
    for (a, b), blame in blames.items():
        if blame.line:
            sights.setdefault(a, {})[b] = Sight(len(blame.through) + 1, blame.line, blame.through)
    return replace(found, sights=sights)


@pytest.mark.parametrize("seed", [0, 3, 7, 16, 51, 188])
def test_shown_line_of_a_random_map_has_fewest_blockers(seed: int) -> None:
    found = with_sights(random_map(seed))
    blames = unseen(found)
    assert any(blame.blockers for blame in blames.values())
    fewest = oracle.fewest_in_the_way(found)
    assert {pair: len(blame.blockers) for pair, blame in blames.items() if blame.line} == {
        pair: fewest[pair] for pair in blames if pair in fewest
    }
    assert list(witnesses.faults(claims(found, blames))) == []


@pytest.mark.parametrize(
    ("kinds", "blockers", "why"),
    [
        (("open", "enclosed", "open"), ("b",), "Only open ground and water may lie between these two (MP-LOS-01)."),
        (
            ("elevated", "open", "obstruction", "elevated"),
            ("c",),
            "No obstruction may lie between these two (MP-LOS-04).",
        ),
        (
            ("enclosed", "open", "elevated", "enclosed"),
            ("c",),
            "Only enclosed spaces or only open ground and water may lie between",
        ),
        (("enclosed", "elevated"), (), "Between the room a and the walkway b there must be open ground or water"),
        (("elevated", "enclosed"), (), "Between the room b and the walkway a there must be open ground or water"),
    ],
)
def test_explanation_names_the_blocker_and_the_rule(
    kinds: tuple[str, ...], blockers: tuple[str, ...], why: str
) -> None:
    sheet, last = row(*kinds), "abcdefghij"[len(kinds) - 1]
    if kinds[-1] == "enclosed":
        sheet.said(last)["area"] = "shed"
    blame = find_blame(looked(sheet), "a", last)
    assert blame.blockers == blockers
    assert blame.why.startswith(why)
    assert blame.through == tuple("bcdefghij"[: len(kinds) - 2])


def test_line_between_touching_room_and_walkway_is_on_their_border() -> None:
    assert find_blame(looked(row("enclosed", "elevated")), "a", "b").line == ((100.0, 50.0), (100.0, 50.0))


@pytest.mark.rule("MP-LOS-12")
def test_tunnel_and_walkway_above_have_no_line() -> None:
    found = looked(hall())
    assert find_blame(found, "w1", "t") == Blame(
        None, (), (), "A space and the one over it never see each other (MP-LOS-12)."
    )


@pytest.mark.rule("MP-LOS-04")
def test_only_an_obstruction_blocks_sight_within_one_house() -> None:
    blame = find_blame(looked(ell("obstruction")), "h1", "h5")
    assert blame.blockers == ("xx",)
    assert blame.why == "No obstruction may lie between these two (MP-LOS-04)."


def test_other_end_gives_the_same_line_reversed() -> None:
    found = looked(row("open", "water", "enclosed", "open", "open"))
    there, back = find_blame(found, "a", "e"), find_blame(found, "e", "a")
    assert there.line is not None
    assert back.line == (there.line[1], there.line[0])
    assert (there.through, back.through) == (("b", "c", "d"), ("d", "c", "b"))


def test_best_line_keeps_away_from_corners() -> None:
    sheet = Sheet((300, 300))
    sheet.space("a", box(0, 0, 100, 300))
    sheet.space("h", box(100, 0, 200, 300), "enclosed")
    sheet.space("b", box(200, 0, 300, 300))
    assert find_blame(drawn(sheet), "a", "b").line == ((100.0, 150.0), (200.0, 150.0))


def test_unknown_space_raises_key_error() -> None:
    with pytest.raises(KeyError):
        find_blame(drawn(row("open", "open")), "a", "z")
