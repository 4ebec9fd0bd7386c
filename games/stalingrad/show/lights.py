"""Appearance and sound of the game: track board lights, colours and sounds (ST-X-01..03).

Each light has its own rhythm, so colour is never the only difference. `docs/lights.md` shows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.cues import PLAYERS, Light, Rhythm, Show, Sound, palettes
from engine.text import Text

PARADE: Final = Rhythm("parade", "2479742", 160, smooth=True, travel=True)

LIGHTS: Final[Mapping[str, Light]] = {
    "turn": Light("squad", Rhythm("breath", "1112", 500), 2, Text("it is this player's turn")),
    "out": Light("out", Rhythm("ash", "2"), 3, Text("this player is out")),
    "stars": Light("star", Rhythm("glint", "6666668", 380, travel=True), 4, Text("the stars of a player")),
    "skip": Light("loss", Rhythm("heavy beat", "7710", 600), 5, Text("turns that a player still loses")),
    "xp": Light("squad", Rhythm("even", "4"), 6, Text("the tokens of a player")),
    "stat": Light("squad", Rhythm("firm", "8"), 7, Text("the stats of a player")),
    "buy": Light("gain", Rhythm("offer", "246875", 240), 8, Text("a point that tokens can buy")),
    "boost": Light("gain", Rhythm("climb", "45676", 200, travel=True), 9, Text("what cards add for this roll")),
    "pads": Light("card", Rhythm("still", "3"), 10, Text("a face-down card")),
    "flip": Light("card", Rhythm("lift", "35995", 260), 11, Text("this card is turned over next")),
    "target": Light("aim", Rhythm("steady aim", "990990000", 170), 12, Text("a target waits for its roll")),
    "danger": Light("alarm", Rhythm("siren", "29", 300), 13, Text("a danger waits for its roll")),
    "wound": Light("alarm", Rhythm("red flash", "9090905030", 150), 14, Text("this player has just been wounded")),
    "winner": Light("squad", PARADE, 15, Text("this player has won")),
}
PALETTES: Final = palettes(
    {
        "out": ((150, 60, 40), (200, 80, 50), (150, 100, 50)),
        "star": ((255, 190, 60), (255, 200, 40), (240, 228, 66)),
        "loss": ((200, 0, 120), (255, 0, 150), (204, 121, 167)),
        "gain": ((0, 200, 120), (0, 255, 140), (0, 158, 115)),
        "card": ((150, 150, 150), (200, 200, 200), (170, 170, 170)),
        "aim": ((255, 130, 0), (255, 140, 0), (230, 159, 0)),
        "alarm": ((255, 10, 0), (255, 0, 0), (213, 94, 0)),
        **PLAYERS,
    }
)
SOUNDS: Final[Mapping[str, Sound]] = {
    "turn-started": Sound(((440, 70), (587, 110)), 15),
    "revealed": Sound(((988, 35),), 20),
    "stat-raised": Sound(((523, 60), (784, 110)), 25),
    "killed": Sound(((1568, 30), (784, 50), (392, 120)), 40),
    "evade-rolled": Sound(((262, 60), (233, 90)), 30),
    "wounded": Sound(((165, 120), (123, 240)), 45),
    "eliminated": Sound(((165, 160), (131, 160), (98, 400)), 50),
    "game-over": Sound(((523, 130), (659, 130), (784, 130), (1047, 360)), 60),
}
"""Event tag -> sound."""
SHOW: Final = Show(LIGHTS, PALETTES, SOUNDS)
