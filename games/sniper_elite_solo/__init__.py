"""Sniper Elite, solo: one sniper against defenders that a deck of cards commands. It builds on `sniper_elite`.

`rules/` are the rules, pure, with the cards as data; `book/` the rules as numbered text.
"""

from games.sniper_elite_solo.game import GAME

__all__ = ["GAME"]
