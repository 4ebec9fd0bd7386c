"""The form in which the protocol describes a position. Every part may be left out; `position.py` fills it in."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Struct, UnsetType

from games.sniper_elite.rules.words import SNIPER


class SniperPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The `sniper` member of a position."""

    space: str | None = None
    objectives: tuple[int, ...] | UnsetType | None = UNSET
    completed: tuple[int, ...] = ()
    hand: tuple[str, ...] | UnsetType | None = UNSET
    face_down: tuple[str, ...] | UnsetType = UNSET
    mines: tuple[str, ...] = ()
    looted: tuple[str, ...] = ()
    wounds: int = 0
    miniature: str | None = None
    moved: bool = False
    carded: bool = False
    active: str | None = None
    acted: bool = False
    shot: bool = False
    been: tuple[str, ...] = ()
    log: tuple[tuple[int, str | None], ...] = ()


class PendingPart(Struct, frozen=True, forbid_unknown_fields=True):
    """The `pending` member: a decision and what it hangs on."""

    name: str = msgspec.field(name="for")
    deck: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    hit: tuple[str, ...] = ()
    by: str = "shot"
    drawn: dict[str, int] | None = None
    second: int | None = None
    draw: int | None = None
    third: int | None = None


class SpecialistPart(Struct, frozen=True, forbid_unknown_fields=True):
    """A squad's specialist."""

    card: str
    uses: int | UnsetType = UNSET
    suppression: bool = True


class SquadPart(Struct, frozen=True, forbid_unknown_fields=True):
    """What a squad has left of its turn."""

    left: int | UnsetType = UNSET
    intel: bool = False


class OverPart(Struct, frozen=True, forbid_unknown_fields=True):
    """How a finished game ended."""

    winner: str
    reason: str


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole position, as the protocol writes it."""

    turn: str = SNIPER
    round: int = 1
    countdown: int | UnsetType = UNSET
    entry: str | None = None
    shown: int | None = None
    pending: PendingPart | None = None
    over: OverPart | None = None
    sniper: SniperPart = SniperPart()
    bag: dict[str, int] | UnsetType = UNSET
    ally: str | None = None
    identity_revealed: bool = False
    units: dict[str, str | None] | UnsetType = UNSET
    specialists: dict[str, SpecialistPart] | UnsetType = UNSET
    dogs: tuple[str, ...] = ()
    loot_deck: tuple[str, ...] | UnsetType = UNSET
    marks: tuple[str, ...] = ()
    squads: dict[str, SquadPart] = {}
    done: dict[str, tuple[str, ...]] = {}
    used: tuple[str, ...] = ()
    off: tuple[str, ...] | UnsetType = UNSET
