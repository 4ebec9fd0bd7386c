"""Lobby options of a solo game (SO-DIF-01, SO-C-01, SO-R-68)."""

from __future__ import annotations

from engine.options import Choice, OptionForm, OptionGroup, Value
from engine.text import Text
from games.sniper_elite.show.options import ALLY_VALUES, GEAR, NEST_ABOUT, NEST_TITLE, allied

OFFICERS = {
    "CH-1": (
        Text("Houndmaster"),
        Text(
            "Harder: on difficult terrain even one space is noisy, and as the deck runs low defenders of the colour of "
            "your last known sector scan. Easier: one more loadout card."
        ),
    ),
    "CH-2": (
        Text("Field Surgeon"),
        Text(
            "Harder: two defenders return each turn, and a hit brings at most one recoil token under your stack. "
            "Easier: aim as a reward brings one more token."
        ),
    ),
    "CH-3": (
        Text("Marksman"),
        Text(
            "Harder: a search reaches one space further, and your first objective puts one more noise token into the "
            "bag. Easier: one more aim token at the start."
        ),
    ),
    "CH-4": (
        Text("Signals Officer"),
        Text(
            "Harder: your first objective updates your last known sector, and after each urgent card the defenders "
            "there search. Easier: looting draws one more card."
        ),
    ),
    "CH-5": (
        Text("Drill Sergeant"),
        Text(
            "Harder: cards move defenders one space further, and a wound leaves one fewer token in your stack. "
            "Easier: the first noise token of each shot attracts nobody."
        ),
    ),
    "CH-6": (
        Text("Quartermaster"),
        Text(
            "Harder: one fewer loadout card, and one fewer card in the deck. Easier: at most two hits count in a turn."
        ),
    ),
}
"""Challenge -> its title and the effect of each half."""

HALVES = (
    Value(None, Text("Without")),
    Value("both", Text("Both halves")),
    Value("complications", Text("Only the harder half")),
    Value("benefit", Text("Only the easier half")),
)
CARDS = (
    Value(None, Text("The map's own")),
    Value("LF", "Launch Facility"),
    Value("SP", "Submarine Pens"),
)

DECKS = (
    Value(
        None,
        Text("Recruits"),
        Text("A forgiving deck: if you hide well, you nearly always get away. Good for your first games."),
    ),
    Value(
        "veteran",
        Text("Veterans"),
        Text("Harder cards of our own: good players win about half of their games."),
    ),
)
"""The defenders' decks. See `docs/balance.md` for measurements."""

CARDS_CHOICE = Choice(
    ("cards",), Text("Defenders' cards"), CARDS, None, Text("Which map's cards join the common ones.")
)
FORM = OptionForm(
    groups=(
        OptionGroup(
            "deck",
            (Choice(("deck",), Text("Who hunts you"), DECKS, None, Text("How hard the defenders' cards are.")),),
        ),
        OptionGroup(
            "challenges",
            tuple(
                Choice(("challenges", name), title, HALVES, None, about, "SO-DIF-01")
                for name, (title, about) in OFFICERS.items()
            ),
            Text("Officers' challenges"),
            Text("Each makes a game harder in two ways and easier in one. Take as many as you like."),
            folded=True,
        ),
        OptionGroup("nest", (allied(*ALLY_VALUES), GEAR), NEST_TITLE, NEST_ABOUT, folded=True),
        OptionGroup("cards", (CARDS_CHOICE,), Text("Cards"), folded=True),
    ),
)
