"""All events, one frozen class each. `fold.py` applies an event to a picture.

All events are public except the order of the deck, which only the referee knows. `seat` is the player affected.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from engine.events import Event
from engine.naming import tagged
from games.stalingrad.rules.words import Reason, Stat, Wound


class Rank(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's final rank. `stars` and `kills` are totals (ST-R-20, ST-R-39)."""

    seat: str
    place: int
    stars: int
    kills: int
    out: bool


class SeatEvent(Event, frozen=True):
    """An event that affects one player."""

    seat: str


class CardEvent(SeatEvent, frozen=True):
    """An event that affects one player and involves a card."""

    card: str


class RollEvent(CardEvent, frozen=True):
    """A roll against a card."""

    die: int
    value: int


class Shuffled(Event, tag="shuffled", frozen=True):
    """The order of the deck, top first. Hidden from all players (ST-SET-01)."""

    cards: tuple[str, ...]


class FirstRolled(Event, tag="first-rolled", frozen=True):
    """A round of rolls for the first turn, seat -> die (ST-SET-01, ST-R-21)."""

    dice: dict[str, int]


class TurnStarted(SeatEvent, tag="turn-started", frozen=True):
    """A player's turn started (ST-TRN-01)."""


class TurnEnded(SeatEvent, tag="turn-ended", frozen=True):
    """A player's turn ended (ST-TRN-01)."""


class TurnSkipped(SeatEvent, tag="turn-skipped", frozen=True):
    """A player missed a turn; `skip` is the number of turns still to miss (ST-R-15)."""

    skip: int


class AidSpent(SeatEvent, tag="aid-spent", frozen=True):
    """A player spent Aids to raise a stat."""

    cards: tuple[str, ...]
    stat: Stat


class Drew(SeatEvent, tag="drew", frozen=True):
    """A player laid out `count` cards face down, unknown to all players (ST-HNT-01)."""

    count: int


class Revealed(CardEvent, tag="revealed", frozen=True):
    """A player turned over a card (ST-SHO-01)."""


class Rolled(SeatEvent, tag="rolled", frozen=True):
    """A player rolled the die before committing Aids (ST-R-33)."""

    die: int


class AidGained(CardEvent, tag="aid-gained", frozen=True):
    """A player gained an Aid (ST-SHO-03)."""


class XpGained(SeatEvent, tag="xp-gained", frozen=True):
    """A player gained an experience token; `xp` is the new total (ST-XP-03, ST-XP-04)."""

    xp: int


class ShootRolled(RollEvent, tag="shoot-rolled", frozen=True):
    """A player shot at a Target (ST-TGT-04, ST-TGT-05)."""

    hit: bool


class EvadeRolled(RollEvent, tag="evade-rolled", frozen=True):
    """A player tried to evade a Danger (ST-DNG-04, ST-DNG-05)."""

    evaded: bool


class Killed(CardEvent, tag="killed", frozen=True):
    """A player killed a Target; `stars` is the new total (ST-XP-01, ST-XP-02)."""

    stars: int


class Wounded(SeatEvent, tag="wounded", frozen=True):
    """A player was wounded and misses `skip` turns (ST-WND-*)."""

    die: int
    wound: Wound
    skip: int


class DiscardedUnseen(SeatEvent, tag="discarded-unseen", frozen=True):
    """`count` face-down cards were discarded unseen (ST-WND-05, ST-R-11)."""

    count: int


class Eliminated(SeatEvent, tag="eliminated", frozen=True):
    """A player was eliminated; `cards` is the hand that was discarded (ST-WND-04, ST-R-23)."""

    cards: tuple[str, ...]


class StatRaised(SeatEvent, tag="stat-raised", frozen=True):
    """A player raised a stat to `value`; `xp` is the number of tokens left (ST-XP-05)."""

    stat: Stat
    value: int
    xp: int


class Discarded(CardEvent, tag="discarded", frozen=True):
    """A player discarded an Aid (ST-ESC-01)."""


class GameOver(Event, tag="game-over", frozen=True):
    """The game ended. `ranking` starts with the best player (ST-GOL-02)."""

    winners: tuple[str, ...]
    ranking: tuple[Rank, ...]
    reason: Reason


KINDS: Final = tagged(globals())  # Tag -> event
