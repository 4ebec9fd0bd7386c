"""Simulates each open card of the defenders before it decides where to end a turn."""

from games.sniper_elite_solo.bots._rating import Style, rating_kind

KIND = rating_kind("strong", Style(fear=0.4, looks=24, shoots=True), slow=True)
