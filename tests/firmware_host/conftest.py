"""An evening as most tests of the table start it. A file that needs another kind makes its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware_host.evening import Evening


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """An evening at which no one sits yet."""
    return Evening(tmp_path)


@pytest.fixture
def defending(evening: Evening) -> Evening:
    """An evening with the sniper on the board and the defenders to act."""
    evening.start_hunt()
    return evening
