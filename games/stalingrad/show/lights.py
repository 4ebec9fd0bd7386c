"""What the lamps of the track board show: the light of each cue and its colours (ST-X-01..03). `docs/lights.md` shows
them.

No light shares a rhythm with another, so that no meaning hangs on colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.cues import Light, Palette, Rhythm
from engine.text import Text

LIGHTS: Mapping[str, Light] = {
    "turn": Light("squad", Rhythm("breath", "1112", 500), 2, Text("it is this player's turn")),
    "out": Light("out", Rhythm("ash", "2"), 3, Text("this player is out")),
    "stars": Light("star", Rhythm("glint", "6666668", 380, travel=True), 4, Text("the stars of a player")),
    "skip": Light("loss", Rhythm("heavy beat", "7710", 600), 5, Text("turns that a player still loses")),
    "xp": Light("squad", Rhythm("even", "4"), 6, Text("the tokens of a player")),
    "stat": Light("squad", Rhythm("firm", "8"), 7, Text("the stats of a player")),
    "buy": Light("gain", Rhythm("offer", "246875", 240), 8, Text("this tokens can buy")),
    "boost": Light("gain", Rhythm("climb", "45676", 200, travel=True), 9, Text("what cards add for this roll")),
    "pads": Light("card", Rhythm("still", "3"), 10, Text("a card lies here face down")),
    "flip": Light("card", Rhythm("lift", "35995", 260), 11, Text("this card is turned over next")),
    "target": Light("aim", Rhythm("steady aim", "990990000", 170), 12, Text("a target waits for its roll")),
    "danger": Light("alarm", Rhythm("siren", "29", 300), 13, Text("a danger waits for its roll")),
    "wound": Light("alarm", Rhythm("red flash", "9090905030", 150), 14, Text("this player was wounded just now")),
    "winner": Light(
        "squad", Rhythm("parade", "2479742", 160, smooth=True, travel=True), 15, Text("this player has won")
    ),
}

PALETTES: Mapping[str, Palette] = {
    "night": {
        "out": (150, 60, 40),
        "star": (255, 190, 60),
        "loss": (200, 0, 120),
        "gain": (0, 200, 120),
        "card": (150, 150, 150),
        "aim": (255, 130, 0),
        "alarm": (255, 10, 0),
        "player-1": (255, 40, 20),
        "player-2": (40, 110, 255),
        "player-3": (0, 190, 70),
        "player-4": (255, 180, 0),
        "player-5": (200, 60, 220),
        "player-6": (220, 220, 220),
    },
    "day": {
        "out": (200, 80, 50),
        "star": (255, 200, 40),
        "loss": (255, 0, 150),
        "gain": (0, 255, 140),
        "card": (200, 200, 200),
        "aim": (255, 140, 0),
        "alarm": (255, 0, 0),
        "player-1": (255, 0, 0),
        "player-2": (0, 90, 255),
        "player-3": (0, 230, 60),
        "player-4": (255, 200, 0),
        "player-5": (230, 0, 255),
        "player-6": (255, 255, 255),
    },
    "clear": {
        "out": (150, 100, 50),
        "star": (240, 228, 66),
        "loss": (204, 121, 167),
        "gain": (0, 158, 115),
        "card": (170, 170, 170),
        "aim": (230, 159, 0),
        "alarm": (213, 94, 0),
        "player-1": (213, 94, 0),
        "player-2": (0, 114, 178),
        "player-3": (0, 158, 115),
        "player-4": (240, 228, 66),
        "player-5": (204, 121, 167),
        "player-6": (220, 220, 220),
    },
}
"""Palette of the table -> role -> colour. The players' own colours are under the names of their seats."""
