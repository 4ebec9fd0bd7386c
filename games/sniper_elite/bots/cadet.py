"""Wanders about without a plan, rarely looks where the sniper is, and soon ends its turn. For a first game."""

from games.sniper_elite.bots._guard_turn import Style, guard_kind

KIND = guard_kind("beginner", Style(guesses=False, hunts=0.1, holds=0.0, asks=0.1, slips=10, rests=5))
