"""Everything that the player can want; what is the same in multiplayer comes from there."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from engine.game import Command
from engine.refusal import NotUnderstood
from engine.text import Text
from games.sniper_elite.rules.commands import (
    ChooseEntry,
    Complete,
    EndSniperTurn,
    Keep,
    Loot,
    Move,
    Play,
    ReturnObjective,
    ShootSecond,
    SniperCommand,
    read_one,
)
from games.sniper_elite.rules.words import SNIPER


class Shoot(SniperCommand, tag="shoot", frozen=True):
    """SO-SHT-01; which of the fields a shot needs depends on the weapon. `third`: Karl with a Tommy Gun (EN-R-28)."""

    target: str | None = None
    draw: int | None = None
    second: int | None = None
    third: int | UnsetType | None = UNSET


class AfterHit(SniperCommand, tag="after-hit", frozen=True):
    """What a hit brings (SO-SHT-05); `count` belongs to recoil."""

    option: str
    count: int | None = None


class PlaceReturn(SniperCommand, tag="place-return", frozen=True):
    """Where a defender returns whose iron cross is taken (SO-DEF-05)."""

    space: str


AnyCommand = (
    ReturnObjective
    | ChooseEntry
    | Move
    | Play
    | Shoot
    | ShootSecond
    | AfterHit
    | Loot
    | Keep
    | Complete
    | PlaceReturn
    | EndSniperTurn
)


def read(seat: str, raw: object) -> Command:
    """A command of `seat` from decoded JSON. Raises `NotUnderstood` with what is wrong and what is known."""
    if seat != SNIPER:
        raise NotUnderstood(
            Text("There is no seat {seat} that acts; the seats are {known}.", seat=repr(seat), known=SNIPER)
        )
    return read_one(AnyCommand, Text("sniper's action"), raw)
