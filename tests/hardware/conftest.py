"""Fixtures of the hardware tests."""

from __future__ import annotations

import pytest

from tests.hardware.pico import need_micropython


@pytest.fixture(scope="session")
def micropython() -> None:
    """A real MicroPython interpreter; without one, the test is skipped with a reason."""
    need_micropython()
