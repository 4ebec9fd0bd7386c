"""What this game sounds like, by the tag of an event."""

from __future__ import annotations

from collections.abc import Mapping

from engine.cues import Sound

SOUNDS: Mapping[str, Sound] = {
    "turn-started": Sound(((440, 70), (587, 110)), 15),
    "revealed": Sound(((988, 35),), 20),
    "stat-raised": Sound(((523, 60), (784, 110)), 25),
    "killed": Sound(((1568, 30), (784, 50), (392, 120)), 40),
    "evade-rolled": Sound(((262, 60), (233, 90)), 30),
    "wounded": Sound(((165, 120), (123, 240)), 45),
    "eliminated": Sound(((165, 160), (131, 160), (98, 400)), 50),
    "game-over": Sound(((523, 130), (659, 130), (784, 130), (1047, 360)), 60),
}
