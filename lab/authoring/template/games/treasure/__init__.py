"""Treasure: one player hides a treasure on a small island, and one to three others dig for it."""

from games.treasure.game import GAME

__all__ = ["GAME"]
