"""Heads straight for its objectives and mostly ignores the noise it makes."""

from games.sniper_elite_solo.bots._rating import Style, rating_kind

KIND = rating_kind("easy", Style(fear=0.25, looks=0, shoots=False))
