"""Shooting (SO-SHT), rewards, sight (SO-LOS) and the odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engine.refusal import NotUnderstood
from firmware_host.core import maps
from games.sniper_elite_solo import GAME
from tests.games.sniper_elite_solo.ground import Table, tm1

rule = pytest.mark.rule


def draw(**tokens: int) -> list[tuple[str, Any]]:
    """Return a forced draw."""
    return [("draw", {"aim": 0, "noise": 0, "recoil": 0, **tokens})]


@rule("SO-SHT-01", "SO-SHT-02", "SO-R-36")
def test_shot_needs_a_target_in_sight_and_enough_tokens() -> None:
    table = Table("a1", only={"yellow-officer": "a4", "yellow-1": "a1", "red-1": "b2", "red-2": None})
    draws = {
        unit: [shot["draw"] for shot in table.legal("shoot") if shot["target"] == unit] for unit in table.truth.units
    }
    assert draws["yellow-officer"] == list(range(3, 12))
    assert draws["yellow-1"] == list(range(1, 12)), "a target in the same space needs one"
    assert draws["red-1"] == draws["red-2"] == []
    for target, count, number in (
        ("red-1", 3, "SO-SHT-01"),
        ("red-2", 3, "SO-SHT-01"),
        ("yellow-officer", 2, "SO-R-36"),
        ("yellow-officer", 12, "SO-R-36"),
    ):
        table.refuses(number, "shoot", target=target, draw=count)


@rule("SO-SHT-05", "SO-R-13")
@pytest.mark.parametrize(
    ("stack", "bag", "options"),
    [
        (["noise", "recoil"], {"aim": 6, "noise": 2, "recoil": 6}, ["noise", 1, 2, "aim"]),
        (["noise", "noise", "recoil", "recoil", "recoil"], {"aim": 6, "noise": 1, "recoil": 4}, [1, "aim"]),
        (["recoil"] * 4, {"aim": 11, "noise": 0, "recoil": 3}, []),
        (["recoil"] * 4, {"aim": 11, "noise": 1, "recoil": 3}, ["noise"]),
    ],
)
def test_hit_offers_the_possible_rewards(stack: list[str], bag: dict[str, int], options: list[Any]) -> None:
    table = Table("a1", only={"yellow-officer": "a2", "red-1": "b8"}, bag=bag, sniper={"stack": stack})
    table.act("shoot", target="yellow-officer", draw=1, chance=draw(aim=1))
    found = [command.get("count", command["option"]) for command in table.legal("after-hit")]
    assert found == options
    asked = {"for": "after-hit", "drawn": {"aim": 1, "noise": 0, "recoil": 0}, "noise": 0}
    expected = {**asked, "targets": ["yellow-officer"], "draws": []} if options else None
    assert table.state()["pending"] == expected
    if not options:
        assert table.truth.bag == bag, "no question is asked, and the tokens have returned"
        return
    table.refuses("SO-SHT-05", "end-turn")
    impossible = {"option": "recoil", "count": 2} if 2 not in options else {"option": "recoil", "count": 3}
    table.refuses("SO-SHT-05", "after-hit", **impossible)
    table.act("after-hit", **{key: value for key, value in table.legal()[0].items() if key != "type"})
    assert table.truth.pending is None


@rule("SO-SHT-05", "SO-R-37")
@pytest.mark.parametrize(("option", "bag", "stack"), [("noise", 0, 2), ("aim", 1, 1)])
def test_reward_tokens_come_from_the_right_place(option: str, bag: int, stack: int) -> None:
    table = Table(
        "a1", only={"yellow-officer": "a2", "red-1": "b8"}, bag={"aim": 6, "noise": 1, "recoil": 3},
        sniper={"stack": ["noise", "recoil", "recoil", "recoil", "recoil"]},
    )  # fmt: skip
    table.act("shoot", target="yellow-officer", draw=1, chance=draw(aim=1))
    assert table.act("after-hit", option=option) == [{"type": "after-hit", "option": option, "count": 1}]
    assert table.truth.stack.count("noise") == stack
    assert table.truth.bag["noise"] == bag
    assert table.truth.stack[0] == "noise"
    assert table.truth.bag["aim"] == (7 if option == "aim" else 6)
    for wrong in ({"option": "noise", "count": 1}, {"option": "recoil"}, {"option": "courage"}):
        asked = {"for": "after-hit", "drawn": {}, "targets": ["yellow-officer"]}
        bag, sniper = {"aim": 6, "noise": 3, "recoil": 5}, {"stack": ["recoil"] * 2}
        again = Table("a1", units={"yellow-officer": None}, bag=bag, sniper=sniper, pending=asked)
        with pytest.raises(NotUnderstood):
            again.act("after-hit", **wrong)


@rule("SO-LOS-01", "SO-LOS-04")
@pytest.mark.parametrize(
    ("kind", "visible"),
    [("open", True), ("water", True), ("obstruction", False), ("enclosed", False), ("elevated", False)],
)
def test_only_spaces_between_block_sight(kind: str, visible: bool) -> None:
    table = Table("a1", board=tm1(kinds={"b1": kind}), only={"yellow-1": "c1"})
    assert bool(table.legal("shoot")) == visible
    ends = Table("c3", only={"yellow-1": "d3"})
    assert ends.legal("shoot"), "the sniper's own space may be enclosed"
    out = Table("c4", only={"yellow-1": "c3"})
    assert out.legal("shoot"), "and so may the target's; a wall at an end does not block"


@rule("SO-LOS-02", "SO-LOS-03")
def test_rooms_and_heights_have_sight_from_within() -> None:
    assert Table("c2", only={"yellow-1": "c3"}).legal("shoot")
    assert not Table("c1", only={"yellow-1": "c4"}).legal("shoot")
    heights = tm1(kinds=dict.fromkeys(("a1", "a3", "b2"), "elevated"))
    seen = Table("a1", board=heights, only={"yellow-1": "a3"}).legal("shoot")
    assert min(shot["draw"] for shot in seen) == 2, "the spaces below them count"
    assert not Table("a2", board=heights, only={"yellow-1": "c2"}).legal("shoot")


@rule("SO-LOS-05")
def test_tunnel_and_walkway_above_it_have_no_sight() -> None:
    board = maps.load("submarine-pens")
    under = [name for name, space in board.spaces.items() if space.under]
    above = [name for name, space in board.spaces.items() if space.kind == "elevated"]
    hidden = [(one, other) for one in under for other in above if board.sight(one, other) is None]
    assert under
    assert hidden
    one, other = hidden[0]
    table = Table(one, board=board, only={"yellow-1": other}, sniper={"objectives": [1, 4]})
    table.refuses("SO-SHT-01", "shoot", target="yellow-1", draw=3)
    assert not any(
        other in board.adjacent[space] for space in under for other in above if board.sight(space, other) is None
    )


@rule("SO-SHT-09")
def test_odds_include_the_chance_of_noise() -> None:
    bag = {"aim": 2, "noise": 1, "recoil": 1}
    assert GAME.odds(bag, 1, 1, False) == {"hit": Fraction(1, 2), "misfire": 0, "reveal": Fraction(1, 4)}
    assert GAME.odds(bag, 2, 1, False)["reveal"] == Fraction(1, 2)
    assert GAME.odds(bag, 2, 1, True)["reveal"] == 0
    assert GAME.odds({"aim": 1, "noise": 5}, 6, 1, True)["misfire"] == 1
    for wrong in ({"suppression": 1}, {"aim": -1}):
        with pytest.raises(NotUnderstood):
            GAME.odds(wrong, 0, 1, False)
    assert GAME.details(GAME.read_event({"type": "drew", "tokens": {"aim": 1}})) == {"tokens": {"aim": 1}}
