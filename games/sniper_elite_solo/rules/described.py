"""The protocol's format of a position. All parts are optional; `position.py` fills them in."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Struct, UnsetType

from games.sniper_elite.rules.picture import Over as OverPart
from games.sniper_elite_solo.rules.events import Slot


class SniperPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The `sniper` member of a position."""

    space: str | None = None
    objectives: tuple[int, ...] | UnsetType | None = UNSET
    completed: tuple[int, ...] = ()
    hand: tuple[str, ...] | UnsetType | None = UNSET
    used: tuple[str, ...] = ()
    mines: tuple[str, ...] = ()
    looted: tuple[str, ...] = ()
    wounds: int = 0
    stack: tuple[str, ...] | UnsetType = UNSET
    hits: int = 0
    wounded: bool = False
    moved: bool = False
    carded: bool = False
    active: str | None = None
    acted: bool = False
    shot: bool = False


class PendingPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The `pending` member: a question with its details."""

    name: str = msgspec.field(name="for")
    deck: tuple[int, ...] | None = None
    cards: tuple[str, ...] | None = None
    drawn: dict[str, int] | None = None
    noise: int = 0
    targets: tuple[str, ...] = ()
    draws: tuple[int, ...] = ()
    unit: str | None = None
    spaces: tuple[str, ...] = ()
    left: int = 0


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A complete position."""

    round: int = 1
    entry: str | None = None
    lks: str | None = None
    possible: tuple[int, ...] | UnsetType = UNSET
    pending: PendingPart | None = None
    over: OverPart | None = None
    sniper: SniperPart = SniperPart()
    ally: str | None = None
    bag: dict[str, int] | UnsetType = UNSET
    units: dict[str, str | None] | UnsetType = UNSET
    loot_deck: tuple[str, ...] | UnsetType | None = UNSET
    slots: tuple[Slot, ...] | UnsetType | None = UNSET
    deck: tuple[str, ...] | UnsetType | None = UNSET
    discard: tuple[str, ...] = ()
