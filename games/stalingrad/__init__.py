"""Stalingrad: snipers share one deck, roll against each Target and Danger, and collect stars."""

from games.stalingrad.game import GAME

__all__ = ["GAME"]
