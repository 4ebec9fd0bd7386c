"""Appearance and sound of the game: lights, colours (SA-X-02) and sounds. See `docs/lights.md`.

`reach` is one of the server's built-in lights. Each light has its own rhythm, so colour is never the only difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.cues import PLAYERS, Light, Rhythm, Show, Sound, palettes
from engine.text import Text

SWEEP: Final = Rhythm("sweep", "974211", 110, smooth=True, travel=True, laps=True)
TRIUMPH: Final = Rhythm("triumph", "2589852", 170, smooth=True, travel=True)
SLOW_TIDE: Final = Rhythm("slow tide", "3456654332", 500, smooth=True)
BOUND: Final = Rhythm("bound", "92722222", 180, smooth=True)

LIGHTS: Final[Mapping[str, Light]] = {
    "range": Light("range", Rhythm("ember", "22", 900), 4, Text("the range of the current player's Sniper")),
    "leader": Light("squad", SLOW_TIDE, 12, Text("a player's Leader hides here")),
    "jump": Light("jump", Rhythm("hop", "7775777", 300), 23, Text("a jump can land here")),
    "mine": Light("mine", Rhythm("throb", "6622", 500, smooth=True), 30, Text("a gas mine")),
    "shot-at": Light("shot-at", Rhythm("tremble", "8878868", 200), 32, Text("this Assassin was shot at")),
    "unable": Light("unable", Rhythm("low beat", "3331", 700), 33, Text("this marker is locked or has to recover")),
    "double-jump": Light("double-jump", BOUND, 34, Text("this Sniper is between two jumps")),
    "target": Light("target", Rhythm("aim", "990990000", 170), 35, Text("this marker can be shot at")),
    "claymore": Light("blast", SWEEP, 41, Text("Claymores swept this pathway")),
    "fallen": Light("blast", Rhythm("three flashes", "80808000000", 170), 42, Text("a Sniper died here")),
    "victory": Light("squad", TRIUMPH, 43, Text("the Assassin that has won")),
}
PALETTES: Final = palettes(
    {
        "range": ((150, 80, 0), (200, 110, 0), (150, 104, 0)),
        "jump": ((0, 180, 200), (0, 230, 255), (86, 180, 233)),
        "mine": ((130, 0, 200), (160, 0, 255), (120, 94, 240)),
        "shot-at": ((255, 200, 0), (255, 220, 0), (240, 228, 66)),
        "unable": ((160, 20, 10), (200, 0, 0), (140, 60, 0)),
        "double-jump": ((255, 255, 255), (255, 255, 255), (255, 255, 255)),
        "target": ((255, 130, 0), (255, 140, 0), (230, 159, 0)),
        "blast": ((255, 20, 0), (255, 0, 0), (213, 94, 0)),
        **PLAYERS,
    }
)
SOUNDS: Final[Mapping[str, Sound]] = {
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
"""Event tag -> sound."""
SHOW: Final = Show(LIGHTS, PALETTES, SOUNDS)
