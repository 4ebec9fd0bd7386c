"""Eagle's Nest as data: allied snipers, and gear for the loadout deck (EN-D-01..09).

Each allied sniper has a bag and abilities. Everything except Karl's second shot is this project's own design.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from engine.graph import Map
from engine.text import Text


class Ally(Struct, frozen=True):
    """An allied sniper: a bag, and the differences from the standard sniper (EN-D-01, EN-D-09).

    `shots` is the number of additional shots. `misfire` is added to the number of tokens that spoil a shot, and `noise`
    to the tokens that an objective brings. `ignored` is the recoil that doesn't count while the sniper hasn't moved.
    """

    name: str
    bag: Mapping[str, int]
    about: Text
    shots: int = 0
    reach: int = 0
    silent: int = 0
    misfire: int = 0
    noise: int = 0
    hand: int = 0
    loot: int = 0
    ignored: int = 0
    stays_after_shot: bool = False


ALLIES: Final[dict[str, Ally]] = {
    "AS-KARL": Ally(
        "Karl", {"aim": 5, "noise": 2, "recoil": 3}, Text("You may announce a second shot at any time."), shots=1
    ),
    "AS-WREN": Ally(
        "Wren",
        {"aim": 5, "noise": 2, "recoil": 3},
        Text("You move at most two spaces, and two are silent."),
        reach=-1,
        silent=1,
    ),
    "AS-ANVIL": Ally(
        "Anvil", {"aim": 7, "noise": 3, "recoil": 3}, Text("A shot misfires only with six bad tokens."), misfire=1
    ),
    "AS-LARK": Ally(
        "Lark", {"aim": 5, "noise": 1, "recoil": 3}, Text("Each objective brings one more noise token."), noise=1
    ),
    "AS-SABLE": Ally(
        "Sable",
        {"aim": 5, "noise": 2, "recoil": 2},
        Text("You begin with one fewer loadout card, and looting draws one more."),
        hand=-1,
        loot=1,
    ),
    "AS-HARROW": Ally(
        "Harrow",
        {"aim": 6, "noise": 2, "recoil": 3},
        Text("If you have not moved, one drawn recoil does not count; after a shot you stay where you are."),
        ignored=1,
        stays_after_shot=True,
    ),
}
"""The allied snipers by ID (EN-D-01)."""


class Gear(Struct, frozen=True):
    """A loadout card that requires a certain kind of space on the map (EN-LDO-02, EN-LDO-03)."""

    title: Text
    text: Text
    requires: str
    copies: int = 2


GEAR: Final[dict[str, Gear]] = {
    "climbing-gear": Gear(
        Text("Climbing Gear"),
        Text("One step of this turn's move may go up or down between elevated and open ground, without a ladder."),
        "elevated",
    ),
    "diving-gear": Gear(
        Text("Diving Gear"), Text("This turn's move may lead through water, but not end there."), "water"
    ),
}
"""The gear in card order (EN-D-05, EN-D-06)."""


def gear_of(board: Map) -> tuple[str, ...]:
    """Return the gear in the loadout deck of a map, including duplicates. Rules: EN-LDO-01..03, EN-R-01, EN-R-02."""
    kinds = {space.kind for space in board.spaces.values()}
    return tuple(name for name, gear in GEAR.items() if gear.requires in kinds for _ in range(gear.copies))
