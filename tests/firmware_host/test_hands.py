"""What people do at the board, and how piece tracking interprets it."""

from __future__ import annotations

import pytest

from firmware_host.board.tracking.hints import Question, Remove, UnknownPiece, WrongPlace
from tests.firmware_host.handling import Handling, spoken
from tests.firmware_host.tracing import Trace
from tests.toys import grid

TWO = {"red-1": "c4", "yellow-1": "c5"}
SOLDIERS = {"red-1": "c4", "red-2": "c6"}

# --- moving -----------------------------------------------------------------------------------------------------


def test_miniature_moved_to_legal_space_has_moved() -> None:
    table = Handling()
    table.lift("c4").wait(500).put("a4").wait(79)
    assert table.moved == []
    table.wait(1)
    assert table.moved == [("red-1", "a4")]
    assert table.outcome.agreed


def test_piece_that_could_slide_on_is_watched_longer() -> None:
    table = Handling().lift("c4").wait(500).put("c5")
    assert table.wait(249).moved == []
    assert table.wait(1).moved == [("red-1", "c5")]


def test_piece_put_back_has_not_moved() -> None:
    table = Handling().carry("c4", "c4")
    assert table.moved == []
    assert table.outcome.agreed
    assert table.hints == []


def test_sliding_over_sensors_on_way_is_no_move() -> None:
    table = Handling().lift("c4")
    for space in ("c5", "b5"):
        table.wait(40).put(space).wait(70).lift(space)
    table.wait(40).put("b4").wait(1000)
    assert table.moved == [("red-1", "b4")]


def test_slide_detected_ahead_before_it_leaves_is_same_piece() -> None:
    table = Handling().put("c5").wait(30).lift("c4").wait(60).put("c6").wait(20).lift("c5").wait(1000)
    assert table.moved == [("red-1", "c6")]
    assert table.hints == []


def test_piece_dropped_and_lifted_again_has_not_moved() -> None:
    table = Handling().lift("c4").wait(300).put("a4").wait(60).lift("a4").wait(300).put("c4").wait(1000)
    assert table.moved == []
    assert table.outcome.agreed


def test_short_dropout_of_weak_magnet_is_ignored() -> None:
    table = Handling()
    for _ in range(5):
        table.lift("c4").wait(70).put("c4").wait(200)
    assert table.moved == []
    assert table.hints == []


def test_reach_of_lifted_miniature_is_known() -> None:
    table = Handling({"red-1": "a1"}).lift("a1")
    assert table.outcome.held == (("red-1",),)
    assert table.outcome.left == ("a1",)
    assert sorted(table.outcome.reach) == ["a1", "a2", "a3", "b1", "b2", "c1"]
    assert not table.outcome.agreed
    assert table.hint is None


def test_occupied_space_is_not_offered() -> None:
    table = Handling({"red-1": "a1", "yellow-1": "a2"}).lift("a1")
    assert "a2" not in table.outcome.reach
    assert "a3" in table.outcome.reach


def test_same_landing_makes_only_one_act() -> None:
    table = Handling().lift("c4").wait(500).put("a4").wait(5000)
    assert table.moved == [("red-1", "a4")]


def test_act_refused_by_table_is_not_repeated() -> None:
    table = Handling().lift("c4").wait(500).put("a4")
    hands, outcome = table.hands.feed(table.facts, (), 1.6)
    assert outcome.act is not None
    for ms in range(1700, 4000, 100):
        hands, outcome = hands.feed(table.facts, (), ms / 1000)
        assert outcome.act is None
    assert isinstance(outcome.hint, WrongPlace)


def test_one_move_can_follow_another_without_waiting() -> None:
    table = Handling(TWO).lift("c4").wait(200).put("a4").wait(50).lift("c5").wait(200).put("e5").wait(1000)
    assert table.moved == [("red-1", "a4"), ("yellow-1", "e5")]


def test_piece_may_move_to_space_just_left() -> None:
    table = Handling(TWO).lift("c4", "c5").wait(200).put("a4").wait(50).put("c4").wait(1000)
    assert table.moved == [("red-1", "a4"), ("yellow-1", "c4")]


# --- two at once --------------------------------------------------------------------------------------------------


