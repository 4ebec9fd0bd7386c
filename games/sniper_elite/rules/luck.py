"""Random results: read them from past events, or force them for a request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta

from engine import naming
from engine.events import Event, Told
from engine.graph import Map
from engine.naming import Forced
from games.sniper_elite.map_rules.sites import sites_of
from games.sniper_elite.rules import events
from games.sniper_elite.rules.cards import EVERY_CARD
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import SQUADS, TOKENS, Squad, Token

OBJECTIVES: Final = "a list of objective numbers, the top one first"
CARDS: Final = Forced(list[str], "a list of loadout cards, the top one first", "loadout card", EVERY_CARD)
DRAW: Final = Forced(dict[Token, Annotated[int, Meta(ge=0)]], f"tokens ({', '.join(TOKENS)}) with their whole numbers")
SQUADS_WITH: Final = f"squads ({', '.join(SQUADS)}) with specialists ({', '.join(SPECIALISTS)})"
_RESULTS: Final[dict[type[Event], Callable[[Any], tuple[str, Any]]]] = {
    events.AllyDealt: lambda event: ("ally", event.ally),
    events.ObjectiveDeck: lambda event: ("objectives", list(event.cards)),
    events.Hand: lambda event: ("loadout", list(event.cards)),
    events.SpecialistsChosen: lambda event: ("specialists", dict(event.squads)),
    events.LootDrawn: lambda event: ("loot", list(event.cards)),
    events.Drew: lambda event: ("draw", dict(event.tokens)),
}
"""Event -> the kind of random result that it has, and the result."""


def results_of(telling: Iterable[Told]) -> list[tuple[str, Any]]:
    """Return the results in the order in which the rules request them, and choices that look like results."""
    happened = [told.event for told in telling]
    hand = next((event.cards for event in happened if isinstance(event, events.Objectives)), ())
    results: list[tuple[str, Any]] = []
    for event in happened:
        if (result := _RESULTS.get(type(event))) is not None:
            kind, value = result(event)
            results.append((kind, [*hand, *value] if kind == "objectives" else value))
    return results


def read_forced(board: Map, raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return forced results after checking their kind and form."""
    kinds = {
        "ally": Forced(str, "the id of an allied sniper", "ally", ALLIES),
        "objectives": Forced(list[int], OBJECTIVES, "objective", sites_of(board).objectives),
        "loadout": CARDS,
        "loot": CARDS,
        "specialists": Forced(dict[Squad, str], SQUADS_WITH, "specialist", SPECIALISTS),
        "draw": DRAW,
    }
    return naming.read_forced(raw, kinds)
