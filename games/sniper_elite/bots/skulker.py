"""Avoids units on its way, ignores what they have heard, and makes mistakes."""

from games.sniper_elite.bots._sneak_turn import Style, sneak_kind

KIND = sneak_kind("medium", Style(fear=0.3, exposed=0.5, slips=5, deduces=False))
