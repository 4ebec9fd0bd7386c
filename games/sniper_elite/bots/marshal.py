"""Looks ahead: guesses the sniper's space and objectives, simulates its acts, and plays the best one."""

from games.sniper_elite.bots._searching import DEFENDERS_KIND

KIND = DEFENDERS_KIND
