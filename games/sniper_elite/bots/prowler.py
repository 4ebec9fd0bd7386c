"""Sneaks to its objectives. It follows what the defenders can know of it, and weighs every act against that."""

from games.sniper_elite.bots._sneak_turn import Style, sneak_kind

KIND = sneak_kind("strong", Style())
