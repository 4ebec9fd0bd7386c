"""The admin's choices count at once, survive a restart, and never override the settings of that start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_host.admin.choices import PAGE_SETTINGS
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from hardware.drivers.simulated import SimulatedBuzzer
from hardware.ports import Press
from tests.firmware_host.evening import Evening


def chosen(evening: Evening, **wanted: Any) -> None:
    evening.table.change_settings(wanted)
    evening.wait(100)


def shown(evening: Evening) -> dict[str, dict[str, Any]]:
    """Return the page's choices by name."""
    return {choice["name"]: choice for choice in evening.table.admin_facts()["choices"]}


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path, settle({"controls": "simulated"}))


def brightest(evening: Evening) -> int:
    """Return the value of the strongest colour on the board in the next while."""
    found = 0
    for _ in range(125):
        found = max(found, *(max(colour) for colour in evening.simulated.frame))
        evening.wait(20)
    return found


def painted(evening: Evening) -> set[tuple[int, int, int]]:
    """Return every colour on the board in the next while."""
    return set().union(*(evening.colours(space, 200) for space in sorted(evening.lit())[:3]))


def test_brightness_palette_and_quiet_hours_change_the_lamps_at_once(evening: Evening) -> None:
    evening.claim_seats()
    evening.table.start({"options": {"random_setup": True}})
    evening.finish_dealing()
    assert brightest(evening) > 100
    chosen(evening, brightness=0.1)
    assert 0 < brightest(evening) <= 26
    chosen(evening, brightness=None)
    before = painted(evening)
    chosen(evening, palette="clear")
    assert painted(evening) != before
    chosen(evening, palette=None, quiet_from="00:00", quiet_to="23:59", quiet_brightness=0.02)
    assert 0 <= brightest(evening) <= 6
    assert evening.table.admin_facts()["board"]["quiet"]


def test_sound_can_be_switched_off_and_on_again(evening: Evening) -> None:
    heard: list[Any] = []
    (buzzer,) = evening.table.board.io.buzzers
    assert isinstance(buzzer, SimulatedBuzzer)
    buzzer.listen(lambda tune, at: heard.append(tune.name))
    chosen(evening, sound=False)
    evening.table.feed(Press("confirm", evening.now))
    assert heard == []
    chosen(evening, sound=True)
    evening.table.feed(Press("confirm", evening.now))
    assert heard == ["refused"]


def test_choices_survive_power_cut(evening: Evening) -> None:
    chosen(evening, brightness=0.5, palette="day", language="")
    evening.pull_the_plug()
    assert shown(evening)["brightness"]["value"] == 0.5
    assert evening.table.board.io.look.palette == "day"
    chosen(evening, brightness=None)
    assert shown(evening)["brightness"]["value"] == shown(evening)["brightness"]["default"] == 1.0


def test_choice_under_former_name_is_read(evening: Evening) -> None:
    evening.table.journal.store_value("house", {"carries_together": False})
    evening.pull_the_plug()
    assert shown(evening)["guide_all_moves"]["value"] is False
    chosen(evening, carries_together=True)
    assert shown(evening)["guide_all_moves"]["value"] is True


def test_settings_override_choices(evening: Evening) -> None:
    chosen(evening, brightness=0.5, palette="day")
    evening.settings = settle({"brightness": 0.25})
    evening.pull_the_plug()
    limits = {"kind": "share", "low": 0.05, "high": 1.0, "choices": ()}
    fixed = {"name": "brightness", "value": 0.25, "default": 0.25, "fixed": True}
    assert shown(evening)["brightness"] == {**fixed, **limits}
    assert not shown(evening)["palette"]["fixed"]
    with pytest.raises(UserError, match="brightness is set in the settings file"):
        evening.table.change_settings({"brightness": 0.5})


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"brightness": 7.0}, "brightness: 7.0 is not between 0.05 and 1.0"),
        ({"brightness": "1"}, "brightness: expected float, got '1'"),
        ({"palette": "neon"}, "palette: 'neon' is none of night"),
        ({"quiet_from": "22:30"}, "quiet hours need a start and an end"),
        ({"quiet_from": "25:00", "quiet_to": "07:00"}, "'25:00' is not a time of day"),
        ({"sound": 1}, "sound: expected bool, got 1"),
        ({"port": 80}, "There is no setting 'port'"),
        ({"brightness": 0.5, "language": "xx"}, "language: 'xx' is none of"),
    ],
)
def test_invalid_choice_is_reported_and_changes_nothing(evening: Evening, wanted: dict[str, Any], why: str) -> None:
    before = shown(evening)
    assert tuple(before) == tuple(PAGE_SETTINGS)
    with pytest.raises(UserError, match=why):
        evening.table.change_settings(wanted)
    assert shown(evening) == before


@pytest.mark.parametrize(
    "kept", [[], {"brightness": "x"}, {"port": 1}, {"quiet_from": "22:30"}, {"palette": "neon", "sound": 3}]
)
def test_invalid_stored_choices_are_ignored(evening: Evening, kept: Any) -> None:
    evening.table.journal.store_value("house", kept)
    evening.pull_the_plug()
    assert all(choice["value"] == choice["default"] for choice in shown(evening).values())
