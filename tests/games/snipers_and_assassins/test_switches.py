"""The five rulings that can be switched off, each read both ways."""

from __future__ import annotations

import pytest

from firmware_host.core.rulebook import book_of
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.rules.picture import SWITCH_IDS
from tests.games.protocol_client import AnswerError, Json, kinds
from tests.games.snipers_and_assassins.table import Table, new, playing

RULE = pytest.mark.rule


def off(*rulings: str) -> Json:
    """Return the options of a game in which these rulings are switched off."""
    return {"switches": dict.fromkeys(rulings, False)}


def targets(table: Table, number: int = 1) -> set[tuple[str, str]]:
    """Return the end and the target of every option A that shoots before it moves."""
    acts = table.offered(number, "a")
    return {(act["to"], act["target"]) for act in acts if act["order"] == "shoot-move"}


def test_every_switch_is_in_lobby_and_book() -> None:
    group = next(group for group in GAME.options().groups if group.name == "rulings")
    assert [option.path for option in group.options] == [("switches", ruling) for ruling in SWITCH_IDS.values()]
    assert all("switched off" in book_of(GAME.name).entries[ruling].text for ruling in SWITCH_IDS.values())
    with pytest.raises(AnswerError, match="not-understood"):
        new(switches={"SA-R-99": False})


# --- SA-R-07: Hideouts ------------------------------------------------------------------------------------------


@RULE("SA-R-07")
def test_hideouts_are_closed_to_shots_or_count_as_a_column() -> None:
    parts = {"S1": "A3", "S2": "B2", "p2": {"start": "BL", "assassin": "BL"}, "p1": {"start": "AL"}}
    closed, opened = playing(2, {}, **parts), playing(2, off("SA-R-07"), **parts)
    assert {target for _, target in targets(closed)} == {"sniper-2"}
    assert {target for _, target in targets(opened)} == {"sniper-2", "assassin-2"}
    assert closed.refused(1, "a", order="shoot-move", to="A3", target="assassin-2") == "SA-R-07"
    assert opened.act(1, "a", order="shoot-move", to="A3", target="assassin-2")[0]["result"] == "dodge"
    # Column 0 is out of the range of column 4.
    far = playing(2, off("SA-R-07"), **{**parts, "S1": "A4"})
    assert far.refused(1, "a", order="shoot-move", to="A4", target="assassin-2") == "SA-SHT-01"


@RULE("SA-R-07", "SA-R-40")
def test_sniper_shoots_from_its_hideout_and_stays_or_leaves() -> None:
    parts = {"S1": "AL", "A2": "A3"}
    assert targets(playing(2, {}, **parts)) == set()
    opened = playing(2, off("SA-R-07"), **parts)
    assert targets(opened) == {("AL", "assassin-2"), ("A1", "assassin-2")}
    assert kinds(opened.act(1, "a", order="shoot-move", to="AL", target="assassin-2")) == ["shot", "status"]
    assert opened.at("S1") == "AL"
    assert playing(2, off("SA-R-07"), S1="A1").refused(1, "b-walk", to="AL") == "SA-R-40"


@RULE("SA-R-07", "SA-HIT-02")
def test_sniper_killed_in_its_hideout_is_replaced_there() -> None:
    table = playing(2, off("SA-R-07"), S1="D2", S2="DL")
    told = table.act(1, "a", order="shoot-move", to="D2", target="sniper-2")
    assert told[1] == {"type": "sniper-replaced", "marker": "sniper-2", "from": "DL", "to": "DL"}


# --- SA-R-19: retreats ------------------------------------------------------------------------------------------


def driven_onto(switches: Json, **more: object) -> list[Json]:
    """Return the events of a shot that drives Assassin 2 from B6 onto B4, where Sniper 3 stands."""
    parts = {"S1": "B8", "A2": "B6", "S3": "B4", "p2": {"shot": "stale"}, **more}
    return playing(3, switches, **parts).act(1, "a", order="shoot-move", to="B8", target="assassin-2")


@RULE("SA-R-19")
def test_retreat_passes_unnoticed_or_runs_into_markers() -> None:
    assert kinds(driven_onto({})) == ["shot", "retreated"]
    told = driven_onto(off("SA-R-19"))
    assert kinds(told)[:4] == ["shot", "retreated", "run-in", "sniper-replaced"]
    assert told[2] == {"type": "run-in", "marker": "assassin-2", "with": ["sniper-3"]}
    assert kinds(told).count("retreated") == 1


