"""The state of a game as one viewer knows it, and the options.

All pictures have the same type. Unknown values are None.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine import telling
from engine.game import REFEREE, TABLE
from engine.naming import convert, present
from engine.seats import player_names
from engine.text import Text
from games.stalingrad.rules.cards import CARDS, amount_of, stars_of
from games.stalingrad.rules.events import Rank
from games.stalingrad.rules.words import CAP, FEWEST, MOST, START, Phase, Reason, Stat

ROLLS: Mapping[str, Stat] = {"target": "shoot", "danger": "evade"}
"""Phase of a roll -> the stat it is rolled against."""

MOST_XP: Final = 10**9  # Largest number of tokens that a position can describe. No real game reaches it.
StatValue = Annotated[int, Meta(ge=1, le=CAP)]
SWITCH_IDS: Final = {
    "hunt_aid_adds_cards": "ST-R-01",
    "aids_before_roll": "ST-R-04",
    "dead_can_win": "ST-R-19",
    "open_hands": "ST-R-22",
}
"""Names of the switches in JSON: the IDs of their rulings."""


class Switches(Struct, frozen=True, forbid_unknown_fields=True, rename=SWITCH_IDS):
    """Rulings that can be switched off. True means that the ruling applies."""

    hunt_aid_adds_cards: bool = True
    aids_before_roll: bool = True
    dead_can_win: bool = True
    open_hands: bool = True


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game."""

    players: Annotated[int, Meta(ge=FEWEST, le=MOST)] = 2
    switches: Switches = Switches()

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in turn order."""
        return player_names(self.players)


class Over(Struct, frozen=True, forbid_unknown_fields=True):
    """How the game ended, as in `GameOver`."""

    winners: tuple[str, ...]
    ranking: tuple[Rank, ...]
    reason: Reason


class DescribedPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """One player as described in a position. `hand` is None if it is hidden from this viewer (ST-R-22)."""

    hunt: StatValue = START
    shoot: StatValue = START
    evade: StatValue = START
    xp: Annotated[int, Meta(ge=0, le=MOST_XP)] = 0
    hand: tuple[str, ...] | None = ()
    kills: tuple[str, ...] = ()
    skip: Annotated[int, Meta(ge=0, le=2)] = 0
    out: bool = False


class Player(DescribedPlayer, frozen=True):
    """One player, including the hand size, which is public."""

    hand_size: int = 0

    @property
    def stars(self) -> int:
        """Total stars of the killed Targets (ST-XP-02)."""
        return stars_of(self.kills)

    def stat(self, name: Stat) -> int:
        """Return the value of a stat by its name."""
        value: int = getattr(self, name)
        return value


class Picture(Struct, frozen=True):
    """The state of a game as one viewer knows it.

    `deck`, `facedown` and `unseen` are None for everyone except the referee. `deck` and `facedown` start with the next
    card. `card` is the card waiting for its roll. `die` is a roll made before Aids are committed (ST-R-33). `aid` was
    played before the draw. `turns` is the number of turns taken. `hurt` is the player wounded in the last act.
    """

    options: Options
    players: Mapping[str, Player]
    turn: str | None = None
    phase: Phase = "hunt"
    card: str | None = None
    die: int | None = None
    aid: str | None = None
    deck: tuple[str, ...] | None = None
    facedown: tuple[str, ...] | None = None
    unseen: tuple[str, ...] | None = None
    deck_size: int = 0
    facedown_size: int = 0
    unseen_size: int = 0
    discard: tuple[str, ...] = ()
    over: Over | None = None
    turns: int = 0
    hurt: str | None = None

    @property
    def actor(self) -> Player:
        """The player whose turn it is. Not available after the end of the game."""
        assert self.turn is not None, "the game is not over"
        return self.players[self.turn]

    @property
    def hand(self) -> tuple[str, ...]:
        """The current player's hand. Available only to viewers who can see it."""
        hand = self.actor.hand
        assert hand is not None, "players see their own hands"
        return hand

    @property
    def left(self) -> tuple[str, ...]:
        """The players who are still in the game."""
        return tuple(seat for seat, player in self.players.items() if not player.out)

    def value(self, aids: tuple[str, ...] = ()) -> int | None:
        """Return the value of the next draw or roll with these Aids, or None (ST-R-05, ST-R-07).

        The Aid played in the Hunt phase applies to the draw, or to every Evasion roll of the turn (ST-R-01, ST-R-32).
        """
        stat: Stat | None = "hunt" if self.phase == "hunt" else ROLLS.get(self.phase)
        if stat is None:
            return None
        # The Aid of the Hunt phase applies only to the stat chosen by the ruling.
        lasting = "hunt" if self.options.switches.hunt_aid_adds_cards else "evade"
        cards = [*aids, *([self.card] if self.card else []), *([self.aid] if self.aid and stat == lasting else [])]
        # Cards can add more than the tracks have cells.
        return min(CAP, self.actor.stat(stat) + amount_of(cards))


def read_options(raw: Any) -> Options:
    """Return the options from decoded JSON. Null means absent. Raises `NotUnderstood`."""
    fields = present(raw, Options)
    if isinstance(fields, dict) and "switches" in fields:
        fields["switches"] = present(fields["switches"], Switches)
    options: Options = convert(fields, Options, Text("The options cannot be read: {error}."))
    return options


def initial_picture(options: Options) -> Picture:
    """Return the true state before any event: the deck sorted by number, and no current player."""
    players = dict.fromkeys(options.seats, Player())
    return Picture(options, players, deck=tuple(CARDS), facedown=(), unseen=(), deck_size=len(CARDS))


def pictures(truth: Picture) -> dict[str, Picture]:
    """Return each viewer's picture. Only the referee sees face-down cards. Hands can be hidden (ST-R-22)."""
    # Made from the public part: what is not put back in cannot leak.
    public = replace(truth, deck=None, facedown=None, unseen=None)
    seats = {seat: replace(public, players=_players_seen_by(truth, seat)) for seat in truth.players}
    return {**seats, TABLE: replace(public, players=_players_seen_by(truth, TABLE)), REFEREE: truth}


def _players_seen_by(truth: Picture, viewer: str) -> Mapping[str, Player]:
    if truth.options.switches.open_hands:
        return truth.players
    return {seat: player if seat == viewer else replace(player, hand=None) for seat, player in truth.players.items()}


class Telling(telling.Telling[Picture]):
    """The events of an act. A class, because calling a generic alias takes longer."""
