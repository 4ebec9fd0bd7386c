"""What the solo cards' steps do (SO-KEY, SO-ASG, SO-SNF, SO-LKS-03, SO-D): moves, deployments, hits, assignments."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.sniper_elite.rules.events import Moved
from games.sniper_elite_solo.rules.cards import CARDS, in_use
from games.sniper_elite_solo.rules.events import Attracted, Deployed
from games.sniper_elite_solo.rules.selectors import (
    attacked_spaces,
    condition_holds,
    marked_spaces,
    select_units,
    target_spaces,
)
from games.sniper_elite_solo.rules.snafu import badness
from games.sniper_elite_solo.rules.steps import deploy_outcomes, walk_outcomes
from tests.games.sniper_elite_solo.ground import HOME, Table, kinds, of, tm1

rule = pytest.mark.rule
LKS = {"do": "move", "who": ["outside_lks"], "n": 2, "to": "lks"}
ALL_TO_LKS = {**LKS, "who": ["all"]}


def repeat(verb: str, to: str, **more: Any) -> dict[str, Any]:
    """A step that is repeated for every possible objective."""
    return {"do": "for_each_possible_objective", "body": [{"do": verb, "who": ["closest"], "to": to, **more}]}


GUARD = repeat("move", "$obj", n=3)
DOORS = repeat("move", "access($obj)", n=2)
POST = repeat("deploy", "$obj")


# --- distance and moves -----------------------------------------------------------------------------------------


@rule("SO-KEY-01", "SO-R-07", "SO-R-55")
def test_distance_is_what_a_defender_pays_to_walk_whoever_stands_there() -> None:
    terrain = Table("a1").truth.terrain
    assert terrain.distance("a1", "a4") == 3, "defenders on the way do not count"
    assert terrain.distance("d5", "d6") == 2, "difficult ground costs two to enter"
    assert terrain.distance("d6", "d5") == 1, "and nothing more to leave"
    assert terrain.distance("b3", "c3") == 5, "walls are walked around"
    assert terrain.distance("a1", "d7") == 999
    assert terrain.distance(None, "a1") == 999
    assert terrain.nearest("a1", ["a4", "b1"]) == 1
    assert terrain.nearest("a1", []) == 999


@rule("SO-KEY-08", "SO-KEY-09", "SO-R-42")
def test_a_move_follows_a_shortest_way_and_stops_on_arrival() -> None:
    table = Table("a8", only={"black-1": "d8"}, lks="red")
    assert table.runs({**ALL_TO_LKS, "n": 3}) == [{"type": "moved", "unit": "black-1", "from": "d8", "to": "b8"}]
    again = Table("a8", only={"black-1": "d8"}, lks="yellow")
    told = again.runs({**ALL_TO_LKS, "n": 1})
    assert of(told, "moved")[0]["to"] == "c8"


@rule("SO-KEY-10", "SO-R-41")
def test_a_walk_onto_the_sniper_does_not_hit_and_no_card_aims_at_the_sniper_s_space() -> None:
    table = Table("a4", only={"red-1": "a6"}, lks="yellow")
    told = table.runs({**ALL_TO_LKS, "n": 2})
    assert kinds(told) == ["moved"]
    assert table.where("red-1") == "a4"
    away = Table("d1", only={"red-1": "a6"}, lks="yellow")
    assert away.runs({**ALL_TO_LKS, "n": 2})[0]["to"] == "a4"


@rule("SO-KEY-11", "SO-R-57")
def test_a_walk_passes_others_and_ends_where_it_can_without_a_detour() -> None:
    table = Table("d8", only={"red-1": "a6", "red-2": "a5", "yellow-1": "a4"}, lks="yellow")
    assert walk_outcomes(table.truth, "red-1", ["a4"], 2) == []
    assert walk_outcomes(table.truth, "red-1", ["a3"], 3) == [("red-1", "a3")], "through two others"
    assert walk_outcomes(table.truth, "red-1", ["a3"], 2) == [], "the ways around are no shortest ones"
    assert walk_outcomes(table.truth, "red-2", ["a5"], 2) == [], "it has arrived"
    assert walk_outcomes(table.truth, "red-2", ["d7"], 2) == [], "no way leads there"
    near = Table("d8", only={"red-1": "a6", "yellow-1": "a4"}, lks="yellow")
    assert walk_outcomes(near.truth, "red-1", ["a4"], 3) == [("red-1", "a5")], "as far as possible"


@rule("SO-D-04", "SO-R-56")
def test_defenders_act_one_at_a_time_the_nearest_first_and_blocked_ones_wait() -> None:
    table = Table("d8", only={"red-1": "a5", "red-2": "a6", "black-1": "a7"}, lks="yellow", sniper={"completed": [4]})
    told = table.runs({**ALL_TO_LKS, "n": 1})
    assert [(step["unit"], step["to"]) for step in of(told, "moved")] == [
        ("red-1", "a4"),
        ("red-2", "a5"),
        ("black-1", "a6"),
    ]
    blocked = Table("d8", only={"yellow-1": "c4", "black-1": "c5", "black-2": "c6"}, lks="white")
    assert blocked.runs({**ALL_TO_LKS, "n": 1}) == []


@rule("SO-R-56")
def test_who_acts_and_where_it_ends_is_one_choice() -> None:
    table = Table(
        "d8",
        only={"red-1": "a5", "red-2": "b5", "red-officer": "b8", "black-officer": "c6"},
        lks="yellow",
        sniper={"completed": [4]},
    )
    told = table.runs({**ALL_TO_LKS, "n": 1}, chance=[("snafu", ["red-2", "b4"])])
    assert told[:3] == [
        {"type": "snafu", "among": [["red-1", "a4"], ["red-2", "b4"]], "chosen": ["red-2", "b4"]},
        {"type": "moved", "unit": "red-2", "from": "b5", "to": "b4"},
        {"type": "moved", "unit": "red-1", "from": "a5", "to": "a4"},
    ]


@rule("SO-R-59", "SO-D-03")
def test_moved_are_those_whose_space_this_card_has_changed() -> None:
    table = Table("b4", only={"yellow-1": "a4", "red-1": "b6", "black-1": "d8"}, lks="yellow")
    told = table.runs({**LKS, "n": 1}, {"do": "scan", "who": ["moved"]}, {"do": "scan", "who": ["unmoved"]})
    assert of(told, "scanned") == [{"units": ["red-1", "black-1"]}, {"units": ["yellow-1"]}]
    assert of(told, "hit") == [
        {"cause": "scan", "by": "red-1", "token": "recoil"}, {"cause": "scan", "by": "yellow-1", "token": "recoil"},
    ]  # fmt: skip


# --- deployments ------------------------------------------------------------------------------------------------


@rule("SO-KEY-06", "SO-SUM-01")
def test_a_deployment_ignores_the_ways_and_hits_on_the_sniper_s_space() -> None:
    to_house = tm1(marks={"T": {"white": {"yellow": ["c2"], "red": [], "black": []}}})
    table = Table("c2", board=to_house, only={"yellow-1": "a8"}, lks="red")
    told = table.runs({"do": "assignment", "marks": "T", "per_colour": 1})
    assert told[2:] == [
        {"type": "deployed", "unit": "yellow-1", "from": "a8", "to": "c2"},
        {"type": "hit", "cause": "deploy", "by": "yellow-1", "token": "recoil"},
    ]


@rule("SO-KEY-07", "SO-R-50", "SO-R-61")
def test_a_deployment_onto_another_goes_beside_it_or_to_the_closest_free_space() -> None:
    table = Table("d8", only={"red-1": "a8", "yellow-1": "a2"}, lks="white")
    assert {space for _, space in deploy_outcomes(table.truth, "red-1", "a2")} == {"a1", "a3", "b2"}
    full = {**dict(zip(HOME, ("a2", "a1", "a3", "b2", "a8"), strict=False))}
    table = Table("d8", only=full, lks="white")
    assert {space for _, space in deploy_outcomes(table.truth, "red-1", "a2")} == {"a4", "b1", "b3"}
    assert deploy_outcomes(table.truth, "red-officer", "a2") == [("red-officer", "b2")], "its own space is free for it"
    hidden = Table("a1", only={"yellow-1": "a3", "red-1": "b3"}, lks="yellow")
    assert {space for _, space in deploy_outcomes(hidden.truth, "yellow-1", "b3")} == {"a3", "b2"}, "b4 is further away"


@rule("SO-LKS-03", "SO-R-61")
def test_a_defender_in_the_last_known_sector_is_not_deployed_away_from_the_sniper() -> None:
    table = Table("a1", only={"yellow-1": "a2", "red-1": "a5"}, lks="yellow")
    assert deploy_outcomes(table.truth, "yellow-1", "a3") == []
    assert deploy_outcomes(table.truth, "yellow-1", "b1") == [("yellow-1", "b1")]
    assert deploy_outcomes(table.truth, "red-1", "a8") == [("red-1", "a8")], "from outside it is"


@rule("SO-D-05", "SO-KEY-14", "SO-R-55")
def test_where_steps_can_lead() -> None:
    doors = tm1(doors=[("c3", "d3"), ("c2", "c1")])
    view = Table("a1", board=doors, lks="white", possible=[1, 9]).truth
    assert target_spaces(view, "lks") == ("c1", "c2", "c3", "c4", "d1", "d2", "d3", "d4")
    assert target_spaces(view, "nearest_access_in_lks") == ("c1", "c2", "c3", "d3")
    assert target_spaces(view, "nearest_enclosed_in_lks") == ("c2", "c3")
    assert target_spaces(view, "nearest_possible") == ("a2", "d2")
    assert target_spaces(view, "iron_cross_of_own_colour", "red-2") == ("b7",)
    assert target_spaces(view, "$obj", objective=9) == ("d2",)
    assert target_spaces(view, "access($obj)", objective=9) == ("d2",), "on open ground it is the objective itself"
    enclosed = Table("a1", board=tm1(kinds={"d2": "enclosed"}, doors=[("d2", "d3"), ("d2", "d1")])).truth
    assert target_spaces(enclosed, "access($obj)", objective=9) == ("d2",), "a way in begins on either side of the wall"


# --- the repeats ------------------------------------------------------------------------------------------------


@rule("SO-KEY-12", "SO-R-52")
def test_a_repeat_goes_by_number_with_the_closest_defender_that_is_not_used() -> None:
    table = Table("d8", only={"yellow-1": "b2", "yellow-2": "b4", "red-1": "b8"}, lks="red", possible=[3, 1, 5])
    told = table.runs(GUARD)
    assert [(step["unit"], step["to"]) for step in of(told, "moved")] == [
        ("yellow-1", "a2"),
        ("yellow-2", "b3"),
        ("red-1", "a7"),
    ]
    pulled = Table("d8", only={"yellow-1": "b3", "red-1": "b8"}, lks="red", possible=[1, 3])
    told = pulled.runs(GUARD)
    assert [(step["unit"], step["to"]) for step in of(told, "moved")] == [("yellow-1", "a2"), ("red-1", "b5")]


@rule("SO-R-51", "SO-R-58")
def test_who_stands_on_the_objective_stays_and_is_used() -> None:
    table = Table("d8", only={"yellow-1": "a2", "yellow-2": "b2"}, lks="red", possible=[1, 3])
    told = table.runs(GUARD)
    assert of(told, "moved") == [{"unit": "yellow-2", "from": "b2", "to": "b3"}]


@rule("SO-R-58", "SO-KEY-13")
def test_a_defender_without_a_way_or_whose_deployment_is_ignored_is_passed_over() -> None:
    table = Table("d8", board=tm1(doors=[]), only={"yellow-1": "c2", "yellow-2": "a8"}, lks="red", possible=[3])
    assert of(table.runs(GUARD), "moved")[0]["unit"] == "yellow-2"
    ignored = Table("a1", only={"yellow-1": "a2", "red-1": "a8"}, lks="yellow", possible=[3])
    assert of(ignored.runs(POST), "deployed") == [{"unit": "red-1", "from": "a8", "to": "b3"}]
    nobody = Table("a1", only={"yellow-1": "a2"}, lks="yellow", possible=[3])
    assert nobody.runs(POST) == [], "surplus defenders stay put"


@rule("SO-R-51", "SO-KEY-14")
def test_doors_are_manned_from_the_way_in() -> None:
    board = tm1(kinds={"d2": "enclosed", "c2": "open", "c3": "open"}, doors=[("d2", "d3")])
    table = Table("d8", board=board, only={"yellow-1": "d4", "red-1": "d3"}, lks="red", possible=[9])
    told = table.runs(DOORS)
    assert told == [{"type": "moved", "unit": "red-1", "from": "d3", "to": "d2"}]


# --- hits -------------------------------------------------------------------------------------------------------


@rule("SO-KEY-03", "SO-R-09", "SO-R-10", "SO-R-49")
def test_a_scan_hits_once_for_each_defender_on_or_beside_the_sniper_through_walls() -> None:
    table = Table("c2", only={"yellow-1": "b2", "yellow-2": "c2", "red-1": "c1", "red-2": "b1"}, lks="red")
    told = table.runs({"do": "scan", "who": ["all"]})
    assert told[0] == {"type": "scanned", "units": ["yellow-1", "yellow-2", "red-1", "red-2"]}
    assert [one["by"] for one in of(told, "hit")] == ["yellow-1", "yellow-2", "red-1"]


@rule("SO-KEY-04", "SO-R-08", "SO-R-10")
def test_a_search_hits_where_it_sees_the_sniper_at_a_distance_of_two() -> None:
    units = {"yellow-1": "a1", "yellow-2": "a4", "red-1": "b3", "black-1": "a2", "black-2": "b2"}
    table = Table("a2", only=units, lks="red")
    told = table.runs({"do": "search", "who": ["all"]})
    assert [one["by"] for one in of(told, "hit")] == ["yellow-1", "yellow-2", "black-1"]
    assert table.truth.hits == 3, "the fourth does not count any more"


@rule("SO-KEY-05", "SO-R-10", "SO-R-11")
@pytest.mark.parametrize(("hits", "counted"), [(0, 2), (2, 1), (3, 0)])
def test_an_attack_hits_twice_however_many_selectors_reach_the_space(hits: int, counted: int) -> None:
    table = Table("b2", only={"yellow-1": "b2"}, lks="yellow", sniper={"hits": hits})
    told = table.runs({"do": "attack", "spaces": ["occupied_by(in_lks)", "occupied_by(all)"]})
    assert told[0] == {"type": "attacked", "spaces": ["b2"]}
    assert (
        of(told, "hit") == [{"cause": "attack", "by": None, "token": token} for token in ("recoil", "recoil")][:counted]
    )


@rule("SO-D-06")
def test_the_spaces_of_an_attack() -> None:
    view = Table("a1", only={"yellow-1": "b3", "yellow-2": "c4", "red-1": "a8"}, lks="white").truth
    assert attacked_spaces(view, ["occupied_by(in_lks)"]) == ("c4",)
    assert attacked_spaces(view, ["beside(all,enclosed)"]) == ("c3",)
    assert attacked_spaces(view, ["beside(in_lks,open)", "occupied_by(outside_lks)"]) == ("a8", "b3", "d4")
    assert attacked_spaces(view, ["access_in_lks_beside(all)"]) == ("c3",)


@rule("SO-D-10", "SO-D-01")
def test_a_step_that_concerns_nobody_does_nothing() -> None:
    table = Table("a1", only={}, lks="yellow", possible=[])
    for name in CARDS:
        told = table.runs(*msgspec.to_builtins(CARDS[name].steps))
        assert set(kinds(told)) <= {"lks-updated", "assignment"}


@rule("SO-D-01", "SO-FIN-02")
def test_a_card_stops_as_the_game_ends() -> None:
    table = Table(
        "a2",
        only={"yellow-1": "a2", "red-1": "b8"},
        lks="yellow",
        sniper={"stack": [], "wounds": 1},
        bag={"aim": 6, "noise": 4, "recoil": 7},
    )
    told = table.runs({"do": "attack", "spaces": ["occupied_by(all)"]}, ALL_TO_LKS)
    assert kinds(told) == ["attacked", "hit", "wounded", "game-over", "opened"]


# --- selectors, conditions, eliminations ------------------------------------------------------------------------


@rule("SO-D-03", "SO-R-20")
@pytest.mark.parametrize(
    ("who", "found"),
    [
        (["all"], ["yellow-1", "yellow-2", "red-1", "black-1"]),
        (["in_lks"], ["yellow-1", "red-1"]),
        (["outside_lks"], ["yellow-2", "black-1"]),
        (["lks_colour"], ["yellow-1", "yellow-2"]),
        (["on:enclosed"], ["yellow-2"]),
        (["not_on:enclosed"], ["yellow-1", "red-1", "black-1"]),
        (["on_possible"], ["yellow-1"]),
        (["not_on_possible"], ["yellow-2", "red-1", "black-1"]),
        (["beside_water"], ["black-1"]),
        (["not_beside_water"], ["yellow-1", "yellow-2", "red-1"]),
        (["in_lks", "not_on_possible"], ["red-1"]),
        (["moved"], ["red-1"]),
        (["unmoved", "in_lks"], ["yellow-1"]),
    ],
)
def test_whom_a_selector_fits(who: list[str], found: list[str]) -> None:
    units = {"yellow-officer": None, "yellow-1": "a2", "yellow-2": "c3", "red-1": "b4", "black-1": "d6"}
    view = Table("a8", only=units, lks="yellow", possible=[1, 9]).truth
    assert list(select_units(view, who, {"red-1"})) == found


@rule("SO-D-03")
def test_where_the_sector_is_neutral_its_colour_is_whoever_stands_there() -> None:
    view = Table("a8", only={"yellow-1": "d1", "yellow-2": "a1"}, lks="white").truth
    assert select_units(view, ["lks_colour"]) == ("yellow-1",)


@rule("SO-D-07")
@pytest.mark.parametrize(
    ("cond", "so"),
    [
        ("sniper_on:open", True), ("sniper_on:enclosed", False), ("sniper_in_lks", False), ("lks_is:W", True),
        ("lks_is:Y", False), ("possible_at_least:2", True), ("possible_at_least:3", False), ("deck_at_most:9", True),
        ("deck_at_most:8", False), ("unguarded_possible", True),
    ],
)  # fmt: skip
def test_conditions(cond: str, so: bool) -> None:
    table = Table("a1", only={"yellow-1": "a2"}, lks="white", possible=[1, 3])
    assert condition_holds(table.truth, cond) == so
    told = table.runs({"do": "if", "cond": cond, "then": [{"do": "update_lks"}], "else": []})
    assert bool(told) == so


@rule("SO-D-07", "SO-KEY-02")
def test_all_guarded_is_not_unguarded() -> None:
    view = Table("a1", only={"yellow-1": "a2"}, lks="white", possible=[1]).truth
    assert not condition_holds(view, "unguarded_possible")
    assert not condition_holds(Table("a1", only={}, lks="white", possible=[]).truth, "unguarded_possible")


@rule("SO-D-08", "SO-OBJ-01")
def test_the_lowest_possible_objective_goes_but_never_an_own_one() -> None:
    step = {"do": "eliminate", "which": "lowest_in_lks"}
    table = Table("a1", lks="red", possible=[1, 4, 5, 6])
    assert table.runs(step, step) == [{"type": "eliminated", "objective": 5}, {"type": "eliminated", "objective": 6}]
    assert table.runs(step) == []
    assert table.truth.possible == (1, 4)
    assert table.runs({"do": "eliminate", "which": "none"}) == []


# --- assignments ------------------------------------------------------------------------------------------------


def assigned(red: Any = (), black: Any = (), **more: Any) -> Any:
    """The map with marks for an assignment to the yellow sector."""
    return tm1(marks={"T": {"yellow": {"red": red, "black": black, **more}}})


ASSIGN = {"do": "assignment", "marks": "T", "per_colour": 2}


@rule("SO-ASG-01", "SO-ASG-02", "SO-R-27", "SO-R-28", "SO-R-66")
def test_an_assignment_sends_the_other_colours_to_their_marks() -> None:
    board = assigned(["a3", "b4", "b2"], ["b3"])
    units = {"yellow-1": "d1", "red-1": "a5", "red-2": "a8", "red-officer": "b8", "black-1": "d5", "black-2": "d8"}
    table = Table("a1", board=board, only=units, lks="red")
    told = table.runs(ASSIGN)
    assert told[:2] == [
        {"type": "lks-updated", "sector": "yellow"},
        {"type": "assignment", "marks": {"red": ["a3", "b4"], "black": ["b3"]}},
    ]
    assert [(step["unit"], step["to"]) for step in of(told, "deployed")] == [
        ("red-1", "a3"), ("red-officer", "b4"), ("black-1", "b3"),
    ]  # fmt: skip
    assert table.where("yellow-1") == "d1", "the sector's own colour does not move"


@rule("SO-R-29", "SO-R-27", "SO-LKS-03")
def test_a_mark_that_is_held_is_skipped_and_who_may_not_go_is_passed_over() -> None:
    board = assigned(["a3", "b4"], ["b3"])
    units = {"yellow-1": "a3", "red-1": "a2", "red-2": "a8", "black-1": "d5"}
    table = Table("a1", board=board, only=units, lks="red")
    told = table.runs(ASSIGN)
    assert of(told, "deployed")[0] == {"unit": "red-2", "from": "a8", "to": "b4"}, "red 1 is nearer, and would go away"


@rule("SO-D-09", "SO-R-66")
def test_marks_are_dealt_where_the_map_has_none() -> None:
    view = Table("a1", lks="yellow").truth
    assert marked_spaces(view, "perimeter", 2) == {"red": ("b4", "b3"), "black": ("a4", "b2")}, (
        "near their iron crosses"
    )
    white = Table("a1", lks="white").truth
    assert marked_spaces(white, "access", 2) == {"yellow": ("d3",), "red": ("c3",), "black": ("c4",)}


@rule("SO-D-09", "SO-R-66")
def test_heights_are_topped_up_from_the_ways_in_and_then_from_the_border() -> None:
    board = tm1(kinds={"d1": "elevated", "c2": "open", "c3": "open"}, doors=[("c1", "d1")])
    view = Table("a1", board=board, lks="white").truth
    assert view.terrain.ladders == ("c1", "d1")
    marks = marked_spaces(view, "heights", 2)
    assert {marks["yellow"], marks["red"], marks["black"]} == {("c1",), ("d1",), ("c4",)}


@rule("SO-ASG-03")
def test_to_the_neutral_sector_each_colour_sends_one() -> None:
    board = tm1(marks={"T": {"white": {"yellow": ["d1", "d4"], "red": ["c4"], "black": []}}})
    table = Table("c1", board=board, only=HOME, lks="white")
    told = table.runs(ASSIGN)
    assert told[1] == {"type": "assignment", "marks": {"yellow": ["d1"], "red": ["c4"], "black": []}}
    assert [step["unit"].split("-")[0] for step in of(told, "deployed")] == ["yellow", "red"]


# --- SNAFU ------------------------------------------------------------------------------------------------------


@rule("SO-SNF-01", "SO-R-05", "SO-R-60")
def test_outcomes_are_judged_by_the_list_in_its_order() -> None:
    sure = Table("a1", only={"red-1": "a3"}, lks="white").truth
    onto, beside, guard = (
        badness(sure, ("red-1", "a1"), Deployed),
        badness(sure, ("red-1", "a2"), Deployed),
        badness(sure, ("red-1", "a5"), Deployed),
    )
    assert onto > beside > guard, "a hit, then being near, then guarding what the sniper needs"
    assert onto[:3] == (0, 0, 1)
    last = Table(
        "a1", only={"red-1": "a3"}, sniper={"stack": [], "wounds": 1}, bag={"aim": 6, "noise": 4, "recoil": 7}
    ).truth
    assert badness(last, ("red-1", "a1"), Deployed)[:3] == (1, 1, 1)
    first = Table("a1", only={"red-1": "a3"}, sniper={"stack": []}, bag={"aim": 6, "noise": 4, "recoil": 7}).truth
    assert badness(first, ("red-1", "a1"), Attracted)[:3] == (0, 1, 1)
    spent = Table("a1", only={"red-1": "a3"}, sniper={"hits": 3}).truth
    assert badness(spent, ("red-1", "a1"), Deployed)[:3] == (0, 0, 0)
    assert badness(sure, ("red-1", "a1"), Moved)[:3] == (0, 0, 0), "a walk does not hit"
    assert badness(sure, ("red-1", "a1"), None)[:3] == (0, 0, 0), "nor does a return"


@rule("SO-R-60", "SO-R-33")
def test_an_outcome_counts_the_mine_and_who_is_off_the_board() -> None:
    mined = Table("a1", only={"red-1": "a3", "black-1": "d8"}, sniper={"mines": ["a1"]}).truth
    bad = badness(mined, ("red-1", "a1"), Deployed)
    terrain = mined.terrain
    assert bad[:4] == (0, 0, 0, 0), "it dies, and does not hit"
    assert bad[6] == -(terrain.distance("d8", "a1") + 8 * 999)
    assert bad[5] == -(terrain.distance("d8", "a5") + terrain.distance("d8", "c6"))
    nobody = Table("a1", only={"red-1": None}).truth
    assert badness(nobody, ("red-1", "a3"), None)[5] == -(2 + terrain.distance("a3", "c6"))


@rule("SO-SNF-01", "SO-R-05")
def test_the_worst_outcome_happens_without_chance_and_ties_are_told() -> None:
    clear = Table("a2", only={"red-1": "a5", "yellow-1": "a8"}, lks="yellow", possible=[3])
    assert "snafu" not in kinds(clear.runs(POST))
    guards = {"red-officer": "a5", "black-officer": "c6"}
    tied = Table("b1", only={**guards, "yellow-1": "a3", "yellow-2": "b4"}, lks="red", possible=[3])
    told = tied.runs(GUARD, chance=[("snafu", ["yellow-2", "b3"])])
    assert told == [
        {"type": "snafu", "among": [["yellow-1", "b3"], ["yellow-2", "b3"]], "chosen": ["yellow-2", "b3"]},
        {"type": "moved", "unit": "yellow-2", "from": "b4", "to": "b3"},
    ]


@rule("SO-D-02", "SO-D-11", "SO-KEY-15")
def test_every_card_is_made_of_known_steps_and_gives_most_defenders_something_to_do() -> None:
    verbs = {"update_lks", "reveal_position", "eliminate", "move", "deploy", "scan", "search", "attack", "assignment"}
    used = {verb for card in CARDS.values() for verb in verbs_of(card.steps)}
    assert used == verbs - {"deploy"} | {"for_each_possible_objective", "if", "deploy"}
    for which, telling in (
        ("LF", {"SC-06", "LF-01", "LF-02", "LF-03", "LF-06"}),
        ("SP", {"SC-06", "SP-01", "SP-02", "SP-03", "SP-05"}),
    ):
        located = {
            name for name in in_use(which)
            if verbs_of(CARDS[name].steps) & {"update_lks", "reveal_position", "assignment"}
        }  # fmt: skip
        assert located == telling


def verbs_of(steps: Any) -> set[str]:
    """The verbs of some steps, those within others included."""
    found = set()
    for step in steps:
        found.add(str(step.__struct_config__.tag))
        for part in ("body", "then", "otherwise"):
            found |= verbs_of(getattr(step, part, ()))
    return found