def test_two_lifted_pieces_are_distinguished_by_their_legal_moves() -> None:
    table = Handling({"red-1": "a1", "yellow-1": "f8"}).lift("a1", "f8").wait(300)
    assert table.outcome.held == (("yellow-1", "red-1"),)
    table.put("f6").wait(50).put("a3").wait(1000)
    assert sorted(table.moved) == [("red-1", "a3"), ("yellow-1", "f6")]
    assert table.hints == []


def test_first_piece_is_known_while_other_is_still_lifted() -> None:
    table = Handling({"red-1": "a1", "yellow-1": "f8"}).lift("a1", "f8").wait(300).put("f6").wait(250)
    assert table.moved == [("yellow-1", "f6")]
    assert table.outcome.held == (("red-1",),)


def test_ambiguous_landing_is_resolved_by_other_piece() -> None:
    table = Handling(TWO).lift("c4", "c5").wait(300).put("b4").wait(1000)
    assert table.moved == []
    assert table.outcome.held == (("yellow-1",), ("red-1",))
    table.put("c7").wait(1000)
    assert sorted(table.moved) == [("red-1", "b4"), ("yellow-1", "c7")]
    assert table.hints == []


def test_board_asks_if_rules_leave_two_possibilities() -> None:
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
def test_question_is_answered_by_lifting_right_piece(tap: str) -> None:
    table = Handling(TWO).lift("c4", "c5").wait(300).put("b4", "b5").wait(1000)
    asked = spoken(table.hint)
    chosen = next(choice["action"] for choice in asked["between"] if choice["tap"] == tap)
    table.lift(tap).wait(400).put(tap).wait(1000)
    assert (chosen["unit"], chosen["to"]) in table.moved
    assert len(table.moved) == 2
    assert table.outcome.agreed


def test_question_waits_while_a_piece_is_still_lifted() -> None:
    table = Handling(TWO).lift("c4", "c5").wait(300).put("b4").wait(1900)
    assert table.hint is None
    table.wait(200)
    assert isinstance(table.hint, Question)


@pytest.mark.parametrize(("home", "mover"), [("c4", "yellow-1"), ("c5", "red-1")])
def test_putting_other_piece_back_answers_unless_both_are_possible(home: str, mover: str) -> None:
    board = grid({"c4": "enclosed", "c5": "elevated"}, doors=[("c4", "b4"), ("c5", "b5")])
    table = Handling(TWO, board=board).lift("c4", "c5").wait(300).put("b4").wait(1000)
    assert table.moved == []
    table.put(home).wait(1000)
    assert table.moved == [(mover, "b4")]


def one_may_move() -> Handling:
    """Lift two pieces and put one on b4: yellow has no legal act, red may go there."""
    table = Handling(TWO, squads={"yellow": {"left": 0}})
    return table.lift("c4", "c5").wait(300).put("b4")


def test_landed_piece_is_not_assumed_to_be_only_legal_mover() -> None:
    table = one_may_move().wait(1900)
    assert table.moved == []
    assert table.hint is None
    assert table.outcome.held == (("yellow-1",), ("red-1",))
    table.wait(200)
    assert isinstance(table.hint, Question)
    assert [(choice.unit, choice.tap) for choice in table.hint.between] == [("red-1", "b4")]
    assert table.pick("b4").wait(100).moved == [("red-1", "b4")]
    assert table.put("c5").wait(1000).outcome.agreed


def test_board_asks_even_if_other_piece_has_its_own_space() -> None:
    """The two may have changed places: yellow on b4, red on yellow's space."""
    table = one_may_move().wait(200).put("c5").wait(1000)
    assert table.moved == []
    assert isinstance(table.hint, Question)
    assert table.lift("b4").wait(400).put("b4").wait(1000).moved == [("red-1", "b4")]
    assert table.outcome.agreed


def test_putting_mover_back_answers_no() -> None:
    table = one_may_move().wait(2500).put("c4").wait(1000)
    assert table.moved == []
    assert table.correction == ("b4", "c5", "yellow-1")
    assert table.carry("b4", "c5").outcome.agreed


def test_board_asks_if_piece_may_be_on_others_space() -> None:
    table = Handling(TWO).lift("c4", "c5").wait(300).put("b4", "c4").wait(1000)
    assert isinstance(table.hint, Question)
    assert table.moved == []
    choices = {(choice.unit, choice.tap) for choice in table.hint.between}
    assert len(choices) == 2


