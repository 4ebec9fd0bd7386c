"""Looks ahead: simulates its acts against defenders that know the public events, and plays the best one."""

from games.sniper_elite.bots._searching import SNIPER_KIND

KIND = SNIPER_KIND
