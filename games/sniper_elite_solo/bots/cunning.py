"""Simulates how the game can go on and chooses the action that ends best."""

from games.sniper_elite_solo.bots._searching import SNIPER_KIND

KIND = SNIPER_KIND
