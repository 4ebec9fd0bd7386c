"""Sniper Elite, solo: one sniper against defenders that a deck of cards controls. It builds on `sniper_elite`.

`rules/` are the rules, without I/O, with the cards as data. `book/` are the rules as numbered text.
"""

from games.sniper_elite_solo.game import GAME

__all__ = ["GAME"]
