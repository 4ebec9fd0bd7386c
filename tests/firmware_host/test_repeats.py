"""An act that is sent twice under one name is done once and answered the same: after a lost answer, a refusal, a power
cut.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_host.core.errors import UserError
from firmware_host.records.journal import FILE, CannotWrite, Journal, SavedAct
from firmware_host.seats.repeats import MOST_REMEMBERED, _answered_act
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
    except UserError as error:
        return error.sentence
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
    for number in range(MOST_REMEMBERED + 6):
        send_act(
            defenders_turn,
            "defenders",
            {"type": "mark" if number % 2 == 0 else "unmark", "space": space},
            f"act {number}",
        )

    assert len(defenders_turn.table._repeats._known["defenders"]) == MOST_REMEMBERED
    defenders_turn.pull_the_plug()
    assert len(defenders_turn.table._repeats._known["defenders"]) == MOST_REMEMBERED


def test_acts_that_older_version_stored_are_remembered_until_newer_ones_are(defenders_turn: Evening) -> None:
    action = {"type": "mark", "space": defenders_turn.legal("defenders", "mark")[0]["space"]}
    older = {"seat": "defenders", "name": "older", "content": _answered_act("defenders", "older", action).content}
    defenders_turn.table.journal.store_value("repeats", [older])
    defenders_turn.pull_the_plug()

    assert send_act(defenders_turn, "defenders", action, "older", revision=0) == ""
    assert defenders_turn.view("table")["marks"] == []
    assert send_act(defenders_turn, "defenders", action, "newer") == ""
    defenders_turn.pull_the_plug()
    assert defenders_turn.table.journal.stored_value("repeats") is None


def test_phone_may_repeat_act_that_could_not_be_written(
    defenders_turn: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    action = {"type": "mark", "space": defenders_turn.legal("defenders", "mark")[0]["space"]}

    def full(commit: object) -> None:
        raise CannotWrite("full", "full")

    with monkeypatch.context() as patch:
        patch.setattr(defenders_turn.table.journal, "waiting", full)
        with pytest.raises(CannotWrite):
            send_act(defenders_turn, "defenders", action, "one")
    assert send_act(defenders_turn, "defenders", action, "one") == ""
    assert defenders_turn.view("table")["marks"] == [action["space"]]


def test_id_of_act_costs_little_more_than_its_text(tmp_path: Path) -> None:
    written = dict[str | None, float]()
    for request in (None, "0" * 64 + " " + "1" * 36):
        journal = Journal(tmp_path / str(request) / FILE)
        journal._db.execute("PRAGMA wal_autocheckpoint = 0")
        number = journal.begin("toy", "map", "abc", {}, [])
        log = Path(f"{journal.path}-wal")
        before = log.stat().st_size
        for step in range(400):
            act = SavedAct("defenders", {"type": "step"}, [{"event": {"step": step}, "to": []}], request)
            journal.write(number, act)
        written[request] = (log.stat().st_size - before) / 400
        journal.close()
    plain, named = written.values()
    assert named - plain < 400


def test_remembered_acts_reveal_nothing_about_other_side(defenders_turn: Evening) -> None:
    early = send_act(defenders_turn, "sniper", END, "early")
    for number in range(2 * MOST_REMEMBERED):
        send_act(defenders_turn, "defenders", END, f"refused {number}", revision=0)
    defenders_turn.defenders(END)

    assert early == send_act(defenders_turn, "sniper", END, "early") == "It is not your turn."
