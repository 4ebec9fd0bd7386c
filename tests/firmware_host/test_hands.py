"""What hands do at the board, and what is understood of it."""

from __future__ import annotations

import pytest

from firmware_host.board.tracking.hints import Correction, Question, Remove, UnknownPiece, WrongPlace
from tests.firmware_host.handling import Handling, spoken
from tests.firmware_host.tracing import Trace
from tests.toys import grid

TWO = {"red-1": "c4", "yellow-1": "c5"}
SOLDIERS = {"red-1": "c4", "red-2": "c6"}

# --- moving -----------------------------------------------------------------------------------------------------


def test_a_miniature_lifted_and_set_down_on_a_legal_space_has_moved() -> None:
    table = Handling()
    table.lift("c4").wait(500).put("a4").wait(79)
    assert table.moved == []
    table.wait(1)
    assert table.moved == [("red-1", "a4")]
    assert table.outcome.agreed


def test_where_it_could_slide_on_it_is_watched_for_longer() -> None:
    table = Handling().lift("c4").wait(500).put("c5")
    assert table.wait(249).moved == []
    assert table.wait(1).moved == [("red-1", "c5")]


def test_set_back_on_its_place_nothing_has_happened() -> None:
    table = Handling().carry("c4", "c4")
    assert table.moved == []
    assert table.outcome.agreed
    assert table.hints == []


def test_sliding_over_sensors_on_the_way_is_no_move() -> None:
    table = Handling().lift("c4")
    for space in ("c5", "b5"):
        table.wait(40).put(space).wait(70).lift(space)
    table.wait(40).put("b4").wait(1000)
    assert table.moved == [("red-1", "b4")]


def test_a_slide_that_is_felt_ahead_before_it_leaves_is_the_same_piece() -> None:
    table = Handling().put("c5").wait(30).lift("c4").wait(60).put("c6").wait(20).lift("c5").wait(1000)
    assert table.moved == [("red-1", "c6")]
    assert table.hints == []


def test_dropped_and_lifted_again_before_it_rests_it_has_not_moved() -> None:
    table = Handling().lift("c4").wait(300).put("a4").wait(60).lift("a4").wait(300).put("c4").wait(1000)
    assert table.moved == []
    assert table.outcome.agreed


def test_a_weak_magnet_that_drops_out_for_a_moment_is_nothing() -> None:
    table = Handling()
    for _ in range(5):
        table.lift("c4").wait(70).put("c4").wait(200)
    assert table.moved == []
    assert table.hints == []


def test_while_a_miniature_is_in_the_air_its_reach_is_known() -> None:
    table = Handling({"red-1": "a1"}).lift("a1")
    assert table.outcome.held == (("red-1",),)
    assert table.outcome.left == ("a1",)
    assert sorted(table.outcome.reach) == ["a1", "a2", "a3", "b1", "b2", "c1"]
    assert not table.outcome.agreed
    assert table.hint is None


def test_a_place_that_others_hold_is_not_offered() -> None:
    table = Handling({"red-1": "a1", "yellow-1": "a2"}).lift("a1")
    assert "a2" not in table.outcome.reach
    assert "a3" in table.outcome.reach


def test_the_same_landing_is_never_made_an_act_twice() -> None:
    table = Handling().lift("c4").wait(500).put("a4").wait(5000)
    assert table.moved == [("red-1", "a4")]


def test_an_act_that_the_table_refused_is_not_said_again() -> None:
    table = Handling().lift("c4").wait(500).put("a4")
    hands, outcome = table.hands.feel(table.facts, (), 1.6)
    assert outcome.act is not None
    for ms in range(1700, 4000, 100):
        hands, outcome = hands.feel(table.facts, (), ms / 1000)
        assert outcome.act is None
    assert isinstance(outcome.hint, WrongPlace)


def test_one_move_after_another_without_waiting() -> None:
    table = Handling(TWO).lift("c4").wait(200).put("a4").wait(50).lift("c5").wait(200).put("e5").wait(1000)
    assert table.moved == [("red-1", "a4"), ("yellow-1", "e5")]


