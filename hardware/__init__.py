"""Boards: what feels and what lights up. Nothing here knows a game."""
