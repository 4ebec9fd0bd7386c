"""What each cue looks like: its colour's role, its rhythm and its weight, in one table; and the palettes.

No two cues share a rhythm, so that no meaning hangs on colour alone. `docs/lights.md` shows this table to people. How
the table becomes a frame is the business of `scene.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from hardware.ports import Colour


class Rhythm(Struct, frozen=True):
    """How a light goes over time: its levels, 0 to 9, each for `step_ms`, over and over.

    `smooth` glides from level to level; `travel` lets each space of a cue run one level behind the one before it, and
    `laps` lets it run once over all of them before it begins again.
    """

    name: str
    levels: str
    step_ms: int = 1000
    smooth: bool = False
    travel: bool = False
    laps: bool = False

    @property
    def steady(self) -> bool:
        """Whether it never changes."""
        return len(set(self.levels)) == 1


class Light(Struct, frozen=True):
    """How one cue is shown. Where several meet on a lamp, the greatest `weight` is seen."""

    role: str
    rhythm: Rhythm
    weight: int
    meaning: str


FAINT = Rhythm("faint", "1")
STEADY = Rhythm("steady", "5")
BRIGHT = Rhythm("bright", "9")
SWELL = Rhythm("swell", "34565432", 300, smooth=True)
BREATH = Rhythm("breath", "25898521", 250, smooth=True)
SLOW_BREATH = Rhythm("slow breath", "3579753111", 450, smooth=True)
PULSE = Rhythm("pulse", "9742222", 130, smooth=True)
HEARTBEAT = Rhythm("heartbeat", "9292111111", 130, smooth=True)
BLINK = Rhythm("blink", "90", 260)
SLOW_BLINK = Rhythm("slow blink", "92", 700)
DOUBLE_BLINK = Rhythm("double blink", "9090000", 170)
TRIPLE_BLINK = Rhythm("triple blink", "909090000", 170)
LONG_FLASH = Rhythm("long flash", "99990", 200)
SHORT_FLASH = Rhythm("short flash", "90000", 200)
LONG_SHORT = Rhythm("long and short", "99909000", 170)
SHORT_LONG = Rhythm("short and long", "90999000", 170)
DIP = Rhythm("dip", "4444444442", 300, smooth=True)
WINK = Rhythm("wink", "9999999909", 240)
STING = Rhythm("sting", "19511111", 150, smooth=True)
WATCH = Rhythm("watch", "2222422224", 260)
FLICKER = Rhythm("flicker", "5846937459386", 110)
FADE_IN = Rhythm("fade in", "13579", 180, smooth=True)
FADE_OUT = Rhythm("fade out", "97531", 180, smooth=True)
WIPE = Rhythm("wipe", "97531111", 140, smooth=True, travel=True, laps=True)
STREAK = Rhythm("streak", "197421", 90, smooth=True, travel=True, laps=True)
WAVE = Rhythm("wave", "369963", 180, smooth=True, travel=True)
GLIMMER = Rhythm("glimmer", "111112", 420, travel=True)
LULL = Rhythm("lull", "2233344332", 500, smooth=True)
BECKON = Rhythm("beckon", "4444778844", 240, smooth=True)
NOD = Rhythm("nod", "8888856", 300, smooth=True)
SWAY = Rhythm("sway", "7788996655", 220, smooth=True)

LIGHTS: Mapping[str, Light] = {
    "possible": Light("possible", GLIMMER, 1, "here the sniper can be, by what everybody knows"),
    "mark": Light("mark", FAINT, 5, "a tracking mark of the defenders"),
    "stood": Light("squad", DIP, 8, "here a unit stood, in a game that is looked through again"),
    "objective": Light("objective", SLOW_BREATH, 10, "a completed objective"),
    "reach": Light("reach", STEADY, 20, "here the lifted miniature may be set down"),
    "home": Light("home", SWELL, 21, "from here it was lifted; setting it back is nothing"),
    "unit": Light("choice", LULL, 22, "this unit may still act: choose it on a screen, or lift it and set it back"),
    "dog": Light("dog", WATCH, 29, "a dog keeps watch here"),
    "bark": Light("dog", FLICKER, 35, "the dog here has just barked"),
    "not-found": Light("not-found", FADE_OUT, 32, "looked here, and found nobody"),
    "alert": Light("alert", BREATH, 34, "this unit has heard something"),
    "shot": Light("shot", STREAK, 37, "over these spaces a shot flew, from the shooter to whom it hit"),
    "found": Light("found", HEARTBEAT, 36, "looked here, and found the sniper"),
    "last-known": Light("danger", PULSE, 38, "here the sniper was last known to be"),
    "path": Light("path", WIPE, 40, "the sniper's way, after the game"),
    "mine": Light("danger", STING, 39, "here a mine lay hidden, in a game that is looked through again"),
    "hider": Light("found", WINK, 44, "here the sniper really was, in a game that is looked through again"),
    "victory": Light("victory", WAVE, 42, "the winners, after the game"),
    "choice": Light("choice", BECKON, 46, "this space may be chosen, on the screen or with a wand"),
    "chosen": Light("choice", NOD, 48, "this space has been chosen; the screen asks whether that is meant"),
    "setup": Light("squad", SWAY, 50, "a miniature of this squad is still to be set up here"),
    "legal": Light("reach", BRIGHT, 52, "there the miniature in the wrong place may go"),
    "fallen": Light("danger", TRIPLE_BLINK, 54, "a unit fell here"),
    "remove": Light("danger", SLOW_BLINK, 56, "take this miniature off the board"),
    "from": Light("from", FADE_IN, 58, "carry this miniature away from here"),
    "to": Light("to", LONG_FLASH, 59, "and set it down here"),
    "unknown-piece": Light("stranger", DOUBLE_BLINK, 60, "something unknown stands here"),
    "first-answer": Light("first", LONG_SHORT, 62, "the first answer to a question"),
    "second-answer": Light("second", SHORT_LONG, 62, "the second answer to a question"),
    "sensor": Light("stranger", SHORT_FLASH, 64, "this sensor cannot be trusted"),
    "wrong-place": Light("danger", BLINK, 66, "nothing may be set down here now"),
}
UNKNOWN = Light("stranger", STEADY, 0, "a cue that this table has no light for yet")

Palette = Mapping[str, Colour]

PALETTES: Mapping[str, Palette] = {
    "night": {
        "possible": (110, 40, 190),
        "mark": (150, 150, 150),
        "objective": (0, 190, 120),
        "reach": (0, 150, 40),
        "home": (90, 120, 90),
        "choice": (170, 220, 40),
        "dog": (200, 90, 20),
        "not-found": (60, 90, 200),
        "alert": (255, 130, 0),
        "found": (255, 255, 255),
        "danger": (255, 0, 0),
        "shot": (255, 240, 200),
        "path": (255, 40, 120),
        "victory": (255, 220, 90),
        "stranger": (200, 0, 200),
        "from": (255, 90, 0),
        "to": (0, 200, 200),
        "first": (0, 80, 255),
        "second": (255, 200, 0),
        "squad": (180, 180, 180),
        "yellow": (255, 180, 0),
        "red": (255, 30, 10),
        "black": (90, 60, 255),
    },
    "day": {
        "possible": (120, 0, 255),
        "mark": (200, 200, 200),
        "objective": (0, 255, 90),
        "reach": (0, 255, 0),
        "home": (130, 200, 130),
        "choice": (190, 255, 0),
        "dog": (255, 90, 0),
        "not-found": (0, 90, 255),
        "alert": (255, 150, 0),
        "found": (255, 255, 255),
        "danger": (255, 0, 0),
        "shot": (255, 255, 255),
        "path": (255, 0, 110),
        "victory": (255, 220, 0),
        "stranger": (255, 0, 255),
        "from": (255, 110, 0),
        "to": (0, 255, 255),
        "first": (0, 60, 255),
        "second": (255, 210, 0),
        "squad": (255, 255, 255),
        "yellow": (255, 200, 0),
        "red": (255, 0, 0),
        "black": (70, 30, 255),
    },
    "clear": {
        "possible": (120, 94, 240),
        "mark": (150, 150, 150),
        "objective": (0, 158, 115),
        "reach": (86, 180, 233),
        "home": (60, 90, 110),
        "choice": (86, 180, 233),
        "dog": (230, 159, 0),
        "not-found": (0, 60, 140),
        "alert": (230, 159, 0),
        "found": (255, 255, 255),
        "danger": (213, 94, 0),
        "shot": (255, 255, 255),
        "path": (204, 121, 167),
        "victory": (240, 228, 66),
        "stranger": (204, 121, 167),
        "from": (213, 94, 0),
        "to": (0, 114, 178),
        "first": (0, 114, 178),
        "second": (240, 228, 66),
        "squad": (180, 180, 180),
        "yellow": (240, 228, 66),
        "red": (213, 94, 0),
        "black": (0, 114, 178),
    },
}
"""Name -> role -> colour: `night` for a dim room, `day` for a bright one; `clear` keeps to colours that every kind of
colour vision tells apart.
"""
