"""Buttons whose contacts bounce, and buzzers of both kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.drivers.buzzer import HIGHEST, LOWEST
from hardware.ports import Tune
from tests.hardware.benches import buttons, buzzer

LONG = 600_000


def test_bouncing_contact_is_one_press(tmp_path: Path) -> None:
    bench = buttons.Bench(tmp_path, step=0.004)
    pressed: list[str] = []
    bench.buttons.start(lambda name, at: pressed.append(name))
    for _ in range(5):
        bench.press("undo")
    assert pressed == ["undo"]
    bench.clock.now += 0.03
    bench.press("undo")
    assert pressed == ["undo", "undo"]
    bench.close()


def test_bouncing_release_is_no_press(tmp_path: Path) -> None:
    bench = buttons.Bench(tmp_path, step=0.001)
    pressed: list[str] = []
    bench.buttons.start(lambda name, at: pressed.append(name))
    bench.header.follow(5, False)
    bench.clock.now += 1.0
    for level in (True, False, True, False, True):
        bench.header.follow(5, level)
    assert pressed == ["confirm"]
    bench.close()


def test_button_that_is_not_wired_uses_no_pin(tmp_path: Path) -> None:
    bench = buttons.Bench(tmp_path, undo=-1)
    assert bench.buttons.names == ("confirm", "next")
    pressed: list[str] = []
    bench.buttons.start(lambda name, at: pressed.append(name))
    bench.press("next")
    assert pressed == ["next"]
    bench.close()


def test_tune_has_its_tones_in_order_and_its_rests(tmp_path: Path) -> None:
    bench = buzzer.Bench(tmp_path)
    bench.buzzer.play(Tune("scale", ((440, 1), (0, 1), (880, 1), (1760, 1))))
    assert [bench.pitch() for _ in range(3)] == pytest.approx([440, 880, 1760], rel=0.01)
    assert bench.is_silent()
    assert bench.states.wait_for(1) == [None]
    bench.close()


def test_tones_out_of_range_become_nearest_ones(tmp_path: Path) -> None:
    bench = buzzer.Bench(tmp_path)
    bench.buzzer.play(Tune("far", ((20, 1), (20_000, 1))))
    assert [bench.pitch() for _ in range(2)] == pytest.approx([LOWEST, HIGHEST], rel=0.01)
    bench.close()


def test_new_tune_replaces_old_one(tmp_path: Path) -> None:
    bench = buzzer.Bench(tmp_path)
    bench.buzzer.play(Tune("long", ((440, LONG), (880, LONG))))
    assert bench.pitch() == pytest.approx(440, rel=0.01)
    bench.buzzer.play(Tune("other", ((1760, 1),)))
    assert bench.pitch() == pytest.approx(1760, rel=0.01)
    assert bench.is_silent()
    bench.close()


def test_buzzer_with_its_own_tone_is_switched_on_and_off(tmp_path: Path) -> None:
    bench = buzzer.Bench(tmp_path, passive=False)
    bench.buzzer.play(Tune("beeps", ((440, 1), (0, 1), (880, 1))))
    assert [bench.pitch(), bench.pitch()] == [0, 0]
    assert bench.is_silent()
    bench.close()


def test_failing_buzzer_is_reported_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = buzzer.Bench(tmp_path)
    monkeypatch.setattr(bench.piezo, "changed", lambda number: 1 // 0)
    bench.buzzer.play(Tune("beep", ((440, 1),)))
    assert "The buzzer cannot sound" in str(bench.states.wait_for(1)[0])
    monkeypatch.undo()
    bench.buzzer.play(Tune("beep", ((880, 1),)))
    assert bench.pitch() == pytest.approx(880, rel=0.01)
    bench.states.wait_for_health()
    bench.close()
