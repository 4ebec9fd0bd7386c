"""Balances short paths against nearby defenders. Shoots and plays cards."""

from games.sniper_elite_solo.bots._rating import Style, rating_kind

KIND = rating_kind("medium", Style(fear=1.0, looks=0, shoots=True), slow=True)
