"""Every event, a frozen value each. `fold.py` says what it changes in a picture.

Events for all viewers come first, then those for the sniper alone. No event has a field that one of its viewers may
not know.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType, field

from engine.events import Event

# --- to all -----------------------------------------------------------------------------------------------------


class ObjectiveShown(Event, tag="objective-shown", frozen=True):
    """A card that is none of the objectives (MP-DIFF-03)."""

    objective: int


class SpecialistsChosen(Event, tag="specialists-chosen", frozen=True):
    """Squad -> specialist (MP-SETUP-17, MP-SETUP-18)."""

    squads: dict[str, str]


class LoadoutChosen(Event, tag="loadout-chosen", frozen=True):
    """The sniper holds this many cards (MP-SETUP-14); None while a ghost's hand is not counted (EN-R-29)."""

    count: int | None


class MiniatureRemoved(Event, tag="miniature-removed", frozen=True):
    """The sniper miniature leaves the board at the start of the sniper's turn (MP-TURN-04)."""


class Alerted(Event, tag="alerted", frozen=True):
    """Units that heard noise, as a set in roll order (MP-NOISE-03, MP-NOISE-04)."""

    units: tuple[str, ...]


class Barked(Event, tag="barked", frozen=True):
    """The spaces of the dogs that smelt the sniper, in the order of their placing (MP-SPEC-11, MP-INFO-17)."""

    spaces: tuple[str, ...]


class CardPlayed(Event, tag="card-played", frozen=True):
    """A loadout card is played; `card` None while it lies face-down (MP-LOAD-03, R-32)."""

    card: str | None


class Distracted(Event, tag="distracted", frozen=True):
    """A unit moved by the sniper's Distraction (MP-LOAD-11)."""

    unit: str
    from_: str = field(name="from")
    to: str


class ShotDeclared(Event, tag="shot-declared", frozen=True):
    """How many tokens will be drawn (MP-SHOOT-04). `third` exists with Eagle's Nest only (EN-R-28)."""

    draw: int
    second: int | None = None
    third: int | UnsetType | None = UNSET


class Drew(Event, tag="drew", frozen=True):
    """The tokens drawn from the bag, all shown (MP-SHOOT-06)."""

    tokens: dict[str, int]


class Revealed(Event, tag="revealed", frozen=True):
    """The sniper miniature stands on `space` now. `why`: shot, trench-gun, objective, attack, spot."""

    space: str
    why: str


class Shot(Event, tag="shot", frozen=True):
    """`result`: hit, miss or misfire (MP-SHOOT-07, MP-SHOOT-08)."""

    result: str


class SecondForfeited(Event, tag="second-forfeited", frozen=True):
    """The Tommy Gun's second shot has no possible target and is not drawn (R-25)."""


class SaveOffered(Event, tag="save-offered", frozen=True):
    """The medic may save this soldier, which has just been hit (MP-SPEC-26)."""

    unit: str


class Saved(Event, tag="saved", frozen=True):
    """The medic keeps the soldier alive and on the board (R-59)."""

    unit: str


class SaveDeclined(Event, tag="save-declined", frozen=True):
    """The medic lets it happen."""


class Killed(Event, tag="killed", frozen=True):
    """A unit is removed from the board (MP-SHOOT-12, R-84). `by`: shot, mine, trench-gun."""

    unit: str
    by: str


class BagGained(Event, tag="bag-gained", frozen=True):
    """A token goes into the bag (MP-BAG-01..05)."""

    token: str


class Looted(Event, tag="looted", frozen=True):
    """The sniper looted some numbered space (MP-LOOT-04)."""


class ObjectiveCompleted(Event, tag="objective-completed", frozen=True):
    """MP-OBJ-01."""

    objective: int
    space: str


class Countdown(Event, tag="countdown", frozen=True):
    """The action cubes stand on this number now (MP-DEF-05, MP-OBJ-04)."""

    number: int


class TurnEnded(Event, tag="turn-ended", frozen=True):
    """R-76."""

    seat: str


class Moved(Event, tag="moved", frozen=True):
    """A unit's Move (MP-ACT-01)."""

    unit: str
    from_: str = field(name="from")
    to: str


class Deployed(Event, tag="deployed", frozen=True, omit_defaults=True):
    """A unit comes back to the board (MP-ACT-13, MP-ACT-15). `use` names the ability that brought it, if any."""

    unit: str
    space: str
    use: str | None = None


class Dismissed(Event, tag="dismissed", frozen=True):
    """MP-ACT-18."""

    unit: str


class Scouted(Event, tag="scouted", frozen=True):
    """A soldier relocated by the Scout (MP-SPEC-16)."""

    unit: str
    from_: str = field(name="from")
    to: str


class DogPlaced(Event, tag="dog-placed", frozen=True):
    """The Kennel Master leaves a dog (MP-SPEC-10)."""

    space: str


class MineTriggered(Event, tag="mine-triggered", frozen=True):
    """A unit ended a movement on a mine; the card is turned up (MP-MINE-03)."""

    unit: str
    space: str


