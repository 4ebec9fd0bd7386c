"""What playing a loadout card would do as things stand, from the sniper's own picture alone, and whether it would be
wasted (MP-LOAD-06, MP-LOAD-07).

A card is wasted where nothing that the sniper can still do this turn lets it change anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.game import Command
from engine.text import Text, and_list
from games.sniper_elite.rules.commands import Move
from games.sniper_elite.rules.movement import alerted, silent_length
from games.sniper_elite.rules.nest import GEAR
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.shooting import blast, targets
from games.sniper_elite.rules.words import called


class Outlook(Struct, frozen=True):
    """What a card would do now, in a sentence, and whether that is nothing."""

    now: Text
    wasted: bool = False


def outlook(view: Picture, card: str, legal: Sequence[Command]) -> Outlook | None:
    """The outlook of a card that may be played now; `legal` are the sniper's acts. None for a card that is played with
    a choice, which tells it.
    """
    match card:
        case "sound-masking":
            return _masking(view, [command for command in legal if isinstance(command, Move)])
        case "s-mine":
            return _mine(view)
        case "silenced-ammo" | "tommy-gun":
            return _aiming(view)
        case "trench-gun":
            return _blast(view)
    return _gear() if card in GEAR else None


def _masking(view: Picture, moves: Sequence[Move]) -> Outlook:
    long = [move for move in moves if len(move.path) > silent_length(view)]
    if not long:
        return Outlook(Text("No move that you can make now would be noisy: the card would be wasted."), wasted=True)
    heard = sum(bool(alerted(view, view.mine.space, move.path)) for move in long)
    if not heard:
        return Outlook(
            Text("No unit is near enough to hear any of your moves now: the card would be wasted."), wasted=True
        )
    said = Text("Of {long} longer moves that you can make now, {heard} would be heard.", long=len(long), heard=heard)
    return Outlook(said)


def _mine(view: Picture) -> Outlook:
    here = str(view.mine.space)
    if here in view.mine.mines:
        return Outlook(Text("There is a mine of yours on {space} already.", space=here))
    return Outlook(Text("The mine will lie on {space}, where you are now.", space=here))


def _aiming(view: Picture) -> Outlook:
    seen = targets(view)
    if seen:
        return Outlook(Text("From here you can shoot at {units}.", units=and_list(map(called, seen))))
    if view.mine.moved:
        return Outlook(Text("From here you see nobody to shoot at: the card would be wasted."), wasted=True)
    return Outlook(Text("From here you see nobody to shoot at; move before you shoot."))


def _blast(view: Picture) -> Outlook:
    hit = () if view.mine.space is None else blast(view, view.mine.space)
    if hit:
        return Outlook(Text("From here it would hit {units}.", units=and_list(map(called, hit))))
    if view.mine.moved:
        return Outlook(Text("From here it would hit nobody: the card would be wasted."), wasted=True)
    return Outlook(Text("From here it would hit nobody; move before you shoot."))


def _gear() -> Outlook:
    return Outlook(Text("It changes the steps that you can make this turn; play it, and the map shows them."))
