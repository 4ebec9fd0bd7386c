"""Whatever people do with the miniatures, no act is illegal or without a piece at rest, and board and game agree again.

`handling.py` checks at each act that it is legal, and that a sensor detects the piece at rest.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.depth import cases
from tests.firmware_host.handling import Handling

UNITS = {"red-officer": "b6", "red-1": "b5", "red-2": "c5", "yellow-1": "c4", "black-1": "d5"}
SPACES = ["b4", "b5", "b6", "c4", "c5", "c6", "d4", "d5", "d6"]
TOUCHES = st.lists(
    st.tuples(st.sampled_from(SPACES), st.sampled_from([0, 3, 20, 60, 90, 200, 300, 700, 2500])), max_size=40
)


def handled(table: Handling, touches: list[tuple[str, int]]) -> Handling:
    """Make each touch, which lifts what is there or puts something down, and then pause."""
    for space, pause in touches:
        (table.lift if space in table.down else table.put)(space).wait(pause)
    return table


@given(TOUCHES)
@settings(max_examples=cases(60, by_day=25))
def test_random_handling_then_tidying_agrees_or_reports_exchange(
    touches: list[tuple[str, int]],
) -> None:
    table = handled(Handling(UNITS), touches).wait(3000).tidy()
    if table.outcome.agreed:
        assert table.outcome.held == ()
        assert table.hint is None
    else:
        assert table.hint is not None


@given(TOUCHES)
@settings(max_examples=cases(25, by_day=12))
def test_handling_in_snipers_turn_is_no_act(touches: list[tuple[str, int]]) -> None:
    table = handled(Handling(UNITS, turn="sniper"), touches).wait(3000)
    assert table.moved == []


@given(TOUCHES, st.integers(0, 39))
@settings(max_examples=cases(25, by_day=12))
def test_frequency_of_updates_changes_nothing(touches: list[tuple[str, int]], number: int) -> None:
    rarely = handled(Handling(UNITS), touches)
    often = Handling(UNITS)
    for space, pause in touches:
        (often.lift if space in often.down else often.put)(space)
        for _ in range(pause // 7):
            often.wait(7)
        often.wait(pause % 7)
    assert often.acts == rarely.acts


@given(TOUCHES)
@settings(max_examples=cases(25, by_day=12))
def test_every_hint_names_valid_spaces_and_every_question_has_answers(
    touches: list[tuple[str, int]],
) -> None:
    table = handled(Handling(UNITS), touches).wait(3000)
    for _ in range(10):
        if table.hint is None or not hasattr(table.hint, "between"):
            break
        for choice in table.hint.between:
            assert choice.tap in table.board.spaces
            assert choice.action in [placement.command for placement in table.facts.placements]
        table.pick(table.hint.between[0].tap).wait(1000)
    else:
        raise AssertionError("a question that no answer ends")