def test_one_may_come_to_where_another_has_just_left() -> None:
    table = Handling(TWO).lift("c4", "c5").wait(200).put("a4").wait(50).put("c4").wait(1000)
    assert table.moved == [("red-1", "a4"), ("yellow-1", "c4")]


# --- two at once ------------------------------------------------------------------------------------------------


def test_two_lifted_at_once_are_told_apart_by_where_they_may_go() -> None:
    table = Handling({"red-1": "a1", "yellow-1": "f8"}).lift("a1", "f8").wait(300)
    assert table.outcome.held == (("yellow-1", "red-1"),)
    table.put("f6").wait(50).put("a3").wait(1000)
    assert sorted(table.moved) == [("red-1", "a3"), ("yellow-1", "f6")]
    assert table.hints == []


def test_the_first_is_known_while_the_other_is_still_in_the_air() -> None:
    table = Handling({"red-1": "a1", "yellow-1": "f8"}).lift("a1", "f8").wait(300).put("f6").wait(250)
    assert table.moved == [("yellow-1", "f6")]
    assert table.outcome.held == (("red-1",),)


def test_where_both_may_have_landed_the_other_one_tells() -> None:
    table = Handling(TWO).lift("c4", "c5").wait(300).put("b4").wait(1000)
    assert table.moved == []
    assert table.outcome.held == (("yellow-1",), ("red-1",))
    table.put("c7").wait(1000)
    assert sorted(table.moved) == [("red-1", "b4"), ("yellow-1", "c7")]
    assert table.hints == []


def test_what_the_rules_cannot_tell_apart_is_asked() -> None:
    table = Handling(TWO).lift("c4", "c5").wait(300).put("b4", "b5").wait(1000)
    assert table.moved == []
    assert isinstance(table.hint, Question)
    asked = spoken(table.hint)
    assert {choice["tap"] for choice in asked["between"]} == {"b4", "b5"}
    chosen = next(choice for choice in asked["between"] if choice["tap"] == "b5")
    assert chosen["action"] == {"type": "move", "unit": "red-1", "to": "b5"}
    table.pick(chosen["tap"]).wait(1000)
    assert sorted(table.moved) == [("red-1", "b5"), ("yellow-1", "b4")]
    assert table.outcome.agreed


@pytest.mark.parametrize("tap", ["b4", "b5"])
def test_the_answer_can_be_given_by_lifting_and_setting_down_the_right_one(tap: str) -> None:
    table = Handling(TWO).lift("c4", "c5").wait(300).put("b4", "b5").wait(1000)
    asked = spoken(table.hint)
    chosen = next(choice["action"] for choice in asked["between"] if choice["tap"] == tap)
    table.lift(tap).wait(400).put(tap).wait(1000)
    assert (chosen["unit"], chosen["to"]) in table.moved
    assert len(table.moved) == 2
    assert table.outcome.agreed


def test_with_one_still_in_the_air_nothing_is_asked_at_once() -> None:
    table = Handling(TWO).lift("c4", "c5").wait(300).put("b4").wait(1900)
    assert table.hint is None
    table.wait(200)
    assert isinstance(table.hint, Question)


@pytest.mark.parametrize(("home", "mover"), [("c4", "yellow-1"), ("c5", "red-1")])
def test_setting_the_other_one_back_answers_too_unless_both_may_stand_there(home: str, mover: str) -> None:
    board = grid({"c4": "enclosed", "c5": "elevated"}, doors=[("c4", "b4"), ("c5", "b5")])
    table = Handling(TWO, board=board).lift("c4", "c5").wait(300).put("b4").wait(1000)
    assert table.moved == []
    table.put(home).wait(1000)
    assert table.moved == [(mover, "b4")]


