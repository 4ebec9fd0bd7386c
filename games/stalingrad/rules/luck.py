"""The dice, forced results as somebody wants them, and the results read back from what was told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final

from engine.chance import Chance, Impossible
from engine.events import Told
from engine.refusal import NotUnderstood
from engine.text import Text
from games.stalingrad.rules import events as e
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.words import FACES, known

KINDS: Final = ("deck", "first", "shoot", "evade", "wound")
DIE_RULES: Final = {"first": "ST-SET-01", "shoot": "ST-TGT-01", "evade": "ST-DNG-01", "wound": "ST-DNG-05"}
"""Kind of a die -> the rule that asks for it."""
RETOLD: Final = "evade-retold"
"""The die of an Evasion roll that a telling tells of. It was thrown with it, or an act earlier (ST-R-33): the telling
does not say which. It comes from `read` alone and cannot be asked for in the protocol.
"""


def throw(chance: Chance, kind: str) -> int:
    """The face of a die that is thrown now, 0 to 9. Raises `Impossible`."""
    if kind == "evade":
        with suppress(Impossible):
            return chance.roll(RETOLD, FACES, DIE_RULES[kind])
    return chance.roll(kind, FACES, DIE_RULES[kind])


def throw_wound(chance: Chance) -> int:
    """The face of the wound die; the die of the Evasion roll, told again, may lie before it. Raises `Impossible`."""
    try:
        return throw(chance, "wound")
    except Impossible as error:
        try:
            chance.roll(RETOLD, FACES, DIE_RULES["wound"])
        except Impossible:
            raise error from None
        return throw(chance, "wound")


def read(telling: Iterable[Told]) -> list[tuple[str, Any]]:
    """The results in the order in which the rules ask for them; those of dice that lay already are left over."""
    found: list[tuple[str, Any]] = []
    kind = ""
    for event in (told.event for told in telling):
        match event:
            case e.Shuffled(cards):
                found.append(("deck", list(cards)))
            case e.FirstRolled(dice):
                found += [("first", die) for die in dice.values()]
            case e.Revealed(_, card):
                kind = "shoot" if CARDS[card].kind == "target" else "evade"
            case e.Rolled(_, die):
                found.append((kind, die))
            case e.ShootRolled():
                found.append(("shoot", event.die))
            case e.EvadeRolled():
                found.append((RETOLD, event.die))
            case e.Wounded():
                found.append(("wound", event.die))
    return found


def wanted(raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Results to be forced. Their kind and form show here; whether one is possible shows where it is asked for.

    Raises `NotUnderstood`.
    """
    for kind, value in raw:
        known(Text("forced result"), [kind], KINDS)
        if kind == "deck":
            if not isinstance(value, list | tuple) or not all(isinstance(card, str) for card in value):
                raise NotUnderstood(Text("The forced result {kind} is a list of cards, the top one first.", kind=kind))
            known(Text("card"), value, CARDS)
        elif type(value) is not int or value not in FACES:
            raise NotUnderstood(Text("The forced result {kind} is a face of the die, 0 to 9.", kind=kind))
    return [(kind, list(value) if kind == "deck" else value) for kind, value in raw]
