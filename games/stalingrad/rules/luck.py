"""Dice, what a request may force, and the random results recorded in events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Final

from msgspec import Meta

from engine.chance import Chance, Impossible
from engine.events import Told
from engine.naming import Forced
from engine.plain import Draw
from engine.text import Text
from games.stalingrad.rules import events as e
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.words import FACES

DIE_RULES: Final = {"first": "ST-SET-01", "shoot": "ST-TGT-01", "evade": "ST-DNG-01", "wound": "ST-DNG-05"}
"""Kind of die -> the rule that requires it."""
FACE: Final = Forced(Annotated[int, Meta(ge=FACES[0], le=FACES[-1])], "a face of the die, 0 to 9")
DECK: Final = Forced(list[str], "a list of cards, the top one first", Text("card"), CARDS)
DRAWS: Final = (Draw("deck", forced=DECK), *(Draw(kind, forced=FACE) for kind in DIE_RULES))
READ_BACK: Final = "evade-retold"
"""The die of an Evasion roll, read back from its event.

It was rolled in that act or in an earlier one (ST-R-33); the event doesn't say which. Only `results_of` produces it.
Requests can't force it.
"""


def roll_die(chance: Chance, kind: str) -> int:
    """Roll a die and return its face, 0 to 9. Raises `Impossible`."""
    if kind == "evade":
        # Replaying a record uses the die from the event, if there is one. Otherwise the die is rolled normally.
        try:
            return chance.roll(READ_BACK, FACES, DIE_RULES[kind])
        except Impossible:
            pass
    return chance.roll(kind, FACES, DIE_RULES[kind])


def roll_wound(chance: Chance) -> int:
    """Roll the wound die. A forced die of the Evasion roll can precede it. Raises `Impossible`."""
    try:
        return roll_die(chance, "wound")
    except Impossible as error:
        try:
            chance.roll(READ_BACK, FACES, DIE_RULES["wound"])
        except Impossible:
            raise error from None
        return roll_die(chance, "wound")


def results_of(telling: Iterable[Told]) -> list[tuple[str, Any]]:
    """Return the results in the order in which the rules request them. Dice rolled in an earlier act remain unused."""
    results: list[tuple[str, Any]] = []
    kind = ""
    for event in (told.event for told in telling):
        match event:
            case e.Shuffled(cards):
                results.append(("deck", list(cards)))
            case e.FirstRolled(dice):
                results += [("first", die) for die in dice.values()]
            case e.Revealed(_, card):
                kind = "shoot" if CARDS[card].kind == "target" else "evade"
            case e.Rolled(_, die):
                results.append((kind, die))
            case e.ShootRolled():
                results.append(("shoot", event.die))
            case e.EvadeRolled():
                results.append((READ_BACK, event.die))
            case e.Wounded():
                results.append(("wound", event.die))
    return results
