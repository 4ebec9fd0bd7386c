"""All events, one frozen class each. `fold.py` applies an event to a picture.

Events for all viewers come first, then those for the sniper only. No event has a field that one of its viewers must not
know.
"""

from __future__ import annotations

from typing import Final

from msgspec import UNSET, UnsetType, field

from engine.events import Event
from engine.naming import tagged

# --- to all -----------------------------------------------------------------------------------------------------


class ObjectiveShown(Event, tag="objective-shown", frozen=True):
    """The sniper showed a card that isn't one of the objectives (MP-DIFF-03)."""

    objective: int


class SpecialistsChosen(Event, tag="specialists-chosen", frozen=True):
    """The defenders chose specialists, squad -> specialist (MP-SETUP-17, MP-SETUP-18)."""

    squads: dict[str, str]


class LoadoutChosen(Event, tag="loadout-chosen", frozen=True):
    """The sniper's hand has this size (MP-SETUP-14); None while a ghost's hand isn't public (EN-R-29)."""

    count: int | None


class MiniatureRemoved(Event, tag="miniature-removed", frozen=True):
    """The sniper miniature left the board at the start of the sniper's turn (MP-TURN-04)."""


class Alerted(Event, tag="alerted", frozen=True):
    """The units that heard noise, in roll order; the order means nothing (MP-NOISE-03, MP-NOISE-04)."""

    units: tuple[str, ...]


class Barked(Event, tag="barked", frozen=True):
    """The spaces of the dogs that barked, in the order of their placement (MP-SPEC-11, MP-INFO-17)."""

    spaces: tuple[str, ...]


class CardPlayed(Event, tag="card-played", frozen=True):
    """A loadout card was played; `card` is None while it is face down (MP-LOAD-03, R-32)."""

    card: str | None


class Distracted(Event, tag="distracted", frozen=True):
    """The sniper's Distraction moved a unit (MP-LOAD-11)."""

    unit: str
    from_: str = field(name="from")
    to: str


class ShotDeclared(Event, tag="shot-declared", frozen=True):
    """The number of tokens to draw (MP-SHOOT-04). `third` exists only with Eagle's Nest (EN-R-28)."""

    draw: int
    second: int | None = None
    third: int | UnsetType | None = UNSET


class Drew(Event, tag="drew", frozen=True):
    """The tokens drawn from the bag; all are public (MP-SHOOT-06)."""

    tokens: dict[str, int]


class Revealed(Event, tag="revealed", frozen=True):
    """The sniper miniature is now on `space`. `why`: shot, trench-gun, objective, attack, spot."""

    space: str
    why: str


class Shot(Event, tag="shot", frozen=True):
    """The result of a shot. `result`: hit, miss or misfire (MP-SHOOT-07, MP-SHOOT-08)."""

    result: str


class SecondForfeited(Event, tag="second-forfeited", frozen=True):
    """The Tommy Gun's second shot had no possible target, so it isn't drawn (R-25)."""


class SaveOffered(Event, tag="save-offered", frozen=True):
    """The medic can save this soldier, which was just hit (MP-SPEC-26)."""

    unit: str


class Saved(Event, tag="saved", frozen=True):
    """The medic saved the soldier, which stays on the board (R-59)."""

    unit: str


class SaveDeclined(Event, tag="save-declined", frozen=True):
    """The medic declined to save the soldier."""


class Killed(Event, tag="killed", frozen=True):
    """A unit was removed from the board (MP-SHOOT-12, R-84). `by`: shot, mine, trench-gun."""

    unit: str
    by: str


class BagGained(Event, tag="bag-gained", frozen=True):
    """A token was added to the bag (MP-BAG-01..05)."""

    token: str


class Looted(Event, tag="looted", frozen=True):
    """The sniper looted an unspecified numbered space (MP-LOOT-04)."""


class ObjectiveCompleted(Event, tag="objective-completed", frozen=True):
    """The sniper completed an objective (MP-OBJ-01)."""

    objective: int
    space: str


class Countdown(Event, tag="countdown", frozen=True):
    """The action cubes moved to this number (MP-DEF-05, MP-OBJ-04)."""

    number: int


class TurnEnded(Event, tag="turn-ended", frozen=True):
    """A seat's turn ended (R-76)."""

    seat: str


class Moved(Event, tag="moved", frozen=True):
    """A unit moved (MP-ACT-01)."""

    unit: str
    from_: str = field(name="from")
    to: str


class Deployed(Event, tag="deployed", frozen=True, omit_defaults=True):
    """A unit came back to the board (MP-ACT-13, MP-ACT-15). `use` is the ability that brought it, if any."""

    unit: str
    space: str
    use: str | None = None


class Dismissed(Event, tag="dismissed", frozen=True):
    """A unit was dismissed (MP-ACT-18)."""

    unit: str


class Scouted(Event, tag="scouted", frozen=True):
    """The Scout relocated a soldier (MP-SPEC-16)."""

    unit: str
    from_: str = field(name="from")
    to: str


