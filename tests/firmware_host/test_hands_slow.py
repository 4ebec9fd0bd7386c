"""Miniatures that are dragged so slowly that two sensors detect them: one piece moves, whatever the overlap."""

from __future__ import annotations

import pytest

from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.hints import Remove
from firmware_host.board.tracking.sensing import Sensing
from firmware_host.core.settings import settle
from hardware.ports import Edge
from tests.firmware_host.handling import Handling
from tests.firmware_host.tracing import TWO, Trace

OVERLAPS = (0, 60, 120, 150, 200, 400, 800, 3000, 60_000)
"""Milliseconds for which both sensors are closed."""


@pytest.mark.parametrize("overlap", OVERLAPS)
def test_miniature_dragged_to_next_space_has_moved(overlap: int) -> None:
    trace = Trace().put(1000, "c5").lift(1000 + overlap, "c4").until(1000 + overlap + 3000)
    assert trace.moved == [("red-1", "c5")]
    assert trace.agreed


@pytest.mark.parametrize("overlap", OVERLAPS)
def test_miniature_dragged_over_two_spaces_has_moved(overlap: int) -> None:
    t = 1000
    trace = Trace().put(t, "c3").lift(t + overlap, "c4").put(t + overlap + 40, "c2").lift(t + 2 * overlap + 40, "c3")
    trace.until(t + 2 * overlap + 4000)
    assert trace.moved == [("red-1", "c2")]
    assert trace.agreed


@pytest.mark.parametrize("overlap", OVERLAPS)
def test_miniature_dragged_to_illegal_space_is_corrected(overlap: int) -> None:
    trace = Trace(position={"turn": "sniper"}).put(1000, "c5").lift(1000 + overlap, "c4").until(1000 + overlap + 3000)
    assert trace.moves == []
    assert (trace.hint["kind"], trace.hint["from"], trace.hint["to"]) == ("correction", "c5", "c4")


@pytest.mark.parametrize("overlap", OVERLAPS)
def test_miniature_dragged_home_agrees(overlap: int) -> None:
    trace = Trace(position={"turn": "sniper"}).lift(0, "c4").put(600, "c5").until(2000)
    trace.put(3000, "c4").lift(3000 + overlap, "c5").until(3000 + overlap + 1000)
    assert trace.agreed


def test_piece_lifted_next_to_unknown_piece_moves_where_put_down() -> None:
    """A person needs less than two seconds between the two spaces."""
    trace = Trace().put(1000, "c5").until(3000).lift(3000, "c4").put(4500, "b4").until(8000)
    assert trace.moved == [("red-1", "b4")]
    assert trace.hint["kind"] == "unknown-piece"


def test_hint_for_piece_on_two_sensors_says_what_to_do() -> None:
    trace = Trace(TWO, position={"turn": "sniper"}).put(1000, "b4").until(60_000)
    assert (trace.hint["kind"], trace.hint["spaces"]) == ("unknown-piece", ["b4"])
    assert "red soldier 1" in trace.hint["sentence"]
    assert "two spaces" in trace.hint["sentence"]


# --- sensors that were excluded -----------------------------------------------------------------------------------


def known(blind: tuple[str, ...] = ()) -> Facts:
    """Return the facts of two soldiers on the toy grid."""
    return Handling(TWO, blind=blind, turn="sniper").facts


def board_with(*spaces: str) -> Sensing:
    """Return a board with pieces on these spaces, on which the table has agreed."""
    made = Sensing(["c4", "c5", "d5"], settle())
    for space in spaces:
        made.feed(Edge(made.spaces.index(space), True, 1.0))
    made.think(known(), 5.0)
    return made


def test_piece_gone_from_manual_space_is_missed_once_it_counts() -> None:
    made = board_with("c4", "c5")
    assert made.outcome.agreed
    made.think(known(("c5",)), 6.0)
    made.feed(Edge(1, False, 7.0))
    made.think(known(("c5",)), 8.0)
    assert made.outcome.agreed
    made.think(known(), 9.0)
    assert not made.outcome.agreed
    made.feed(Edge(1, True, 10.0))
    made.think(known(), 11.0)
    assert made.outcome.agreed


def test_piece_put_on_manual_space_is_noticed_once_it_counts() -> None:
    made = board_with("c4")
    made.think(known(("c5",)), 6.0)
    made.feed(Edge(1, True, 7.0))
    made.think(known(("c5",)), 8.0)
    made.think(known(), 9.0)
    made.think(known(), 10.0)
    assert made.outcome.agreed


def test_unknown_piece_before_first_agreement_is_taken_off() -> None:
    made = board_with("c4", "c5", "d5")
    made.think(known(), 6.0)
    assert isinstance(made.outcome.hint, Remove)
    assert made.outcome.hint.spaces == ("d5",)
