"""Pushes, swaps, sweeps and faulty sensors, from raw edges on: what is recognized, and what is ignored on purpose."""

from __future__ import annotations

import pytest

from firmware_host.board.tracking.belief import Belief, Lift, Story, with_names_settled
from tests.firmware_host.handling import Handling
from tests.firmware_host.tracing import ALONE, TWO, Trace

NEAR = {"red-1": "c4", "yellow-1": "c6", "black-1": "f1"}
ROW = {"red-1": "b2", "red-2": "b4", "yellow-1": "b6", "yellow-2": "b8", "black-1": "f1"}


def kinds(trace: Trace) -> list[str]:
    """Return the kinds of the hints."""
    return [hint["kind"] for _, hint in trace.of("hint")]


# --- pushed away --------------------------------------------------------------------------------------------------


def test_piece_pushed_away_in_passing_is_carried_back() -> None:
    trace = Trace(NEAR).lift(0, "c4").lift(300, "c6").put(340, "c6").put(370, "c7").lift(400, "c6").put(700, "b5")
    trace.until(2000)
    assert trace.moved == [("red-1", "b5")]
    assert (trace.hint["kind"], trace.hint["from"], trace.hint["to"]) == ("correction", "c7", "c6")


def test_piece_pushed_away_despite_debouncing_is_carried_back() -> None:
    trace = Trace(NEAR).lift(0, "c4").lift(300, "c6").put(312, "c6").put(340, "c7").lift(400, "c6").put(700, "b5")
    trace.until(2000)
    assert trace.moved == [("red-1", "b5")]
    assert trace.hint["from"] == "c7"


def test_board_asks_which_piece_pushed_another_away() -> None:
    trace = Trace(NEAR).lift(0, "c4").lift(300, "c6").put(312, "c6").put(340, "c5").until(3000)
    assert trace.moves == []
    assert trace.hint["kind"] == "question"
    assert [(choice["unit"], choice["tap"]) for choice in trace.hint["between"]] == [
        ("red-1", "c5"),
        ("yellow-1", "c6"),
    ]
    trace.say({"t": 3500, "pick": {"space": "c5"}}).until(4000)
    assert trace.moved == [("red-1", "c5")]
    assert trace.agreed


def test_dropout_without_possible_push_is_ignored() -> None:
    trace = Trace(NEAR).lift(0, "c4").lift(300, "c6").put(312, "c6").put(700, "c5").until(2000)
    assert trace.moves == [(950, "red-1", "c5")]
    assert trace.of("hint") == []


def test_contact_after_100_ms_may_be_another_piece() -> None:
    """No person replaces a piece with another in less time; in floats, 0.909 - 0.809 is less than 0.1."""
    trace = Trace({"red-1": "c4", "yellow-1": "c5"}).lift(407, "c4").lift(809, "c5").put(909, "c5").until(1500)
    assert trace.of("held")[-1][1] == [["yellow-1"], ["red-1"]]


# --- exchanged --------------------------------------------------------------------------------------------------


def both_back() -> Trace:
    """Lift two pieces together and put them back together; the sensors cannot tell whether each is on its own space."""
    return Trace(TWO).lift(0, "c4").lift(40, "c5").put(700, "c4").put(800, "c5").until(2000)


def test_two_pieces_put_back_together_agree_without_question() -> None:
    trace = both_back()
    assert trace.moves == []
    assert trace.of("hint") == []
    assert trace.of("agreed")[-1] == (880, True)


def test_board_asks_about_later_move_that_either_may_have_made() -> None:
    trace = both_back().lift(2100, "c4").put(2700, "b5").until(4000)
    assert trace.moves == []
    assert trace.hint["kind"] == "question"
    assert {(choice["unit"], choice["action"]["to"], choice["tap"]) for choice in trace.hint["between"]} == {
        ("red-1", "b5", "b5"), ("yellow-1", "b5", "c5"),
    }  # fmt: skip
    trace.say({"t": 4500, "pick": {"space": "c5"}}).until(6000)
    assert trace.moved == [("yellow-1", "b5"), ("red-1", "c5")]
    assert trace.agreed


def test_answer_ends_question_despite_identical_piece_from_box() -> None:
    """The officer or the soldier is on c6, and a soldier is on b7 in either answer: c6 is the difference."""
    units = {"red-1": "c6", "red-officer": "b6", "yellow-officer": "f1"}
    trace = Trace(units, position={"off": ["red-2"]}).lift(0, "c6").lift(40, "f1").put(700, "f1").put(800, "c6")
    trace.until(2000).lift(2100, "f1").put(2700, "b7").until(6000)
    asked = [hint for _, hint in trace.of("hint") if hint["kind"] == "question"]
    assert len(asked) == 1
    deployed = next(choice for choice in asked[0]["between"] if choice["action"]["type"] == "deploy")
    trace.say({"t": 6500, "pick": {"space": deployed["tap"]}}).until(12_000)
    assert [hint for _, hint in trace.of("hint") if hint["kind"] == "question"] == asked
    assert trace.of("held")[-1][1] == ["yellow-officer"]


