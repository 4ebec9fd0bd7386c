"""Sniper Elite, solo: one sniper against defenders controlled by a deck of cards.

It builds on `sniper_elite`. `rules/` has the rules without I/O and the cards as data. `book/` has the rules as numbered
text.
"""

from games.sniper_elite_solo.game import GAME

__all__ = ["GAME"]
