"""What the extras need on each computer, compared with what Blinka asks for when it is forced to be that computer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.patience import PATIENCE
from tools import pi
from tools.errors import ToolError
from tools.install import requirements

ROOT = Path(__file__).resolve().parent.parent
BOARDS = {
    "a02082": "Raspberry Pi 3 Model B Rev 1.2",
    "c03111": "Raspberry Pi 4 Model B Rev 1.1",
    "c04170": "Raspberry Pi 5 Model B Rev 1.0",
    "902120": "Raspberry Pi Zero 2 W Rev 1.0",
}
"""Revision code (raspberrypi.com, revision codes) -> the model in the device tree."""
PC = pi.Computer("", "x86_64", (3, 13))
ASK = """
import json, sys
import adafruit_platformdetect.board as found
found.Board._pi_rev_code = lambda self: sys.argv[1]
from adafruit_blinka.agnostic import detector
from adafruit_blinka.platform_dependencies import get_platform_dependencies
print(json.dumps(get_platform_dependencies(detector, (3, 13))))
"""
"""The packages that Blinka wants on the board with a revision code."""


def machine(model: str, python: tuple[int, int] = (3, 13)) -> pi.Computer:
    return pi.Computer(model, "aarch64", python)


@pytest.mark.parametrize("code", BOARDS)
def test_lamps_get_what_blinka_wants_on_each_model(code: str) -> None:
    environment = {**os.environ, "BLINKA_FORCECHIP": "BCM2XXX"}
    command = [sys.executable, "-c", ASK, code]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout
    wanted = {Requirement(line) for _, line in json.loads(said) if "PWM" not in line}  # audio isn't used

    got = {
        Requirement(line).name: Requirement(line)
        for line in requirements(ROOT, ["neopixel"], machine(BOARDS[code])).pip
    }
    assert len(wanted) == 2
    for one in wanted:
        assert one.name in got, f"{BOARDS[code]} lacks {one}"
        assert got[one.name].specifier.prereleases or one.specifier.contains("5.0.0") or one.name == "gpiod"
    others = {Requirement(line).name for line in pi.LAMPS.values()} - {one.name for one in wanted}
    assert not others & got.keys(), "another model's library does not build here"


def test_packages_built_on_the_machine_get_a_compiler() -> None:
    assert set(requirements(ROOT, ["neopixel"], machine(BOARDS["c03111"])).debian) >= {"build-essential", "python3-dev"}
    assert requirements(ROOT, ["neopixel"], machine(BOARDS["c04170"])).debian == ()
    assert requirements(ROOT, [], PC) == pi.Needs()


@pytest.mark.parametrize(
    "model", ["", "Raspberry Pi Model B Rev 2", "Raspberry Pi Zero W Rev 1.1", "NVIDIA Jetson Nano"]
)
def test_unsupported_lamp_pins_are_explained_with_pico_as_alternative(model: str) -> None:
    with pytest.raises(ToolError, match=r"from the pins of this computer.*Pico"):
        requirements(ROOT, ["neopixel"], machine(model))


@pytest.mark.parametrize(("minor", "library"), [(11, "lgpio"), (12, "lgpio"), (13, "adafruit-lgpio")])
def test_pins_use_the_prebuilt_library(minor: int, library: str) -> None:
    computer = machine(BOARDS["c03111"], (3, minor))
    found = requirements(ROOT, ["gpio"], computer)
    place = {"python_version": f"3.{minor}"}
    taken = {need.name for need in map(Requirement, found.pip) if need.marker is None or need.marker.evaluate(place)}
    assert taken == {"gpiozero", library}
    assert found.debian == ()
    assert set(requirements(ROOT, ["gpio", "neopixel"], computer).debian) == set(pi.COMPILER)


@pytest.mark.parametrize("computer", [PC, machine(BOARDS["c04170"], (3, 14))])
def test_missing_prebuilt_pin_library_is_explained_with_pico_as_alternative(computer: pi.Computer) -> None:
    with pytest.raises(ToolError, match=r"for the pins of this computer \(.*Python 3\.1[34]\).*Pico"):
        requirements(ROOT, ["gpio"], computer)


def test_32_bit_system_gets_card_instructions() -> None:
    pi.check(machine(BOARDS["902120"]))
    pi.check(PC)
    with pytest.raises(ToolError, match="64-bit Raspberry Pi OS"):
        pi.check(pi.Computer(BOARDS["902120"], "armv7l", (3, 13)))


def test_computer_is_identified_by_its_device_tree(tmp_path: Path) -> None:
    assert pi.this_machine(tmp_path).model == ""
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_bytes(b"Raspberry Pi Compute Module 4 Rev 1.0\0")
    assert pi.this_machine(tmp_path).kind == "4"
    (tmp_path / "proc/device-tree/model").write_bytes(b"\xff\xfe")
    assert pi.this_machine(tmp_path).kind is None