def test_simultaneous_short_dropouts_are_no_exchange() -> None:
    trace = Trace(TWO).lift(0, "c4").lift(5, "c5").put(36, "c5").put(46, "c4").until(1000)
    trace.lift(2100, "c4").put(2700, "b5").until(4000)
    assert trace.moved == [("red-1", "b5")]
    assert trace.of("hint") == []


def test_later_move_that_only_one_could_make_is_made() -> None:
    trace = both_back().lift(2100, "c4").put(2700, "c2").until(4000)
    assert trace.moved == [("red-1", "c2")]
    assert trace.of("hint") == []


def test_piece_lifted_alone_keeps_its_identity() -> None:
    trace = Trace(TWO).lift(0, "c4").put(700, "c4").lift(900, "c5").put(1500, "c5").until(2000)
    trace.lift(2100, "c4").put(2700, "b5").until(4000)
    assert trace.moved == [("red-1", "b5")]


# --- swept away ---------------------------------------------------------------------------------------------------


def swept() -> Trace:
    """Move three pieces to the next spaces at once, one after another."""
    trace, t = Trace(ROW), 100
    for start, goal in [("b2", "b1"), ("b4", "b3"), ("b6", "b5")]:
        trace.lift(t, start).put(t + 40, goal)
        t += 60
    return trace.until(3000)


def test_sweep_is_no_act_and_is_fixed_carry_by_carry() -> None:
    trace = swept()
    t, carries = 3000, 0
    while not trace.agreed:
        hint = trace.hint
        assert hint["kind"] == "correction"
        trace.lift(t + 100, hint["from"]).put(t + 700, hint["to"]).until(t + 2000)
        t, carries = t + 2000, carries + 1
        assert carries <= 3
    assert carries == 3
    assert trace.moves == []


PUSHED_ON = {
    "K17": (505, 508, 511, 512, 513, 517, 518, 580),
    "K13": (534, 538, 541, 544, 548),
    "K18": (545, 551, 552, 553, 556, 557, 560),
    "K14": (607, 611, 613, 614, 617),
    "K19": (653, 655, 656, 662, 664, 665, 668),
}
"""The times at which contacts flip while three pieces are pushed on: K17 to K13, K18 to K17, K14 to K19."""


def test_sweep_that_pushes_each_to_place_of_last_is_recognized() -> None:
    """The piece from K18 may have come to K13, which was still bouncing, and did come to K17."""
    units = {"black-officer": "K8", "yellow-officer": "K16", "yellow-1": "K17", "black-2": "K18", "yellow-2": "K14"}
    trace = Trace(units, map="launch-facility", position={"sniper": {"space": "R1"}})
    down = dict.fromkeys(units.values(), True)
    for t, space in sorted((t, space) for space, flips in PUSHED_ON.items() for t in flips):
        down[space] = not down.get(space, False)
        trace.edge(t, space, down[space])
    trace.until(3000)
    t, carries = 3000, 0
    while not trace.agreed:
        hint = trace.hint
        assert hint["kind"] == "correction"
        trace.lift(t + 100, hint["from"]).put(t + 102, hint["from"]).lift(t + 109, hint["from"])
        trace.put(t + 700, hint["to"]).until(t + 2000)
        t, carries = t + 2000, carries + 1
        assert carries <= 3
    assert trace.moves == []


@pytest.mark.parametrize(("lifted", "named"), [(3.0, True), (1.0, False)])
def test_piece_carried_to_place_of_identical_one_keeps_its_name(lifted: float, named: bool) -> None:
    """One of two soldiers strayed to d7, and the other was carried to its place later. In one stroke, one has simply
    moved.
    """
    known = Handling({"yellow-1": "c4", "yellow-2": "c6", "red-1": "d8"}).facts
    lifts = {"yellow-1": Lift("c4", lifted), "yellow-2": Lift("c6", 2.0)}
    at = {"c6": "yellow-1", "d7": "yellow-2", "d8": "red-1"}
    story = Story(at, lifts=lifts, accidents=frozenset({("yellow-2", "d7")}))
    same = with_names_settled(story, Belief({"c6": 4.0, "d7": 2.1}), known)
    if named:
        assert same.at == {"c6": "yellow-2", "d7": "yellow-1", "d8": "red-1"}
        assert same.accidents == {("yellow-1", "d7")}
    else:
        assert same is story


