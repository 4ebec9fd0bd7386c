"""Strolls to its objectives, hardly looks who stands near, and lets many a chance go."""

from games.sniper_elite.bots._sneak_turn import Style, sneak_kind

KIND = sneak_kind("easy", Style(fear=0.1, exposed=0.0, slips=8, deduces=False))
