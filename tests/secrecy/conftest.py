"""What the tests of packets have in common."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.secrecy.wire import Tap


@pytest.fixture
def tap() -> Iterator[Tap]:
    """The loopback's packets; skipped where nobody may see them."""
    try:
        running = Tap()
    except PermissionError as error:
        pytest.skip(f"seeing packets takes root, or CAP_NET_RAW: {error}")
    yield running
    running.close()
