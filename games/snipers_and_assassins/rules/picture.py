"""What somebody knows of the game. The referee, the seats and the table each hold one; only `fold.py` changes it.

Everybody's are the same but for the order of the deck, which the referee alone knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from games.snipers_and_assassins.rules import cards
from games.snipers_and_assassins.rules.events import DoubleJump
from games.snipers_and_assassins.rules.words import FEWEST, SNIPER, enemies_of, kind_of, marker_of, seat_of

SHOT_RANGE = 3
"""SA-SHT-01."""

Setup = Literal["start", "target", "leader", "deal"]


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """Where one player begins, whom that player hunts, and where the player's own Leader stands."""

    start: str
    target: str
    leader: str


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """How this game is played. `players`: as many as the board is made for (SA-BRD-04).

    `first` None: drawn by chance. `layout`: seat -> layout, for every seat.
    """

    players: int = FEWEST
    first: str | None = None
    core_only: bool = False
    healing: bool = False
    layout: dict[str, Layout] | None = None


class Player(Struct, frozen=True):
    """One player's pieces. Spaces are None until they are chosen.

    `recover` and `jump` are the Sniper's status markers; `shot`, `locked` and `pushed_back` the Assassin's. `armor`
    counts the shots that Body Armor still deflects.
    """

    start: str | None = None
    target: str | None = None
    leader: str | None = None
    sniper: str | None = None
    assassin: str | None = None
    recover: bool = False
    jump: DoubleJump | None = None
    shot: str | None = None
    locked: bool = False
    pushed_back: bool = False
    improvement: str | None = None
    armor: int | None = None
    mines: tuple[str, ...] = ()


class Over(Struct, frozen=True):
    """The end."""

    winner: str | None
    reason: Literal["leader", "rounds"]


class Picture(Struct, frozen=True):
    """The game as one viewer knows it.

    `swept` and `fallen` are the news since the turn began, for lamps: the spaces of a pathway on which Claymores went
    off, and those where Snipers fell. No rule reads them.

    `setup` is the choice that set-up waits for (`deal`: none, the cards come next), None in play. `acted` are the
    kinds of marker that have acted this turn. `deck` is the order of the deck, None for those who do not know it.
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
        """The player to whom a marker belongs."""
        return self.players[seat_of(marker)]

    def at(self, marker: str) -> str:
        """Where a marker stands; asked once it is on the board."""
        owner = self.owner(marker)
        space = owner.sniper if kind_of(marker) == SNIPER else owner.assassin
        assert space is not None, "markers are on the board once the starts are chosen"
        return space

    def own(self, kind: str) -> str:
        """The marker of a kind of the player whose turn it is."""
        return marker_of(self.turn, kind)

    def enemies_of(self, seat: str) -> tuple[str, ...]:
        """All other players' markers, in seat order."""
        return enemies_of(seat, self.seats)

    @property
    def mines(self) -> frozenset[str]:
        """The spaces on which mines lie; whose they are does not matter (SA-R-25)."""
        return frozenset().union(*[player.mines for player in self.players.values()])

    def holds(self, seat: str, card: str) -> bool:
        """Whether a card is a seat's improvement."""
        return self.players[seat].improvement == card

    def improvement(self, seat: str) -> cards.Improvement | None:
        """What a seat's card does, None without one."""
        name = self.players[seat].improvement
        return None if name is None else cards.CARDS[name]

    def shot_range(self, seat: str) -> int:
        """How far a seat's Sniper shoots (SA-SHT-01, SA-IMP-02)."""
        card = self.improvement(seat)
        return SHOT_RANGE + (card.range if card else 0)

    def with_player(self, seat: str, **changes: object) -> Picture:
        """The picture with changes to one player."""
        return replace(self, players={**self.players, seat: replace(self.players[seat], **changes)})
