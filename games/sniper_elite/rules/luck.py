"""The kinds of chance: the events that tell their results, and what a request may force."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from engine.graph import Map
from engine.naming import Forced
from engine.plain import Draw
from games.sniper_elite.map_rules.sites import sites_of
from games.sniper_elite.rules import events
from games.sniper_elite.rules.cards import EVERY_CARD
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import SQUADS, TOKENS, Squad, Token

CARDS: Final = Forced(list[str], "a list of loadout cards, the top one first", "loadout card", EVERY_CARD)
SQUADS_WITH: Final = f"squads ({', '.join(SQUADS)}) with specialists ({', '.join(SPECIALISTS)})"
CHOSEN: Final = Forced(dict[Squad, str], SQUADS_WITH, "specialist", SPECIALISTS)
TOKENS_DRAWN: Final = f"tokens ({', '.join(TOKENS)}) with their whole numbers"


def objectives_on(board: Map) -> Forced:
    """Return which objective cards can be forced on a map."""
    return Forced(list[int], "a list of objective numbers, the top one first", "objective", sites_of(board).objectives)


DRAWS: Final = (
    Draw("ally", events.AllyDealt, "ally", forced=Forced(str, "the id of an allied sniper", "ally", ALLIES)),
    Draw("objectives", events.ObjectiveDeck, "cards", forced=objectives_on),
    Draw("loadout", events.Hand, "cards", forced=CARDS),
    Draw("loot", events.LootDrawn, "cards", forced=CARDS),
    Draw("specialists", events.SpecialistsChosen, "squads", forced=CHOSEN),
    Draw("draw", events.Drew, "tokens", forced=Forced(dict[Token, Annotated[int, Meta(ge=0)]], TOKENS_DRAWN)),
)
"""Some of these events can also tell a choice. It looks like a result, and stays unused."""
