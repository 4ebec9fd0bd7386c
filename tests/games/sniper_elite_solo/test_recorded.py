"""The recorded solo games contain every event."""

from __future__ import annotations

import re
from pathlib import Path

from games.sniper_elite_solo.rules.fold import FOLDS

TEXTS = [file.read_text("utf-8") for file in Path(__file__).parent.glob("*.game")]


def test_every_event_is_in_a_recorded_game() -> None:
    assert {event.__struct_config__.tag for event in FOLDS} <= {*re.findall(r": ([\w-]+) {", "".join(TEXTS))}
