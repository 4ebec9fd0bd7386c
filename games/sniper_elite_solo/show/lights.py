"""Lights and sounds of the solo game: some from multiplayer, plus its own."""

from __future__ import annotations

from collections.abc import Mapping

from engine.cues import Light, Rhythm, Show, Sound, palettes
from engine.text import Text
from games.sniper_elite.show import lights as multiplayer

RIPPLE = Rhythm("ripple", "2111111", 300)
DRIFT = Rhythm("drift", "246642", 600, smooth=True)
RISE = Rhythm("rise", "1234567", 260, smooth=True)
KNOCK = Rhythm("knock", "90900000", 240)
LIFT = Rhythm("lift", "11111222", 500, smooth=True)
HOP = Rhythm("hop", "7272722222", 160)
LONG_LOOK = Rhythm("long look", "66666662", 300)
ROUNDS = Rhythm("rounds", "66262222", 220)
VOLLEY = Rhythm("volley", "8383833333", 150)
BOOM = Rhythm("boom", "9865432222", 170, smooth=True)
WINCE = Rhythm("wince", "9294444444", 170)
TICK = Rhythm("tick", "77777707", 240)

LIGHTS: Mapping[str, Light] = {
    "sector": Light("sector", multiplayer.FAINT, 3, Text("a space of the sniper's last known sector")),
    "wanted": Light("wanted", DRIFT, 9, Text("a possible objective, as the defenders see it")),
    "objective": multiplayer.LIGHTS["objective"],
    "laid-mine": Light("trap", RIPPLE, 11, Text("a mine of the sniper")),
    "shooter": Light("sniper", TICK, 12, Text("the sniper's space")),
    "updated": Light("sector", LIFT, 4, Text("the defenders have just learnt that the sniper is in this sector")),
    "attracted": Light("noise", HOP, 13, Text("a noise has just attracted a defender here")),
    "searched": Light("watch", LONG_LOOK, 14, Text("a defender has just searched from here")),
    "scanned": Light("watch", ROUNDS, 15, Text("a defender has just scanned around here")),
    "attacked": Light("fire", VOLLEY, 16, Text("this space has just been attacked")),
    "blast": Light("trap", BOOM, 17, Text("a mine has just exploded here")),
    "struck": Light("fire", WINCE, 18, Text("the sniper has just taken a hit here")),
    "goal": Light("wanted", RISE, 39, Text("an objective of the sniper, in a replay")),
    "return": Light("sniper", KNOCK, 47, Text("the defender can return here; set it down on one of these spaces")),
    "victory": multiplayer.LIGHTS["victory"],
}

PALETTES = palettes(
    {
        **{role: multiplayer.COLOURS[role] for role in ("objective", "victory", "yellow", "red", "black")},
        "sector": ((40, 60, 160), (0, 70, 255), (0, 60, 140)),
        "wanted": ((255, 140, 0), (255, 150, 0), (230, 159, 0)),
        "trap": ((200, 60, 0), (255, 60, 0), (213, 94, 0)),
        "sniper": ((230, 230, 255), (255, 255, 255), (255, 255, 255)),
        "noise": ((255, 170, 40), (255, 180, 0), (240, 228, 66)),
        "watch": ((60, 190, 255), (0, 200, 255), (86, 180, 233)),
        "fire": ((255, 40, 20), (255, 0, 0), (213, 94, 0)),
    }
)
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
SHOW = Show(LIGHTS, PALETTES, SOUNDS)
