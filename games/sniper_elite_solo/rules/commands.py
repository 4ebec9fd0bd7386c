"""The player's commands that differ from those of multiplayer."""

from __future__ import annotations

from games.sniper_elite.rules.commands import SniperCommand


class AfterHit(SniperCommand, tag="after-hit", frozen=True):
    """The reward for a hit (SO-SHT-05). `count` belongs to recoil."""

    option: str
    count: int | None = None


class PlaceReturn(SniperCommand, tag="place-return", frozen=True):
    """The space on which a defender returns if its iron cross is taken (SO-DEF-05)."""

    space: str
