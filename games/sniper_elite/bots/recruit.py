"""Moves at random, attacks where the sniper can be, and often ends its turn early."""

from games.sniper_elite.bots._guard_turn import Style, guard_kind

KIND = guard_kind("easy", Style(guesses=False, hunts=0.1, holds=0.0, asks=0.1, slips=10, rests=1))
