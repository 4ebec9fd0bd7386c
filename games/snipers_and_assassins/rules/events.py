"""All events, one frozen class each. `fold.py` applies an event to a picture.

All events are public except the order of the deck, which only the referee knows. Lists of markers are in seat order,
with a player's Sniper before the Assassin.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct, field

from engine.events import Event
from engine.naming import tagged

ShotResult = Literal["kill", "deflected", "dodge", "hit", "mine"]


class DoubleJump(Struct, frozen=True):
    """A double jump in progress: its direction and its option number (SA-SNP-05, SA-SNP-06)."""

    dir: Literal["down", "up"]
    option: Literal[1, 2]


class SpaceEvent(Event, frozen=True):
    """An event with a seat and a space."""

    seat: str
    space: str


class CardEvent(Event, frozen=True):
    """An event with a seat and a card."""

    seat: str
    card: str


class Travelled(Event, frozen=True):
    """A marker changed its space."""

    marker: str
    from_: str = field(name="from")
    to: str


class Met(Event, frozen=True):
    """A marker meets all enemy markers on its space, including those that stay unhurt."""

    marker: str
    with_: tuple[str, ...] = field(name="with")


class StartChosen(SpaceEvent, tag="start-chosen", frozen=True):
    """A player chose a starting Hideout (SA-SET-05)."""


class TargetChosen(Event, tag="target-chosen", frozen=True):
    """A player chose whom to hunt (SA-SET-05)."""

    seat: str
    target: str


class LeaderPlaced(SpaceEvent, tag="leader-placed", frozen=True):
    """A player chose the Leader's Hideout (SA-SET-05)."""


class DeckShuffled(Event, tag="deck-shuffled", frozen=True):
    """`count` cards were shuffled into the deck (SA-R-36, SA-R-63)."""

    count: int


class Deck(Event, tag="deck", frozen=True):
    """The order of the deck, top first. Hidden from all players."""

    cards: tuple[str, ...]


class ImprovementDrawn(CardEvent, tag="improvement-drawn", frozen=True):
    """A player drew a card (SA-SET-06, SA-HIT-03)."""


class ImprovementDiscarded(CardEvent, tag="improvement-discarded", frozen=True):
    """A player discarded a card (SA-HIT-03, SA-R-35)."""


class TurnStarted(Event, tag="turn-started", frozen=True):
    """A player's turn started (SA-SET-07, SA-R-62)."""

    seat: str
    round: int


class Moved(Travelled, tag="moved", frozen=True):
    """A marker walked, or took the step after a jump."""


class Jumped(Travelled, tag="jumped", frozen=True):
    """A marker jumped to the next pathway (SA-R-04)."""


class Shot(Event, tag="shot", frozen=True):
    """A Sniper shot (SA-SHT-02..04, SA-MIN-04, SA-IMP-05)."""

    marker: str
    target: str
    result: ShotResult


class RunIn(Met, tag="run-in", frozen=True):
    """A marker walked onto others (SA-RUN-01)."""


class Surprise(Met, tag="surprise", frozen=True):
    """A marker jumped onto others (SA-RUN-03)."""


class Stealth(Met, tag="stealth", frozen=True):
    """A Sniper reached other markers by stealth (SA-SNP-06)."""


class Retreated(Travelled, tag="retreated", frozen=True):
    """An Assassin retreated. `from` equals `to` if there was no room (SA-HIT-04, SA-R-55)."""


class MinePlanted(SpaceEvent, tag="mine-planted", frozen=True):
    """A player planted a gas mine (SA-ASN-02)."""


class MineExploded(Event, tag="mine-exploded", frozen=True):
    """A mine exploded. `markers` are those that it strikes, including a Sniper with a mask."""

    space: str
    markers: tuple[str, ...]


class SniperReplaced(Travelled, tag="sniper-replaced", frozen=True):
    """A Sniper died and a new one starts (SA-HIT-02)."""


class ClaymoreSet(Event, tag="claymore", frozen=True):
    """An Assassin set off Claymores on a pathway, identified by its letter (SA-CLM-01)."""

    marker: str
    pathway: str
    hit: tuple[str, ...]


class Status(Event, tag="status", frozen=True):
    """A marker gains a status. Losing a status has no event."""

    marker: str
    kind: Literal["shot", "locked", "recover", "jump"]
    value: str | bool | DoubleJump


class Held(Event, tag="held", frozen=True):
    """A marker holds this turn (SA-R-01)."""

    marker: str


class TurnEnded(Event, tag="turn-ended", frozen=True):
    """A player's turn ended (SA-R-61)."""

    seat: str


class GameOver(Event, tag="game-over", frozen=True):
    """The game ended (SA-WIN-01, SA-R-46). An Assassin reached its Leader, or too many rounds made it a draw."""

    winner: str | None
    reason: Literal["leader", "rounds"]


KINDS: Final = tagged(globals())  # Tag -> event
