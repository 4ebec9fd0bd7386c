"""Plays its acts on in its head against defenders who know what the table knows, and does what ends best."""

from games.sniper_elite.bots._searching import SNIPER_KIND

KIND = SNIPER_KIND
