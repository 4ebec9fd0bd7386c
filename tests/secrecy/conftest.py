"""Fixtures that the packet tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.secrecy.wire import Tap


@pytest.fixture
def tap() -> Iterator[Tap]:
    """A capture of loopback packets; skips the test where the right to capture is missing."""
    try:
        running = Tap()
    except PermissionError as error:
        pytest.skip(f"capturing packets needs root or CAP_NET_RAW: {error}")
    yield running
    running.close()
