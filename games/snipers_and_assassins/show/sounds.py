"""What this game sounds like, by the tag of an event."""

from __future__ import annotations

from collections.abc import Mapping

from engine.cues import Sound

SOUNDS: Mapping[str, Sound] = {
    "turn-ended": Sound(((523, 90), (392, 140)), 20),
    "mine-planted": Sound(((196, 60), (0, 40), (196, 60)), 25),
    "retreated": Sound(((494, 80), (392, 80), (294, 140)), 35),
    "shot": Sound(((2794, 25), (1397, 30), (698, 40), (349, 70)), 40),
    "run-in": Sound(((311, 60), (233, 120)), 42),
    "surprise": Sound(((622, 50), (932, 120)), 43),
    "stealth": Sound(((233, 80), (0, 60), (932, 120)), 44),
    "mine-exploded": Sound(((131, 60), (98, 60), (65, 260)), 46),
    "sniper-replaced": Sound(((440, 120), (330, 120), (220, 260)), 48),
    "claymore": Sound(((98, 90), (131, 90), (98, 90), (65, 300)), 50),
    "game-over": Sound(((523, 130), (659, 130), (784, 130), (1047, 360)), 60),
}
