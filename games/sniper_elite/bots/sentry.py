"""Searches where the sniper can be, ignores where it wants to go, and makes mistakes."""

from games.sniper_elite.bots._guard_turn import Style, guard_kind

KIND = guard_kind("medium", Style(guesses=False, hunts=0.2, holds=0.0, asks=0.0, slips=9))