def one_may_move() -> Handling:
    """Two in the air; yellow has no legal act, and red may go to b4."""
    table = Handling(TWO, squads={"yellow": {"left": 0}})
    return table.lift("c4", "c5").wait(300).put("b4")


def test_what_lands_is_not_taken_for_the_only_one_that_may_move_while_another_is_in_the_air() -> None:
    table = one_may_move().wait(1900)
    assert table.moved == []
    assert table.hint is None
    assert table.outcome.held == (("yellow-1",), ("red-1",))
    table.wait(200)
    assert isinstance(table.hint, Question)
    assert [(choice.unit, choice.tap) for choice in table.hint.between] == [("red-1", "b4")]
    assert table.pick("b4").wait(100).moved == [("red-1", "b4")]
    assert table.put("c5").wait(1000).outcome.agreed


def test_nor_when_the_other_has_come_to_a_place_of_its_own() -> None:
    """The two may have been taken for one another: yellow on b4, red in yellow's place."""
    table = one_may_move().wait(200).put("c5").wait(1000)
    assert table.moved == []
    assert isinstance(table.hint, Question)
    assert table.lift("b4").wait(400).put("b4").wait(1000).moved == [("red-1", "b4")]
    assert table.outcome.agreed


def test_who_sets_the_mover_back_has_said_no() -> None:
    table = one_may_move().wait(2500).put("c4").wait(1000)
    assert table.moved == []
    assert isinstance(table.hint, Correction)
    assert (table.hint.start, table.hint.to, table.hint.unit) == ("b4", "c5", "yellow-1")
    assert table.carry("b4", "c5").outcome.agreed


def test_one_that_may_have_come_to_the_others_place_is_asked_about() -> None:
    table = Handling(TWO).lift("c4", "c5").wait(300).put("b4", "c4").wait(1000)
    assert isinstance(table.hint, Question)
    assert table.moved == []
    choices = {(choice.unit, choice.tap) for choice in table.hint.between}
    assert len(choices) == 2


def test_soldiers_of_a_squad_are_alike() -> None:
    table = Handling(SOLDIERS).lift("c4", "c6").wait(300).put("c5", "b5").wait(1000)
    assert {to for _, to in table.moved} == {"c5", "b5"}
    assert table.hints == []


def test_soldiers_are_told_apart_when_one_of_them_has_acted_already() -> None:
    table = Handling(SOLDIERS, done={"red-1": ["attack"]}, squads={"red": {"left": 2}})
    table.lift("c4", "c6").wait(300).put("c5", "b5").wait(1000)
    assert isinstance(table.hint, Question)


def test_of_two_soldiers_the_one_that_may_move_has_moved() -> None:
    table = Handling(SOLDIERS, done={"red-1": ["move"]}, squads={"red": {"left": 1}})
    table.lift("c4", "c6").wait(300).put("c5", "c4").wait(1000)
    assert table.moved == [("red-2", "c5")]
    assert table.hints == []


# --- wrong ------------------------------------------------------------------------------------------------------


def test_a_wrong_place_is_shown_with_the_right_ones_until_it_is_put_right() -> None:
    table = Handling({"red-1": "a1"}).carry("a1", "f8")
    assert isinstance(table.hint, WrongPlace)
    assert table.hint.spaces == ("f8",)
    assert set(table.hint.legal) == {"a1", "a2", "a3", "b1", "b2", "c1"}
    table.wait(60_000)
    assert isinstance(table.hint, WrongPlace)
    table.carry("f8", "a3")
    assert table.moved == [("red-1", "a3")]
    assert table.outcome.agreed


def test_others_may_go_on_while_one_stands_wrong() -> None:
    table = Handling({"red-1": "a1", "yellow-1": "f8"}).carry("a1", "d4").carry("f8", "f6")
    assert table.moved == [("yellow-1", "f6")]
    assert isinstance(table.hint, WrongPlace)
    assert table.hint.spaces == ("d4",)