class Intel(Event, tag="intel", frozen=True):
    """Whether the sniper is in the sector of the squad's colour (MP-INTEL-03)."""

    squad: str
    found: bool


class Attacked(Event, tag="attacked", frozen=True):
    """MP-ACT-06. `found` is None when nothing was answered."""

    unit: str
    space: str
    found: bool | None


class Spotted(Event, tag="spotted", frozen=True):
    """MP-ACT-08."""

    unit: str
    space: str
    found: bool


class Swept(Event, tag="swept", frozen=True):
    """Whether the sniper is in the unit's space or one of `spaces` (MP-ACT-11)."""

    unit: str
    spaces: tuple[str, ...]
    found: bool


class Wounded(Event, tag="wounded", frozen=True):
    """The sniper has this many wounds now (MP-ACT-07)."""

    wounds: int


class Marked(Event, tag="marked", frozen=True):
    """A tracking cube is laid (MP-DEF-10)."""

    space: str


class Unmarked(Event, tag="unmarked", frozen=True):
    """A tracking cube is taken back (MP-DEF-10)."""

    space: str


class GameOver(Event, tag="game-over", frozen=True):
    """`reason`: objectives, wounds or countdown (MP-END-01..03)."""

    winner: str
    reason: str


class Opened(Event, tag="opened", frozen=True):
    """All that was hidden (MP-END-05). `log` is the [countdown, space] of each of the sniper's turns."""

    log: tuple[tuple[int, str | None], ...]
    objectives: tuple[int, ...]
    face_down: tuple[str, ...]
    mines: tuple[str, ...]


# --- Eagle's Nest ------------------------------------------------------------------------------------------------


class AllyChosen(Event, tag="ally-chosen", frozen=True):
    """Who the sniper is, to all (EN-ALY-01)."""

    ally: str


class AllyDealt(Event, tag="ally-dealt", frozen=True):
    """Who the ghost is, to the sniper alone (EN-GHO-01)."""

    ally: str


class BagLoaded(Event, tag="bag-loaded", frozen=True):
    """What the shot bag begins with (EN-ALY-02); a ghost's is told to the sniper alone (EN-GHO-02)."""

    bag: dict[str, int]


class AbilityUsed(Event, tag="ability-used", frozen=True):
    """An allied sniper's special ability has changed the result (EN-R-10); Wren's is the sniper's secret (EN-R-35)."""

    ally: str


class GhostRevealed(Event, tag="ghost-revealed", frozen=True):
    """Who the ghost is, to all (EN-GHO-03..07).

    `trigger`: found, objective, special_ability, position or game-over. `bag` counts the tokens held out of it too,
    `counts` are the sizes of `hand` and `loot_deck`.
    """

    ally: str
    trigger: str
    bag: dict[str, int]
    counts: dict[str, int]


# --- to the sniper only -----------------------------------------------------------------------------------------


class Objectives(Event, tag="objectives", frozen=True):
    """The objective cards held (MP-SETUP-09, MP-SETUP-10)."""

    cards: tuple[int, ...]


class Hand(Event, tag="hand", frozen=True):
    """The loadout kept (MP-SETUP-14)."""

    cards: tuple[str, ...]


class Entry(Event, tag="entry", frozen=True):
    """The arrow marked as start position (MP-TURN-02)."""

    sector: str


class SniperMoved(Event, tag="sniper-moved", frozen=True):
    """The path without its starting space (MP-MOVE-01)."""

    path: tuple[str, ...]


class CardLaid(Event, tag="card-laid", frozen=True):
    """The card that was laid face-down (MP-LOAD-03)."""

    card: str


class MineLaid(Event, tag="mine-laid", frozen=True):
    """The space that is mined now (MP-MINE-01)."""

    space: str


class Target(Event, tag="target", frozen=True):
    """The unit aimed at (MP-SHOOT-03)."""

    unit: str


class LootDrawn(Event, tag="loot-drawn", frozen=True):
    """The cards to choose one from (MP-LOOT-02)."""

    cards: tuple[str, ...]


class LootKept(Event, tag="loot-kept", frozen=True):
    """The card kept, and the space that can never be looted again (MP-LOOT-03)."""

    card: str
    space: str


# --- to nobody but the referee ----------------------------------------------------------------------------------


class ObjectiveDeck(Event, tag="objective-deck", frozen=True):
    """The seven objective cards not drawn, top first. Nobody but the referee knows their order."""

    cards: tuple[int, ...]


_KINDS = [kind for kind in list(globals().values()) if isinstance(kind, type) and issubclass(kind, Event)]
AnyEvent: Final[Any] = reduce(or_, (kind for kind in _KINDS if kind is not Event))
"""The union of all events above."""


def read(raw: object) -> Event:
    """Read an event from decoded JSON. Raises `msgspec.ValidationError`."""
    event: Event = msgspec.convert(raw, AnyEvent)
    return event
