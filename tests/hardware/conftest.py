"""Fixtures of the hardware tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.hardware.desk import Desk, Host
from tests.hardware.pico import Pico, need_micropython


@pytest.fixture(scope="session")
def micropython() -> None:
    """A real MicroPython interpreter; without one, the test is skipped with a reason."""
    need_micropython()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with ExitStack() as ends:
        yield Desk(tmp_path, ends)


@pytest.fixture
def pico(desk: Desk) -> Pico:
    return desk.pico()


@pytest.fixture
def host(desk: Desk, pico: Pico) -> Host:
    return desk.host(pico.name)