def test_something_unknown_is_pointed_out_and_changes_nothing() -> None:
    table = Handling({"red-1": "a1"}).put("f8").wait(1000)
    assert isinstance(table.hint, UnknownPiece)
    assert table.hint.spaces == ("f8",)
    table.carry("a1", "a3")
    assert table.moved == [("red-1", "a3")]
    table.lift("f8").wait(100)
    assert table.outcome.agreed


def test_a_wand_that_touches_a_space_is_felt_and_forgotten() -> None:
    table = Handling({"red-1": "a1"}).put("f8").wait(300)
    table.lift("f8")
    assert table.outcome.touched == ("f8",)
    assert table.outcome.agreed
    assert table.hints == []


def test_a_miniature_that_has_no_act_left_goes_home() -> None:
    table = Handling({"red-1": "a1", "yellow-1": "f8"}, squads={"red": {"left": 0}}).carry("a1", "a2")
    assert isinstance(table.hint, Correction)
    assert (table.hint.start, table.hint.to) == ("a2", "a1")
    assert table.carry("a2", "a1").outcome.agreed


def test_lifting_in_the_snipers_turn_is_no_act() -> None:
    table = Handling(turn="sniper").lift("c4").wait(100)
    assert isinstance(table.hint, Correction)
    assert (table.hint.start, table.hint.to, table.hint.unit) == (None, "c4", "red-1")
    table.put("c5").wait(1000)
    assert (table.hint.start, table.hint.to) == ("c5", "c4")
    assert table.moved == []
    assert table.carry("c5", "c4").outcome.agreed


def test_what_was_set_down_in_the_snipers_turn_is_no_move_in_the_next() -> None:
    table = Handling(turn="sniper").carry("c4", "c5").acts_on_screen({"type": "end-turn"}, "sniper").wait(1000)
    assert table.facts.placements
    assert table.moved == []
    table.lift("c5").wait(100).put("c5").wait(1000)
    assert table.moved == [("red-1", "c5")]


def test_a_piece_pushed_aside_by_the_moving_hand_goes_home() -> None:
    table = Handling({"red-1": "c4", "yellow-1": "c6"}).lift("c4").wait(300)
    table.lift("c6").wait(60).put("c7").wait(200).put("c5").wait(1000)
    assert table.moved == [("red-1", "c5")]
    assert isinstance(table.hint, Correction)
    assert (table.hint.start, table.hint.to, table.hint.unit) == ("c7", "c6", "yellow-1")
    assert table.carry("c7", "c6").outcome.agreed
    assert table.moved == [("red-1", "c5")]


def test_one_that_lands_beside_where_another_was_just_lifted_was_not_pushed() -> None:
    table = Handling({"red-1": "c4", "yellow-1": "c6"}).lift("c4").wait(300).lift("c6").wait(60).put("c5").wait(300)
    assert table.moved == []
    table.put("c8").wait(1000)
    assert sorted(table.moved) == [("red-1", "c5"), ("yellow-1", "c8")]


def test_a_magnet_that_two_sensors_feel_deploys_nobody() -> None:
    table = Handling({"red-1": "b5", "yellow-1": "f8"}).lift("b5").wait(300).put("b7").wait(3).put("b6").wait(300)
    table.lift("b6").wait(1000)
    assert table.moved == [("red-1", "b7")]
    assert table.outcome.agreed


def test_while_a_magnet_is_just_leaving_nothing_there_is_at_rest() -> None:
    table = Handling().lift("c4").wait(500).put("a4").wait(70)
    hands, outcome = table.hands.feel(table.facts, (), 1.59, {"a4": 1.575})
    assert outcome.act is None
    hands, outcome = hands.feel(table.facts, (), 1.65)
    assert outcome.act is None
    assert outcome.due == pytest.approx(1.655)
    assert hands.feel(table.facts, (), 1.655)[1].act is not None


