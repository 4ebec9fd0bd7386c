"""Lobby options, with the rulings that can be switched off. The number of players must match the board (SA-BRD-04)."""

from __future__ import annotations

from typing import Final

from engine.options import Number, OptionForm, OptionGroup, Switch
from engine.text import Text
from games.snipers_and_assassins.rules.words import FEWEST, MOST

PLAYERS: Final = Number(("players",), Text("Players"), FEWEST, MOST, FEWEST, Text("The board grows with them."))
HEALING: Final = Switch(
    ("healing",),
    Text("Healing"),
    Text("An Assassin that a shot has driven back cannot be shot at for a turn. Games get shorter."),
    "SA-R-66",
)
CORE_ONLY: Final = Switch(
    ("core_only",),
    Text("Fewer Improvements"),
    Text("Only the 18 cards of the original four kinds are in the deck."),
    "SA-D-01",
)
SWITCHED_OFF: Final = {
    "SA-R-07": Text("Snipers can shoot out of Hideouts and into them."),
    "SA-R-19": Text("A retreat that ends on another player's marker is a run-in."),
    "SA-R-24": Text("A player can have any number of gas mines on the board."),
    "SA-R-41": Text("Several players can hunt the same Leader."),
    "SA-R-47": Text("A Sniper can jump from a Hideout to the next one on its side."),
}
"""Ruling -> what applies while it is switched off."""
VARIANTS: Final = OptionGroup("variants", (HEALING, CORE_ONLY))
FORM: Final = OptionForm((OptionGroup("players", (PLAYERS,)), VARIANTS, OptionGroup.of_rulings(SWITCHED_OFF)))
