"""What one viewer knows of the game. Only `fold.py` changes it.

All viewers know the same, except for the order of the deck, which only the referee knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine import telling
from games.snipers_and_assassins.rules import cards
from games.snipers_and_assassins.rules.events import DoubleJump
from games.snipers_and_assassins.rules.words import FEWEST, Card, enemies_of, kind_of, marker_of, seat_of

SHOT_RANGE: Final = 3
"""Columns that a Sniper shoots (SA-SHT-01)."""

Setup = Literal["start", "target", "leader", "deal"]


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a player starts, whom the player hunts, and where the player's own Leader is."""

    start: str
    target: str
    leader: str


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game. `players` fits the board (SA-BRD-04). `first` is the first player, None for a random one.

    `layout` maps every seat to its layout.
    """

    players: int = FEWEST
    first: str | None = None
    core_only: bool = False
    healing: bool = False
    layout: dict[str, Layout] | None = None


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """One player's pieces, also as a position describes them. Spaces are None until they are chosen.

    `recover` and `jump` are statuses of the Sniper; `shot`, `locked` and `pushed_back` of the Assassin. `armor` is the
    number of shots that Body Armor still deflects.
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
    """How the game ended; a draw has no winner."""

    winner: str | None
    reason: Literal["leader", "rounds"]


class Picture(Struct, frozen=True):
    """The game as one viewer knows it.

    `setup` is the next choice of set-up (`deal`: all choices are made), None during the game. `acted` are the kinds of
    marker that have acted this turn. `deck` is the order of the deck, None for viewers who don't know it. `swept` and
    `fallen` are for the lamps, since the start of the turn: spaces swept by Claymores, and spaces where Snipers fell.
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
        """The seats, in the order of play."""
        return tuple(self.players)

    @property
    def me(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    def owner(self, marker: str) -> Player:
        """Return the player to whom a marker belongs."""
        return self.players[seat_of(marker)]

    def at(self, marker: str) -> str:
        """Return where a marker stands. Call it once the marker is on the board."""
        space: str | None = getattr(self.owner(marker), kind_of(marker))
        assert space is not None, "markers are on the board once the starts are chosen"
        return space

    def own(self, kind: str) -> str:
        """Return the marker of a kind of the player whose turn it is."""
        return marker_of(self.turn, kind)

    def enemies_of(self, seat: str) -> tuple[str, ...]:
        """Return all other players' markers, in seat order."""
        return enemies_of(seat, self.seats)

    @property
    def mines(self) -> frozenset[str]:
        """The spaces with mines, regardless of the owner (SA-R-25)."""
        return frozenset().union(*[player.mines for player in self.players.values()])

    def holds(self, seat: str, card: str) -> bool:
        """Return whether a seat has this card."""
        return self.players[seat].improvement == card

    def improvement(self, seat: str) -> cards.Improvement | None:
        """Return what a seat's card does, None without a card."""
        name = self.players[seat].improvement
        return None if name is None else cards.CARDS[name]

    def shot_range(self, seat: str) -> int:
        """Return how many columns a seat's Sniper shoots (SA-SHT-01, SA-IMP-02)."""
        card = self.improvement(seat)
        return SHOT_RANGE + (card.range if card else 0)

    def with_player(self, seat: str, **changes: object) -> Picture:
        """Return the picture with changes to one player."""
        return replace(self, players={**self.players, seat: replace(self.players[seat], **changes)})


Telling = telling.Telling[Picture]
"""An act of this game that is being decided."""
