"""Read a past game as a screen does: page by page."""

from __future__ import annotations

import json
from typing import Any

from firmware_host.records.past import PastGames


def told(past: PastGames, number: int) -> dict[str, Any]:
    """Return the facts of a finished game and all its steps."""
    found: dict[str, Any] = {"next": 0}
    steps: list[Any] = []
    while found["next"] is not None:
        found = json.loads(past.page(number, found["next"]))
        assert found["first"] == len(steps)
        steps += found["steps"]
    assert found["count"] == len(steps)
    return {**found, "steps": steps}
