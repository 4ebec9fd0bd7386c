"""The sniper's way back: out of the arrow, and out of a movement that nobody noticed. Nobody else hears of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_host.app.settings import settle
from firmware_host.table.errors import UserError
from tests.firmware_host.evening import Evening
from tests.firmware_host.published import latest

BACK: dict[str, Any] = {"type": "take-back"}
STRANGERS = ("defenders", "table", "board")


@pytest.fixture
def hiding(tmp_path: Path) -> Evening:
    """The sniper has an arrow to choose, at a table that plays with the hint."""
    evening = Evening(tmp_path, settle({"possible_hints": True}))
    evening.choice = {"possible_hints": True}
    evening.start()
    return evening


def shown(evening: Evening) -> dict[str, tuple[int, str]]:
    """What strangers' screens have, and how often they were woken."""
    return {viewer: latest(evening.table.followers, viewer) for viewer in STRANGERS}


def test_the_arrow_and_a_silent_step_are_taken_back_without_waking_anybody(hiding: Evening) -> None:
    before = shown(hiding)
    for act in ("choose-entry", "move"):
        choices = hiding.legal("sniper", act)
        hiding.sniper(choices[0])
        assert hiding.sees("sniper")["undo"]
        hiding.sniper(BACK)

        assert hiding.legal("sniper", act) == choices
        hiding.sniper(choices[-1])
    assert shown(hiding) == before


def test_what_somebody_heard_is_not_taken_back(hiding: Evening) -> None:
    hiding.enter()
    hiding.sniper({"type": "end-turn"})

    assert not hiding.sees("sniper")["undo"]
    with pytest.raises(UserError, match="told somebody something"):
        hiding.sniper(BACK)


def test_a_noisy_movement_is_taken_back_only_where_nobody_heard_it(hiding: Evening) -> None:
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


def test_the_defenders_cannot_tell_that_there_is_something_to_take_back(hiding: Evening) -> None:
    refusals = []
    for act in (None, "choose-entry", "move"):
        if act is not None:
            hiding.sniper(hiding.legal("sniper", act)[0])
        with pytest.raises(UserError) as caught:
            hiding.defenders(BACK)
        refusals.append((caught.value.code, caught.value.sentence))

    assert len(set(refusals)) == 1


def test_all_see_which_device_acted_last_for_the_defenders_and_nothing_of_the_snipers(hiding: Evening) -> None:
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
    """What the screens offer to take back."""
    return evening.sees("sniper")["undo"], evening.sees("defenders")["take_back"]


def test_the_arrow_and_a_silent_step_are_taken_back_after_a_restart_too_and_once(hiding: Evening) -> None:
    for act in ("choose-entry", "move"):
        choices = hiding.legal("sniper", act)
        hiding.sniper(choices[0])
        before = ways_back(hiding)
        hiding.pull_the_plug()
        assert ways_back(hiding) == before

        hiding.sniper(BACK)
        assert hiding.legal("sniper", act) == choices
        hiding.pull_the_plug()
        assert not hiding.sees("sniper")["undo"]
        with pytest.raises(UserError, match="told somebody something"):
            hiding.sniper(BACK)
        hiding.sniper(choices[-1])


def test_a_move_on_the_board_is_taken_back_by_hand_or_on_the_screen_after_a_restart(hiding: Evening) -> None:
    hiding.enter()
    hiding.sniper({"type": "end-turn"})
    home = hiding.stands("red-1")
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
        assert hiding.stands("red-1") == home
        assert hiding.board["state"] == "agreed"
