"""Defends: holds the objectives that the sniper can still be after, and looks and strikes where the sniper can be."""

from games.sniper_elite.bots._guard_turn import Style, guard_kind

KIND = guard_kind("strong", Style())
