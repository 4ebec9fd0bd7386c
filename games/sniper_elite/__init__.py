"""Sniper Elite, multiplayer: one sniper whom nobody sees, and three squads who hunt.

`rules/` are the rules, pure; `map_rules/` what the game asks of a map; `bots/` computer players; `show/` how it looks
and sounds on the board; `screens/` the pages; `book/` the rules as text. `game.py` puts them together.
"""

from games.sniper_elite.game import GAME

__all__ = ["GAME"]
