"""Snipers and Assassins: a race for 2 to 6 players. Everything is public except the deck.

- `rules/`: the rules as pure functions
- `map_rules/`: generates the boards
- `bots/`: computer players
- `show/`: lights and sounds of the board
- `book/`: the rules as text
- `game.py`: combines these parts
"""

from games.snipers_and_assassins.game import GAME

__all__ = ["GAME"]