def test_soldiers_of_squad_are_alike() -> None:
    table = Handling(SOLDIERS).lift("c4", "c6").wait(300).put("c5", "b5").wait(1000)
    assert {to for _, to in table.moved} == {"c5", "b5"}
    assert table.hints == []


def test_soldiers_differ_after_one_has_acted() -> None:
    table = Handling(SOLDIERS, done={"red-1": ["attack"]}, squads={"red": {"left": 2}})
    table.lift("c4", "c6").wait(300).put("c5", "b5").wait(1000)
    assert isinstance(table.hint, Question)


def test_soldier_that_may_move_is_the_one_that_moved() -> None:
    table = Handling(SOLDIERS, done={"red-1": ["move"]}, squads={"red": {"left": 1}})
    table.lift("c4", "c6").wait(300).put("c5", "c4").wait(1000)
    assert table.moved == [("red-2", "c5")]
    assert table.hints == []


# --- mistakes -----------------------------------------------------------------------------------------------------


def test_wrong_place_is_shown_with_legal_ones_until_fixed() -> None:
    table = Handling({"red-1": "a1"}).carry("a1", "f8")
    assert isinstance(table.hint, WrongPlace)
    assert table.hint.spaces == ("f8",)
    assert set(table.hint.legal) == {"a1", "a2", "a3", "b1", "b2", "c1"}
    table.wait(60_000)
    assert isinstance(table.hint, WrongPlace)
    table.carry("f8", "a3")
    assert table.moved == [("red-1", "a3")]
    assert table.outcome.agreed


def test_others_may_move_while_one_is_misplaced() -> None:
    table = Handling({"red-1": "a1", "yellow-1": "f8"}).carry("a1", "d4").carry("f8", "f6")
    assert table.moved == [("yellow-1", "f6")]
    assert isinstance(table.hint, WrongPlace)
    assert table.hint.spaces == ("d4",)


def test_unknown_piece_is_reported_and_changes_nothing() -> None:
    table = Handling({"red-1": "a1"}).put("f8").wait(1000)
    assert isinstance(table.hint, UnknownPiece)
    assert table.hint.spaces == ("f8",)
    table.carry("a1", "a3")
    assert table.moved == [("red-1", "a3")]
    table.lift("f8").wait(100)
    assert table.outcome.agreed


def test_wand_that_touches_a_space_is_noticed_and_forgotten() -> None:
    table = Handling({"red-1": "a1"}).put("f8").wait(300)
    table.lift("f8")
    assert table.outcome.touched == ("f8",)
    assert table.outcome.agreed
    assert table.hints == []


def test_miniature_without_act_left_goes_home() -> None:
    table = Handling({"red-1": "a1", "yellow-1": "f8"}, squads={"red": {"left": 0}}).carry("a1", "a2")
    assert table.correction[:2] == ("a2", "a1")
    assert table.carry("a2", "a1").outcome.agreed


def test_lifting_in_snipers_turn_is_no_act() -> None:
    table = Handling(turn="sniper").lift("c4").wait(100)
    assert table.correction == (None, "c4", "red-1")
    table.put("c5").wait(1000)
    assert table.correction[:2] == ("c5", "c4")
    assert table.moved == []
    assert table.carry("c5", "c4").outcome.agreed


def test_piece_put_down_in_snipers_turn_has_not_moved_later() -> None:
    table = Handling(turn="sniper").carry("c4", "c5").acts_on_screen({"type": "end-turn"}, "sniper").wait(1000)
    assert table.facts.placements
    assert table.moved == []
    table.lift("c5").wait(100).put("c5").wait(1000)
    assert table.moved == [("red-1", "c5")]


def test_piece_pushed_by_moving_hand_goes_home() -> None:
    table = Handling({"red-1": "c4", "yellow-1": "c6"}).lift("c4").wait(300)
    table.lift("c6").wait(60).put("c7").wait(200).put("c5").wait(1000)
    assert table.moved == [("red-1", "c5")]
    assert table.correction == ("c7", "c6", "yellow-1")
    assert table.carry("c7", "c6").outcome.agreed
    assert table.moved == [("red-1", "c5")]


