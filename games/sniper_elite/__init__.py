"""Sniper Elite, multiplayer: one hidden sniper against three squads that hunt it.

- `rules/`: the rules as pure functions
- `map_rules/`: what the game requires of a map
- `bots/`: computer players
- `show/`: lights and sounds of the board
- `screens/`: the web pages
- `book/`: the rules as text
- `game.py`: combines these parts
"""

from games.sniper_elite.game import GAME

__all__ = ["GAME"]
