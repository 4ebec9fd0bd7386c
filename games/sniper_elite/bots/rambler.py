"""Walks to its objectives, pays little attention to nearby units, and misses many chances."""

from games.sniper_elite.bots._sneak_turn import Style, sneak_kind

KIND = sneak_kind("easy", Style(fear=0.1, exposed=0.0, slips=8, deduces=False))
