"""The sniper takes back the choice of an arrow, or a movement that no one noticed. No one else is notified."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware_host.core import maps
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.play import game
from firmware_host.records import chain, record
from firmware_host.records.chain import ChainEntry
from firmware_host.records.recheck import recheck
from firmware_host.records.record import RecordError
from tests.firmware_host.evening import Evening
from tests.firmware_host.published import latest

BACK: dict[str, Any] = {"type": "take-back"}
STRANGERS = ("defenders", "table", "board")


@pytest.fixture
def hiding(tmp_path: Path) -> Evening:
    """An evening with the hint, in which the sniper has to choose an arrow."""
    evening = Evening(tmp_path, settle({"possible_hints": True}))
    evening.choice = {"possible_hints": True}
    evening.start()
    return evening


def shown(evening: Evening) -> dict[str, tuple[int, str]]:
    """Return what strangers' screens show, and how often they were woken."""
    return {viewer: latest(evening.table.followers, viewer) for viewer in STRANGERS}


@pytest.mark.parametrize("restarts", [False, True])
def test_all_acts_that_told_no_one_anything_are_taken_back_one_by_one(hiding: Evening, restarts: bool) -> None:
    entries = hiding.legal("sniper", "choose-entry")
    before = shown(hiding)
    hiding.sniper(entries[0])
    moves = hiding.legal("sniper", "move")
    hiding.sniper(moves[0])
    for act, choices in (("move", moves), ("choose-entry", entries)):
        if restarts:
            hiding.pull_the_plug()
        assert hiding.sees("sniper")["undo"]
        hiding.sniper(BACK)
        assert hiding.legal("sniper", act) == choices
    assert not hiding.sees("sniper")["undo"]
    with pytest.raises(UserError, match="has revealed something"):
        hiding.sniper(BACK)
    assert restarts or shown(hiding) == before


def test_several_units_go_back_in_turn(hiding: Evening) -> None:
    hiding.enter()
    hiding.sniper({"type": "end-turn"})
    homes = {unit: hiding.space_of(unit) for unit in ("red-1", "yellow-1")}
    for unit in homes:
        hiding.defenders(next(act for act in hiding.legal("defenders", "move") if act["unit"] == unit))
        marks(hiding)
    for unit in reversed(homes):
        assert hiding.sees("defenders")["take_back"][0] == unit
        hiding.defenders(BACK)
        assert hiding.sees("table")["view"]["units"][unit] == homes[unit]
    assert hiding.sees("defenders")["take_back"] is None
    assert len(hiding.sees("table")["view"]["marks"]) == 2
    play = hiding.table.session.play
    assert play is not None
    (saved,) = hiding.table.journal.games()
    found = recheck(record.record_of(saved, hiding.table.journal.entries(play.number)), maps.load("launch-facility"))
    assert found.pictures == play.referee.pictures


def test_noisy_movement_is_taken_back_only_if_unnoticed(hiding: Evening) -> None:
    hiding.sniper(hiding.legal("sniper", "choose-entry")[0])
    while True:
        moves = hiding.sees("sniper")["foresight"]["moves"]
        heard = [move["path"] for move in moves if move["alerts"]]
        unheard = [move["path"] for move in moves if move["noisy"] and not move["alerts"]]
        if heard and unheard:
            break
        hiding.sniper({"type": "move", "path": moves[-1]["path"]})
        hiding.sniper({"type": "end-turn"})
        hiding.defenders({"type": "end-turn"})

    hiding.sniper({"type": "move", "path": unheard[0]})
    assert hiding.sees("sniper")["undo"]
    hiding.sniper(BACK)
    hiding.sniper({"type": "move", "path": heard[0]})

    assert not hiding.sees("sniper")["undo"]


