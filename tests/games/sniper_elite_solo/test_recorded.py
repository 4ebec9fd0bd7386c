"""The recorded solo games contain every event."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.sniper_elite_solo.rules.fold import FOLDS

TEXTS = [file.read_text("utf-8") for file in Path(__file__).parent.glob("*.game")]


@pytest.mark.parametrize("kind", [event.__struct_config__.tag for event in FOLDS])
def test_every_event_is_in_a_recorded_game(kind: str) -> None:
    assert any(f": {kind} {{" in text for text in TEXTS)