@RULE("SA-R-19", "SA-R-52")
def test_shooter_hit_by_a_retreat_ends_its_move() -> None:
    table = playing(2, off("SA-R-19"), S1="B4", A2="B6", p2={"shot": "stale"})
    told = table.act(1, "a", order="shoot-move", to="B5", target="assassin-2")
    assert kinds(told)[:4] == ["shot", "retreated", "run-in", "sniper-replaced"]
    assert "moved" not in kinds(told)
    assert table.at("S1") == "AL"


# --- SA-R-24: mines ---------------------------------------------------------------------------------------------


@RULE("SA-R-24")
def test_mines_are_limited_to_five_or_not_at_all() -> None:
    parts = {"A1": "C5", "mines1": ["B1", "B2", "B3", "B4", "B5"]}
    limited, free = playing(2, {}, **parts), playing(2, off("SA-R-24"), **parts)
    assert limited.offered(1, "plant") == []
    assert limited.refused(1, "plant", space="C4") == "SA-R-24"
    assert [act["space"] for act in free.offered(1, "plant")] == ["C4", "C6"]
    assert any("mine" in act for act in free.offered(1, "walk"))
    free.act(1, "plant", space="C4")
    assert len(free.of(1)["mines"]) == 6
    # One mine a turn and one on a space stay.
    assert free.refused(1, "plant", space="C6") == "SA-TRN-02"
    assert len(playing(2, off("SA-R-24"), mines1=free.of(1)["mines"]).of(1)["mines"]) == 6
    with pytest.raises(AnswerError, match="SA-R-24"):
        playing(2, {}, mines1=free.of(1)["mines"])


# --- SA-R-41: Targets -------------------------------------------------------------------------------------------


@RULE("SA-R-41")
def test_leader_has_one_hunter_or_several() -> None:
    layout = {
        f"player-{number}": {"start": f"{'ABC'[number - 1]}L", "target": target, "leader": f"{'ABC'[number - 1]}R"}
        for number, target in enumerate(("player-3", "player-3", "player-1"), 1)
    }
    with pytest.raises(AnswerError, match="SA-R-41"):
        new(3, layout=layout)
    assert new(3, layout=layout, **off("SA-R-41")).of(2)["target"] == "player-3"


@RULE("SA-R-41", "SA-SET-05")
def test_taken_target_stays_open_if_several_may_hunt_it() -> None:
    parts = {"setup": "target", "turn": "player-2", "p1": {"start": "AL", "target": "player-3"}}
    starts = {"p2": {"start": "BL"}, "p3": {"start": "CL"}}
    assert [act["seat"] for act in playing(3, {}, **parts, **starts).offered(2)] == ["player-1"]
    table = playing(3, off("SA-R-41"), **parts, **starts)
    assert [act["seat"] for act in table.offered(2)] == ["player-1", "player-3"]
    assert table.refused(2, "choose-target", seat="player-2") == "SA-R-41"
    table.act(2, "choose-target", seat="player-3")
    assert [act["seat"] for act in table.offered(3)] == ["player-1", "player-2"]


# --- SA-R-47: jumps out of Hideouts -----------------------------------------------------------------------------


@RULE("SA-R-47")
def test_sniper_walks_out_of_its_hideout_or_jumps_to_the_next() -> None:
    grounded, free = playing(2), playing(2, off("SA-R-47"))
    for kind in ("b-jump", "c-jump", "d1", "d2"):
        assert grounded.offered(1, kind) == []
    assert grounded.refused(1, "b-jump", to="BL") == "SA-R-47"
    assert [act["to"] for act in free.offered(1, "b-jump")] == ["BL"]
    assert [act["to"] for act in free.offered(1, "c-jump")] == ["BL", "B1"]
    free.act(1, "d2", to="BL")
    free.end(1, 2)
    assert [act["to"] for act in free.offered(1, "d-continue")] == ["CL", "C1"]
    free.act(1, "d-continue", to="CL")
    assert free.at("S1") == "CL"


@RULE("SA-R-47", "SA-R-04")
def test_assassin_never_jumps_out_of_its_hideout() -> None:
    table = playing(2, off("SA-R-47"))
    assert table.offered(1, "jump") == []
    assert table.refused(1, "jump", to="BL") == "SA-R-04"


@RULE("SA-R-47", "SA-R-40")
def test_sniper_stands_only_in_hideouts_that_it_can_reach() -> None:
    assert playing(2, off("SA-R-47"), S1="CL").at("S1") == "CL"
    for switches, space in (({}, "CL"), (off("SA-R-47"), "CR")):
        with pytest.raises(AnswerError, match="SA-R-40"):
            playing(2, switches, S1=space)