def test_last_acting_device_is_public_for_defenders_only(hiding: Evening) -> None:
    hiding.enter()
    hiding.sniper({"type": "end-turn"})
    assert {viewer: hiding.sees(viewer)["seats"]["defenders"]["acted"] for viewer in ("sniper", "table")} == {
        "sniper": None,
        "table": None,
    }

    hiding.defenders(hiding.legal("defenders", "attack")[0])
    assert hiding.sees("table")["seats"]["defenders"]["acted"] == {"device": "Bo's tablet"}
    to = next(act["to"] for act in hiding.legal("defenders", "move") if act["unit"] == "red-1")
    hiding.lift("red-1")
    hiding.put("red-1", to)

    assert hiding.sees("table")["seats"]["defenders"]["acted"] == {"device": None}
    assert hiding.sees("table")["seats"]["sniper"]["acted"] is None


# --- after a restart --------------------------------------------------------------------------------------------


def ways_back(evening: Evening) -> tuple[Any, Any]:
    """Return what the screens offer to take back."""
    return evening.sees("sniper")["undo"], evening.sees("defenders")["take_back"]


def test_move_on_board_can_be_taken_back_after_restart(hiding: Evening) -> None:
    hiding.enter()
    hiding.sniper({"type": "end-turn"})
    home = hiding.space_of("red-1")
    assert home is not None
    to = next(act["to"] for act in hiding.legal("defenders", "move") if act["unit"] == "red-1")
    for way in ("hand", "screen"):
        hiding.lift("red-1")
        hiding.put("red-1", to)
        hiding.pull_the_plug()
        hiding.set_up()
        assert hiding.sees("defenders")["take_back"] == ["red-1", to, home]
        if way == "screen":
            hiding.defenders(BACK)
        hiding.lift("red-1")
        hiding.put("red-1", home)
        assert hiding.space_of("red-1") == home
        assert hiding.board["state"] == "agreed"


# --- marks after an act -------------------------------------------------------------------------------------------


def marks(evening: Evening, *, clear: bool = False) -> None:
    """Set or remove a tracking cube of the defenders."""
    evening.defenders(evening.legal("defenders", "unmark" if clear else "mark")[0])


MARKINGS: dict[str, tuple[bool, ...]] = {"one": (False,), "several": (False, False, False), "undone": (False, True)}


@pytest.mark.parametrize("marking", MARKINGS)
@pytest.mark.parametrize("restarts", [False, True])
def test_marks_do_not_prevent_undo(hiding: Evening, marking: str, restarts: bool) -> None:
    for act in ("choose-entry", "move"):
        choices = hiding.legal("sniper", act)
        hiding.sniper(choices[0])
        for clear in MARKINGS[marking]:
            marks(hiding, clear=clear)
        if restarts:
            hiding.pull_the_plug()
        assert hiding.sees("sniper")["undo"]
        before, told = shown(hiding), hiding.sees("defenders")["view"]["marks"]
        hiding.sniper(BACK)

        assert shown(hiding) == before
        assert hiding.sees("defenders")["view"]["marks"] == hiding.sees("sniper")["view"]["marks"] == told
        assert hiding.legal("sniper", act) == choices
        assert hiding.sees("sniper")["undo"] == (act == "move")
        before = shown(hiding)
        hiding.pull_the_plug()
        assert {viewer: picture for viewer, (_, picture) in shown(hiding).items()}.keys() == before.keys()
        assert hiding.sees("defenders")["view"]["marks"] == told
        assert hiding.sees("sniper")["undo"] == (act == "move")
        hiding.sniper(choices[-1])


def test_mark_after_undo_of_all_acts_allows_no_other(hiding: Evening) -> None:
    hiding.enter()
    while hiding.sees("sniper")["undo"]:
        hiding.sniper(BACK)
    for restarts in (False, True):
        marks(hiding)
        if restarts:
            hiding.pull_the_plug()
        assert not hiding.sees("sniper")["undo"]
        with pytest.raises(UserError, match="has revealed something"):
            hiding.sniper(BACK)


