"""Short names of acts: those of multiplayer, and the player's two own ones."""

from __future__ import annotations

from typing import Final

from engine.game import Command
from engine.text import Text
from games.sniper_elite.show import captions as multiplayer
from games.sniper_elite_solo.rules.commands import AfterHit, PlaceReturn

REWARDS: Final = {
    "noise": Text("Health +1 (noise)"),
    "recoil": Text("Health +{number} (recoil)"),
    "aim": Text("More aim tokens in the bag"),
}


def caption(command: Command) -> Text:
    """Return the name of an act."""
    match command:
        case AfterHit(option, count):
            return REWARDS[option] if count is None else REWARDS[option].with_(number=count)
        case PlaceReturn(space):
            return Text("Return the defender to {space}", space=space)
    return multiplayer.caption(command)
