"""The ghost: an allied sniper whose identity the defenders don't know yet (EN-GHO-01..07, EN-R-29).

The other rule modules produce events as if everyone knew the sniper. This module hides from the defenders what would
identify a ghost, and adds the reveal after the event that triggers it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from engine.events import Told
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.fold import fold
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.rule import to_all, to_sniper
from games.sniper_elite.rules.words import plus

TRIGGERS: Final = {"attack": "found", "spot": "found", "objective": "objective"}
"""Why the sniper's position was revealed -> the trigger; `position` for any other reason (EN-R-26)."""


def hide_identity(truth: Picture, telling: Iterable[Told]) -> Iterable[Told]:
    """Return `telling` without what would identify a ghost. `truth` is the truth before the first event."""
    if not truth.options.ghost:
        return telling
    return _without_identity(truth, telling)


def _without_identity(now: Picture, telling: Iterable[Told]) -> Iterator[Told]:
    # Each event affects what may be revealed of the next, so apply it to the truth.
    for told in telling:
        for sent in _events_instead_of(now, told):
            now = fold(now, sent.event)
            yield sent


def _events_instead_of(now: Picture, told: Told) -> Iterator[Told]:
    """Yield the events to send instead of `told`. `now` is the truth before it."""
    if not now.hidden:
        yield told
        return
    match told.event:
        case e.AllyChosen(ally):
            yield to_sniper(e.AllyDealt(ally))
        case e.BagLoaded():
            yield to_sniper(told.event)
        # The number of tokens gained could identify the ghost. Suppression comes from the defenders' cards.
        case e.BagGained(token) if token != "suppression":
            yield to_sniper(told.event)
        case e.LoadoutChosen():
            # The size of the hand could identify the ghost.
            yield to_all(e.LoadoutChosen(None))
        case e.AbilityUsed():
            yield _reveal(now, "special_ability")
        case e.Revealed(why=why):
            yield told
            yield _reveal(now, TRIGGERS.get(why, "position"))
        case e.Opened():
            yield _reveal(now, "game-over")
            yield told
        case _:
            yield told


def _reveal(now: Picture, trigger: str) -> Told:
    """Return the event that reveals the ghost, with the whole bag and the hidden sizes (EN-GHO-07)."""
    bag = plus(now.bag, now.drawn or {})  # the drawn tokens are public, so the total reveals what is in the bag
    counts = {"hand": now.hand_size, "loot_deck": now.deck_size}
    return to_all(e.GhostRevealed(str(now.ally), trigger, bag, counts))


def as_unknown(public: Picture) -> Picture:
    """Return the public part of a described position with a hidden ghost (EN-R-29)."""
    if not public.hidden:
        return public
    # Count only public changes: the tokens held out have visibly left the bag.
    bag = plus({}, public.drawn or {}, -1)
    return replace(public, ally=None, bag=bag, hand_size=0, deck_size=0)
