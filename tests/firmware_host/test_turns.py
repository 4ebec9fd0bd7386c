"""The turn clock, and bots that are hurried or wait."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import firmware_host
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.seats.players import HURRIED_PAUSE
from firmware_host.table.turns import READING
from tests.firmware_host.evening import Evening
from tests.firmware_host.test_bots_at_table import alone, over, turn_of, until

PACKAGE = Path(firmware_host.__file__).parent
VIEWERS = ("sniper", "defenders", "table")


@pytest.fixture
def timed(tmp_path: Path) -> Evening:
    """An evening of two people in the defenders' turn, with ten minutes for each turn."""
    evening = Evening(tmp_path, settle({"turn_minutes": 10}))
    evening.start(random_setup=True)
    return evening


def clock(evening: Evening) -> Any:
    """Return the clock, which every viewer sees the same."""
    found = [evening.sees(viewer)["clock"] for viewer in VIEWERS]
    assert found[0] == found[1] == found[2]
    return found[0]


def now(evening: Evening) -> int:
    return round(evening.now)


def test_clock_restarts_for_the_next_seats_only(timed: Evening) -> None:
    assert clock(timed)["seconds"] == 600
    began = clock(timed)["began"]
    assert began == now(timed) - 1, "the second in which the map was put on the table"
    timed.sniper(timed.legal("sniper", "choose-entry")[0])
    timed.wait(20_000)
    assert clock(timed)["began"] == began

    timed.sniper(timed.legal("sniper", "move")[0])
    timed.wait(5_000)
    assert clock(timed)["began"] == began, "an act known to the sniper alone is not visible"
    timed.sniper({"type": "end-turn"})
    timed.wait(0)
    assert timed.view("table")["to_act"] == ["defenders"]
    assert clock(timed)["began"] == now(timed) > began


def test_clock_stops_in_time_out(timed: Evening) -> None:
    began = clock(timed)["began"]
    timed.wait(30_000)
    timed.table.session.pause(True, "Ada")
    timed.wait(60_000)
    assert clock(timed) is None
    timed.table.session.pause(False, "Ada")
    timed.wait(0)
    assert clock(timed)["began"] == began + 60


def test_nothing_happens_when_time_is_up(timed: Evening) -> None:
    before = timed.view("table")
    timed.wait(3_600_000)
    assert timed.view("table") == before
    timed.sniper(timed.legal("sniper", "choose-entry")[0])


def test_clock_is_off_by_default(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.start(random_setup=True)
    assert clock(evening) is None
    evening.table.change_settings({"turn_minutes": 3})
    evening.wait(0)
    assert clock(evening)["seconds"] == 180


def test_players_can_hurry_bots(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settle({"bot_pause_ms": 4000, "turn_minutes": 5}))
    alone(evening, "sniper", "warden")
    assert evening.sees("sniper")["bots_act"] is None
    with pytest.raises(UserError, match="No bot is about to act"):
        evening.table.bots.skip_pauses()

    evening.sniper(evening.legal("sniper", "choose-entry")[0])
    evening.sniper(evening.legal("sniper", "move")[0])
    evening.sniper({"type": "end-turn"})
    evening.wait(0)
    assert evening.sees("sniper")["bots_act"] == {"hurry": False}
    assert clock(evening) is None, "no one hurries this bot"
    evening.table.bots.skip_pauses()
    acts = []
    while not turn_of(evening, "sniper"):
        before = len(evening.sentences("table"))
        evening.wait(50)
        if not turn_of(evening, "sniper"):
            assert evening.sees("table")["bots_act"] == {"hurry": True}
        if len(evening.sentences("table")) > before:
            acts.append(evening.now)
    assert len(acts) > 2
    assert all(HURRIED_PAUSE <= later - sooner + 0.06 < 1 for sooner, later in pairwise(acts)), acts

    if not over(evening):
        evening.sniper(evening.legal("sniper", "move")[0])
        evening.sniper({"type": "end-turn"})
        evening.wait(0)
        assert evening.sees("table")["bots_act"] == {"hurry": False}, "each act needs a new request"


def test_hidden_bot_keeps_its_pause(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settle({"bot_pause_ms": 4000}))
    alone(evening, "defenders", "prowler")
    until(evening, lambda: evening.table.players.due() is not None, 10)
    assert evening.sees("defenders")["bots_act"] is None
    with pytest.raises(UserError, match="No bot is about to act"):
        evening.table.bots.skip_pauses()

    due = evening.table.players.due()
    evening.table.players.hurried = True  # asked for while another bot was to act
    assert due == evening.table.players.due()


def test_hurried_bots_are_never_slower_than_their_pause(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settle({"bot_pause_ms": 100}))
    alone(evening, "sniper", "warden")
    evening.sniper(evening.legal("sniper", "choose-entry")[0])
    evening.sniper(evening.legal("sniper", "move")[0])
    evening.sniper({"type": "end-turn"})
    until(evening, lambda: evening.table.players.due() is not None, 10)
    evening.table.bots.skip_pauses()
    due = evening.table.players.due()
    assert due is not None and due <= evening.now + 0.1


def test_no_time_that_the_table_measures_depends_on_the_time_of_day() -> None:
    """Someone or the network can set it at any moment."""
    modules = [path for name in ("table", "seats", "network") for path in (PACKAGE / name).rglob("*.py")]
    time_of_day = re.compile(r"\btime\.time\b|\bdatetime\b")
    assert [path for path in modules if time_of_day.search(path.read_text("utf-8"))] == []


def test_bots_wait_while_players_read_their_briefing(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settle({"bot_pause_ms": 1000}))
    alone(evening, "sniper", "warden")
    evening.sniper(evening.legal("sniper", "choose-entry")[0])
    evening.sniper(evening.legal("sniper", "move")[0])
    bots = evening.table.bots
    for seat in ("sniper", "defenders"):
        bots.wait_for(seat, True)
    assert evening.sees("table")["readers"] == [], "no bot is to act"
    evening.sniper({"type": "end-turn"})
    before = evening.sentences("table")
    assert evening.sees("table")["readers"] == ["sniper", "defenders"]
    bots.wait_for("sniper", False)
    evening.wait(round(1000 * READING) - 2000)
    assert evening.sees("table")["readers"] == ["defenders"]
    assert evening.sentences("table") == before, "another player reads on"

    bots.wait_for("sniper", True)
    evening.wait(2500)
    assert evening.sentences("table") == before
    bots.wait_for("sniper", False)
    evening.wait(1500)
    assert evening.sees("table")["readers"] == []
    assert len(evening.sentences("table")) > len(before)


def test_bots_wait_no_longer_for_a_closed_page(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settle({"bot_pause_ms": 1000}))
    alone(evening, "defenders", "prowler")
    evening.table.bots.wait_for("defenders", True)
    evening.wait(round(1000 * READING) - 1000)
    assert evening.view("table")["to_act"] == ["sniper"]
    assert evening.table.work_due() <= evening.now + READING
    until(evening, lambda: turn_of(evening, "defenders"), 60)
