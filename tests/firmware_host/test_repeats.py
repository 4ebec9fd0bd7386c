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
def hunted(tmp_path: Path) -> Evening:
    """An evening in the defenders' first turn."""
    evening = Evening(tmp_path)
    evening.start_hunt()
    return evening


def asks(evening: Evening, seat: str, action: dict[str, Any], name: str, revision: int | None = None) -> str:
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


def test_repeated_act_is_done_once_and_answered_same(hunted: Evening) -> None:
    revision = hunted.sees("defenders")["revision"]
    attack = hunted.legal("defenders", "attack")[0]
    told = len(hunted.heard("defenders"))

    answers = [asks(hunted, "defenders", attack, "one", revision) for _ in range(3)]

    assert answers == ["", "", ""]
    assert len(hunted.heard("defenders")) == told + 1


def test_refusal_stays_even_if_act_has_become_possible(hunted: Evening) -> None:
    early = asks(hunted, "sniper", END, "early")
    hunted.defenders(END)

    assert early == asks(hunted, "sniper", END, "early") == "It is not your turn."
    assert asks(hunted, "sniper", END, "late") == ""


def test_acts_are_remembered_after_power_cut(hunted: Evening) -> None:
    attack = hunted.legal("defenders", "attack")[0]
    asks(hunted, "defenders", attack, "before the cut")
    told = hunted.heard("defenders")

    hunted.pull_the_plug()

    assert asks(hunted, "defenders", attack, "before the cut", revision=0) == ""
    assert hunted.heard("defenders") == told


def test_name_belongs_to_one_seat_and_one_act(hunted: Evening) -> None:
    mark, other = hunted.legal("defenders", "mark")[:2]
    assert asks(hunted, "defenders", mark, "mine") == ""

    assert "Another act has that id" in asks(hunted, "defenders", other, "mine")
    assert asks(hunted, "sniper", END, "mine") == "It is not your turn."
    assert hunted.view("table")["marks"] == [mark["space"]]


@pytest.mark.parametrize("name", ["", "x" * 65, "two\nlines", "żółw"])
def test_name_is_short_and_plain(hunted: Evening, name: str) -> None:
    assert "1 to 64 plain characters" in asks(hunted, "defenders", END, name)
    assert hunted.view("table")["turn"] == "defenders"


def test_number_of_remembered_acts_is_limited(hunted: Evening) -> None:
    space = hunted.legal("defenders", "mark")[0]["space"]
    for number in range(MOST + 6):
        asks(hunted, "defenders", {"type": "mark" if number % 2 == 0 else "unmark", "space": space}, f"act {number}")

    kept = hunted.table.journal.kept("repeats")
    assert len([act for act in kept if act["seat"] == "defenders"]) == MOST


def test_remembered_acts_reveal_nothing_about_other_side(hunted: Evening) -> None:
    early = asks(hunted, "sniper", END, "early")
    for number in range(2 * MOST):
        asks(hunted, "defenders", END, f"refused {number}", revision=0)
    hunted.defenders(END)

    assert early == asks(hunted, "sniper", END, "early") == "It is not your turn."
