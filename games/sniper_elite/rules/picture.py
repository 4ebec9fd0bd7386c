"""The game as one viewer knows it. Only `fold.py` changes it.

The referee, the seats and the table have one picture each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.graph import Map
from games.sniper_elite.map_rules.sites import Sites, sites_of
from games.sniper_elite.rules.events import Opened
from games.sniper_elite.rules.nest import ALLIES, Ally, gear_of
from games.sniper_elite.rules.words import POOL_RECOIL, START_COUNTDOWN, TOKEN_CAPS, officer_of

GHOST: Final = "ghost"  # The option for an allied sniper dealt in secret (EN-GHO-01)

Tokens = Mapping[str, int]  # The number of tokens of each kind: aim, noise, recoil, suppression


class Nest(Struct, frozen=True, forbid_unknown_fields=True):
    """The parts of Eagle's Nest in play: gear, and an allied sniper, `ghost` for one dealt in secret (EN-ALY-01)."""

    ally: str | None = None
    gear: bool = False


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The differences from a standard game. `switches`: ruling ID -> whether the ruling applies.

    The letters of the experienced side are those of MP-DIFF-01..08.
    """

    random_setup: bool = False
    switches: dict[str, bool] = {}
    experienced_sniper: tuple[Literal["A", "B", "C", "D"], ...] = ()
    experienced_defenders: tuple[Literal["A", "B", "C", "D"], ...] = ()

    nest: Nest | None = None

    @property
    def ally(self) -> str | None:
        """The allied sniper's ID: `ghost` for one dealt in secret, None for the standard sniper (EN-R-04)."""
        return None if self.nest is None else self.nest.ally

    @property
    def gear(self) -> bool:
        """Whether the loadout cards include gear, if the map has ground for it (EN-LDO-01)."""
        return self.nest is not None and self.nest.gear

    @property
    def ghost(self) -> bool:
        """Whether the sniper's identity is dealt in secret (EN-GHO-01)."""
        return self.nest is not None and self.nest.ally == GHOST

    @property
    def start_countdown(self) -> int:
        """Where the cubes start and return to after the first objective (MP-SETUP-19, MP-OBJ-04, MP-DIFF-04)."""
        return 7 if "D" in self.experienced_sniper else START_COUNTDOWN

    @property
    def specialist_uses(self) -> int:
        """How many times each specialist can be used (MP-SPEC-01, MP-DIFF-06)."""
        return 1 if "B" in self.experienced_defenders else 2

    @property
    def shows_objective(self) -> bool:
        """Whether the sniper shows a card that isn't one of the objectives (MP-DIFF-03)."""
        return "C" in self.experienced_sniper

    def stands(self, ruling: str) -> bool:
        """Return whether a ruling that can be switched off is in force."""
        return self.switches.get(ruling, True)


class SpecialistCard(Struct, frozen=True):
    """A squad's specialist, its remaining uses, and whether its suppression token is on the card (MP-SETUP-18)."""

    card: str
    uses: int
    suppression: bool = True


class SquadTurn(Struct, frozen=True):
    """What remains of a squad's turn: action cubes, and whether it has gathered intel."""

    left: int = 2
    intel: bool = False


class Pending(Struct, frozen=True):
    """A decision outside the normal course of a turn, with its details.

    `cards` are the drawn loot cards (for `keep`). For `save`, `units` are those that can be saved, among those `hit`
    `by` a shot or the Trench Gun. The announced count of a second shot is in the picture's `second`.
    """

    name: str
    cards: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    hit: tuple[str, ...] = ()
    by: str = "shot"


class Over(Struct, frozen=True, forbid_unknown_fields=True):
    """How the game ended (MP-END-01..03)."""

    winner: str
    reason: str


class Dossier(Struct, frozen=True):
    """The sniper's secrets (MP-INFO-02).

    `been` has the spaces of this turn's movement, including the start. `masked`: Sound Masking is face down for this
    turn's movement (MP-LOAD-08).
    """

    space: str | None = None
    entry: str | None = None
    objectives: tuple[int, ...] = ()
    hand: tuple[str, ...] = ()
    face_down: tuple[str, ...] = ()
    mines: tuple[str, ...] = ()
    looted: tuple[str, ...] = ()
    loot_deck: tuple[str, ...] = ()
    moved: bool = False
    masked: bool = False
    been: tuple[str, ...] = ()
    target: str | None = None
    log: tuple[tuple[int, str | None], ...] = ()


class Answer(Struct, frozen=True):
    """The defenders' last question and its answer. `found` is None if there was no answer."""

    spaces: tuple[str, ...]
    found: bool | None


