"""Everything that can happen in the solo game, one frozen value each; what is the same in multiplayer comes from there.

Who is told is said where it is told (`telling.py`); no event has a field that some of its hearers may not know. The
last two are for nobody but the referee: they hold what everybody is kept from.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from engine.events import Event
from games.sniper_elite.rules.events import (
    AbilityUsed,
    AllyChosen,
    BagGained,
    BagLoaded,
    CardPlayed,
    Distracted,
    Drew,
    Entry,
    GameOver,
    Killed,
    LootDrawn,
    MineLaid,
    MineTriggered,
    Moved,
    ObjectiveCompleted,
    Objectives,
    SecondForfeited,
    Shot,
    TurnEnded,
    Wounded,
)
from games.sniper_elite_solo.rules.words import Face

Outcome = tuple[str, str]
"""A defender and the space on which it ends."""


class SoloEvent(Event, frozen=True, omit_defaults=False):
    """What only the solo game tells."""


class Slot(Struct, frozen=True):
    """A slot of the solo board; `card` is None for whoever does not know it."""

    card: str | None
    face: Face


class SlotsLaid(SoloEvent, tag="slots-laid", frozen=True):
    """The slots from the left, and how many cards the deck has (SO-SET-05, SO-SET-06)."""

    slots: tuple[Slot, ...]
    deck: int


class LoadoutDealt(SoloEvent, tag="loadout-dealt", frozen=True):
    """SO-SET-08."""

    cards: tuple[str, ...]


class LksUpdated(SoloEvent, tag="lks-updated", frozen=True):
    """The last known sector (SO-LKS-01)."""

    sector: str


class Possible(SoloEvent, tag="possible", frozen=True):
    """The possible objectives at the start (SO-SET-15)."""

    objectives: tuple[int, ...]


class SniperMoved(SoloEvent, tag="sniper-moved", frozen=True):
    """The path without its starting space (SO-MOV-01); `noisy` as SO-MOV-04 and SO-MOV-05 mean it."""

    path: tuple[str, ...]
    noisy: bool


class Hit(SoloEvent, tag="hit", frozen=True):
    """A hit that counts (SO-HIT-01, SO-SUM-01). `token` goes into the bag; None if the hit wounds."""

    cause: str
    by: str | None
    token: str | None


class ShotDeclared(SoloEvent, tag="shot-declared", frozen=True):
    """SO-SHT-01; `second` is the count still to come, `third` the one after it, only with Eagle's Nest (EN-R-28)."""

    target: str
    draw: int
    second: int | None
    third: int | UnsetType | None = UNSET


class AfterHit(SoloEvent, tag="after-hit", frozen=True):
    """What the player chose after a hit, and how many tokens went (SO-SHT-05)."""

    option: str
    count: int


class Attracted(SoloEvent, tag="attracted", frozen=True):
    """One step of a defender towards the noise (SO-SHT-06)."""

    unit: str
    from_: str = field(name="from")
    to: str


class Looted(SoloEvent, tag="looted", frozen=True):
    """SO-LOT-01."""

    space: str


class Eliminated(SoloEvent, tag="eliminated", frozen=True):
    """A possible objective is none any more (SO-OBJ-01)."""

    objective: int


class LootKept(SoloEvent, tag="loot-kept", frozen=True):
    """SO-LOT-01."""

    card: str


class Deployed(SoloEvent, tag="deployed", frozen=True):
    """A defender was put straight onto a space (SO-KEY-06, SO-CMP-03)."""

    unit: str
    from_: str = field(name="from")
    to: str


class DeckShuffled(SoloEvent, tag="deck-shuffled", frozen=True):
    """Deck and discard are one deck again, of so many cards (SO-CMP-02)."""

    deck: int


class Die(SoloEvent, tag="die", frozen=True):
    """SO-DEF-02."""

    value: int


class SoloCardTurned(SoloEvent, tag="solo-card", frozen=True):
    """The card that is resolved now, and its slot from the left, 1 to 3 (SO-DEF-03)."""

    card: str
    slot: int


class Snafu(SoloEvent, tag="snafu", frozen=True):
    """Equally bad outcomes, and the one that chance took (SO-SNF-01)."""

    among: tuple[Outcome, ...]
    chosen: Outcome


class Scanned(SoloEvent, tag="scanned", frozen=True):
    """SO-KEY-03."""

    units: tuple[str, ...]


class Searched(SoloEvent, tag="searched", frozen=True):
    """SO-KEY-04."""

    units: tuple[str, ...]


class Attacked(SoloEvent, tag="attacked", frozen=True):
    """SO-KEY-05."""

    spaces: tuple[str, ...]


class AssignmentMarked(SoloEvent, tag="assignment", frozen=True):
    """The marked spaces of each colour that is to deploy (SO-ASG-01)."""

    marks: dict[str, tuple[str, ...]]


class Slotted(SoloEvent, tag="slotted", frozen=True):
    """The others slid left, and a new card lies on the right (SO-DEF-04); `card` None when face down."""

    card: str | None
    face: Face


class Returning(SoloEvent, tag="returning", frozen=True):
    """A defender comes back, and the player chooses one of `spaces` (SO-DEF-05)."""

    unit: str
    spaces: tuple[str, ...]


class Returned(SoloEvent, tag="returned", frozen=True):
    """SO-DEF-05."""

    unit: str
    space: str


class Opened(SoloEvent, tag="opened", frozen=True):
    """What was hidden, at the end: the objectives, the cards of the slots, the deck top first."""

    objectives: tuple[int, ...]
    slots: tuple[str | None, ...]
    deck: tuple[str, ...]


class Dealt(SoloEvent, tag="dealt", frozen=True):
    """All that was shuffled for a new game, top first: told to nobody.

    `urgent` are the card removed and those of the slots from the right (SO-SET-04), `cards` the others (SO-SET-06).
    """

    urgent: tuple[str, ...]
    cards: tuple[str, ...]
    loadout: tuple[str, ...]
    objectives: tuple[int, ...]


class DeckOrder(SoloEvent, tag="deck-order", frozen=True):
    """The deck after it was shuffled again, top first: told to nobody."""

    cards: tuple[str, ...]


AnyEvent = (
    SlotsLaid
    | LoadoutDealt
    | Objectives
    | Entry
    | LksUpdated
    | Possible
    | SniperMoved
    | Hit
    | Wounded
    | CardPlayed
    | MineLaid
    | Distracted
    | MineTriggered
    | Killed
    | ShotDeclared
    | Drew
    | Shot
    | AfterHit
    | SecondForfeited
    | Attracted
    | Looted
    | Eliminated
    | LootDrawn
    | LootKept
    | ObjectiveCompleted
    | BagGained
    | Deployed
    | DeckShuffled
    | TurnEnded
    | Die
    | SoloCardTurned
    | Snafu
    | Moved
    | Scanned
    | Searched
    | Attacked
    | AssignmentMarked
    | Slotted
    | Returning
    | Returned
    | GameOver
    | Opened
    | Dealt
    | DeckOrder
    | AllyChosen
    | BagLoaded
    | AbilityUsed
)


def read(raw: object) -> Event:
    """An event from decoded JSON. Raises `msgspec.ValidationError`."""
    event: Event = msgspec.convert(raw, AnyEvent)
    return event
