"""Lights of this game (`docs/lights.md` shows them): the light of each cue, and its own colours. Also its sounds.

Each light has its own rhythm, also among the server's lights (`firmware_host/core/lamp_colours.py`), so colour is never
the only difference.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.cues import Light, Rhythm, Show, Sound, palettes
from engine.text import Text

FAINT = Rhythm("faint", "1")
BREATH = Rhythm("breath", "25898521", 250, smooth=True)
SLOW_BREATH = Rhythm("slow breath", "3579753111", 450, smooth=True)
PULSE = Rhythm("pulse", "9742222", 130, smooth=True)
HEARTBEAT = Rhythm("heartbeat", "9292111111", 130, smooth=True)
TRIPLE_BLINK = Rhythm("triple blink", "909090000", 170)
WINK = Rhythm("wink", "9999999909", 240)
STING = Rhythm("sting", "19511111", 150, smooth=True)
WATCH = Rhythm("watch", "2222422224", 260)
FLICKER = Rhythm("flicker", "5846937459386", 110)
FADE_OUT = Rhythm("fade out", "97531", 180, smooth=True)
WIPE = Rhythm("wipe", "97531111", 140, smooth=True, travel=True, laps=True)
STREAK = Rhythm("streak", "197421", 90, smooth=True, travel=True, laps=True)
WAVE = Rhythm("wave", "369963", 180, smooth=True, travel=True)

LIGHTS: Mapping[str, Light] = {
    "mark": Light("mark", FAINT, 5, Text("a tracking mark of the defenders")),
    "objective": Light("objective", SLOW_BREATH, 10, Text("a completed objective")),
    "dog": Light("dog", WATCH, 29, Text("a dog keeps watch here")),
    "bark": Light("dog", FLICKER, 35, Text("the dog here has just barked")),
    "not-found": Light("not-found", FADE_OUT, 32, Text("searched, and nobody was here")),
    "alert": Light("alert", BREATH, 34, Text("this unit has heard something")),
    "shot": Light("shot", STREAK, 37, Text("the path of a shot, from the shooter to the target")),
    "found": Light("found", HEARTBEAT, 36, Text("searched, and the sniper was here")),
    "last-known": Light("danger", PULSE, 38, Text("the sniper's last known space")),
    "path": Light("path", WIPE, 40, Text("the sniper's path, after the game")),
    "mine": Light("danger", STING, 39, Text("a hidden mine, in a replay")),
    "hider": Light("found", WINK, 44, Text("where the sniper really was, in a replay")),
    "victory": Light("victory", WAVE, 42, Text("the winners, after the game")),
    "fallen": Light("danger", TRIPLE_BLINK, 54, Text("a unit fell here")),
}

# The night and day palettes, and colours for people with red-green colour blindness. During set-up, the squads have
# their own colours.
COLOURS = {
    "mark": ((150, 150, 150), (200, 200, 200), (150, 150, 150)),
    "objective": ((0, 190, 120), (0, 255, 90), (0, 158, 115)),
    "dog": ((200, 90, 20), (255, 90, 0), (230, 159, 0)),
    "not-found": ((60, 90, 200), (0, 90, 255), (0, 60, 140)),
    "alert": ((255, 130, 0), (255, 150, 0), (230, 159, 0)),
    "found": ((255, 255, 255), (255, 255, 255), (255, 255, 255)),
    "shot": ((255, 240, 200), (255, 255, 255), (255, 255, 255)),
    "path": ((255, 40, 120), (255, 0, 110), (204, 121, 167)),
    "victory": ((255, 220, 90), (255, 220, 0), (240, 228, 66)),
    "yellow": ((255, 180, 0), (255, 200, 0), (240, 228, 66)),
    "red": ((255, 30, 10), (255, 0, 0), (213, 94, 0)),
    "black": ((90, 60, 255), (70, 30, 255), (0, 114, 178)),
}
PALETTES = palettes(COLOURS)

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
"""Event tag or cue name -> sound."""
SHOW = Show(LIGHTS, PALETTES, SOUNDS)
