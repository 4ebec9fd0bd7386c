"""Imagines where the sniper is and what it is after, plays its acts on in its head, and does what ends best."""

from games.sniper_elite.bots._searching import DEFENDERS_KIND

KIND = DEFENDERS_KIND
