"""Stalingrad: snipers draw cards from one deck, roll for every Target and Danger, and count their stars."""

from games.stalingrad.game import GAME

__all__ = ["GAME"]
