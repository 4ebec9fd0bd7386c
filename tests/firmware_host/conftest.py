"""An evening as most tests of the table begin it; a file whose evenings are others makes its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware_host.evening import Evening


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """Nobody sits at the table yet."""
    return Evening(tmp_path)


@pytest.fixture
def defending(evening: Evening) -> Evening:
    """The sniper is on the board, and it is the defenders' turn."""
    evening.start_hunt()
    return evening