def test_a_sleeve_across_the_board_moves_nobody() -> None:
    units = {"red-1": "c1", "red-2": "c2", "yellow-1": "c4", "yellow-2": "c5", "black-1": "c7", "black-2": "d4"}
    table = Handling(units)
    for space in units.values():
        table.lift(space).wait(40)
    for space in ("d1", "d2", "e4", "d5", "d7", "f4"):
        table.put(space).wait(40)
    table.wait(2000)
    seen = 0
    while not table.outcome.agreed:
        assert isinstance(table.hint, Correction), table.hint
        table.carry(table.hint.start, table.hint.to)
        seen += 1
        assert seen <= 6
    assert table.moved == []


# --- what the game does to the board ----------------------------------------------------------------------------


def test_a_move_on_the_screen_asks_for_one_carry() -> None:
    table = Handling().acts_on_screen({"type": "move", "unit": "red-1", "to": "c5"}).wait(100)
    assert isinstance(table.hint, Correction)
    assert spoken(table.hint)["from"] == "c4"
    assert table.hint.to == "c5"
    table.lift("c4").wait(200)
    assert (table.hint.start, table.hint.to) == (None, "c5")
    table.put("c5").wait(100)
    assert table.outcome.agreed
    assert table.moved == []


def test_carries_are_asked_for_one_at_a_time_nearest_first() -> None:
    table = Handling({"red-1": "a1", "yellow-1": "f8"})
    table.acts_on_screen({"type": "move", "unit": "red-1", "to": "a3"})
    table.acts_on_screen({"type": "move", "unit": "yellow-1", "to": "f7"}).wait(100)
    assert (table.hint.start, table.hint.to) == ("f8", "f7")
    table.carry("f8", "f7")
    assert (table.hint.start, table.hint.to) == ("a1", "a3")
    assert table.carry("a1", "a3").outcome.agreed


def test_look_alikes_are_carried_as_short_as_can_be() -> None:
    table = Handling({"red-1": "c4", "red-2": "c5"})
    table.acts_on_screen({"type": "move", "unit": "red-2", "to": "c6"})
    table.acts_on_screen({"type": "move", "unit": "red-1", "to": "c5"}).wait(100)
    assert (table.hint.start, table.hint.to) == ("c4", "c6")
    assert table.carry("c4", "c6").outcome.agreed


def test_a_miniature_whose_unit_is_gone_is_taken_off() -> None:
    table = Handling().acts_on_screen({"type": "dismiss", "unit": "red-1"}).wait(100)
    assert isinstance(table.hint, Remove)
    assert table.hint.spaces == ("c4",)
    assert table.lift("c4").wait(100).outcome.agreed
    assert table.outcome.held == ()


def test_a_miniature_set_down_from_the_box_is_deployed() -> None:
    units = {"red-officer": "b6", "red-1": "c6", "yellow-1": "f1"}
    table = Handling(units, off=["red-2"]).put("b7").wait(1000)
    assert table.moved == [("red-2", "b7")]
    assert table.outcome.agreed


def test_an_officer_is_deployed_on_its_circle() -> None:
    table = Handling({"red-1": "c6", "yellow-1": "f1"}).put("b6").wait(1000)
    assert table.moved == [("red-officer", "b6")]


def test_nobody_is_deployed_where_nobody_may_be() -> None:
    table = Handling({"red-officer": "b6", "red-1": "c6", "yellow-1": "f1"}).put("f5").wait(1000)
    assert table.moved == []
    assert isinstance(table.hint, UnknownPiece)
    assert table.hint.spaces == ("f5",)
    assert "b7" in table.hint.sentence


def test_deployed_on_the_screen_the_miniature_is_asked_for() -> None:
    table = Handling({"red-officer": "b6", "red-1": "c6", "yellow-1": "f1"})
    table.acts_on_screen({"type": "deploy", "unit": "red-2", "space": "b7"}).wait(100)
    assert isinstance(table.hint, Correction)
    assert (table.hint.start, table.hint.to, table.hint.unit) == (None, "b7", "red-2")
    assert table.put("b7").wait(100).outcome.agreed
    assert table.moved == []


