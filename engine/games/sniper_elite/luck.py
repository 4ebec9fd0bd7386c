"""What chance brought, read back from what was told: forced results that give the same again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.games.sniper_elite import events
from engine.told import Told


def read(telling: Iterable[Told]) -> list[tuple[str, Any]]:
    """The results in the order in which the rules ask for them; a choice that looks like a result is one too many."""
    happened = [told.event for told in telling]
    held = next((event.cards for event in happened if isinstance(event, events.Objectives)), ())
    found: list[tuple[str, Any]] = []
    for event in happened:
        match event:
            case events.ObjectiveDeck(cards=rest):
                found.append(("objectives", [*held, *rest]))
            case events.Hand(cards=cards):
                found.append(("loadout", list(cards)))
            case events.SpecialistsChosen(squads=squads):
                found.append(("specialists", dict(squads)))
            case events.LootDrawn(cards=cards):
                found.append(("loot", list(cards)))
            case events.Drew(tokens=tokens):
                found.append(("draw", dict(tokens)))
    return found
