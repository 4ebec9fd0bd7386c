"""Snipers and Assassins: a race for 2 to 6 players, in which everything except the deck is public.

`rules/` are the rules, pure; `map_rules/` makes the boards; `bots/` are computer players; `show/` is how the game looks
on the board; `book/` the rules as text. `game.py` puts them together.
"""

from games.snipers_and_assassins.game import GAME

__all__ = ["GAME"]
