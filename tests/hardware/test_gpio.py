"""Access to the header pins: one backend, and a message with the remedy for whatever is missing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gpiozero.pins
import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from hardware.drivers import _gpio
from hardware.ports import HardwareFault
from tests.hardware.benches import make_context, opened
from tests.hardware.model.pins import PinHeader, plugged


@pytest.fixture(autouse=True)
def nothing_plugged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A computer without pins and without lgpio."""
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.delattr(gpiozero.pins, "lgpio", raising=False)
    yield
    sys.modules.pop("gpiozero.pins.lgpio", None)


def test_missing_gpiozero_is_reported_with_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with pytest.raises(HardwareFault, match=r'sudo make install ARGS="--with gpio".*gpiozero lgpio.*adafruit-lgpio'):
        _gpio.pin_factory()


def test_missing_lgpio_is_reported_and_nothing_else_is_tried() -> None:
    with pytest.raises(HardwareFault, match=r"lgpio.*Install them"):
        _gpio.pin_factory()


class Refusing:
    """A replacement for lgpio that fails when it is imported."""

    def __init__(self, fault: Exception) -> None:
        self.fault = fault

    def __getattr__(self, name: str) -> Any:
        raise self.fault


def test_lgpio_without_writable_folder_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", Refusing(FileNotFoundError(2, "No such file", ".lgd-nfy-3")))
    with pytest.raises(HardwareFault, match=f"lgpio cannot make its file in {os.getcwd()}.*LG_WD"):
        _gpio.pin_factory()


def test_computer_other_than_pi_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from gpiozero import PinUnknownPi

    def unknown() -> int:
        raise PinUnknownPi("unable to locate Pi revision")

    monkeypatch.setattr(_gpio, "_lgpio", unknown)
    with pytest.raises(HardwareFault, match=r"not a Raspberry Pi.*simulated board"):
        _gpio.pin_factory()


def test_backend_named_in_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert isinstance(_gpio.pin_factory(), MockFactory)


def test_unknown_backend_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "teapot")
    with pytest.raises(HardwareFault, match="teapot"):
        _gpio.pin_factory()


def test_unknown_fault_is_raised_unchanged() -> None:
    with pytest.raises(ZeroDivisionError), _gpio.library_errors("The pins"):
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("driver", "pin"), [("buttons", 6), ("buzzer", 12), ("shift_register", 11), ("reed_matrix", 16)]
)
def test_driver_reports_taken_pin_and_leaves_others_free(driver: str, pin: int, tmp_path: Path) -> None:
    with plugged(PinHeader()) as header:
        taken = gpiozero.DigitalOutputDevice(pin, pin_factory=header)
        with pytest.raises(HardwareFault, match=rf"GPIO{pin}.*Give every driver pins of its own") as caught:
            opened(driver, make_context(tmp_path, []))
        taken.close()
        parts = opened(driver, make_context(tmp_path, []))
        assert caught.tb, "until here, the traceback keeps what the first attempt has opened"
        close: Callable[[], None] = next(
            part.stop for part in (parts.sensors, parts.buttons, parts.buzzer) if part is not None
        )
        close()
