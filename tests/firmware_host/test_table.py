"""Whole evenings: lift, put down, tap; how the game, the lamps and each seat react."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.core.errors import UserError
from firmware_host.seats.identity import Checked, Requester
from firmware_host.table.loop import Call
from tests.firmware_host.evening import PIN, UNITS, Evening, fresh_name, take_over
from tests.firmware_host.published import latest


def a_move(evening: Evening, unit: str = "red-1") -> str:
    return next(act["to"] for act in evening.legal("defenders", "move") if act["unit"] == unit)


# --- before the game --------------------------------------------------------------------------------------------


def test_game_needs_both_seats(evening: Evening) -> None:
    with pytest.raises(UserError, match="The sniper's seat is still free"):
        evening.table.start({})
    assert evening.sees("table")["stage"] == "lobby"


def test_result_of_a_call_is_published_before_its_answer(evening: Evening) -> None:
    evening.claim_seats()
    call = Call(lambda table: table.start({"options": {"random_setup": True}}))
    call.run(evening.table)
    assert call.answer.result() is None
    assert evening.sees("table")["stage"] == evening.table.snapshot.front["stage"] == "playing"
    assert evening.view("defenders")["to_act"]


def test_board_guides_set_up_of_one_squad_after_another(evening: Evening) -> None:
    evening.claim_seats()
    evening.table.start({"options": {"random_setup": True}})
    evening.finish_dealing()
    for unit in UNITS:
        start = evening.view("table")["units"][unit]
        assert evening.board["state"] == "setting-up"
        assert start in evening.board["hint"]["spaces"]
        assert start in evening.lit()
        evening.put(unit, start)
    assert evening.board["state"] == "agreed"


def test_first_move_waits_for_miniatures_unless_sensors_are_off(evening: Evening) -> None:
    evening.claim_seats()
    evening.table.start({"options": {"random_setup": True}})
    evening.finish_dealing()
    evening.sniper(evening.legal("sniper", "choose-entry")[0])
    move = evening.legal("sniper", "move")[0]
    with pytest.raises(UserError, match="The board is not set up yet") as caught:
        evening.sniper(move)
    assert caught.value.code == "not-now"
    evening.table.board.use_sensors(False)
    evening.sniper(move)
    assert evening.view("sniper")["sniper"]["space"] == move["path"][-1]


# --- the sniper's turn ------------------------------------------------------------------------------------------


def test_silent_move_reaches_only_screen_of_sniper(evening: Evening) -> None:
    evening.start()
    evening.sniper(evening.legal("sniper", "choose-entry")[0])
    screens = {viewer: latest(evening.table.followers, viewer) for viewer in ("defenders", "table", "board")}
    frame = evening.simulated.shown_at
    move = next(act for act in evening.legal("sniper", "move") if len(act["path"]) == 1)
    evening.sniper(move)
    assert evening.view("sniper")["sniper"]["space"] == move["path"][0]
    assert {viewer: latest(evening.table.followers, viewer) for viewer in screens} == screens
    assert evening.simulated.shown_at == frame


def test_noisy_move_lights_units_that_heard_it_and_is_public(evening: Evening) -> None:
    evening.start()
    evening.sniper(evening.legal("sniper", "choose-entry")[0])
    # Put a unit next to the way, by the defenders' own moves of one round.
    loud = next((act for act in evening.sees("sniper")["foresight"]["moves"] if act["alerts"]), None)
    while loud is None:
        move = evening.legal("sniper", "move")[0] if not evening.view("sniper")["sniper"]["moved"] else None
        if move is not None:
            evening.sniper(move)
        evening.sniper({"type": "end-turn"})
        evening.defenders({"type": "end-turn"})
        loud = next((act for act in evening.sees("sniper")["foresight"]["moves"] if act["alerts"]), None)
    evening.sniper({"type": "move", "path": loud["path"]})
    spaces = {evening.space_of(unit) for unit in loud["alerts"]}
    assert "heard noise" in evening.sentences("table")[-1]
    assert spaces <= evening.lit()
    assert evening.sentences("defenders")[-1] == evening.sentences("table")[-1]


def test_lifting_in_snipers_turn_is_no_act_and_is_corrected(evening: Evening) -> None:
    evening.start()
    home = evening.space_of("red-1")
    assert home is not None
    evening.lift("red-1")
    evening.wait(3000)
    assert evening.board["state"] == "correcting"
    assert home in evening.lit()
    evening.put("red-1", home)
    assert evening.board["state"] == "agreed"
    assert evening.space_of("red-1") == home


# --- the defenders' turn ----------------------------------------------------------------------------------------


def test_miniature_lifted_and_put_down_is_a_move(defending: Evening) -> None:
    to = a_move(defending)
    defending.lift("red-1")
    assert defending.board["held"] == ["red-1"]
    assert to in defending.lit()
    defending.put("red-1", to)
    assert defending.space_of("red-1") == to
    assert defending.view("table")["squads"]["red"]["left"] == 1
    assert f"to {to}" in defending.sentences("sniper")[-1]
    assert defending.board["state"] == "agreed"


def test_miniature_put_back_is_no_act(defending: Evening) -> None:
    home = defending.space_of("red-1")
    assert home is not None
    before = defending.sentences("table")
    defending.lift("red-1")
    defending.put("red-1", home)
    assert defending.sentences("table") == before
    assert defending.board["state"] == "agreed"


def test_sliding_over_other_sensors_is_no_move_until_at_rest(defending: Evening) -> None:
    reach = [act["to"] for act in defending.legal("defenders", "move") if act["unit"] == "red-1"]
    near = next(
        space for space in reach if space in defending.table.board.io.map.walk[str(defending.space_of("red-1"))]
    )
    far = next(space for space in reach if space in defending.table.board.io.map.walk[near])
    defending.table.board.touch("red-1", near)
    defending.wait(70)
    defending.put("red-1", far)
    assert defending.space_of("red-1") == far
    assert sum("moves from" in sentence for sentence in defending.sentences("table")) == 1


def test_wrong_place_is_reported_shown_and_fixed(defending: Evening) -> None:
    reach = {act["to"] for act in defending.legal("defenders", "move") if act["unit"] == "red-1"}
    standing = set(defending.view("table")["units"].values())
    wrong = next(space for space in defending.table.board.io.spaces if space not in reach | standing)
    defending.lift("red-1")
    defending.put("red-1", wrong, wait=1500)
    hint = defending.board["hint"]
    assert hint["kind"] == "wrong-place"
    assert hint["spaces"] == [wrong]
    assert set(hint["legal"]) <= reach | {defending.space_of("red-1")}
    assert {wrong, *hint["legal"]} <= defending.lit()
    to = next(iter(sorted(reach)))
    defending.lift("red-1")
    defending.put("red-1", to)
    assert defending.space_of("red-1") == to
    assert defending.board["state"] == "agreed"


def test_move_on_screen_needs_one_correction_on_board(defending: Evening) -> None:
    home, to = defending.space_of("red-1"), a_move(defending)
    defending.defenders({"type": "move", "unit": "red-1", "to": to})
    defending.wait(1000)
    hint = defending.board["hint"]
    assert (hint["kind"], hint["from"], hint["to"]) == ("correction", home, to)
    defending.lift("red-1")
    defending.put("red-1", to)
    assert defending.board["state"] == "agreed"
    assert sum("moves from" in sentence for sentence in defending.sentences("table")) == 1


def test_board_asks_to_remove_dismissed_unit(defending: Evening) -> None:
    home = defending.space_of("red-2")
    defending.defenders({"type": "dismiss", "unit": "red-2"})
    defending.wait(1000)
    assert defending.board["hint"]["kind"] == "remove"
    assert defending.board["hint"]["spaces"] == [home]
    defending.lift("red-2")
    defending.wait(500)
    assert defending.board["state"] == "agreed"


def test_putting_absent_soldier_next_to_officer_deploys_it(defending: Evening) -> None:
    defending.defenders({"type": "dismiss", "unit": "red-2"})
    defending.lift("red-2")
    defending.wait(500)
    defending.defenders({"type": "end-turn"})
    defending.sniper({"type": "end-turn"})
    to = next(act["space"] for act in defending.legal("defenders", "deploy") if act["unit"] == "red-2")
    defending.put("red-2", to)
    assert defending.space_of("red-2") == to
    assert defending.board["state"] == "agreed"


def test_move_that_revealed_nothing_can_be_taken_back(defending: Evening) -> None:
    home, to = defending.space_of("red-1"), a_move(defending)
    assert home is not None
    for take_back in ("hand", "screen"):
        defending.lift("red-1")
        defending.put("red-1", to)
        assert defending.sees("defenders")["take_back"] == ["red-1", to, home]
        if take_back == "screen":
            defending.defenders({"type": "take-back"})
        defending.lift("red-1")
        defending.put("red-1", home)
        assert defending.space_of("red-1") == home
        assert defending.view("table")["squads"]["red"]["left"] == 2
        assert defending.board["state"] == "agreed"


def test_move_that_revealed_something_cannot_be_taken_back(defending: Evening) -> None:
    to = a_move(defending)
    defending.lift("red-1")
    defending.put("red-1", to)
    defending.defenders({"type": "attack", "unit": "red-1"})
    assert defending.sees("defenders")["take_back"] is None
    with pytest.raises(UserError, match="no move to take back"):
        defending.defenders({"type": "take-back"})


def test_answer_to_sweep_lights_board_and_every_screen(defending: Evening) -> None:
    sweep = defending.legal("defenders", "sweep")[0]
    defending.defenders(sweep)
    assert {*sweep["spaces"], defending.space_of(sweep["unit"])} <= defending.lit()
    assert "sweeps" in defending.sentences("sniper")[-1]


def test_tracking_cubes_are_set_on_screen_and_shown_on_board(defending: Evening) -> None:
    space = defending.legal("defenders", "mark")[0]["space"]
    defending.defenders({"type": "mark", "space": space})
    assert space in defending.lit()
    defending.defenders({"type": "unmark", "space": space})
    assert space not in defending.lit()


# --- the end of the game ------------------------------------------------------------------------------------------


def test_game_without_acts_ends_by_countdown_and_reveals_everything(defending: Evening) -> None:
    for _ in range(9):
        defending.defenders({"type": "end-turn"})
        defending.sniper({"type": "end-turn"})
    for viewer in ("sniper", "defenders", "table"):
        assert defending.sees(viewer)["stage"] == "over"
        assert defending.view(viewer)["over"] == {"winner": "defenders", "reason": "countdown"}
        assert len(defending.view(viewer)["opened"]["log"]) == 10


def test_same_people_can_start_new_game_after_end(defending: Evening) -> None:
    for _ in range(9):
        defending.defenders({"type": "end-turn"})
        defending.sniper({"type": "end-turn"})
    defending.table.start({"options": {"random_setup": True}})
    defending.wait(0)
    assert defending.sees("table")["stage"] == "playing"
    assert defending.view("table")["countdown"] == 10


# --- faults -------------------------------------------------------------------------------------------------------


def test_power_cut_keeps_game_seats_and_miniatures(defending: Evening) -> None:
    defending.lift("red-1")
    defending.put("red-1", a_move(defending))
    shown = {viewer: defending.view(viewer) for viewer in ("sniper", "defenders", "table")}
    heard = {viewer: defending.sentences(viewer) for viewer in shown}
    defending.pull_the_plug()
    assert {viewer: defending.view(viewer) for viewer in shown} == shown
    assert {viewer: defending.sentences(viewer) for viewer in shown} == heard
    assert defending.board["state"] == "agreed"
    defending.defenders({"type": "end-turn"})
    assert defending.view("sniper")["turn"] == "sniper"


def test_miniature_moved_during_power_cut_is_guided_home(defending: Evening) -> None:
    home = defending.space_of("red-1")
    assert home is not None
    defending.table.close()
    defending.simulated.carry("red-1", None)
    defending.sit_down()
    defending.wait(3000)
    assert home in defending.board["hint"].get("spaces", [defending.board["hint"].get("to")])
    defending.put("red-1", home)
    assert defending.board["state"] == "agreed"


def test_act_on_outdated_picture_is_refused_and_does_nothing(defending: Evening) -> None:
    revision = defending.sees("defenders")["revision"]
    defending.table.submit(defending.defenders_key, {"type": "end-turn"}, revision, fresh_name())
    defending.wait(0)
    with pytest.raises(UserError) as caught:
        defending.table.submit(defending.defenders_key, {"type": "end-turn"}, revision, fresh_name())
    assert caught.value.code == "stale"


def test_act_counts_on_older_picture_while_the_menu_is_the_same(defending: Evening) -> None:
    defending.defenders({"type": "end-turn"})
    seen = defending.sees("sniper")
    defending.defenders({"type": "mark", "space": "Y3"})
    assert defending.sees("sniper")["revision"] > seen["revision"], "the mark is public"
    assert defending.sees("sniper")["legal"] == seen["legal"]

    def act(action: dict[str, Any]) -> None:
        defending.table.submit(defending.sniper_key, action, seen["revision"], fresh_name())

    act(next(action for action in seen["legal"] if action["type"] == "move"))
    with pytest.raises(UserError, match="The game has moved on since"):
        act({"type": "end-turn"})


def test_lifted_miniature_outdates_no_picture_of_the_game(defending: Evening) -> None:
    revision = defending.sees("defenders")["revision"]
    defending.lift("red-1")
    assert defending.sees("defenders")["revision"] == revision


def led_by_two(evening: Evening) -> str:
    """Play to the defenders' turn. Bo leads yellow, with the evening's key; return the key of Cy, who leads red."""
    evening.sniper_key = evening.table.seating.claims.claim("sniper", "2468", "Ada", ())
    evening.defenders_key = evening.table.seating.claims.claim("defenders", "1111", "Bo", ("yellow",))
    other = evening.table.seating.claims.claim("defenders", "2222", "Cy", ("red",))
    evening.table.start({"options": {"random_setup": True}})
    evening.finish_dealing()
    evening.set_up()
    evening.enter()
    evening.sniper({"type": "end-turn"})
    return other


def test_device_leads_only_its_own_squads(evening: Evening) -> None:
    other = led_by_two(evening)
    with pytest.raises(UserError, match="Cy leads red"):
        evening.defenders({"type": "attack", "unit": "red-1"})
    evening.defenders({"type": "attack", "unit": "black-1"})
    evening.table.submit(
        other, {"type": "attack", "unit": "red-1"}, evening.sees("defenders")["revision"], fresh_name()
    )


@pytest.mark.parametrize("squad", [[], ["red"], {}, None, 3])
def test_squad_that_is_no_string_is_not_understood(defending: Evening, squad: Any) -> None:
    with pytest.raises(UserError) as caught:
        defending.defenders({"type": "intel", "squad": squad})
    assert caught.value.code == "not-understood"


def test_stranger_without_key_can_do_nothing(defending: Evening) -> None:
    with pytest.raises(UserError) as caught:
        defending.table.submit("forged", {"type": "end-turn"}, 0, fresh_name())
    assert caught.value.code == "no-seat"


def test_no_seat_is_freed_while_game_runs(defending: Evening) -> None:
    with pytest.raises(UserError, match="changes hands with its PIN"):
        defending.table.seating.release("sniper", Requester((defending.sniper_key,), admin_key="theirs"), running=True)


def test_unreadable_or_forbidden_act_is_refused_with_its_rule(defending: Evening) -> None:
    with pytest.raises(UserError) as caught:
        defending.defenders({"type": "fly"})
    assert caught.value.code == "not-understood"
    with pytest.raises(UserError) as caught:
        defending.sniper({"type": "loot"})
    assert (caught.value.code, caught.value.rule) == ("refused", "MP-TURN-01")


def test_only_the_leader_of_a_squad_takes_its_act_back(evening: Evening) -> None:
    other = led_by_two(evening)
    evening.table.board.use_sensors(False)
    act = next(
        act for act in evening.sees("defenders")["legal"] if act.get("unit") == "red-1" and act["type"] == "move"
    )
    bo, evening.defenders_key = evening.defenders_key, other
    evening.defenders(act)
    evening.defenders_key = bo
    with pytest.raises(UserError, match="Cy leads red"):
        evening.defenders({"type": "take-back"})
    evening.defenders_key = other
    evening.defenders({"type": "take-back"})
    assert evening.sees("defenders")["take_back"] is None


def test_only_the_leader_of_a_squad_moves_its_miniatures_on_a_phone(evening: Evening) -> None:
    """A request to the simulated board was an act for a squad that another device leads."""
    cy = Checked(keys=(led_by_two(evening),))
    bo = Checked(keys=(evening.defenders_key,))
    way = next(act for act in evening.legal("defenders", "move") if act["unit"] == "red-1")
    home = evening.space_of("red-1")

    def refused(*touch: Any) -> None:
        with pytest.raises(UserError, match="Cy leads red"):
            evening.table.touch(*touch, bo)

    refused("red-1", None)
    evening.table.touch("black-1", None, bo)  # no one leads that squad
    evening.table.touch("black-1", evening.space_of("black-1"), bo)
    evening.table.touch("red-1", None, cy)
    evening.wait(500)
    refused("wand", way["to"])
    evening.table.touch("red-1", way["to"], cy)
    evening.wait(3000)
    assert evening.space_of("red-1") == way["to"]
    refused("red-1", None)
    evening.table.touch("red-1", None, cy)
    evening.wait(500)
    refused("wand", home)
    evening.table.touch("red-1", home, cy)
    evening.wait(3000)
    assert evening.space_of("red-1") == home


def test_only_the_leader_of_a_squad_answers_about_its_miniatures(evening: Evening) -> None:
    cy = Checked(keys=(led_by_two(evening),))
    bo = Checked(keys=(evening.defenders_key,))
    moves = {(act["unit"], act["to"]) for act in evening.legal("defenders", "move")}
    goal = next(to for unit, to in sorted(moves) if unit == "red-1" and ("red-officer", to) in moves)
    for miniature, space in (("red-1", None), ("red-officer", None), ("red-1", goal)):
        evening.table.touch(miniature, space, cy)
        evening.wait(500)
    evening.wait(3000)
    assert evening.board["hint"]["kind"] == "question"
    with pytest.raises(UserError, match="Cy leads red"):
        evening.table.answer(goal, bo)
    evening.table.answer(goal, cy)
    evening.wait(500)
    assert evening.space_of("red-1") == goal


def test_devices_that_left_a_secret_seat_are_named_after_a_restart_until_the_next_game(evening: Evening) -> None:
    evening.start()
    eve = take_over(evening.table, "sniper", PIN, "Eve", share=True)
    evening.table.seating.release("sniper", Requester((eve,)), running=True)
    for names in (["Eve"], []):
        evening.wait(0)
        assert evening.sees("defenders")["seats"]["sniper"]["left"] == names
        evening.pull_the_plug()
        assert evening.sees("defenders")["seats"]["sniper"]["left"] == names
        evening.table.abandon()
        evening.table.start({"options": {"random_setup": True}})