class DogPlaced(Event, tag="dog-placed", frozen=True):
    """The Kennel Master placed a dog (MP-SPEC-10)."""

    space: str


class MineTriggered(Event, tag="mine-triggered", frozen=True):
    """A unit ended a movement on a mine; the card is turned up (MP-MINE-03)."""

    unit: str
    space: str


class Intel(Event, tag="intel", frozen=True):
    """The answer to an intel question: whether the sniper is in the sector of the squad's colour (MP-INTEL-03)."""

    squad: str
    found: bool


class Attacked(Event, tag="attacked", frozen=True):
    """A unit attacked (MP-ACT-06). `found` is None if there was no answer."""

    unit: str
    space: str
    found: bool | None


class Spotted(Event, tag="spotted", frozen=True):
    """A unit spotted a space (MP-ACT-08)."""

    unit: str
    space: str
    found: bool


class Swept(Event, tag="swept", frozen=True):
    """The answer to a sweep: whether the sniper is on the unit's space or one of `spaces` (MP-ACT-11)."""

    unit: str
    spaces: tuple[str, ...]
    found: bool


class Wounded(Event, tag="wounded", frozen=True):
    """The sniper was wounded and now has this many wounds (MP-ACT-07)."""

    wounds: int


class Marked(Event, tag="marked", frozen=True):
    """A tracking cube was placed (MP-DEF-10)."""

    space: str


class Unmarked(Event, tag="unmarked", frozen=True):
    """A tracking cube was removed (MP-DEF-10)."""

    space: str


class GameOver(Event, tag="game-over", frozen=True):
    """The game ended. `reason`: objectives, wounds or countdown (MP-END-01..03)."""

    winner: str
    reason: str


class Opened(Event, tag="opened", frozen=True):
    """Everything that was hidden (MP-END-05). `log` has [countdown, space] for each of the sniper's turns."""

    log: tuple[tuple[int, str | None], ...]
    objectives: tuple[int, ...]
    face_down: tuple[str, ...]
    mines: tuple[str, ...]


# --- Eagle's Nest ------------------------------------------------------------------------------------------------


class AllyChosen(Event, tag="ally-chosen", frozen=True):
    """The sniper's identity, for all viewers (EN-ALY-01)."""

    ally: str


class AllyDealt(Event, tag="ally-dealt", frozen=True):
    """The ghost's identity, for the sniper only (EN-GHO-01)."""

    ally: str


class BagLoaded(Event, tag="bag-loaded", frozen=True):
    """The initial shot bag (EN-ALY-02). For a ghost, only the sniper receives it (EN-GHO-02)."""

    bag: dict[str, int]


class AbilityUsed(Event, tag="ability-used", frozen=True):
    """An allied sniper's ability changed the result (EN-R-10). Wren's is secret (EN-R-35)."""

    ally: str


class GhostRevealed(Event, tag="ghost-revealed", frozen=True):
    """The ghost's identity, for all viewers (EN-GHO-03..07).

    `trigger`: found, objective, special_ability, position or game-over. `bag` includes the tokens held out of it.
    `counts` are the sizes of `hand` and `loot_deck`.
    """

    ally: str
    trigger: str
    bag: dict[str, int]
    counts: dict[str, int]


# --- to the sniper only -----------------------------------------------------------------------------------------


class Objectives(Event, tag="objectives", frozen=True):
    """The held objective cards (MP-SETUP-09, MP-SETUP-10)."""

    cards: tuple[int, ...]


class Hand(Event, tag="hand", frozen=True):
    """The loadout cards that the sniper kept (MP-SETUP-14)."""

    cards: tuple[str, ...]


class Entry(Event, tag="entry", frozen=True):
    """The arrow chosen as start position (MP-TURN-02)."""

    sector: str


class SniperMoved(Event, tag="sniper-moved", frozen=True):
    """The sniper's path without its starting space (MP-MOVE-01)."""

    path: tuple[str, ...]


class CardLaid(Event, tag="card-laid", frozen=True):
    """The card that was played face down (MP-LOAD-03)."""

    card: str


class MineLaid(Event, tag="mine-laid", frozen=True):
    """The space that is now mined (MP-MINE-01)."""

    space: str


class Target(Event, tag="target", frozen=True):
    """The target of a shot (MP-SHOOT-03)."""

    unit: str


class LootDrawn(Event, tag="loot-drawn", frozen=True):
    """The drawn cards, of which the sniper keeps one (MP-LOOT-02)."""

    cards: tuple[str, ...]


class LootKept(Event, tag="loot-kept", frozen=True):
    """The card that was kept, and the space that can't be looted again (MP-LOOT-03)."""

    card: str
    space: str


# --- to the referee only -------------------------------------------------------------------------------------------


class ObjectiveDeck(Event, tag="objective-deck", frozen=True):
    """The seven remaining objective cards, top first. Only the referee knows their order."""

    cards: tuple[int, ...]


# Every class above, so that a new event needs no entry in a list.
KINDS: Final = tagged(globals())  # Tag -> event
