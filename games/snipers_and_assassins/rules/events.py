"""Everything that can happen, one frozen value each. What they do to a picture is in `fold.py`.

All are told to everybody but the order of the deck, which nobody is told. Lists of markers are in seat order, a
player's Sniper before the Assassin.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct, field

from engine.events import Event

ShotResult = Literal["kill", "deflected", "dodge", "hit", "mine"]


class DoubleJump(Struct, frozen=True):
    """A double jump half done: its direction and which option it is (SA-SNP-05, SA-SNP-06)."""

    dir: Literal["down", "up"]
    option: Literal[1, 2]


class StartChosen(Event, tag="start-chosen", frozen=True):
    """SA-SET-05."""

    seat: str
    space: str


class TargetChosen(Event, tag="target-chosen", frozen=True):
    """SA-SET-05."""

    seat: str
    target: str


class LeaderPlaced(Event, tag="leader-placed", frozen=True):
    """SA-SET-05."""

    seat: str
    space: str


class DeckShuffled(Event, tag="deck-shuffled", frozen=True):
    """So many cards are shuffled into a new deck (SA-R-36, SA-R-63)."""

    count: int


class Deck(Event, tag="deck", frozen=True):
    """The order of the deck, top first. Told to nobody."""

    cards: tuple[str, ...]


class ImprovementDrawn(Event, tag="improvement-drawn", frozen=True):
    """SA-SET-06, SA-HIT-03."""

    seat: str
    card: str


class ImprovementDiscarded(Event, tag="improvement-discarded", frozen=True):
    """SA-HIT-03, SA-R-35."""

    seat: str
    card: str


class TurnStarted(Event, tag="turn-started", frozen=True):
    """SA-SET-07, SA-R-62."""

    seat: str
    round: int


class Moved(Event, tag="moved", frozen=True):
    """A walk, or the step after a jump."""

    marker: str
    from_: str = field(name="from")
    to: str


class Jumped(Event, tag="jumped", frozen=True):
    """SA-R-04."""

    marker: str
    from_: str = field(name="from")
    to: str


class Shot(Event, tag="shot", frozen=True):
    """SA-SHT-02..04, SA-MIN-04, SA-IMP-05."""

    marker: str
    target: str
    result: ShotResult


class RunIn(Event, tag="run-in", frozen=True):
    """`with` are all enemy markers on the space, also those that go unhurt (SA-RUN-01)."""

    marker: str
    with_: tuple[str, ...] = field(name="with")


class Surprise(Event, tag="surprise", frozen=True):
    """SA-RUN-03."""

    marker: str
    with_: tuple[str, ...] = field(name="with")


class Stealth(Event, tag="stealth", frozen=True):
    """SA-SNP-06."""

    marker: str
    with_: tuple[str, ...] = field(name="with")


class Retreated(Event, tag="retreated", frozen=True):
    """SA-HIT-04; `from` is `to` where there is no room (SA-R-55)."""

    marker: str
    from_: str = field(name="from")
    to: str


class MinePlanted(Event, tag="mine-planted", frozen=True):
    """SA-ASN-02."""

    seat: str
    space: str


class MineExploded(Event, tag="mine-exploded", frozen=True):
    """`markers` are those that it strikes, also a Sniper with a mask."""

    space: str
    markers: tuple[str, ...]


class SniperReplaced(Event, tag="sniper-replaced", frozen=True):
    """SA-HIT-02."""

    marker: str
    from_: str = field(name="from")
    to: str


class ClaymoreSet(Event, tag="claymore", frozen=True):
    """SA-CLM-01; `pathway` is its letter."""

    marker: str
    pathway: str
    hit: tuple[str, ...]


class Status(Event, tag="status", frozen=True):
    """A status marker is put on; they come off untold."""

    marker: str
    kind: Literal["shot", "locked", "recover", "jump"]
    value: str | bool | DoubleJump


class Held(Event, tag="held", frozen=True):
    """SA-R-01."""

    marker: str


class TurnEnded(Event, tag="turn-ended", frozen=True):
    """SA-R-61."""

    seat: str


class GameOver(Event, tag="game-over", frozen=True):
    """`reason`: leader or rounds (SA-WIN-01, SA-R-46); a game of too many rounds has no winner."""

    winner: str | None
    reason: Literal["leader", "rounds"]


AnyEvent = (
    StartChosen
    | TargetChosen
    | LeaderPlaced
    | DeckShuffled
    | Deck
    | ImprovementDrawn
    | ImprovementDiscarded
    | TurnStarted
    | Moved
    | Jumped
    | Shot
    | RunIn
    | Surprise
    | Stealth
    | Retreated
    | MinePlanted
    | MineExploded
    | SniperReplaced
    | ClaymoreSet
    | Status
    | Held
    | TurnEnded
    | GameOver
)


def read(raw: object) -> Event:
    """An event as the journal keeps it, from decoded JSON."""
    event: Event = msgspec.convert(raw, AnyEvent)
    return event