def test_piece_landing_near_another_lifted_one_was_not_pushed() -> None:
    table = Handling({"red-1": "c4", "yellow-1": "c6"}).lift("c4").wait(300).lift("c6").wait(60).put("c5").wait(300)
    assert table.moved == []
    table.put("c8").wait(1000)
    assert sorted(table.moved) == [("red-1", "c5"), ("yellow-1", "c8")]


def test_magnet_detected_by_two_sensors_deploys_no_piece() -> None:
    table = Handling({"red-1": "b5", "yellow-1": "f8"}).lift("b5").wait(300).put("b7").wait(3).put("b6").wait(300)
    table.lift("b6").wait(1000)
    assert table.moved == [("red-1", "b7")]
    assert table.outcome.agreed


def test_sensor_with_leaving_magnet_is_not_at_rest() -> None:
    table = Handling().lift("c4").wait(500).put("a4").wait(70)
    hands, outcome = table.hands.feed(table.facts, (), 1.59, {"a4": 1.575})
    assert outcome.act is None
    hands, outcome = hands.feed(table.facts, (), 1.65)
    assert outcome.act is None
    assert outcome.due == pytest.approx(1.655)
    assert hands.feed(table.facts, (), 1.655)[1].act is not None


def test_sleeve_across_board_moves_no_piece() -> None:
    units = {"red-1": "c1", "red-2": "c2", "yellow-1": "c4", "yellow-2": "c5", "black-1": "c7", "black-2": "d4"}
    table = Handling(units)
    for space in units.values():
        table.lift(space).wait(40)
    for space in ("d1", "d2", "e4", "d5", "d7", "f4"):
        table.put(space).wait(40)
    table.wait(2000)
    seen = 0
    while not table.outcome.agreed:
        table.carry(*table.correction[:2])
        seen += 1
        assert seen <= 6
    assert table.moved == []


# --- what the game does to the board ------------------------------------------------------------------------------


def test_move_on_screen_asks_for_one_carry() -> None:
    table = Handling().acts_on_screen({"type": "move", "unit": "red-1", "to": "c5"}).wait(100)
    assert table.correction[:2] == ("c4", "c5")
    assert spoken(table.hint)["from"] == "c4"
    table.lift("c4").wait(200)
    assert table.correction[:2] == (None, "c5")
    table.put("c5").wait(100)
    assert table.outcome.agreed
    assert table.moved == []


def test_carries_are_asked_for_one_at_a_time_nearest_first() -> None:
    table = Handling({"red-1": "a1", "yellow-1": "f8"})
    table.acts_on_screen({"type": "move", "unit": "red-1", "to": "a3"})
    table.acts_on_screen({"type": "move", "unit": "yellow-1", "to": "f7"}).wait(100)
    assert table.correction[:2] == ("f8", "f7")
    table.carry("f8", "f7")
    assert table.correction[:2] == ("a1", "a3")
    assert table.carry("a1", "a3").outcome.agreed


def test_identical_pieces_are_carried_shortest_way() -> None:
    table = Handling({"red-1": "c4", "red-2": "c5"})
    table.acts_on_screen({"type": "move", "unit": "red-2", "to": "c6"})
    table.acts_on_screen({"type": "move", "unit": "red-1", "to": "c5"}).wait(100)
    assert table.correction[:2] == ("c4", "c6")
    assert table.carry("c4", "c6").outcome.agreed


def test_miniature_of_removed_unit_is_taken_off() -> None:
    table = Handling().acts_on_screen({"type": "dismiss", "unit": "red-1"}).wait(100)
    assert isinstance(table.hint, Remove)
    assert table.hint.spaces == ("c4",)
    assert table.lift("c4").wait(100).outcome.agreed
    assert table.outcome.held == ()


def test_miniature_put_down_from_box_is_deployed() -> None:
    units = {"red-officer": "b6", "red-1": "c6", "yellow-1": "f1"}
    table = Handling(units, off=["red-2"]).put("b7").wait(1000)
    assert table.moved == [("red-2", "b7")]
    assert table.outcome.agreed


def test_officer_is_deployed_on_its_circle() -> None:
    table = Handling({"red-1": "c6", "yellow-1": "f1"}).put("b6").wait(1000)
    assert table.moved == [("red-officer", "b6")]


