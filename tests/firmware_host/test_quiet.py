"""Quiet hours: when they apply, and how the lamps follow them."""

from __future__ import annotations

import time as clocks
from datetime import time
from pathlib import Path

import pytest

from engine.game import Cue
from firmware_host.board.board_io import BoardIO
from firmware_host.board.drivers import open_drivers
from firmware_host.core import maps
from firmware_host.core.settings import ConfigError, QuietHours, quiet_hours, settle
from hardware.simulated import SimulatedBoard


@pytest.mark.parametrize(
    ("start", "end", "moment", "quiet"),
    [
        ("22:30", "07:00", time(22, 30), True),
        ("22:30", "07:00", time(22, 29, 59), False),
        ("22:30", "07:00", time(3, 0), True),
        ("22:30", "07:00", time(7, 0), False),
        ("13:00", "15:00", time(14, 0), True),
        ("13:00", "15:00", time(15, 0), False),
        ("13:00", "15:00", time(3, 0), False),
        ("", "", time(3, 0), False),
    ],
)
def test_hours_are_quiet_from_start_until_end(start: str, end: str, moment: time, quiet: bool) -> None:
    assert quiet_hours(start, end).at(moment) is quiet


def test_no_hours_are_never_quiet() -> None:
    assert not any(QuietHours().at(time(hour)) for hour in range(24))


@pytest.mark.parametrize(
    ("start", "end", "sentence"),
    [
        ("22:30", "", "need a start and an end"),
        ("", "07:00", "need a start and an end"),
        ("25:00", "07:00", "'25:00' is not a time of day; write it like 22:30"),
        ("22:30", "7", "'7' is not a time of day"),
    ],
)
def test_impossible_quiet_hours_are_reported_at_start(start: str, end: str, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        settle({"quiet_from": start, "quiet_to": end})


def test_lamps_are_dimmed_when_quiet_hours_begin(tmp_path: Path) -> None:
    settings = settle({"quiet_from": "22:00", "quiet_to": "07:00", "quiet_brightness": 0.1})
    board = maps.load("launch-facility")
    fitted = open_drivers(settings, board, tmp_path, clocks.monotonic, lambda _: None)
    now = [time(21, 59)]
    top = BoardIO(board, fitted, settings, lambda _: None, time_of_day=lambda: now[0])
    assert isinstance(fitted.lamps, SimulatedBoard)
    cues = [Cue("legal", (top.spaces[0],))]
    top.light(cues, {}, 5.0)
    bright = fitted.lamps.frame[0]
    now[0] = time(22, 0)
    top.light(cues, {}, 5.0)
    assert fitted.lamps.frame[0] == tuple(round(channel * 0.1) for channel in bright)
    assert top.quiet
