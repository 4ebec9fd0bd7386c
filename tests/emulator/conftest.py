"""Fixtures of the tests in the emulator; without an image of MicroPython or without the emulator, they are skipped."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.emulator.host import Host, firmware
from tools.emulate import PACKAGES, VARIABLE, missing

if TYPE_CHECKING:
    from tests.emulator.pico import EmulatedPico

Start = Callable[..., "EmulatedPico"]
"""Start a Pico with these files, and with other arguments of `EmulatedPico`."""

sys.path.append(str(PACKAGES))


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker("emulator")


@pytest.fixture(scope="session")
def image() -> Path:
    """The image of MicroPython for the Pico."""
    if (reason := missing()) is not None:
        pytest.skip(reason)
    return Path(os.environ[VARIABLE])


@pytest.fixture(scope="module")
def start(image: Path) -> Iterator[Start]:
    """A function that starts a Pico."""
    from tests.emulator.pico import EmulatedPico

    started: list[EmulatedPico] = []

    def begin(files: Mapping[str, bytes], **more: Any) -> EmulatedPico:
        started.append(EmulatedPico(image, files, **more))
        return started[-1]

    yield begin
    for pico in started:
        pico.close()


@pytest.fixture(scope="module")
def host(start: Start) -> Host:
    """A host that has met the default board: 144 sensors and 144 lamps."""
    found = Host(start(firmware(144, 144), chips=18), 144, 144)
    found.meet()
    return found
