"""The steps of the solo cards (SO-KEY, SO-ASG, SO-SNF, SO-D)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from games.sniper_elite.rules.events import Moved
from games.sniper_elite_solo.rules import selectors
from games.sniper_elite_solo.rules.act import badness
from games.sniper_elite_solo.rules.cards import CARDS, in_use
from games.sniper_elite_solo.rules.events import Attracted, Deployed
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.steps import deploy_outcomes
from tests.games.sniper_elite_solo.ground import HOME, Table, kinds, of, tm1

rule = pytest.mark.rule
LKS = {"do": "move", "who": ["outside_lks"], "n": 2, "to": "lks"}
ALL_TO_LKS = {**LKS, "who": ["all"]}


# --- distance and moves -----------------------------------------------------------------------------------------


@rule("SO-KEY-01", "SO-R-07", "SO-R-55")
def test_distance_is_walking_cost_ignoring_defenders() -> None:
    terrain = Table("a1").truth.terrain
    assert terrain.distance("a1", "a4") == 3, "defenders on the way do not count"
    assert terrain.distance("d5", "d6") == 2, "difficult ground costs two to enter"
    assert terrain.distance("d6", "d5") == 1, "leaving it costs nothing more"
    assert terrain.distance("b3", "c3") == 5, "paths go around walls"
    assert terrain.distance("a1", "d7") == 999
    assert terrain.distance(None, "a1") == 999
    assert terrain.nearest("a1", ["a4", "b1"]) == 1
    assert terrain.nearest("a1", []) == 999


# --- deployments ------------------------------------------------------------------------------------------------


@rule("SO-KEY-08", "SO-KEY-09", "SO-R-42")
def test_defender_takes_a_shortest_path_and_stops_on_arrival() -> None:
    table = Table("a8", only={"black-1": "d8"}, lks="red")
    assert table.runs({**ALL_TO_LKS, "n": 3}) == [{"type": "moved", "unit": "black-1", "from": "d8", "to": "b8"}]
    again = Table("a8", only={"black-1": "d8"}, lks="yellow")
    told = again.runs({**ALL_TO_LKS, "n": 1})
    assert of(told, "moved")[0]["to"] == "c8"


@rule("SO-KEY-10", "SO-R-41")
def test_walk_onto_the_sniper_does_not_hit() -> None:
    table = Table("a4", only={"red-1": "a6"}, lks="yellow")
    told = table.runs({**ALL_TO_LKS, "n": 2})
    assert kinds(told) == ["moved"]
    assert table.where("red-1") == "a4"
    away = Table("d1", only={"red-1": "a6"}, lks="yellow")
    assert away.runs({**ALL_TO_LKS, "n": 2})[0]["to"] == "a4"


@rule("SO-R-59", "SO-D-03")
def test_moved_selects_defenders_whose_space_changed() -> None:
    table = Table("b4", only={"yellow-1": "a4", "red-1": "b6", "black-1": "d8"}, lks="yellow")
    told = table.runs({**LKS, "n": 1}, {"do": "scan", "who": ["moved"]}, {"do": "scan", "who": ["unmoved"]})
    assert of(told, "scanned") == [{"units": ["red-1", "black-1"]}, {"units": ["yellow-1"]}]
    assert of(told, "hit") == [
        {"cause": "scan", "by": "red-1", "token": "recoil"}, {"cause": "scan", "by": "yellow-1", "token": "recoil"},
    ]  # fmt: skip


@rule("SO-KEY-07", "SO-R-50", "SO-R-61")
def test_deployment_onto_a_defender_ends_at_the_nearest_free_space() -> None:
    def ends(truth: Picture, unit: str, to: str) -> set[str]:
        return {space for _, space in deploy_outcomes(truth, unit, to)}

    assert ends(Table("d8", only={"red-1": "a8", "yellow-1": "a2"}, lks="white").truth, "red-1", "a2") == {
        "a1",
        "a3",
        "b2",
    }
    full = Table("d8", only=dict(zip(HOME, ("a2", "a1", "a3", "b2", "a8"), strict=False)), lks="white").truth
    assert ends(full, "red-1", "a2") == {"a4", "b1", "b3"}
    assert ends(full, "red-officer", "a2") == {"b2"}, "its own space is free for it"
    hidden = Table("a1", only={"yellow-1": "a3", "red-1": "b3"}, lks="yellow").truth
    assert ends(hidden, "yellow-1", "b3") == {"a3", "b2"}, "b4 is further away"


@rule("SO-D-05", "SO-KEY-14", "SO-R-55")
def test_target_spaces() -> None:
    doors = tm1(doors=[("c3", "d3"), ("c2", "c1")])
    view = Table("a1", board=doors, lks="white", possible=[1, 9]).truth
    assert selectors.target_spaces(view, "lks") == ("c1", "c2", "c3", "c4", "d1", "d2", "d3", "d4")
    assert selectors.target_spaces(view, "nearest_access_in_lks") == ("c1", "c2", "c3", "d3")
    assert selectors.target_spaces(view, "nearest_enclosed_in_lks") == ("c2", "c3")
    assert selectors.target_spaces(view, "nearest_possible") == ("a2", "d2")
    assert selectors.target_spaces(view, "iron_cross_of_own_colour", "red-2") == ("b7",)
    assert selectors.target_spaces(view, "$obj", objective=9) == ("d2",)
    assert selectors.target_spaces(view, "access($obj)", objective=9) == ("d2",), "on open ground"
    enclosed = Table("a1", board=tm1(kinds={"d2": "enclosed"}, doors=[("d2", "d3"), ("d2", "d1")])).truth
    assert selectors.target_spaces(enclosed, "access($obj)", objective=9) == ("d2",), "both sides of a wall"


# --- hits -------------------------------------------------------------------------------------------------------


@rule("SO-D-06")
def test_attacked_spaces() -> None:
    view = Table("a1", only={"yellow-1": "b3", "yellow-2": "c4", "red-1": "a8"}, lks="white").truth
    assert selectors.attacked_spaces(view, ["occupied_by(in_lks)"]) == ("c4",)
    assert selectors.attacked_spaces(view, ["beside(all,enclosed)"]) == ("c3",)
    assert selectors.attacked_spaces(view, ["beside(in_lks,open)", "occupied_by(outside_lks)"]) == ("a8", "b3", "d4")
    assert selectors.attacked_spaces(view, ["access_in_lks_beside(all)"]) == ("c3",)


@rule("SO-D-10", "SO-D-01")
def test_step_without_defenders_does_nothing() -> None:
    table = Table("a1", only={}, lks="yellow", possible=[])
    for name in CARDS:
        told = table.runs(*msgspec.to_builtins(CARDS[name].steps))
        assert set(kinds(told)) <= {"lks-updated", "assignment"}


@rule("SO-D-01", "SO-FIN-02")
def test_card_stops_when_game_ends() -> None:
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
def test_selectors(who: list[str], found: list[str]) -> None:
    units = {"yellow-officer": None, "yellow-1": "a2", "yellow-2": "c3", "red-1": "b4", "black-1": "d6"}
    view = Table("a8", only=units, lks="yellow", possible=[1, 9]).truth
    assert list(selectors.select_units(view, who, {"red-1"})) == found


@rule("SO-D-03")
def test_neutral_sector_takes_the_colour_of_a_defender_there() -> None:
    view = Table("a8", only={"yellow-1": "d1", "yellow-2": "a1"}, lks="white").truth
    assert selectors.select_units(view, ["lks_colour"]) == ("yellow-1",)


@rule("SO-D-07")
@pytest.mark.parametrize(
    ("cond", "so"),
    [
        ("sniper_on:open", True), ("sniper_on:enclosed", False), ("sniper_in_lks", False), ("lks_is:W", True),
        ("lks_is:Y", False), ("possible_at_least:2", True), ("possible_at_least:3", False), ("deck_at_most:9", True),
        ("deck_at_most:8", False), ("unguarded_possible", True),
    ],
)  # fmt: skip
def test_condition_holds(cond: str, so: bool) -> None:
    table = Table("a1", only={"yellow-1": "a2"}, lks="white", possible=[1, 3])
    assert selectors.condition_holds(table.truth, cond) == so
    told = table.runs({"do": "if", "cond": cond, "then": [{"do": "update_lks"}], "else": []})
    assert bool(told) == so


@rule("SO-D-07", "SO-KEY-02")
def test_unguarded_possible_is_false_if_all_are_guarded() -> None:
    view = Table("a1", only={"yellow-1": "a2"}, lks="white", possible=[1]).truth
    assert not selectors.condition_holds(view, "unguarded_possible")
    assert not selectors.condition_holds(Table("a1", only={}, lks="white", possible=[]).truth, "unguarded_possible")


@rule("SO-D-08", "SO-OBJ-01")
def test_elimination_spares_the_objectives_of_the_sniper() -> None:
    step = {"do": "eliminate", "which": "lowest_in_lks"}
    table = Table("a1", lks="red", possible=[1, 4, 5, 6])
    assert table.runs(step, step) == [{"type": "eliminated", "objective": 5}, {"type": "eliminated", "objective": 6}]
    assert table.runs(step) == []
    assert table.truth.possible == (1, 4)
    assert table.runs({"do": "eliminate", "which": "none"}) == []


# --- assignments ------------------------------------------------------------------------------------------------


@rule("SO-D-09", "SO-R-66")
def test_marks_are_dealt_if_the_map_has_none() -> None:
    view = Table("a1", lks="yellow").truth
    assert selectors.marked_spaces(view, "perimeter", 2) == {"red": ("b4", "b3"), "black": ("a4", "b2")}, (
        "near their iron crosses"
    )
    white = Table("a1", lks="white").truth
    assert selectors.marked_spaces(white, "access", 2) == {"yellow": ("d3",), "red": ("c3",), "black": ("c4",)}


@rule("SO-D-09", "SO-R-66")
def test_height_marks_fall_back_to_access_and_perimeter() -> None:
    board = tm1(kinds={"d1": "elevated", "c2": "open", "c3": "open"}, doors=[("c1", "d1")])
    view = Table("a1", board=board, lks="white").truth
    assert view.terrain.ladders == ("c1", "d1")
    marks = selectors.marked_spaces(view, "heights", 2)
    assert {marks["yellow"], marks["red"], marks["black"]} == {("c1",), ("d1",), ("c4",)}


# --- SNAFU ------------------------------------------------------------------------------------------------------


@rule("SO-SNF-01", "SO-R-05", "SO-R-60")
def test_badness_follows_the_order_of_criteria() -> None:
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
    assert badness(sure, ("red-1", "a1"), None)[:3] == (0, 0, 0), "a return does not hit either"


@rule("SO-D-02", "SO-D-11", "SO-KEY-15")
def test_every_card_uses_known_steps() -> None:
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
    """Return the verbs of steps, including nested ones."""
    found = set()
    for step in steps:
        found.add(str(step.__struct_config__.tag))
        for part in ("body", "then", "otherwise"):
            found |= verbs_of(getattr(step, part, ()))
    return found
