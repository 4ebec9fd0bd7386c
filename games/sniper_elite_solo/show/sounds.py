"""Sounds of the solo game, by the tag of a public event or the name of a cue."""

from __future__ import annotations

from collections.abc import Mapping

from engine.cues import Sound
from games.sniper_elite.show import sounds as multiplayer

SOUNDS: Mapping[str, Sound] = {
    **{
        name: multiplayer.SOUNDS[name]
        for name in ("turn-ended", "objective-completed", "shot", "killed", "wounded", "game-over")
    },
    "die": Sound(((1319, 30), (0, 40), (1319, 30), (0, 40), (1568, 60)), 22),
    "solo-card": Sound(((392, 80), (523, 120)), 26),
    "attracted": Sound(((988, 60), (0, 40), (988, 60)), 30),
    "scanned": Sound(((659, 60), (587, 60), (523, 120)), 31),
    "searched": Sound(((659, 60), (698, 60), (740, 120)), 31),
    "attacked": Sound(((262, 90), (0, 40), (262, 150)), 33),
    "lks-updated": Sound(((622, 60), (784, 90)), 28),
    "mine-triggered": Sound(((196, 60), (147, 80), (110, 220)), 57),
    "hit": Sound(((740, 70), (554, 140)), 52),
}
