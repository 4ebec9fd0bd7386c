"""The player's commands that differ from those of multiplayer."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from games.sniper_elite.rules.commands import SniperCommand


class Shoot(SniperCommand, tag="shoot", frozen=True):
    """A shot (SO-SHT-01). The weapon decides which fields it needs. `third`: Karl with a Tommy Gun (EN-R-28)."""

    target: str | None = None
    draw: int | None = None
    second: int | None = None
    third: int | UnsetType | None = UNSET


class AfterHit(SniperCommand, tag="after-hit", frozen=True):
    """The reward for a hit (SO-SHT-05). `count` belongs to recoil."""

    option: str
    count: int | None = None


class PlaceReturn(SniperCommand, tag="place-return", frozen=True):
    """The space on which a defender returns if its iron cross is taken (SO-DEF-05)."""

    space: str
