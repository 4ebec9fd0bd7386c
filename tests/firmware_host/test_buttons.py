"""The three buttons next to the board: from the press to the act, and who gets to know of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_host.board.side import CONFIRM_QUESTION
from firmware_host.board.thresholds import END_TURN_QUESTION_S
from firmware_host.core.settings import settle
from hardware.drivers.simulated import SimulatedButtons, SimulatedBuzzer
from hardware.ports import Press, Tune
from tests.firmware_host.evening import Evening
from tests.firmware_host.published import latest
from tests.firmware_host.test_table import a_move


class Pressed(Evening):
    """An evening with buttons and a buzzer."""

    def __init__(self, folder: Path) -> None:
        self.tunes: list[str] = []
        super().__init__(folder, settle({"controls": "simulated"}))
        (buzzer,) = self.table.board.io.buzzers
        assert isinstance(buzzer, SimulatedBuzzer)
        buzzer.listen(self._note)

    def _note(self, tune: Tune, _: float) -> None:
        self.tunes.append(tune.name)

    def press(self, name: str) -> None:
        """Press a button."""
        (buttons,) = self.table.board.io.buttons
        assert isinstance(buttons, SimulatedButtons)
        self.tunes.clear()
        buttons.press(name)
        self.wait(0)


@pytest.fixture
def defending(tmp_path: Path) -> Pressed:
    evening = Pressed(tmp_path)
    evening.start_hunt()
    return evening


def test_next_and_confirm_end_defenders_turn(defending: Pressed) -> None:
    defending.press("next")
    assert (defending.board["state"], defending.board["sentence"]) == ("asking", CONFIRM_QUESTION)
    assert defending.tunes == ["asked"]
    assert defending.view("table")["turn"] == "defenders"
    defending.press("confirm")
    assert defending.view("table")["turn"] == "sniper"
    assert defending.board["state"] != "asking"
    assert defending.tunes == ["turn-ended"]


@pytest.mark.parametrize("button", ["undo", "next"])
def test_only_confirm_ends_turn_while_asked(defending: Pressed, button: str) -> None:
    defending.press("next")
    defending.wait(END_TURN_QUESTION_S * 1000 - 10)
    defending.press(button)
    assert defending.board["state"] != "asking"
    assert defending.view("table")["turn"] == "defenders"
    assert defending.tunes == []
    defending.press("confirm")
    assert defending.tunes == ["refused"]


def test_turn_that_can_no_longer_end_goes_on(defending: Pressed) -> None:
    defending.press("next")
    defending.table.session.interruption.pause("north")
    defending.press("confirm")
    assert defending.tunes == []
    defending.table.session.interruption.pause(None)
    defending.wait(0)
    assert defending.view("table")["turn"] == "defenders"
    assert defending.board["state"] != "asking"


def test_question_about_end_of_turn_expires(defending: Pressed) -> None:
    defending.press("next")
    defending.wait(END_TURN_QUESTION_S * 1000)
    assert defending.board["state"] == "agreed"
    defending.press("confirm")
    assert defending.view("table")["turn"] == "defenders"
    assert defending.tunes == ["refused"]


def test_undo_takes_last_move_back_and_guides_miniature_home(defending: Pressed) -> None:
    home, to = defending.space_of("red-1"), a_move(defending)
    assert home is not None
    defending.lift("red-1")
    defending.put("red-1", to)
    defending.press("undo")
    assert defending.space_of("red-1") == home
    defending.wait(3000)
    assert defending.board["state"] == "correcting"
    defending.put("red-1", home)
    assert defending.board["state"] == "agreed"
    defending.press("undo")
    assert defending.tunes == ["refused"]


def test_buttons_do_nothing_in_snipers_turn(defending: Pressed) -> None:
    defending.defenders({"type": "end-turn"})
    before = latest(defending.table.followers, "sniper")
    for name in ("confirm", "undo", "next"):
        defending.press(name)
        assert defending.tunes == ["refused"]
    assert latest(defending.table.followers, "sniper") == before


def test_buttons_do_nothing_in_the_lobby_and_for_a_bot(tmp_path: Path) -> None:
    evening = Pressed(tmp_path)
    for name in ("confirm", "undo", "next"):
        evening.press(name)
        assert evening.tunes == ["refused"]


def test_confirm_and_next_answer_question_of_board(defending: Pressed) -> None:
    question = ask(defending)
    first, second = (choice["tap"] for choice in question["between"])
    assert first != second
    defending.press("undo")
    assert defending.tunes == ["refused"]
    assert defending.board["hint"]["kind"] == "question"
    defending.press("next")
    assert defending.board["hint"] is None or defending.board["hint"]["kind"] != "question"


def ask(evening: Pressed) -> dict[str, Any]:
    """Lift two miniatures of different squads and put one down where both could go, until the board asks."""
    moves = evening.legal("defenders", "move")
    reach: dict[str, set[str]] = {}
    for move in moves:
        reach.setdefault(move["unit"], set()).add(move["to"])
    pairs = [
        (one, other, space)
        for one in reach
        for other in reach
        if one.split("-")[0] < other.split("-")[0]
        for space in sorted(reach[one] & reach[other])
    ]
    for one, other, space in pairs:
        homes = {unit: evening.space_of(unit) for unit in (one, other)}
        evening.lift(one)
        evening.lift(other)
        evening.put(one, space, 3000)
        hint = evening.board["hint"]
        if hint is not None and hint["kind"] == "question" and len(hint["between"]) == 2:
            return dict(hint)
        for unit, home in homes.items():
            evening.put(unit, str(home), 1000)
    raise AssertionError("the board never asked")


def test_presses_come_through_the_inbox_like_edges(defending: Pressed) -> None:
    defending.table.feed(Press("next", defending.now))
    defending.wait(0)
    assert defending.board["state"] == "asking"
