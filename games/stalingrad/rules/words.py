"""The game's nouns as the protocol spells them: seats, stats, phases, dice; and how people say them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, Literal, get_args

from engine.refusal import NotUnderstood
from engine.text import Text, comma_list

Stat = Literal["hunt", "shoot", "evade"]
Phase = Literal["hunt", "reveal", "target", "danger", "escape", "over"]
Wound = Literal["minor", "serious", "major", "out"]
Reason = Literal["out", "last", "deck"]
"""Why the game is over: the only player is out, one of several is left, the deck is used up (ST-GOL-02, ST-R-34)."""

STATS: Final[tuple[Stat, ...]] = get_args(Stat)
FEWEST, MOST = 1, 6
"""Players (ST-R-26)."""
START: Final = 5
"""Every stat at the beginning (ST-STA-02)."""
CAP: Final = 9
"""What no stat and no value of a roll exceeds (ST-STA-03, ST-R-05)."""
HAND: Final = 3
"""Aids in hand when a turn ends (ST-ESC-01)."""
PRICE: Final = 3
"""Tokens for one point of a stat (ST-XP-05)."""
FACES: Final = tuple(range(10))
"""The faces of the die."""
STAT_TITLES: Final[Mapping[str, Text]] = {"hunt": Text("Hunt"), "shoot": Text("Shoot"), "evade": Text("Evade")}


def seat_names(players: int) -> tuple[str, ...]:
    """The seats of a game, in the order of play."""
    return tuple(f"player-{number}" for number in range(1, players + 1))


ALL_SEATS: Final = seat_names(MOST)


def called(seat: str) -> Text:
    """A player as a person says it, for the middle of a sentence."""
    return Text("player {which}", which=seat.partition("-")[2])


def points(die: int) -> int:
    """What a face counts: 0 is ten, but on the wound table (ST-R-06)."""
    return die or 10


def known(what: str, names: Iterable[Any], among: Collection[str]) -> None:
    """Raises `NotUnderstood` for the first of `names` that does not exist; None stands for none given."""
    for name in names:
        if name is not None and name not in among:
            raise NotUnderstood(
                Text(
                    "There is no {what} {name}; known are {known}.",
                    what=what,
                    name=repr(name)[:40],
                    known=comma_list(among),
                )
            )
