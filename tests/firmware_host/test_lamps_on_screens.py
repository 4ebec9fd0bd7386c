"""The lamps as screens get them: unchanged, but moving lights only at a limited rate."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from engine.game import Cue
from firmware_host.board.board_io import SCREEN_SECONDS, BoardIO, open_board
from firmware_host.board.cues.scene import FRAME_SECONDS
from firmware_host.core import lamp_colours as lights
from firmware_host.core import maps
from firmware_host.core.settings import settle
from games.sniper_elite import GAME
from hardware.simulated import SimulatedBoard

MAP = maps.load("launch-facility")
LIGHTS = {**lights.LIGHTS, **GAME.show.lights}
LIT = MAP.enterable[:12]
EVENING = 2.0
"""Seconds; every rhythm has restarted by then, or has at least changed."""
MOVING = [name for name, light in LIGHTS.items() if not light.rhythm.steady]
STEPPED = [name for name in MOVING if not LIGHTS[name].rhythm.smooth]


@pytest.fixture
def top(tmp_path: Path) -> BoardIO:
    return open_board(settle(), MAP, tmp_path, lambda: 1.0, lambda note: None)


def lamps(top: BoardIO) -> tuple[str, ...]:
    """Return the colours of the lamps themselves, as screens name them."""
    assert isinstance(top.lamps, SimulatedBoard)
    return tuple("".join(f"{part:02x}" for part in colour) for colour in top.lamps.frame)


def on_screens(top: BoardIO) -> tuple[str, ...]:
    return tuple(top.picture()["lamps"].values())


def followed(top: BoardIO, *cues: Cue) -> list[tuple[float, tuple[str, ...], tuple[str, ...]]]:
    """Return time, lamps and screens for each time that something falls due."""
    now, seen = 5.0, []
    while now < 5.0 + EVENING:
        top.light(cues, {}, now, show=GAME.show)
        seen.append((now, lamps(top), on_screens(top)))
        now = top.next_frame
    return seen


@pytest.mark.parametrize("names", [*zip(MOVING, strict=True), STEPPED])
def test_moving_lights_reach_screens_at_limited_rate_without_lag(top: BoardIO, names: Sequence[str]) -> None:
    seen = followed(top, *(Cue(name, (space,)) for name, space in zip(names, LIT, strict=False)))
    told = [now for (_, _, before), (now, _, after) in pairwise(seen) if before != after]
    assert told
    assert all(later - sooner > SCREEN_SECONDS - 1e-9 for sooner, later in pairwise(told))
    for (_, _, shown), (until, _, _) in pairwise(seen):  # it shows this up to that moment
        since = until - SCREEN_SECONDS - FRAME_SECONDS
        lately = [frame for at, frame, _ in seen if since < at < until]
        before = [frame for at, frame, _ in seen if at <= since]
        assert shown in lately + before[-1:]


def test_another_light_reaches_screens_at_once(top: BoardIO) -> None:
    for moment in range(20):
        now = 5.0 + moment * FRAME_SECONDS
        top.light([Cue(MOVING[moment % 2], LIT)], {}, now)
        assert on_screens(top) == lamps(top)


def test_screens_show_lamps_of_board_without_simulated_sensors(tmp_path: Path) -> None:
    top = open_board(settle({"board": "board_link"}), MAP, tmp_path, lambda: 1.0, lambda note: None)
    top.light([Cue("legal", LIT)], {}, 5.0)
    lit = {space for space, colour in top.picture()["lamps"].items() if colour != "000000"}
    assert lit == set(LIT)
    assert top.picture()["miniatures"] == []
