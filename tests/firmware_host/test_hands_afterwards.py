"""Piece tracking after other events: a sleeve, a mine, one long sweep of the hand."""

from __future__ import annotations

import itertools

from tests.firmware_host.tracing import Trace

MANY = {"red-1": "c4", "yellow-1": "c5", "black-1": "d5", "red-officer": "c6", "black-officer": "b5"}


def test_move_counts_again_after_sleeve_was_fixed() -> None:
    trace = Trace(MANY)
    for number, space in enumerate(MANY.values()):
        trace.lift(100 + 15 * number, space)
    for number, space in enumerate(MANY.values()):
        trace.put(1000 + 90 * number, space)
    trace.until(4000)
    assert trace.moves == []
    assert trace.agreed
    trace.lift(5000, "c4").put(5600, "c3").until(8000)
    assert trace.moved == [("red-1", "c3")]


def test_slide_over_many_sensors_is_no_sweep() -> None:
    trace = Trace({"red-1": "c4"})
    trace.lift(100, "c4").put(180, "c5").lift(215, "c5").put(310, "d5").lift(350, "d5").put(390, "d6").lift(425, "d6")
    trace.put(500, "c6").lift(530, "c6").put(600, "b4").until(3000)
    assert trace.moved == [("red-1", "b4")]


def test_board_asks_to_remove_victim_of_mine() -> None:
    trace = Trace({"red-1": "c4"}, position={"sniper": {"space": "a8", "mines": ["c5"]}})
    trace.lift(100, "c4").put(600, "c5").until(3000)
    assert trace.moved == [("red-1", "c5")]
    hints = [hint for _, hint in trace.of("hint")]
    assert [(hint["kind"], hint["spaces"]) for hint in hints] == [("remove", ["c5"])]
    trace.lift(4000, "c5").until(6000)
    assert trace.agreed


def test_short_contact_at_home_of_lifted_piece_is_ignored() -> None:
    trace = Trace({"red-1": "c4"})
    trace.lift(100, "c4").put(1000, "c4").lift(1018, "c4").until(1500)
    assert [agreed for _, agreed in trace.of("agreed")] == [False]
    trace.put(2000, "c5").until(4000)
    assert trace.moved == [("red-1", "c5")]


def test_unchanged_hint_is_reported_once() -> None:
    trace = Trace({"red-1": "c4"})
    trace.say({"t": 100, "act": {"seat": "defenders", "action": {"type": "end-turn"}}})
    trace.lift(500, "c4").put(1500, "c5").until(4000).lift(5000, "c5").until(5040).put(5045, "c5").until(9000)
    hints = [hint for _, hint in trace.of("hint")]
    assert all(one != other for one, other in itertools.pairwise(hints))
