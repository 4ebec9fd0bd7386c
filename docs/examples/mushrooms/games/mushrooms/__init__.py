"""Mushrooms: one person, a pawn on a board that the game generates, and a score."""

from games.mushrooms.game import GAME as GAME