def test_marks_do_not_reveal_whether_undo_is_possible(hiding: Evening) -> None:
    """Nothing that the defenders get shows whether the sniper has done something unnoticed."""
    seen = []
    for act in (None, "choose-entry", "move"):
        if act is not None:
            hiding.sniper(hiding.legal("sniper", act)[0])
        marks(hiding)
        with pytest.raises(UserError) as caught:
            hiding.defenders(BACK)
        seen.append((caught.value.code, caught.value.sentence, ways_back(hiding)[1]))
        marks(hiding, clear=True)
    assert len(set(seen)) == 1


@pytest.mark.parametrize("restarts", [False, True])
def test_record_with_marks_before_undo_follows_rules(hiding: Evening, restarts: bool) -> None:
    hiding.sniper(hiding.legal("sniper", "choose-entry")[0])
    for number, cleared in enumerate((False, True, False)):
        hiding.sniper(hiding.legal("sniper", "move")[number])
        marks(hiding, clear=cleared)
        if number < 2:
            hiding.sniper(BACK)
            if restarts:
                hiding.pull_the_plug()
    play = hiding.table.session.play
    assert play is not None
    (saved,) = hiding.table.journal.games()
    entries = hiding.table.journal.entries(play.number)
    taken = [entry.command for entry in entries if entry.kind == "taken-back"]
    assert all(entries[index].command["type"] == "move" for index in taken)
    found = recheck(record.record_of(saved, entries), maps.load("launch-facility"))
    assert found.pictures == play.referee.pictures
    assert found.told == play.referee.told
    assert [one.number for one in chain.acts_in_effect(entries)] == [0, *(act.number for act in play.course.acts)]

    old = [replace(entry, command=None) if entry.kind == "taken-back" else entry for entry in entries]
    with pytest.raises(RecordError, match="takes back an act that was not the last one"):
        recheck(record.record_of(saved, old), maps.load("launch-facility"))


def test_repeated_step_has_same_draws() -> None:
    """The number of an act is free again once it is taken back, whatever was marked meanwhile."""
    kinds: list[tuple[chain.Kind, int | None]] = [("start", None), *[("act", None)] * 3]
    kinds += [("taken-back", 2), ("act", None), ("act", None)]
    entries = [ChainEntry(0, kind, "", command, [], "") for kind, command in kinds]
    assert [one.number for one in chain.acts_in_effect(entries)] == [0, 1, 3, 2, 4]


# --- without an end -----------------------------------------------------------------------------------------------


def test_notes_of_a_seat_have_a_limit(hiding: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player could set and remove a mark until the game was too large to be shown."""
    monkeypatch.setattr(game, "MOST_NOTES", 4)
    hiding.enter()
    for number in range(4):
        if number == 2:
            hiding.pull_the_plug()
        marks(hiding, clear=bool(number % 2))
    for restarts in (False, True):
        if restarts:
            hiding.pull_the_plug()
        size = hiding.table.journal.size(1)
        with pytest.raises(UserError, match="yours has made all of them"):
            marks(hiding)
        assert hiding.table.journal.size(1) == size
    hiding.sniper({"type": "end-turn"})
    hiding.defenders(hiding.legal("defenders", "move")[0])
    hiding.defenders(BACK)


@pytest.mark.parametrize("seat", ["sniper", "defenders"])
def test_steps_back_of_a_seat_have_a_limit(hiding: Evening, monkeypatch: pytest.MonkeyPatch, seat: str) -> None:
    monkeypatch.setattr(game, "MOST_STEPS_BACK", 3)
    act, back = ("choose-entry", hiding.sniper) if seat == "sniper" else ("move", hiding.defenders)
    if seat == "defenders":
        hiding.enter()
        hiding.sniper({"type": "end-turn"})
    for number in range(3):
        if number == 2:
            hiding.pull_the_plug()
        back(hiding.legal(seat, act)[0])
        back(BACK)
    back(hiding.legal(seat, act)[0])
    for restarts in (False, True):
        if restarts:
            hiding.pull_the_plug()
        assert not hiding.sees(seat).get("undo")
        assert not hiding.sees(seat).get("take_back")
        with pytest.raises(UserError, match="yours has done so"):
            back(BACK)