def test_no_piece_is_deployed_on_illegal_space() -> None:
    table = Handling({"red-officer": "b6", "red-1": "c6", "yellow-1": "f1"}).put("f5").wait(1000)
    assert table.moved == []
    assert isinstance(table.hint, UnknownPiece)
    assert table.hint.spaces == ("f5",)
    assert "b7" in table.hint.sentence


def test_board_asks_for_miniature_deployed_on_screen() -> None:
    table = Handling({"red-officer": "b6", "red-1": "c6", "yellow-1": "f1"})
    table.acts_on_screen({"type": "deploy", "unit": "red-2", "space": "b7"}).wait(100)
    assert table.correction == (None, "b7", "red-2")
    assert table.put("b7").wait(100).outcome.agreed
    assert table.moved == []


def test_lifted_piece_is_not_taken_for_one_from_box() -> None:
    table = Handling({"red-officer": "b6", "red-1": "f1"}).carry("f1", "b7")
    assert table.moved == []
    assert isinstance(table.hint, WrongPlace)
    assert table.hint.spaces == ("b7",)


# --- the marker -------------------------------------------------------------------------------------------------


def marked(space: str = "d4", **position: object) -> Handling:
    sniper = {"space": "a8", "miniature": space}
    return Handling({"red-1": "c4", "yellow-1": "f8"}, sniper=sniper, **position)


def test_marker_may_be_on_last_known_space_or_not() -> None:
    table = marked()
    assert table.outcome.agreed
    assert table.put("d4").wait(2000).outcome.agreed
    assert table.lift("d4").wait(2000).outcome.agreed
    assert table.hints == []


def test_unit_may_move_to_empty_last_known_space() -> None:
    table = marked().carry("c4", "d4")
    assert table.moved == [("red-1", "d4")]


def test_board_asks_if_marker_or_unit_was_put_down() -> None:
    table = marked().put("d4").wait(1000).lift("c4").wait(1900)
    assert table.hint is None
    table.wait(200)
    assert isinstance(table.hint, Question)
    table.pick("d4").wait(1000)
    assert table.moved == [("red-1", "d4")]
    assert table.outcome.agreed


def test_unit_hovering_over_last_known_space_has_moved_there() -> None:
    table = marked().lift("c4").wait(400)
    for _ in range(3):
        table.put("d4").wait(40).lift("d4").wait(200)
    table.put("d4").wait(1000)
    assert table.moved == [("red-1", "d4")]
    assert table.outcome.agreed


def test_unit_sliding_to_last_known_space_is_not_marker() -> None:
    """The next sensor detects it 10 ms before it leaves the last one, and this is reported 25 ms later."""
    trace = Trace(position={"sniper": {"space": "a8", "miniature": "c5"}})
    trace.lift(679, "c4").put(681, "c4").put(684, "c5").lift(694, "c4").until(3000)
    assert trace.moved == [("red-1", "c5")]
    assert trace.of("hint") == []


def test_marker_lifted_and_put_back_is_no_unit() -> None:
    table = marked().put("d4").wait(1000).lift("c4").wait(300).lift("d4").wait(300).put("d4").wait(1000)
    assert table.moved == []
    table.put("c4").wait(500)
    assert table.outcome.agreed


def test_marker_left_behind_is_taken_off() -> None:
    table = marked("d4").put("d4").wait(1000)
    _, outcome = table.hands.feed(marked("e5").facts, (), 9.0)
    assert outcome.hint == Remove(("d4",), "Take the marker off d4.")


# --- excluded sensors ---------------------------------------------------------------------------------------------


def test_excluded_sensor_disturbs_no_piece() -> None:
    table = Handling({"red-1": "c4", "yellow-1": "f8"}, occupied={"yellow-1": "f8"}, blind={"c4"})
    assert table.outcome.agreed
    assert table.put("c4").wait(500).outcome.agreed
    assert table.lift("c4").wait(500).outcome.held == ()
    assert table.carry("f8", "f6").moved == [("yellow-1", "f6")]


# --- the start --------------------------------------------------------------------------------------------------


def test_piece_displaced_during_power_cut_goes_home() -> None:
    table = Handling({"red-1": "c4", "yellow-1": "f8"}, occupied={"red-1": "c5", "yellow-1": "f8"})
    assert table.correction[:2] == ("c5", "c4")
    assert table.carry("c5", "c4").outcome.agreed
    assert table.moved == []
    assert table.carry("c4", "c5").moved == [("red-1", "c5")]
