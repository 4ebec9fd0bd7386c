"""The kinds of chance: the events that tell their results, and what a request may force."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from engine.naming import Forced
from engine.plain import Draw
from games.sniper_elite.rules.events import Drew, LootDrawn
from games.sniper_elite.rules.luck import CARDS as LOADOUT_CARDS
from games.sniper_elite.rules.luck import objectives_on
from games.sniper_elite_solo.rules.cards import CARDS
from games.sniper_elite_solo.rules.events import Dealt, DeckOrder, Die, Snafu
from games.sniper_elite_solo.rules.words import TOKENS, Token

_URGENT: Final = "the urgent cards: the one removed, then right, left and middle slot"
_DECK: Final = Forced(list[str], "a list of solo cards, the top one first", "solo card", CARDS)
_TOKENS: Final = f"tokens ({', '.join(TOKENS)}) with their whole numbers"

DRAWS: Final = (
    Draw("urgent", Dealt, "urgent", forced=Forced(list[str], _URGENT, "solo card", CARDS)),
    Draw("deck", Dealt, "cards", forced=_DECK),
    Draw("loadout", Dealt, "loadout", forced=LOADOUT_CARDS),
    Draw("objectives", Dealt, "objectives", forced=objectives_on),
    Draw("draw", Drew, "tokens", forced=Forced(dict[Token, Annotated[int, Meta(ge=0)]], _TOKENS)),
    Draw("loot", LootDrawn, "cards", forced=LOADOUT_CARDS),
    Draw("deck", DeckOrder, "cards", forced=_DECK),
    Draw("die", Die, "value", forced=Forced(int, "1, 2 or 3")),
    Draw("snafu", Snafu, "chosen", top=True, forced=Forced(tuple[str, str], "a unit and the space where it ends")),
)
