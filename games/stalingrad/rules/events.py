"""Everything that can happen, one frozen value each. `fold.py` says what an event does to a picture.

Everyone is told of every event, except of the order of the deck, which only the referee knows. `seat` is the player to
whom it happens.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from engine.events import Event
from engine.naming import any_of, tagged
from games.stalingrad.rules.words import Reason, Stat, Wound


class Rank(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's place at the end. `stars` and `kills` are numbers (ST-R-20, ST-R-39)."""

    seat: str
    place: int
    stars: int
    kills: int
    out: bool


class SeatEvent(Event, frozen=True):
    """Something that happened to a player."""

    seat: str


class CardEvent(SeatEvent, frozen=True):
    """Something that happened to a player, with a card."""

    card: str


class RollEvent(CardEvent, frozen=True):
    """A roll against a card."""

    die: int
    value: int


class Shuffled(Event, tag="shuffled", frozen=True):
    """The order of the deck, top first. No one is told (ST-SET-01)."""

    cards: tuple[str, ...]


class FirstRolled(Event, tag="first-rolled", frozen=True):
    """A round of rolling for the first turn, seat -> die (ST-SET-01, ST-R-21)."""

    dice: dict[str, int]


class TurnStarted(SeatEvent, tag="turn-started", frozen=True):
    """It is a player's turn (ST-TRN-01)."""


class TurnEnded(SeatEvent, tag="turn-ended", frozen=True):
    """A player's turn is over (ST-TRN-01)."""


class TurnSkipped(SeatEvent, tag="turn-skipped", frozen=True):
    """A player lost a turn; `skip` turns are still to be lost (ST-R-15)."""

    skip: int


class AidSpent(SeatEvent, tag="aid-spent", frozen=True):
    """A player spent Aids, which raise a stat."""

    cards: tuple[str, ...]
    stat: Stat


class Drew(SeatEvent, tag="drew", frozen=True):
    """A player laid `count` cards face down; no one is told which (ST-HNT-01)."""

    count: int


class Revealed(CardEvent, tag="revealed", frozen=True):
    """A player turned over a card (ST-SHO-01)."""


class Rolled(SeatEvent, tag="rolled", frozen=True):
    """A player rolled the die before committing Aids (ST-R-33)."""

    die: int


class AidGained(CardEvent, tag="aid-gained", frozen=True):
    """A player got an Aid (ST-SHO-03)."""


class XpGained(SeatEvent, tag="xp-gained", frozen=True):
    """A player got an experience token; `xp` is the new total (ST-XP-03, ST-XP-04)."""

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
    """A player was wounded and loses `skip` turns (ST-WND-*)."""

    die: int
    wound: Wound
    skip: int


class DiscardedUnseen(SeatEvent, tag="discarded-unseen", frozen=True):
    """`count` face-down cards left the game unseen (ST-WND-05, ST-R-11)."""

    count: int


class Eliminated(SeatEvent, tag="eliminated", frozen=True):
    """A player is out of the game, and `cards` were the hand (ST-WND-04, ST-R-23)."""

    cards: tuple[str, ...]


class StatRaised(SeatEvent, tag="stat-raised", frozen=True):
    """A player raised a stat to `value` and has `xp` tokens left (ST-XP-05)."""

    stat: Stat
    value: int
    xp: int


class Discarded(CardEvent, tag="discarded", frozen=True):
    """A player discarded an Aid (ST-ESC-01)."""


class GameOver(Event, tag="game-over", frozen=True):
    """The game ended. `ranking` has the best first (ST-GOL-02)."""

    winners: tuple[str, ...]
    ranking: tuple[Rank, ...]
    reason: Reason


ANY_EVENT: Final = any_of(tagged(globals()).values())


def read_event(raw: object) -> Event:
    """Return an event from decoded JSON, as the journal stores it. Raises `msgspec.ValidationError`."""
    event: Event = msgspec.convert(raw, ANY_EVENT)
    return event
