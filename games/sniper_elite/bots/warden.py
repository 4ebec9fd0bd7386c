"""Guards the objectives that the sniper may still need, and searches and attacks where it can be."""

from games.sniper_elite.bots._guard_turn import Style, guard_kind

KIND = guard_kind("strong", Style())
