"""Shooting (SO-SHT), what a hit brings, the noise, sight (SO-LOS) and the odds."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engine.refusal import NotUnderstood
from firmware_host.core import maps
from games.sniper_elite_solo import GAME
from tests.games.sniper_elite_solo.ground import Table, kinds, of, refused, tm1

rule = pytest.mark.rule


def draw(**tokens: int) -> list[tuple[str, Any]]:
    """A forced draw."""
    return [("draw", {"aim": 0, "noise": 0, "recoil": 0, **tokens})]


@rule("SO-SHT-01", "SO-SHT-02", "SO-R-36")
def test_a_shot_names_a_defender_in_sight_and_a_count_from_its_distance_to_the_bag() -> None:
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
        with refused(number):
            table.act("shoot", target=target, draw=count)


@rule("SO-SHT-03", "SO-SHT-04", "SO-R-04")
@pytest.mark.parametrize(
    ("drawn", "result"),
    [
        ({"aim": 3}, "hit"),
        ({"aim": 2, "recoil": 1}, "miss"),
        ({"aim": 4, "noise": 2, "recoil": 2}, "hit"),
        ({"aim": 4, "noise": 2, "recoil": 3}, "misfire"),
    ],
)
def test_how_a_shot_comes_out(drawn: dict[str, int], result: str) -> None:
    table = Table("a1", only={"yellow-officer": "a4", "red-1": "b8"}, lks="white")
    told = table.act("shoot", target="yellow-officer", draw=sum(drawn.values()), chance=draw(**drawn))
    assert told[:2] == [
        {"type": "shot-declared", "target": "yellow-officer", "draw": sum(drawn.values()), "second": None},
        {"type": "drew", "tokens": {"aim": 0, "noise": 0, "recoil": 0, **drawn}},
    ]
    assert told[2] == {"type": "shot", "result": result}
    assert (table.where("yellow-officer") is None) == (result == "hit")
    assert of(told, "killed") == ([{"unit": "yellow-officer", "by": "shot"}] if result == "hit" else [])


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
def test_a_hit_brings_exactly_one_of_what_is_possible(
    stack: list[str], bag: dict[str, int], options: list[Any]
) -> None:
    table = Table("a1", only={"yellow-officer": "a2", "red-1": "b8"}, bag=bag, sniper={"stack": stack})
    table.act("shoot", target="yellow-officer", draw=1, chance=draw(aim=1))
    found = [command.get("count", command["option"]) for command in table.legal("after-hit")]
    assert found == options
    asked = {"for": "after-hit", "drawn": {"aim": 1, "noise": 0, "recoil": 0}, "noise": 0}
    expected = {**asked, "targets": ["yellow-officer"], "draws": []} if options else None
    assert table.state()["pending"] == expected
    if not options:
        assert table.truth.bag == bag, "nothing is asked, and the tokens are back"
        return
    with refused("SO-SHT-05"):
        table.act("end-turn")
    impossible = {"option": "recoil", "count": 2} if 2 not in options else {"option": "recoil", "count": 3}
    with refused("SO-SHT-05"):
        table.act("after-hit", **impossible)
    table.act("after-hit", **{key: value for key, value in table.legal()[0].items() if key != "type"})
    assert table.truth.pending is None


@rule("SO-SHT-05", "SO-SHT-08", "SO-R-12", "SO-R-64")
def test_tokens_for_the_stack_come_from_the_bag_and_then_from_those_drawn() -> None:
    bag = {"aim": 1, "noise": 1, "recoil": 5}
    table = Table("a1", only={"yellow-officer": "a2", "red-1": "b8"}, bag=bag, sniper={"stack": ["recoil", "recoil"]})
    table.act("shoot", target="yellow-officer", draw=5, chance=draw(aim=1, recoil=4))
    assert table.truth.bag == {"aim": 0, "noise": 1, "recoil": 1}
    assert table.act("after-hit", option="recoil", count=2)[0] == {"type": "after-hit", "option": "recoil", "count": 2}
    assert table.truth.stack == ("recoil",) * 4
    assert table.truth.bag == {"aim": 1, "noise": 1, "recoil": 3}, "those drawn are back, less one"


@rule("SO-SHT-05", "SO-R-37")
@pytest.mark.parametrize(("option", "bag", "stack"), [("noise", 0, 2), ("aim", 1, 1)])
def test_a_noise_goes_to_the_bottom_and_aim_comes_from_the_supply(option: str, bag: int, stack: int) -> None:
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


@rule("SO-SHT-06", "SO-R-14", "SO-R-06")
def test_each_noise_draws_the_closest_defender_but_never_the_target() -> None:
    table = Table("a1", only={"yellow-officer": "a2", "yellow-1": "d1", "red-1": "b8"}, lks="white")
    told = table.act("shoot", target="yellow-officer", draw=3, chance=draw(noise=2, recoil=1))
    assert kinds(told) == ["shot-declared", "drew", "shot", "attracted", "attracted"]
    assert of(told, "attracted") == [
        {"unit": "yellow-1", "from": "d1", "to": "c1"}, {"unit": "yellow-1", "from": "c1", "to": "b1"},
    ]  # fmt: skip
    assert table.truth.bag == {"aim": 6, "noise": 2, "recoil": 3}


@rule("SO-SHT-06", "SO-R-06", "SO-R-65")
def test_equally_close_defenders_and_ways_are_one_choice_of_chance() -> None:
    units = {"yellow-officer": "a1", "red-1": "c1", "red-2": "a5", "black-1": "b8"}
    fired = Table("a3", only={**units, "yellow-1": "a4"}, lks="white")
    told = fired.act("shoot", target="yellow-officer", draw=2, chance=[*draw(noise=1, recoil=1)])
    assert of(told, "attracted")[0]["unit"] == "yellow-1"
    guards = {"red-officer": "a5", "black-officer": "c6"}
    table = Table("a1", only={"yellow-officer": "a3", "red-1": "b2", **guards}, lks="white")
    choice = [*draw(noise=1, recoil=1), ("snafu", ["red-1", "b1"])]
    told = table.act("shoot", target="yellow-officer", draw=2, chance=choice)
    assert of(told, "snafu") == [{"among": [["red-1", "a2"], ["red-1", "b1"]], "chosen": ["red-1", "b1"]}]
    assert of(told, "attracted") == [{"unit": "red-1", "from": "b2", "to": "b1"}]


@rule("SO-SHT-07", "SO-SUM-01")
def test_a_defender_drawn_onto_the_sniper_hits_and_ends_the_noise() -> None:
    table = Table("a1", only={"yellow-officer": "a3", "yellow-1": "b1", "yellow-2": "d1"}, lks="white")
    told = table.act("shoot", target="yellow-officer", draw=2, chance=draw(noise=2))
    assert kinds(told)[3:] == ["attracted", "hit"]
    assert told[-1] == {"type": "hit", "cause": "noise", "by": "yellow-1", "token": "recoil"}


@rule("SO-R-15")
def test_a_defender_on_the_sniper_s_space_takes_the_noise_without_moving() -> None:
    table = Table("a1", only={"yellow-officer": "a3", "yellow-1": "a1", "yellow-2": "d1"}, lks="white")
    told = table.act("shoot", target="yellow-officer", draw=2, chance=draw(noise=2))
    assert kinds(told) == ["shot-declared", "drew", "shot"]


@rule("SO-R-16", "SO-R-65")
def test_noise_leads_over_difficult_ground_and_is_lost_where_the_way_is_held() -> None:
    table = Table("d6", only={"black-officer": "b6", "black-1": "d5"}, lks="white")
    told = table.act("shoot", target="black-officer", draw=2, chance=draw(noise=1, recoil=1))
    assert of(told, "attracted") == [{"unit": "black-1", "from": "d5", "to": "d6"}]
    held = Table("a1", only={"yellow-officer": "b2", "yellow-1": "b1", "yellow-2": "a2", "red-1": "c1"}, lks="white")
    assert held.truth.unit_on("b1") == "yellow-1"
    told = held.act("shoot", target="yellow-2", draw=1, chance=draw(noise=1))
    assert of(told, "attracted") == [{"unit": "yellow-1", "from": "b1", "to": "a1"}]
    # The closest defender's only nearer space is held by the target: the noise is lost.
    lost = Table("a1", only={"yellow-officer": "b1", "red-1": "c1"}, lks="white")
    assert kinds(lost.act("shoot", target="yellow-officer", draw=1, chance=draw(noise=1)))[3:] == []


@rule("SO-R-65", "SO-R-33")
def test_a_mine_in_the_sniper_s_space_kills_who_is_drawn_there_and_the_noise_goes_on() -> None:
    table = Table(
        "a1", only={"yellow-officer": "a3", "yellow-1": "b1", "yellow-2": "d1"}, lks="white", sniper={"mines": ["a1"]}
    )
    told = table.act("shoot", target="yellow-officer", draw=2, chance=draw(noise=2))
    assert kinds(told)[3:] == ["attracted", "mine-triggered", "killed", "attracted"]
    assert told[5] == {"type": "killed", "unit": "yellow-1", "by": "mine"}
    assert table.truth.mines == ()


@rule("SO-SHT-09")
def test_noise_reveals_nobody() -> None:
    table = Table("a1", only={"yellow-officer": "a3", "black-1": "d8"}, lks="white")
    told = table.act("shoot", target="yellow-officer", draw=2, chance=draw(noise=2))
    assert "lks-updated" not in kinds(told)
    assert table.truth.lks == "white"


@rule("SO-LOS-01", "SO-LOS-04")
@pytest.mark.parametrize(
    ("kind", "visible"),
    [("open", True), ("water", True), ("obstruction", False), ("enclosed", False), ("elevated", False)],
)
def test_what_lies_between_decides_about_sight_and_not_the_ends(kind: str, visible: bool) -> None:
    table = Table("a1", board=tm1(kinds={"b1": kind}), only={"yellow-1": "c1"})
    assert bool(table.legal("shoot")) == visible
    ends = Table("c3", only={"yellow-1": "d3"})
    assert ends.legal("shoot"), "the sniper's own space may be enclosed"
    out = Table("c4", only={"yellow-1": "c3"})
    assert out.legal("shoot"), "and so may the target's; a wall at an end does not block"


@rule("SO-LOS-02", "SO-LOS-03")
def test_rooms_and_heights_are_seen_from_within() -> None:
    assert Table("c2", only={"yellow-1": "c3"}).legal("shoot")
    assert not Table("c1", only={"yellow-1": "c4"}).legal("shoot")
    heights = tm1(kinds=dict.fromkeys(("a1", "a3", "b2"), "elevated"))
    seen = Table("a1", board=heights, only={"yellow-1": "a3"}).legal("shoot")
    assert min(shot["draw"] for shot in seen) == 2, "what lies below them counts"
    assert not Table("a2", board=heights, only={"yellow-1": "c2"}).legal("shoot")


@rule("SO-LOS-05")
def test_a_tunnel_and_the_walkway_above_it_do_not_see_each_other() -> None:
    board = maps.load("submarine-pens")
    under = [name for name, space in board.spaces.items() if space.under]
    above = [name for name, space in board.spaces.items() if space.kind == "elevated"]
    hidden = [(one, other) for one in under for other in above if board.sight(one, other) is None]
    assert under
    assert hidden
    one, other = hidden[0]
    table = Table(one, board=board, only={"yellow-1": other}, sniper={"objectives": [1, 4]})
    with refused("SO-SHT-01"):
        table.act("shoot", target="yellow-1", draw=3)
    assert not any(
        other in board.adjacent[space] for space in under for other in above if board.sight(space, other) is None
    )


@rule("SO-SHT-09")
def test_the_odds_say_how_likely_a_noise_is() -> None:
    bag = {"aim": 2, "noise": 1, "recoil": 1}
    assert GAME.odds(bag, 1, 1, False) == {"hit": Fraction(1, 2), "misfire": 0, "reveal": Fraction(1, 4)}
    assert GAME.odds(bag, 2, 1, False)["reveal"] == Fraction(1, 2)
    assert GAME.odds(bag, 2, 1, True)["reveal"] == 0
    assert GAME.odds({"aim": 1, "noise": 5}, 6, 1, True)["misfire"] == 1
    for wrong in ({"suppression": 1}, {"aim": -1}):
        with pytest.raises(NotUnderstood):
            GAME.odds(wrong, 0, 1, False)
    assert GAME.details(GAME.read_event({"type": "drew", "tokens": {"aim": 1}})) == {"tokens": {"aim": 1}}
