"""The lights for the table's own cues (colour, rhythm and weight), and the palettes.

Games add their own lights (`engine/cues.py`). Lights that can be seen at the same time have different rhythms, so that
no meaning depends on colour alone. `docs/lights.md` shows all of them. `scene.py` makes frames of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.cues import Colour, Light, Palette, Rhythm, Show, palettes
from engine.refusal import no_such
from engine.text import Text

STEADY = Rhythm("steady", "5")
BRIGHT = Rhythm("bright", "9")
SWELL = Rhythm("swell", "34565432", 300, smooth=True)
BLINK = Rhythm("blink", "90", 260)
SLOW_BLINK = Rhythm("slow blink", "92", 700)
DOUBLE_BLINK = Rhythm("double blink", "9090000", 170)
LONG_FLASH = Rhythm("long flash", "99990", 200)
SHORT_FLASH = Rhythm("short flash", "90000", 200)
LONG_SHORT = Rhythm("long and short", "99909000", 170)
SHORT_LONG = Rhythm("short and long", "90999000", 170)
DIP = Rhythm("dip", "4444444442", 300, smooth=True)
FADE_IN = Rhythm("fade in", "13579", 180, smooth=True)
GLIMMER = Rhythm("glimmer", "111112", 420, travel=True)
LULL = Rhythm("lull", "2233344332", 500, smooth=True)
BECKON = Rhythm("beckon", "4444778844", 240, smooth=True)
EBB = Rhythm("ebb", "8642", 260, smooth=True)
SLOW_FADE = Rhythm("slow fade", "98765432", 240, smooth=True)
TWO_FLASHES = Rhythm("two flashes", "9909900", 190)
THREE_FLASHES = Rhythm("three flashes", "9090900000", 190)
NOD = Rhythm("nod", "8888856", 300, smooth=True)
SWAY = Rhythm("sway", "7788996655", 220, smooth=True)

LIGHTS: Mapping[str, Light] = {
    "possible": Light("possible", GLIMMER, 1, Text("a hidden piece can be here, as far as everyone knows")),
    "stood": Light("squad", DIP, 8, Text("a unit stood here, in a game that is replayed")),
    "reach": Light("reach", STEADY, 20, Text("the lifted miniature may be set down here")),
    "home": Light("home", SWELL, 21, Text("the miniature was lifted here; setting it back changes nothing")),
    "unit": Light(
        "choice", LULL, 22, Text("this unit can still act: choose it on a screen, or lift it and set it back")
    ),
    "choice": Light("choice", BECKON, 46, Text("this space can be chosen, on the screen or with a wand")),
    "chosen": Light("choice", NOD, 48, Text("this space is chosen; the screen asks for confirmation")),
    "setup": Light("squad", SWAY, 50, Text("set up a miniature of this colour here")),
    "legal": Light("reach", BRIGHT, 52, Text("the miniature in the wrong place may go here")),
    "remove": Light("danger", SLOW_BLINK, 56, Text("take this miniature off the board")),
    "from": Light("from", FADE_IN, 58, Text("move this miniature away from here")),
    "to": Light("to", LONG_FLASH, 59, Text("and set it down here")),
    "carry-from": Light("squad", EBB, 58, Text("one of several moves: a miniature of this colour goes away from here")),
    "carry-to": Light("squad", TWO_FLASHES, 57, Text("one of several moves: a miniature of this colour goes here")),
    "carry-from-other": Light("squad", SLOW_FADE, 58, Text("the same, for a miniature that looks different")),
    "carry-to-other": Light("squad", THREE_FLASHES, 57, Text("and a miniature that looks different goes here")),
    "unknown-piece": Light("stranger", DOUBLE_BLINK, 60, Text("an unknown piece stands here")),
    "first-answer": Light("first", LONG_SHORT, 62, Text("the first answer to a question")),
    "second-answer": Light("second", SHORT_LONG, 62, Text("the second answer to a question")),
    "sensor": Light("stranger", SHORT_FLASH, 64, Text("this sensor is unreliable")),
    "wrong-place": Light("danger", BLINK, 66, Text("nothing may be set down here now")),
}
UNKNOWN_LIGHT = Light("stranger", STEADY, 0, Text("a cue without a light"))

_COLOURS: Mapping[str, tuple[Colour, Colour, Colour]] = {
    "possible": ((110, 40, 190), (120, 0, 255), (120, 94, 240)),
    "reach": ((0, 150, 40), (0, 255, 0), (86, 180, 233)),
    "home": ((90, 120, 90), (130, 200, 130), (60, 90, 110)),
    "choice": ((170, 220, 40), (190, 255, 0), (86, 180, 233)),
    "danger": ((255, 0, 0), (255, 0, 0), (213, 94, 0)),
    "stranger": ((200, 0, 200), (255, 0, 255), (204, 121, 167)),
    "from": ((255, 90, 0), (255, 110, 0), (213, 94, 0)),
    "to": ((0, 200, 200), (0, 255, 255), (0, 114, 178)),
    "first": ((0, 80, 255), (0, 60, 255), (0, 114, 178)),
    "second": ((255, 200, 0), (255, 210, 0), (240, 228, 66)),
    "squad": ((180, 180, 180), (255, 255, 255), (180, 180, 180)),
}
"""The colours of each role in the palettes."""
PALETTES: Mapping[str, Palette] = palettes(_COLOURS)
"""The colours of each palette, by role.

`night` is for a dim room, `day` for a bright one, and `clear` for every kind of colour vision.
"""


def light(name: str, show: Show) -> Light:
    """Return the light of a cue of the table or of a game."""
    # A game cannot replace a light of the table.
    return LIGHTS.get(name) or show.lights.get(name, UNKNOWN_LIGHT)


def palette(name: str, show: Show) -> Palette:
    """Return the colours of a palette, with those of a game. Raises `ValueError` for an unknown palette."""
    if name not in PALETTES:
        raise ValueError(no_such("palette", name, list(PALETTES)))
    return {**show.palettes.get(name, {}), **PALETTES[name]}
