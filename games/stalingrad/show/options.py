"""Lobby options: the number of players, and rulings that can be switched off."""

from __future__ import annotations

from engine.options import Number, OptionForm, OptionGroup
from engine.text import Text
from games.stalingrad.rules.picture import Options
from games.stalingrad.rules.words import FEWEST, MOST

SWITCHED_OFF = {
    "ST-R-01": Text("The Aid before the draw helps to evade in that turn, and brings no more cards."),
    "ST-R-04": Text("The die is thrown as soon as a card is turned over; then you choose your Aids."),
    "ST-R-19": Text("A player who is out cannot win."),
    "ST-R-22": Text("You see only your own hand."),
}
"""Ruling -> what applies while it is switched off."""
FORM = OptionForm(
    (
        OptionGroup(
            "players",
            (
                Number(
                    ("players",),
                    Text("Players"),
                    FEWEST,
                    MOST,
                    default=Options().players,
                    about=Text("One player alone plays for a best score."),
                    rule="ST-R-26",
                ),
            ),
        ),
        OptionGroup.of_rulings(SWITCHED_OFF),
    )
)
