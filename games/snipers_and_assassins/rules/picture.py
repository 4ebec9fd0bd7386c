"""The state of the game as one viewer knows it. Only `fold.py` changes it.

All viewers know the same, except that only the referee knows the order of the deck.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from engine import telling
from games.snipers_and_assassins.rules import cards
from games.snipers_and_assassins.rules.events import DoubleJump
from games.snipers_and_assassins.rules.words import FEWEST, Card, kind_of, marker_of, seat_of

SHOT_RANGE: Final = 3  # Range of a Sniper's shot, in columns (SA-SHT-01)

SWITCH_IDS: Final = {
    "closed_hideouts": "SA-R-07",
    "quiet_retreats": "SA-R-19",
    "limited_mines": "SA-R-24",
    "single_hunters": "SA-R-41",
    "grounded_in_hideouts": "SA-R-47",
}
"""Names of the switches in JSON: the IDs of their rulings."""

Setup = Literal["start", "target", "leader", "deal"]


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's start, Target, and the Hideout of the player's own Leader."""

    start: str
    target: str
    leader: str


class Switches(Struct, frozen=True, forbid_unknown_fields=True, rename=SWITCH_IDS):
    """Rulings that can be switched off. True means that the ruling applies."""

    closed_hideouts: bool = True
    quiet_retreats: bool = True
    limited_mines: bool = True
    single_hunters: bool = True
    grounded_in_hideouts: bool = True


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game.

    `players` must match the board (SA-BRD-04). `first` is the first player, None for a random one. `layout` maps every
    seat to its layout.
    """

    players: int = FEWEST
    first: str | None = None
    core_only: bool = False
    healing: bool = False
    layout: dict[str, Layout] | None = None
    switches: Switches = Switches()


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """One player's pieces. Positions use the same form. Spaces are None until they are chosen.

    `recover` and `jump` are statuses of the Sniper. `shot`, `locked` and `pushed_back` are statuses of the Assassin.
    `armor` is the number of shots that Body Armor still deflects.
    """

    start: str | None = None
    target: str | None = None
    leader: str | None = None
    sniper: str | None = None
    assassin: str | None = None
    recover: bool = False
    jump: DoubleJump | None = None
    shot: Literal["fresh", "stale", "healing", "healed"] | None = None
    locked: bool = False
    pushed_back: bool = False
    improvement: Card | None = None
    armor: Annotated[int, Meta(ge=1, le=cards.ARMOR)] | None = None
    mines: tuple[str, ...] = ()


class Over(Struct, frozen=True):
    """How the game ended. A draw has no winner."""

    winner: str | None
    reason: Literal["leader", "rounds"]


class Picture(Struct, frozen=True):
    """The state of the game as one viewer knows it.

    `setup` is the next set-up choice, `deal` once all choices are made, and None during the game. `acted` has the kinds
    of marker that have acted this turn. `deck` is the order of the deck, None for viewers who don't know it. `swept`
    and `fallen` are for the lamps and cover the current turn: spaces swept by Claymores, and spaces where Snipers died.
    """

    pathways: int
    options: Options
    players: Mapping[str, Player]
    setup: Setup | None
    turn: str
    first: str | None = None
    round: int = 1
    acted: tuple[str, ...] = ()
    over: Over | None = None
    deck_size: int | None = None
    deck: tuple[str, ...] | None = None
    discard: tuple[str, ...] = ()
    swept: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in turn order."""
        return tuple(self.players)

    @property
    def me(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    def owner(self, marker: str) -> Player:
        return self.players[seat_of(marker)]

    def at(self, marker: str) -> str:
        """Return the place of a marker. Call it only when the marker is on the board."""
        space: str | None = getattr(self.players[seat_of(marker)], kind_of(marker))
        assert space is not None, "markers are on the board once the starts are chosen"
        return space

    def own(self, kind: str) -> str:
        """Return the current player's marker of a kind."""
        return marker_of(self.turn, kind)

    @property
    def mines(self) -> frozenset[str]:
        """The spaces with mines, regardless of the owner (SA-R-25)."""
        return frozenset().union(*[player.mines for player in self.players.values()])

    def is_mined(self, space: str) -> bool:
        """Return whether a mine lies on a space, regardless of the owner (SA-R-25)."""
        return space in [mine for player in self.players.values() for mine in player.mines]

    def holds(self, seat: str, card: str) -> bool:
        return self.players[seat].improvement == card

    def improvement(self, seat: str) -> cards.Improvement | None:
        """Return the effect of a seat's card, or None without a card."""
        name = self.players[seat].improvement
        return None if name is None else cards.CARDS[name]

    @property
    def rulings(self) -> Switches:
        return self.options.switches

    def shot_range(self, seat: str) -> int:
        """Return the range of a seat's Sniper, in columns (SA-SHT-01, SA-IMP-02)."""
        card = self.improvement(seat)
        return SHOT_RANGE + (card.range if card else 0)


class Telling(telling.Telling[Picture]):
    """The events of an act. A class, because calling a generic alias takes longer."""