def test_a_lifted_piece_is_not_taken_for_one_from_the_box() -> None:
    table = Handling({"red-officer": "b6", "red-1": "f1"}).carry("f1", "b7")
    assert table.moved == []
    assert isinstance(table.hint, WrongPlace)
    assert table.hint.spaces == ("b7",)


# --- the marker -------------------------------------------------------------------------------------------------


def marked(space: str = "d4", **position: object) -> Handling:
    sniper = {"space": "a8", "miniature": space}
    return Handling({"red-1": "c4", "yellow-1": "f8"}, sniper=sniper, **position)


def test_the_marker_may_stand_on_the_last_known_space_or_not() -> None:
    table = marked()
    assert table.outcome.agreed
    assert table.put("d4").wait(2000).outcome.agreed
    assert table.lift("d4").wait(2000).outcome.agreed
    assert table.hints == []


def test_a_unit_may_come_to_an_empty_last_known_space() -> None:
    table = marked().carry("c4", "d4")
    assert table.moved == [("red-1", "d4")]


def test_a_unit_set_down_beside_the_marker_is_asked_about() -> None:
    table = marked().put("d4").wait(1000).lift("c4").wait(1900)
    assert table.hint is None
    table.wait(200)
    assert isinstance(table.hint, Question)
    table.pick("d4").wait(1000)
    assert table.moved == [("red-1", "d4")]
    assert table.outcome.agreed


def test_a_unit_that_hovers_over_the_last_known_space_before_it_stays_has_moved_there() -> None:
    table = marked().lift("c4").wait(400)
    for _ in range(3):
        table.put("d4").wait(40).lift("d4").wait(200)
    table.put("d4").wait(1000)
    assert table.moved == [("red-1", "d4")]
    assert table.outcome.agreed


def test_a_unit_that_slides_on_to_the_last_known_space_is_not_taken_for_the_marker() -> None:
    """It is felt ahead, 10 ms before it leaves the last sensor, and that is told 25 ms later."""
    trace = Trace(position={"sniper": {"space": "a8", "miniature": "c5"}})
    trace.lift(679, "c4").put(681, "c4").put(684, "c5").lift(694, "c4").until(3000)
    assert [(unit, to) for _, unit, to in trace.moves] == [("red-1", "c5")]
    assert trace.of("hint") == []


def test_the_marker_lifted_and_set_back_is_no_unit() -> None:
    table = marked().put("d4").wait(1000).lift("c4").wait(300).lift("d4").wait(300).put("d4").wait(1000)
    assert table.moved == []
    table.put("c4").wait(500)
    assert table.outcome.agreed


def test_a_marker_left_behind_is_taken_off() -> None:
    table = marked("d4").put("d4").wait(1000)
    _, outcome = table.hands.feel(marked("e5").facts, (), 9.0)
    assert outcome.hint == Remove(("d4",), "Take the marker off d4.")


# --- sensors that do not count ----------------------------------------------------------------------------------


def test_a_sensor_that_does_not_count_disturbs_nobody() -> None:
    table = Handling({"red-1": "c4", "yellow-1": "f8"}, occupied={"yellow-1": "f8"}, blind={"c4"})
    assert table.outcome.agreed
    assert table.put("c4").wait(500).outcome.agreed
    assert table.lift("c4").wait(500).outcome.held == ()
    assert table.carry("f8", "f6").moved == [("yellow-1", "f6")]


# --- the start --------------------------------------------------------------------------------------------------


def test_after_a_power_cut_a_displaced_piece_goes_home_and_does_not_move() -> None:
    table = Handling({"red-1": "c4", "yellow-1": "f8"}, occupied={"red-1": "c5", "yellow-1": "f8"})
    assert isinstance(table.hint, Correction)
    assert (table.hint.start, table.hint.to) == ("c5", "c4")
    assert table.carry("c5", "c4").outcome.agreed
    assert table.moved == []
    assert table.carry("c4", "c5").moved == [("red-1", "c5")]
