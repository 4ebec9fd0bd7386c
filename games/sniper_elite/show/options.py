"""Lobby options of a game: difficulty, and the rulings that can be switched off."""

from __future__ import annotations

from engine.options import Choice, Exclusion, OptionForm, OptionGroup, OptionValue, Several, Switch, Value
from engine.text import Text
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.picture import GHOST
from games.sniper_elite.rules.words import DEFENDERS, SNIPER

EXPERIENCED_SNIPER = ("experienced_sniper",)
EXPERIENCED_DEFENDERS = ("experienced_defenders",)

SWITCHED_OFF = {
    "R-05": Text("The sniper may wait outside on the arrow, turn after turn."),
    "R-06": Text("The sniper plays no card before entering the board."),
    "R-08": Text("Each difficult space shortens a movement, not only the first."),
    "R-18": Text("A unit enters difficult terrain only from where it stood when the turn began."),
    "R-24": Text("The Tommy Gun's second shot has to be announced where it is possible."),
    "R-26": Text("Both draws together decide whether the Tommy Gun's second shot misfires."),
    "R-36": Text("A unit that a mine kills puts nothing into the bag."),
}
"""Ruling -> what applies while it is switched off."""

SNIPER_LETTERS = (
    Value("A", "A", Text("Two loadout cards, dealt at random.")),
    Value("B", "B", Text("One fewer aim token in the shot bag.")),
    Value("C", "C", Text("The sniper shows a card that isn't one of the objectives.")),
    Value("D", "D", Text("The countdown runs from 7.")),
)
DEFENDERS_LETTERS = (
    Value("A", "A", Text("The sniper gets one more loadout card.")),
    Value("B", "B", Text("Each specialist can be used only once.")),
    Value("C", "C", Text("No intel in the first two turns.")),
    Value("D", "D", Text("Only one squad a turn gathers intel.")),
)

NOBODY = Value(None, Text("Nobody"))
ALLY_VALUES = tuple(Value(name, ally.name, ally.about) for name, ally in ALLIES.items())
GHOST_VALUE = Value(
    GHOST,
    Text("A ghost"),
    Text("One of the six is dealt. Only the sniper knows who, until the ghost is seen or uses its ability."),
)
GEAR = Switch(
    ("nest", "gear"),
    Text("Climbing and diving gear"),
    Text("Adds them to the loadout cards if the map has elevated ground or water."),
)
NEST_TITLE = Text("Eagle's Nest")
NEST_ABOUT = Text(
    "Play an ally with a bag and an ability of their own. Our addition; only Karl's second shot is from the box."
)


def allied(*values: Value) -> Choice:
    """Return the choice of an allied sniper among `values`. The default is none (EN-ALY-01)."""
    return Choice(("nest", "ally"), Text("Allied sniper"), (NOBODY, *values), None, Text("Another bag and an ability."))


FORM = OptionForm(
    groups=(
        OptionGroup(
            "setup",
            (
                Switch(
                    ("random_setup",),
                    Text("Random set-up"),
                    Text("Loadout and specialists are dealt. Recommended for a first game."),
                    default=True,
                ),
            ),
        ),
        OptionGroup(
            "experienced",
            (
                Several(EXPERIENCED_SNIPER, Text("Experienced sniper"), SNIPER_LETTERS, hampers=SNIPER),
                Several(EXPERIENCED_DEFENDERS, Text("Experienced defenders"), DEFENDERS_LETTERS, hampers=DEFENDERS),
            ),
            Text("For experienced players"),
            Text("Handicaps for either side."),
            folded=True,
        ),
        OptionGroup("nest", (allied(*ALLY_VALUES, GHOST_VALUE), GEAR), NEST_TITLE, NEST_ABOUT, folded=True),
        OptionGroup.of_rulings(SWITCHED_OFF),
    ),
    excludes=(
        Exclusion(
            OptionValue(EXPERIENCED_SNIPER, "A"),
            OptionValue(EXPERIENCED_DEFENDERS, "A"),
            Text("Not together with the other side's A."),
            "MP-DIFF-09",
        ),
    ),
)
