"""What the lamps show of this game: the light of each cue and its colours (SA-X-02). `docs/lights.md` shows them.

`reach` is the table's own light. No light shares a rhythm with another, so that no meaning hangs on colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.cues import Light, Palette, Rhythm
from engine.text import Text

LIGHTS: Mapping[str, Light] = {
    "range": Light(
        "range", Rhythm("ember", "22", 900), 4, Text("the Sniper whose turn it is can shoot as far as this")
    ),
    "leader": Light(
        "squad", Rhythm("slow tide", "3456654332", 500, smooth=True), 12, Text("here a player's Leader hides")
    ),
    "jump": Light("jump", Rhythm("hop", "7775777", 300), 23, Text("here a jump of the player's markers can land")),
    "mine": Light("mine", Rhythm("throb", "6622", 500, smooth=True), 30, Text("here a gas mine lies")),
    "shot-at": Light("shot-at", Rhythm("tremble", "8878868", 200), 32, Text("this Assassin was shot at")),
    "unable": Light("unable", Rhythm("low beat", "3331", 700), 33, Text("this marker is locked or has to recover")),
    "double-jump": Light(
        "double-jump",
        Rhythm("bound", "92722222", 180, smooth=True),
        34,
        Text("this Sniper is between two jumps"),
    ),
    "target": Light("target", Rhythm("aim", "990990000", 170), 35, Text("this marker can be shot at")),
    "claymore": Light(
        "blast",
        Rhythm("sweep", "974211", 110, smooth=True, travel=True, laps=True),
        41,
        Text("Claymores swept this pathway"),
    ),
    "fallen": Light("blast", Rhythm("three flashes", "80808000000", 170), 42, Text("here a Sniper fell")),
    "victory": Light(
        "squad", Rhythm("triumph", "2589852", 170, smooth=True, travel=True), 43, Text("the Assassin that has won")
    ),
}

PALETTES: Mapping[str, Palette] = {
    "night": {
        "range": (150, 80, 0),
        "jump": (0, 180, 200),
        "mine": (130, 0, 200),
        "shot-at": (255, 200, 0),
        "unable": (160, 20, 10),
        "double-jump": (255, 255, 255),
        "target": (255, 130, 0),
        "blast": (255, 20, 0),
        "player-1": (255, 40, 20),
        "player-2": (40, 110, 255),
        "player-3": (0, 190, 70),
        "player-4": (255, 180, 0),
        "player-5": (200, 60, 220),
        "player-6": (220, 220, 220),
    },
    "day": {
        "range": (200, 110, 0),
        "jump": (0, 230, 255),
        "mine": (160, 0, 255),
        "shot-at": (255, 220, 0),
        "unable": (200, 0, 0),
        "double-jump": (255, 255, 255),
        "target": (255, 140, 0),
        "blast": (255, 0, 0),
        "player-1": (255, 0, 0),
        "player-2": (0, 90, 255),
        "player-3": (0, 230, 60),
        "player-4": (255, 200, 0),
        "player-5": (230, 0, 255),
        "player-6": (255, 255, 255),
    },
    "clear": {
        "range": (150, 104, 0),
        "jump": (86, 180, 233),
        "mine": (120, 94, 240),
        "shot-at": (240, 228, 66),
        "unable": (140, 60, 0),
        "double-jump": (255, 255, 255),
        "target": (230, 159, 0),
        "blast": (213, 94, 0),
        "player-1": (213, 94, 0),
        "player-2": (0, 114, 178),
        "player-3": (0, 158, 115),
        "player-4": (240, 228, 66),
        "player-5": (204, 121, 167),
        "player-6": (220, 220, 220),
    },
}
"""Palette of the table -> role -> colour. The players' own colours are under the names of their seats."""
