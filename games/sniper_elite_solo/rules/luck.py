"""Random results: read them from past events, or force them for a request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta

from engine import naming
from engine.events import Event, Told
from engine.graph import Map
from engine.naming import Forced, require_known
from games.sniper_elite.rules.events import Drew, LootDrawn
from games.sniper_elite.rules.luck import CARDS as LOADOUT_CARDS
from games.sniper_elite.rules.luck import OBJECTIVES
from games.sniper_elite.rules.words import UNITS
from games.sniper_elite_solo.rules import events
from games.sniper_elite_solo.rules.cards import CARDS
from games.sniper_elite_solo.rules.terrain import terrain_of
from games.sniper_elite_solo.rules.words import TOKENS, Token

_SOLO_CARDS: Final = Forced(list[str], "a list of solo cards, the top one first", "solo card", CARDS)
_URGENT: Final = "the urgent cards: the one removed, then right, left and middle slot"


def results_of(told: Iterable[Told]) -> list[tuple[str, Any]]:
    """Return the random results in events, in the order and form that `Chance` expects."""
    return [result for one in told for result in _results(one.event)]


def _results(event: Event) -> list[tuple[str, Any]]:
    match event:
        case events.Dealt(urgent=urgent, cards=cards, loadout=loadout, objectives=objectives):
            decks = {"urgent": urgent, "deck": cards, "loadout": loadout, "objectives": objectives}
            return [(kind, list(deck)) for kind, deck in decks.items()]
        case Drew(tokens=tokens):
            return [("draw", dict(tokens))]
        case LootDrawn(cards=cards):
            return [("loot", list(cards))]
        case events.DeckOrder(cards=cards):
            return [("deck", list(cards))]
        case events.Die(value=value):
            return [("die", value)]
        case events.Snafu(chosen=chosen):
            return [("snafu", [chosen])]
    return []


def read_forced(board: Map, raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return results to force. Raises `NotUnderstood` for an unknown kind or a wrong type."""
    kinds = {
        "urgent": Forced(list[str], _URGENT, "solo card", CARDS),
        "deck": _SOLO_CARDS,
        "loadout": LOADOUT_CARDS,
        "objectives": Forced(list[int], OBJECTIVES, "objective", terrain_of(board).objectives),
        "draw": Forced(
            dict[Token, Annotated[int, Meta(ge=0)]], f"tokens ({', '.join(TOKENS)}) with their whole numbers"
        ),
        "loot": LOADOUT_CARDS,
        "die": Forced(int, "1, 2 or 3"),
        "snafu": Forced(tuple[str, str], "a unit and the space where it ends"),
    }
    return [
        (kind, _outcomes(board, *value) if kind == "snafu" else value) for kind, value in naming.read_forced(raw, kinds)
    ]


def _outcomes(board: Map, unit: str, space: str) -> list[tuple[str, str]]:
    require_known("unit", [unit], UNITS)
    require_known("space", [space], board.spaces)
    return [(unit, space)]
