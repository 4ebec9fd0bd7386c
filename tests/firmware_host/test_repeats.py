"""An act that is sent twice under one name is done once and answered the same: after a lost answer, a refusal, a power
cut.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_host.core.errors import UserError
from firmware_host.seats.repeats import MOST
from tests.firmware_host.evening import Evening

END: dict[str, Any] = {"type": "end-turn"}


@pytest.fixture
def defenders_turn(tmp_path: Path) -> Evening:
    """An evening in the defenders' first turn."""
    evening = Evening(tmp_path)
    evening.start_hunt()
    return evening


def send_act(evening: Evening, seat: str, action: dict[str, Any], name: str, revision: int | None = None) -> str:
    """Send an act as a phone does that may have missed the answer; return the message of a refusal, or ""."""
    key = evening.sniper_key if seat == "sniper" else evening.defenders_key
    shown = evening.sees(seat)["revision"] if revision is None else revision
    try:
        evening.table.submit(key, action, shown, name)
    except UserError as slip:
        return slip.sentence
    finally:
        evening.wait(0)
    return ""


def test_repeated_act_is_done_once_and_answered_same(defenders_turn: Evening) -> None:
    revision = defenders_turn.sees("defenders")["revision"]
    attack = defenders_turn.legal("defenders", "attack")[0]
    told = len(defenders_turn.sentences("defenders"))

    answers = [send_act(defenders_turn, "defenders", attack, "one", revision) for _ in range(3)]

    assert answers == ["", "", ""]
    assert len(defenders_turn.sentences("defenders")) == told + 1


def test_refusal_stays_even_if_act_has_become_possible(defenders_turn: Evening) -> None:
    early = send_act(defenders_turn, "sniper", END, "early")
    defenders_turn.defenders(END)

    assert early == send_act(defenders_turn, "sniper", END, "early") == "It is not your turn."
    assert send_act(defenders_turn, "sniper", END, "late") == ""


def test_acts_are_remembered_after_power_cut(defenders_turn: Evening) -> None:
    attack = defenders_turn.legal("defenders", "attack")[0]
    send_act(defenders_turn, "defenders", attack, "before the cut")
    told = defenders_turn.sentences("defenders")

    defenders_turn.pull_the_plug()

    assert send_act(defenders_turn, "defenders", attack, "before the cut", revision=0) == ""
    assert defenders_turn.sentences("defenders") == told


def test_name_belongs_to_one_seat_and_one_act(defenders_turn: Evening) -> None:
    mark, other = defenders_turn.legal("defenders", "mark")[:2]
    assert send_act(defenders_turn, "defenders", mark, "mine") == ""

    assert "Another act has that id" in send_act(defenders_turn, "defenders", other, "mine")
    assert send_act(defenders_turn, "sniper", END, "mine") == "It is not your turn."
    assert defenders_turn.view("table")["marks"] == [mark["space"]]


@pytest.mark.parametrize("name", ["", "x" * 65, "two\nlines", "żółw"])
def test_name_is_short_and_plain(defenders_turn: Evening, name: str) -> None:
    assert "1 to 64 plain characters" in send_act(defenders_turn, "defenders", END, name)
    assert defenders_turn.view("table")["turn"] == "defenders"


def test_number_of_remembered_acts_is_limited(defenders_turn: Evening) -> None:
    space = defenders_turn.legal("defenders", "mark")[0]["space"]
    for number in range(MOST + 6):
        send_act(
            defenders_turn,
            "defenders",
            {"type": "mark" if number % 2 == 0 else "unmark", "space": space},
            f"act {number}",
        )

    kept = defenders_turn.table.journal.kept("repeats")
    assert len([act for act in kept if act["seat"] == "defenders"]) == MOST


def test_remembered_acts_reveal_nothing_about_other_side(defenders_turn: Evening) -> None:
    early = send_act(defenders_turn, "sniper", END, "early")
    for number in range(2 * MOST):
        send_act(defenders_turn, "defenders", END, f"refused {number}", revision=0)
    defenders_turn.defenders(END)

    assert early == send_act(defenders_turn, "sniper", END, "early") == "It is not your turn."
