"""The game's names as in the protocol: seats, squads, units and tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, get_args

from engine.text import Text

Squad = Literal["yellow", "red", "black"]
Token = Literal["aim", "noise", "recoil", "suppression"]

SNIPER: Final = "sniper"
DEFENDERS: Final = "defenders"
SEATS: Final = (SNIPER, DEFENDERS)

SQUADS: Final[tuple[str, ...]] = get_args(Squad)
TOKENS: Final[tuple[str, ...]] = get_args(Token)
UNITS: Final = tuple(f"{squad}-{member}" for squad in SQUADS for member in ("officer", "1", "2"))

START_BAG: Final = {"aim": 6, "noise": 2, "recoil": 3, "suppression": 0}  # Initial bag (MP-SETUP-12)
TOKEN_CAPS: Final = {"aim": 11, "noise": 9, "recoil": 3, "suppression": 3}
"""Maximum tokens of each kind in play (MP-BAG-06). Spare recoil leaves the game (MP-SETUP-13)."""
POOL_RECOIL: Final = 7  # Total number of recoil tokens, which applies with an allied sniper (EN-R-03)
WINNERS: Final = {"objectives": SNIPER, "wounds": DEFENDERS, "countdown": DEFENDERS}
"""How the game ended -> the winner."""
END_RULES: Final = {"objectives": "MP-END-01", "wounds": "MP-END-02", "countdown": "MP-END-03"}
CUBES: Final = 2  # Action cubes of each squad on the countdown track (MP-SETUP-19)
MARKS: Final = 10  # Number of tracking cubes (MP-SETUP-05)
START_COUNTDOWN: Final = 10
LAST_SPACE: Final = 1  # Last space of the countdown track


SQUAD_OF: Final = {unit: unit.partition("-")[0] for unit in UNITS}  # The squad of each unit


def squad_of(unit: str) -> str:
    """Return a unit's squad, which is also its colour and home sector."""
    return unit.partition("-")[0]


def cubes_spent(done: Mapping[str, Sequence[str]], squad: str) -> int:
    """Return the cubes that a squad's unit actions have used (MP-DEF-05, R-56). The Scout's relocation uses none."""
    return sum(action != "scout" for unit, actions in done.items() if squad_of(unit) == squad for action in actions)


def plus(one: Mapping[str, int], other: Mapping[str, int], sign: int = 1) -> dict[str, int]:
    """Return the sum of two counts of tokens, or their difference if `sign` is -1. A missing kind counts as zero."""
    return {token: one.get(token, 0) + sign * other.get(token, 0) for token in TOKENS}


def officer_of(squad: str) -> str:
    return f"{squad}-officer"


def soldiers_of(squad: str) -> tuple[str, str]:
    return f"{squad}-1", f"{squad}-2"


def is_officer(unit: str) -> bool:
    """Return whether a unit is an officer; "soldier" never includes officers."""
    return unit.endswith("officer")


SQUAD_WORDS: Final = {"yellow": Text("yellow"), "red": Text("red"), "black": Text("black")}
SECTOR_WORDS: Final = {**SQUAD_WORDS, "white": Text("white")}
SEAT_WORDS: Final = {SNIPER: Text("sniper"), DEFENDERS: Text("defenders")}
TOKEN_WORDS: Final = {
    "aim": Text("aim"), "noise": Text("noise"), "recoil": Text("recoil"), "suppression": Text("suppression"),
}  # fmt: skip
ACTION_WORDS: Final = {
    "move": Text("move"), "attack": Text("attack"), "spot": Text("spot"), "sweep": Text("sweep"),
    "deploy": Text("deploy"), "dismiss": Text("dismiss"),
}  # fmt: skip
KIND_WORDS: Final = {
    "open": Text("open"), "water": Text("water"), "enclosed": Text("enclosed"), "elevated": Text("elevated"),
    "obstruction": Text("obstruction"),
}  # fmt: skip
"""Display names, for use inside a sentence."""


def called(unit: str) -> Text:
    """Return the display name of a unit such as `red-1`."""
    return _CALLED[unit]


def _unit_words(unit: str) -> Text:
    squad = SQUAD_WORDS[squad_of(unit)]
    if is_officer(unit):
        return Text("the {squad} officer", squad=squad)
    return Text("{squad} soldier {which}", squad=squad, which=unit[-1])


_CALLED = {unit: _unit_words(unit) for unit in UNITS}