class Picture(Struct, frozen=True):
    """The game as one viewer knows it. `dossier` is None for viewers who don't know the sniper's secrets.

    `deck` is the objective deck, top first, known only to the referee and only during set-up. `units` is unit -> space,
    None off the board. `drawn` has the tokens held out of the bag. `off` has the units that were off the board at the
    start of this defenders' turn, `done` the unit actions in this turn, `used` the squads that used their specialist in
    this half of the round. `active` is the open weapon card for this turn's shot, `second` the announced count of a
    second shot still to come, `third` that of a third, `face_up` the cards used openly. `shot`: a shoot action was made
    this turn. `ally` is the allied sniper, None also for viewers who don't know a ghost. For them, `bag`, `hand_size`
    and `deck_size` contain only the public changes (EN-R-29). `heard` (units), `barked` (spaces), `fallen` (spaces),
    `flight` and `answer` are the news since the last turn started; no rule reads them. `flight` has the spaces that the
    last shot crossed, including both ends, if both ends are public.
    """

    map: Map
    options: Options
    units: Mapping[str, str | None]
    bag: Tokens
    pending: Pending | None = None
    turn: str = "sniper"
    round: int = 1
    countdown: int = START_COUNTDOWN
    shown: int | None = None
    over: Over | None = None
    miniature: str | None = None
    wounds: int = 0
    completed: tuple[int, ...] = ()
    acted: bool = False
    carded: bool = False
    active: str | None = None
    second: int | None = None
    third: int | None = None
    shot: bool = False
    ally: str | None = None
    identity_revealed: bool = False
    face_up: tuple[str, ...] = ()
    hand_size: int = 0
    deck_size: int = 10
    face_down_size: int = 0
    looted_size: int = 0
    drawn: Tokens | None = None
    specialists: Mapping[str, SpecialistCard] = {}
    squads: Mapping[str, SquadTurn] = {}
    done: Mapping[str, tuple[str, ...]] = {}
    used: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    dogs: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    barked: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()
    flight: tuple[str, ...] = ()
    answer: Answer | None = None
    opened: Opened | None = None
    dossier: Dossier | None = None
    deck: tuple[int, ...] | None = None

    @property
    def sites(self) -> Sites:
        """The locations of this game's sites on the map."""
        return sites_of(self.map)

    @property
    def mine(self) -> Dossier:
        """The dossier. Use it only in rules that run where it is known."""
        assert self.dossier is not None, "a rule of the sniper was called with another viewer's picture"
        return self.dossier

    @property
    def helper(self) -> Ally | None:
        """The allied sniper's data; None for the standard sniper, or if this viewer doesn't know the ghost."""
        return None if self.ally is None else ALLIES[self.ally]

    @property
    def hidden(self) -> bool:
        """Whether the sniper is a ghost that the defenders don't know yet (EN-GHO-01)."""
        return self.options.ghost and not self.identity_revealed

    @property
    def in_the_dark(self) -> bool:
        """Whether the owner of this picture doesn't know the ghost's identity (EN-R-29)."""
        return self.hidden and self.dossier is None

    @property
    def gear(self) -> tuple[str, ...]:
        """The gear in this game's loadout cards (EN-LDO-01..03)."""
        return gear_of(self.map) if self.options.gear else ()

    def unit_on(self, space: str) -> str | None:
        """Return the unit on `space`. There is at most one (MP-MAP-06)."""
        return next((unit for unit, where in self.units.items() if where == space), None)

    def acts_done(self, unit: str) -> tuple[str, ...]:
        """Return the actions that a unit has taken this turn."""
        return self.done.get(unit, ())

    def squad_with(self, card: str) -> str | None:
        """Return the squad that has a specialist, or None if it isn't in this game."""
        return next((squad for squad, specialist in self.specialists.items() if specialist.card == card), None)

    def supply(self, token: str) -> int:
        """Return the tokens of a kind outside the bag, spare recoil only with an ally (MP-BAG-06, R-15, EN-R-03)."""
        out = 0 if self.drawn is None else self.drawn[token]
        # The box has more recoil than a standard game uses; allies draw on the rest.
        most = POOL_RECOIL if token == "recoil" and self.options.ally is not None else TOKEN_CAPS[token]
        return most - self.bag[token] - out

    def officer_at(self, squad: str) -> str | None:
        """Return the space of a squad's officer, None if it is off the board."""
        return self.units[officer_of(squad)]

    def sector_of(self, space: str) -> str | None:
        """Return the sector that a space belongs to (MP-MAP-01)."""
        return self.map.spaces[space].sector

    def knows(self, **changes: object) -> Picture:
        """Return the picture with changes to the dossier, or the same picture if it has none."""
        # One fold serves every viewer: an event changes the dossier only where there is one.
        return self if self.dossier is None else replace(self, dossier=replace(self.dossier, **changes))