def test_moves_count_again_after_sweep_was_fixed() -> None:
    trace = swept()
    for start, goal, t in [("b1", "b2", 3100), ("b3", "b4", 4100), ("b5", "b6", 5100)]:
        trace.lift(t, start).put(t + 500, goal)
    trace.until(6000).lift(6100, "b8").put(6700, "c8").until(8000)
    assert trace.moved == [("yellow-2", "c8")]


def test_two_pieces_in_each_others_places_agree_with_game() -> None:
    trace = Trace(TWO, position={"turn": "sniper"})
    trace.lift(0, "c4").put(500, "d8").lift(1000, "c5").put(1500, "c4").lift(2000, "d8").put(2500, "c5").until(4000)
    assert trace.moves == []
    assert trace.of("agreed")[-1] == (2580, True)
    heard = len(trace.output)
    trace.until(60_000)
    assert trace.output[heard:] == []


# --- faulty sensors -----------------------------------------------------------------------------------------------


def test_bouncing_sensor_is_reported_and_moves_no_piece() -> None:
    trace, t = Trace(ALONE).lift(0, "c4"), 100
    while t < 2500:
        trace.put(t, "c6").lift(t + 20, "c6")
        t += 40
    trace.put(2700, "b5").until(3500)
    assert trace.moved == [("red-1", "b5")]
    hint = next(hint for _, hint in trace.of("hint") if hint["kind"] == "sensor")
    assert hint["spaces"] == ["c6"]
    assert "c6" in hint["sentence"]


def test_sensor_that_contradicts_game_repeatedly_is_reported() -> None:
    units = {"red-1": "c4", "red-2": "a1", "yellow-1": "f8", "yellow-2": "f1", "black-1": "a8", "black-2": "c8"}
    trace = Trace(units).put(0, "d1").until(1000)
    assert kinds(trace) == ["unknown-piece"]
    moves = [("c4", "c5"), ("a1", "a2"), ("f8", "f7"), ("f1", "f2"), ("a8", "b8")]
    for number, (start, goal) in enumerate(moves):
        trace.lift(2000 + 2000 * number, start).put(2600 + 2000 * number, goal)
    trace.until(20_000)
    assert len(trace.moves) == 5
    assert (trace.hint["kind"], trace.hint["spaces"]) == ("sensor", ["d1"])
    assert trace.hint["sentence"].startswith("Space d1: something is felt")


def test_sensor_that_never_changes_is_reported() -> None:
    trace = Trace(ALONE, position={"turn": "sniper"})
    for number in range(40):
        t = 1000 * number
        trace.put(t + 100, "e2").lift(t + 400, "e2")
    trace.until(60_000)
    hint = next(hint for _, hint in trace.of("hint") if hint["kind"] == "sensor")
    assert set(hint["spaces"]) == {"d2", "e1", "e3", "f2"}
    assert "no change for 40 moves around it" in hint["sentence"]


def test_no_piece_is_deployed_while_another_is_missing() -> None:
    units = {"red-officer": "b6", "red-1": "c6", "yellow-1": "f1"}
    trace = Trace(units, position={"off": ["red-2"]}).lift(0, "f1").put(700, "b7").until(3000)
    assert trace.moves == []
    assert kinds(trace)[-1] == "wrong-place"


def test_years_without_events_are_processed_despite_doubtful_sensor() -> None:
    trace = Trace(ALONE).put(100, "d8").lift(400, "d8").say({"t": 9e11}).lift(9e11 + 100, "c4").put(9e11 + 700, "b5")
    assert [(unit, to) for _, unit, to in trace.until(9e11 + 2000).moves] == [("red-1", "b5")]


# --- identity -----------------------------------------------------------------------------------------------------

AT_START = {
    "yellow-officer": "Y16", "yellow-1": "Y11", "yellow-2": "Y27", "red-officer": "R24", "red-1": "R11", "red-2": "R23",
    "black-officer": "K12", "black-1": "K14", "black-2": "K15",
}  # fmt: skip


def at_the_facility(turn: str = "defenders", **elsewhere: str) -> Trace:
    """Return the start position with nine miniatures, except for those given another space."""
    position = {"turn": turn, "sniper": {"space": "K24"}}
    return Trace(
        {**AT_START, **{unit.replace("_", "-"): space for unit, space in elsewhere.items()}},
        map="launch-facility",
        position=position,
    )


def carry_all(trace: Trace, t: float, *ways: str) -> float:
    """Carry one piece after another, each in its own time, and return when the last one is at rest."""
    for way in ways:
        start, goal = way.split(">")
        trace.lift(t, start).put(t + 600, goal).until(t + 1900)
        t += 2000
    return t


