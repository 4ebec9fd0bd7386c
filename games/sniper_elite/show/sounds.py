"""Sounds of this game for public news, by event tag or cue name."""

from __future__ import annotations

from collections.abc import Mapping

from engine.cues import Sound

SOUNDS: Mapping[str, Sound] = {
    "turn-ended": Sound(((523, 90), (392, 140)), 20),
    "not-found": Sound(((440, 70), (415, 70), (392, 160)), 25),
    "alerted": Sound(((988, 60), (0, 40), (988, 60)), 30),
    "barked": Sound(((370, 45), (494, 45), (0, 60), (370, 45), (494, 45)), 32),
    "objective-completed": Sound(((523, 90), (659, 90), (784, 160)), 40),
    "shot": Sound(((2794, 25), (1397, 30), (698, 40), (349, 70)), 45),
    "found": Sound(((784, 70), (988, 70), (1175, 180)), 50),
    "wounded": Sound(((880, 80), (622, 80), (440, 220)), 55),
    "killed": Sound(((440, 120), (330, 120), (220, 260)), 55),
    "ability-used": Sound(((1047, 60), (1319, 60), (1047, 90)), 46),
    "ghost-revealed": Sound(((262, 140), (311, 140), (370, 140), (523, 240)), 58),
    "game-over": Sound(((523, 130), (659, 130), (784, 130), (1047, 360)), 60),
}
