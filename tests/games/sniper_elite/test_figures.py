"""The statistics of a finished game, counted from its events."""

from __future__ import annotations

from games.sniper_elite.rules import events as e
from games.sniper_elite.show.captions import figures
from games.sniper_elite_solo.rules import events as solo
from games.sniper_elite_solo.show.captions import figures as solo_figures


def test_each_statistic_counts_its_own_events() -> None:
    told = [
        e.SniperMoved(("Y1", "Y2", "Y3")),
        e.SniperMoved(("Y4",)),
        e.Alerted(("red-1", "red-2")),
        e.Shot("hit"),
        e.Shot("miss"),
        e.Attacked("red-1", "Y1", None),
        e.Spotted("red-1", "Y1", found=True),
        e.Swept("red-1", ("Y1",), found=False),
    ]
    assert [number for _, number in figures(told)] == [4, 1, 2, 1, 3, 1]
    assert [number for _, number in figures([])] == [0] * 6


def test_solo_statistics_count_noisy_turns_and_hits() -> None:
    told = [
        solo.SniperMoved(("Y1", "Y2"), noisy=True),
        solo.SniperMoved(("Y3",), noisy=False),
        e.Shot("hit"),
        solo.Hit("attack", "red-1", None),
    ]
    assert [number for _, number in solo_figures(told)] == [3, 1, 1, 1, 1]
