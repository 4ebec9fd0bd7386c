"""Loses its way, takes no care, and often runs out of time. For a first game."""

from games.sniper_elite.bots._sneak_turn import Style, sneak_kind

KIND = sneak_kind("beginner", Style(fear=0.0, exposed=0.0, slips=10, deduces=False))
