"""Everything that can happen, one frozen value each. What they do to a picture is in `fold.py`.

All are told to everybody but the order of the deck, which nobody is told. `seat` is the player it happens to.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from engine.events import Event
from games.stalingrad.rules.words import Reason, Stat, Wound


class Rank(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a player came. `stars` and `kills` are numbers (ST-R-20, ST-R-39)."""

    seat: str
    place: int
    stars: int
    kills: int
    out: bool


class Shuffled(Event, tag="shuffled", frozen=True):
    """The order of the deck, top first. Told to nobody (ST-SET-01)."""

    cards: tuple[str, ...]


class FirstRolled(Event, tag="first-rolled", frozen=True):
    """A round of rolling for the first turn, seat -> die (ST-SET-01, ST-R-21)."""

    dice: dict[str, int]


class TurnStarted(Event, tag="turn-started", frozen=True):
    """ST-TRN-01."""

    seat: str


class TurnEnded(Event, tag="turn-ended", frozen=True):
    """ST-TRN-01."""

    seat: str


class TurnSkipped(Event, tag="turn-skipped", frozen=True):
    """A lost turn is spent; `skip` is what is left (ST-R-15)."""

    seat: str
    skip: int


class AidSpent(Event, tag="aid-spent", frozen=True):
    """Aids played or committed, and the stat they raise."""

    seat: str
    cards: tuple[str, ...]
    stat: Stat


class Drew(Event, tag="drew", frozen=True):
    """So many cards lie face down; nobody is told which (ST-HNT-01)."""

    seat: str
    count: int


class Revealed(Event, tag="revealed", frozen=True):
    """ST-SHO-01."""

    seat: str
    card: str


class Rolled(Event, tag="rolled", frozen=True):
    """The die that is seen before Aids are committed (ST-R-33)."""

    seat: str
    die: int


class AidGained(Event, tag="aid-gained", frozen=True):
    """ST-SHO-03."""

    seat: str
    card: str


class XpGained(Event, tag="xp-gained", frozen=True):
    """One token; `xp` is the new total (ST-XP-03, ST-XP-04)."""

    seat: str
    xp: int


class ShootRolled(Event, tag="shoot-rolled", frozen=True):
    """ST-TGT-04, ST-TGT-05."""

    seat: str
    card: str
    die: int
    value: int
    hit: bool


class EvadeRolled(Event, tag="evade-rolled", frozen=True):
    """ST-DNG-04, ST-DNG-05."""

    seat: str
    card: str
    die: int
    value: int
    evaded: bool


class Killed(Event, tag="killed", frozen=True):
    """`stars` is the player's new total (ST-XP-01, ST-XP-02)."""

    seat: str
    card: str
    stars: int


class Wounded(Event, tag="wounded", frozen=True):
    """`skip` are the own turns that are lost (ST-WND-*)."""

    seat: str
    die: int
    wound: Wound
    skip: int


class DiscardedUnseen(Event, tag="discarded-unseen", frozen=True):
    """ST-WND-05, ST-R-11."""

    seat: str
    count: int


class Eliminated(Event, tag="eliminated", frozen=True):
    """`cards` were the hand (ST-WND-04, ST-R-23)."""

    seat: str
    cards: tuple[str, ...]


class StatRaised(Event, tag="stat-raised", frozen=True):
    """The new value, and the tokens left (ST-XP-05)."""

    seat: str
    stat: Stat
    value: int
    xp: int


class Discarded(Event, tag="discarded", frozen=True):
    """ST-ESC-01."""

    seat: str
    card: str


class GameOver(Event, tag="game-over", frozen=True):
    """ST-GOL-02. `ranking` has the best first."""

    winners: tuple[str, ...]
    ranking: tuple[Rank, ...]
    reason: Reason


AnyEvent = (
    Shuffled
    | FirstRolled
    | TurnStarted
    | TurnEnded
    | TurnSkipped
    | AidSpent
    | Drew
    | Revealed
    | Rolled
    | AidGained
    | XpGained
    | ShootRolled
    | EvadeRolled
    | Killed
    | Wounded
    | DiscardedUnseen
    | Eliminated
    | StatRaised
    | Discarded
    | GameOver
)


def read(raw: object) -> Event:
    """An event from decoded JSON. Raises `msgspec.ValidationError`."""
    event: Event = msgspec.convert(raw, AnyEvent)
    return event
