"""Events that only the solo game has. `fold.py` lists all events with their effects.

The sender of an event chooses its audience (`act.py`). No event has a field that part of its audience must not know.
The last two events go to the referee only: they contain what is hidden from all players.
"""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from engine.events import Event
from games.sniper_elite.rules.events import Moved
from games.sniper_elite_solo.rules.words import Face

Arrival = tuple[str, str]  # A defender and the space on which it ends


class Slot(Struct, frozen=True, forbid_unknown_fields=True):
    """A slot of the solo board. `card` is None for viewers who don't know it."""

    card: str | None
    face: Face


class SlotsLaid(Event, tag="slots-laid", frozen=True):
    """The slots from the left and the number of cards in the deck (SO-SET-05, SO-SET-06)."""

    slots: tuple[Slot, ...]
    deck: int


class LoadoutDealt(Event, tag="loadout-dealt", frozen=True):
    """The loadout cards that the player starts with (SO-SET-08)."""

    cards: tuple[str, ...]


class LksUpdated(Event, tag="lks-updated", frozen=True):
    """The last known sector was updated, possibly to the same sector (SO-LKS-01)."""

    sector: str


class Possible(Event, tag="possible", frozen=True):
    """The possible objectives at the start (SO-SET-15)."""

    objectives: tuple[int, ...]


class SniperMoved(Event, tag="sniper-moved", frozen=True):
    """A move; `path` leaves out the starting space (SO-MOV-01). For `noisy`, see SO-MOV-04 and SO-MOV-05."""

    path: tuple[str, ...]
    noisy: bool


class Hit(Event, tag="hit", frozen=True):
    """A hit that counts (SO-HIT-01, SO-SUM-01). `token` goes into the bag; None if the hit causes a wound."""

    cause: str
    by: str | None
    token: str | None


class ShotDeclared(Event, tag="shot-declared", frozen=True):
    """A shot at `target` (SO-SHT-01).

    `second` is the count of the next shot, `third` that of the one after it. `third` exists only with Eagle's Nest
    (EN-R-28).
    """

    target: str
    draw: int
    second: int | None
    third: int | UnsetType | None = UNSET


class AfterHit(Event, tag="after-hit", frozen=True):
    """The player's choice after a hit, and the number of tokens moved (SO-SHT-05)."""

    option: str
    count: int


class Attracted(Moved, tag="attracted", frozen=True):
    """A defender took one step towards the noise (SO-SHT-06)."""


class Looted(Event, tag="looted", frozen=True):
    """The sniper looted a space (SO-LOT-01)."""

    space: str


class Eliminated(Event, tag="eliminated", frozen=True):
    """An objective is no longer possible (SO-OBJ-01)."""

    objective: int


class LootKept(Event, tag="loot-kept", frozen=True):
    """The player kept a drawn card (SO-LOT-01)."""

    card: str


class Deployed(Moved, tag="deployed", frozen=True):
    """A defender was put directly on a space (SO-KEY-06, SO-CMP-03)."""


class DeckShuffled(Event, tag="deck-shuffled", frozen=True):
    """The discard pile was shuffled into the deck, which now has `deck` cards (SO-CMP-02)."""

    deck: int


class Die(Event, tag="die", frozen=True):
    """The result of the die, 1 to 3 (SO-DEF-02)."""

    value: int


class SoloCardTurned(Event, tag="solo-card", frozen=True):
    """The card that is resolved next; `slot` counts from the left, 1 to 3 (SO-DEF-03)."""

    card: str
    slot: int


class Snafu(Event, tag="snafu", frozen=True):
    """The equally bad outcomes, and the randomly chosen one (SO-SNF-01)."""

    among: tuple[Arrival, ...]
    chosen: Arrival


class Scanned(Event, tag="scanned", frozen=True):
    """Defenders scan (SO-KEY-03)."""

    units: tuple[str, ...]


class Searched(Event, tag="searched", frozen=True):
    """Defenders search (SO-KEY-04)."""

    units: tuple[str, ...]


class Attacked(Event, tag="attacked", frozen=True):
    """Spaces are attacked (SO-KEY-05)."""

    spaces: tuple[str, ...]


class AssignmentMarked(Event, tag="assignment", frozen=True):
    """The marked spaces of each colour that deploys (SO-ASG-01)."""

    marks: dict[str, tuple[str, ...]]


class Slotted(Event, tag="slotted", frozen=True):
    """Cards slid left and a new one was laid on the right; `card` is None if face down (SO-DEF-04)."""

    card: str | None
    face: Face


class Returning(Event, tag="returning", frozen=True):
    """A defender returns, and the player chooses one of `spaces` for it (SO-DEF-05)."""

    unit: str
    spaces: tuple[str, ...]


class Returned(Event, tag="returned", frozen=True):
    """A defender is back on the board (SO-DEF-05)."""

    unit: str
    space: str


class Opened(Event, tag="opened", frozen=True):
    """Everything that was hidden, at the end of the game: objectives, slots, and the deck, top first."""

    objectives: tuple[int, ...]
    slots: tuple[str | None, ...]
    deck: tuple[str, ...]


class Dealt(Event, tag="dealt", frozen=True):
    """All cards as shuffled for a new game, top first; for the referee only.

    `urgent`: the removed card, then the cards of the right, left and middle slots (SO-SET-04). `cards`: all others.
    """

    urgent: tuple[str, ...]
    cards: tuple[str, ...]
    loadout: tuple[str, ...]
    objectives: tuple[int, ...]


class DeckOrder(Event, tag="deck-order", frozen=True):
    """The deck after shuffling, top first; for the referee only."""

    cards: tuple[str, ...]
