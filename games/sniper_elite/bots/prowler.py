"""Sneaks to its objectives. Tracks what the defenders can know, and weighs each act against it."""

from games.sniper_elite.bots._sneak_turn import Style, sneak_kind

KIND = sneak_kind("strong", Style())
