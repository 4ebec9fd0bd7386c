"""Playing loadout cards (SO-LDO-01..04). The cards are in `sniper_elite/rules/cards.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.lazy import Lazy
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules.cards import require_way
from games.sniper_elite.rules.commands import Play
from games.sniper_elite.rules.events import CardPlayed, Distracted, MineLaid
from games.sniper_elite.rules.map_acts import unit_reach
from games.sniper_elite.rules.nest import GEAR
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite.rules.shooting import seen_from
from games.sniper_elite_solo.rules.act import Telling, trigger_mine
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import LOADOUT

PLACED = ("s-mine", "distraction")
"""Cards that require the sniper to be on a space (SO-R-18). All others are played before what they change."""
TEXTS = {
    "sound-masking": Text("This turn a move of two or three spaces costs no hit and doesn't reveal your sector."),
    "s-mine": Text("Mine your space: the next defender that ends a movement there dies."),
    "silenced-ammo": Text("This turn drawn noise counts as recoil: it attracts nobody."),
    "distraction": Text("Move any defender up to two spaces to where you can see it."),
    "tommy-gun": Text("Your shoot action may be two shots, both announced first."),
    "trench-gun": Text("No draw: you reveal your position, and all defenders here and matching-adjacent die."),
    **{name: gear.text for name, gear in GEAR.items()},
}


DISTRACTIONS: Lazy[tuple[str, str], Play] = Lazy(lambda key: Play("distraction", *key))
"""(Defender, space) -> the play that moves the defender there."""


def _plays(view: Picture, card: str) -> list[Play]:
    """Return the ways to play a card, if the time is right."""
    return list(_distractions(view)) if card == "distraction" else [Play(card)]


def _distractions(view: Picture) -> Iterator[Play]:
    """Yield each defender with each space that it can walk to and the sniper can see (SO-R-34)."""
    if view.space is None:
        return
    # A distracted defender walks like a unit in multiplayer: two spaces, or one if either is difficult.
    reach, held, seen = unit_reach(view.map, False), set(view.units.values()), seen_from(view.map, view.space)
    for unit, space in view.on_board.items():
        for to in reach[space]:
            if to in seen and to not in held:
                yield DISTRACTIONS[unit, to]


def why_not_play(view: Picture, card: str) -> Refused | None:
    """Return why a card can't be played now, or None."""
    if (why := _why_untimely(view, card)) is not None:
        return why
    if not _plays(view, card):
        return Refused("SO-LDO-03", Text("No unit can be moved to a space that you see."))
    return None


def _why_untimely(view: Picture, card: str) -> Refused | None:
    """Return why a card can't be played at this time, or None."""
    if view.space is None and card in PLACED:
        return Refused("SO-R-18", Text("That card needs a space to stand on: enter the board first."))
    if view.carded:
        return Refused("SO-TRN-01", Text("You have already played a card this turn."))
    if card not in view.hand:
        return Refused("SO-LDO-01", Text("You do not hold {title}.", title=LOADOUT[card]))
    if card == "sound-masking" and view.moved:
        return Refused("SO-LDO-01", Text("Sound Masking has to be played before you move."))
    if card in GEAR and view.moved:
        return Refused("SO-LDO-01", Text("Gear has to be played before you move."))
    if card not in (*PLACED, "sound-masking", *GEAR) and view.acted:
        return Refused("SO-LDO-01", Text("A weapon has to be played before you shoot, loot or complete an objective."))
    return None


def _offers(view: Picture) -> Iterable[Play]:
    # Two copies of a card give the same plays, which are listed once.
    return [
        play for card in dict.fromkeys(view.hand) if _why_untimely(view, card) is None for play in _plays(view, card)
    ]


def _check(view: Picture, command: Play) -> Play:
    card = command.card
    if (why := why_not_play(view, card)) is not None:
        raise why
    require_way(command, _plays(view, card), "SO-LDO-03")
    return command


def _play(telling: Telling, command: Play) -> None:
    truth = telling.truth
    telling.tell(CardPlayed(command.card))
    if command.card == "s-mine":
        telling.tell(MineLaid(str(truth.space)))
    elif command.unit is not None and command.to is not None:
        telling.tell(Distracted(command.unit, str(truth.units[command.unit]), command.to))
        trigger_mine(telling, command.unit, command.to)


RULES = [Rule(Play, _offers, _check, _play)]