def test_agreement_restores_identity_of_each_piece() -> None:
    """The table was sure that the two had changed places. The game says that they have not, and the next move confirms
    it.
    """
    trace = at_the_facility()
    t = carry_all(trace, 1000, "R24>W4", "K12>R24", "W4>K12")
    assert trace.of("agreed")[-1] == (t - 1320, True)
    carry_all(trace, t, "R24>R8")
    assert trace.moved == [("red-officer", "R8")]
    assert trace.of("hint")[-1][0] < t
    assert trace.agreed


def test_many_stray_pieces_are_identified_if_moved_one_by_one() -> None:
    trace = at_the_facility("sniper")
    ways = ("R24>Y23", "Y11>R2", "Y16>Y11", "R11>W4", "K14>R24", "W4>R11")
    stands = {space: unit for unit, space in AT_START.items()}
    for way in ways:
        start, goal = way.split(">")
        stands[goal] = stands.pop(start)
    t, carries = carry_all(trace, 1000, *ways), 0
    while not trace.agreed:
        hint = trace.hint
        assert hint["kind"] == "correction"
        assert stands[hint["from"]] == hint["unit"]
        stands[hint["to"]] = stands.pop(hint["from"])
        t, carries = carry_all(trace, t, f"{hint['from']}>{hint['to']}"), carries + 1
        assert carries <= 4
    assert stands == {space: unit for unit, space in AT_START.items()}
    assert carries == 4


def test_hint_names_both_places_if_two_pieces_may_be_exchanged() -> None:
    trace = at_the_facility("sniper")
    trace.lift(1000, "R23").lift(1200, "Y27").put(1700, "Y20").put(2000, "W7").until(5000)
    assert "Y20 or W7" in trace.hint["sentence"] or "W7 or Y20" in trace.hint["sentence"]


# --- pushed on ----------------------------------------------------------------------------------------------------


def test_board_asks_about_piece_pushed_faster_than_a_hand() -> None:
    """The yellow soldier takes the red one's place while that one is already on the next space."""
    trace = Trace({"yellow-1": "Y8", "red-2": "R22"}, map="submarine-pens", position={"sniper": {"space": "R12"}})
    trace.lift(45, "Y8").lift(768, "R22").put(796, "Y9").put(849, "R22").until(3000)
    assert trace.moves == []
    assert kinds(trace) == ["question"]
    assert {(choice["unit"], choice["tap"]) for choice in trace.hint["between"]} == {
        ("yellow-1", "Y9"), ("red-2", "R22"),
    }  # fmt: skip


def test_answer_applies_everything_it_implies() -> None:
    """If red soldier 2 is on R37, the officer has left that space, and the soldier has come there."""
    trace = at_the_facility(red_2="R36", black_officer="R37")
    trace.lift(4359, "R36").lift(4813, "R37").put(4894, "R37").put(4945, "R32").until(6500)
    assert trace.hint["kind"] == "question"
    trace.say({"t": 6500, "pick": {"space": "R37"}}).until(8000)
    assert trace.moved == [("black-officer", "R32"), ("red-2", "R37")]
    assert trace.agreed


def test_piece_cannot_move_two_spaces_in_no_time() -> None:
    trace = Trace({"red-1": "c4", "yellow-1": "c6"}).lift(0, "c4").put(800, "b5").lift(800, "c6").put(1100, "c6")
    trace.until(4000)
    assert trace.moved == [("red-1", "b5")]
    assert trace.of("hint") == []


def test_short_magnet_dropouts_disturb_no_move() -> None:
    trace = at_the_facility().lift(100, "R24").lift(200, "Y27").lift(220, "Y11").put(244, "Y27").lift(250, "K12")
    trace.put(264, "Y11").put(299, "K12").put(700, "R8").lift(724, "R8").put(748, "R8").until(3000)
    assert trace.moved == [("red-officer", "R8")]
    assert trace.of("hint") == []


# --- messages -----------------------------------------------------------------------------------------------------


def test_hint_does_not_change_just_after_putting_piece_down() -> None:
    """Two pieces stray in the sniper's turn. As long as the second one may be lifted again, the first one's hint
    stays.
    """
    trace = at_the_facility("sniper").lift(1000, "R24").put(1600, "Y20").until(3000).lift(3000, "K12").put(3600, "R24")
    trace.until(3849)
    before = trace.of("hint")
    trace.until(4000)
    assert before[-1][0] < 3600
    assert trace.of("hint")[-1][0] == 3850


def test_short_dropout_of_resting_piece_changes_nothing() -> None:
    trace = at_the_facility("sniper").lift(1000, "R24").put(1600, "Y20").until(3000)
    said = len(trace.output)
    trace.lift(3000, "Y20").put(3010, "Y20").until(5000)
    assert trace.output[said:] == []


def test_times_are_reported_to_the_microsecond() -> None:
    trace = Trace().lift(1000.1, "c4").until(2000)
    assert trace.of("held")[-1][0] == 1025.1
