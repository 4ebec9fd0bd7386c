"""What can be chosen for a game in the lobby. The number of players goes with the board (SA-BRD-04)."""

from __future__ import annotations

from engine.options import Number, OptionForm, OptionGroup, Switch
from engine.text import Text
from games.snipers_and_assassins.rules.words import FEWEST, MOST

FORM = OptionForm(
    (
        OptionGroup(
            "players",
            (Number(("players",), Text("Players"), FEWEST, MOST, FEWEST, Text("The board grows with them.")),),
        ),
        OptionGroup(
            "variants",
            (
                Switch(
                    ("healing",),
                    Text("Healing"),
                    Text("An Assassin that a shot has driven back is left in peace for a turn. Games get shorter."),
                    "SA-R-66",
                ),
                Switch(
                    ("core_only",),
                    Text("Fewer Improvements"),
                    Text("Only the 18 cards of the original four kinds are in the deck."),
                    "SA-D-01",
                ),
            ),
        ),
    )
)
