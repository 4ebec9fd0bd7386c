"""Lobby options. The number of players must match the board (SA-BRD-04)."""

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
FORM: Final = OptionForm((OptionGroup("players", (PLAYERS,)), OptionGroup("variants", (HEALING, CORE_ONLY))))
