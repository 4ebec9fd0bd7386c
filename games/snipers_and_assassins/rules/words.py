"""The game's nouns as the protocol spells them: seats, markers, cards; and how people say them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, Literal, get_args

from engine.refusal import NotUnderstood
from engine.text import Text, comma_list

Kind = Literal["sniper", "assassin"]
Card = Literal["scope", "drop", "spring", "armor", "mask", "reload", "pads", "spike"]
Direction = Literal["up", "down"]

SNIPER: Final = "sniper"
ASSASSIN: Final = "assassin"
KINDS: Final[tuple[str, ...]] = get_args(Kind)
FEWEST, MOST = 2, 6
"""Players (SA-R-65)."""
MINES: Final = 5
"""Mines of one owner on the board (SA-R-24)."""
ROUNDS: Final = 300
"""SA-R-46."""
STEPS: Final[Mapping[Direction, int]] = {"up": -1, "down": 1}
"""Direction -> what a jump that way adds to the number of the pathway."""
END_RULES: Final = {"leader": "SA-WIN-01", "rounds": "SA-R-46"}
"""How the game can end -> the rule."""


def seat_names(players: int) -> tuple[str, ...]:
    """The seats of a game, in the order of play."""
    return tuple(f"player-{number}" for number in range(1, players + 1))


@lru_cache(maxsize=64)
def marker_of(seat: str, kind: str) -> str:
    """A seat's Sniper or Assassin."""
    return f"{kind}-{seat.partition('-')[2]}"


@lru_cache(maxsize=64)
def seat_of(marker: str) -> str:
    """The owner of a marker."""
    return f"player-{marker.partition('-')[2]}"


@lru_cache(maxsize=64)
def kind_of(marker: str) -> str:
    """`sniper` or `assassin`."""
    return marker.partition("-")[0]


def markers_of(seats: Iterable[str]) -> tuple[str, ...]:
    """All markers of these seats, each Sniper before its Assassin."""
    return _markers_of(tuple(seats))


@lru_cache(maxsize=64)
def _markers_of(seats: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(marker_of(seat, kind) for seat in seats for kind in KINDS)


@lru_cache(maxsize=64)
def enemies_of(seat: str, seats: tuple[str, ...]) -> tuple[str, ...]:
    """The markers of all these seats but one, in their order."""
    return _markers_of(tuple(other for other in seats if other != seat))


def known(what: str, names: Iterable[Any], among: Collection[Any]) -> None:
    """Raises `NotUnderstood` for the first of `names` that does not exist; None stands for none given."""
    for name in names:
        if name is not None and name not in among:
            every = comma_list(map(str, among))
            raise NotUnderstood(
                Text("There is no {what} {name}; known are {known}.", what=what, name=repr(name), known=every)
            )


@lru_cache(maxsize=64)
def called(name: str) -> Text:
    """A marker or a seat as a person says it, for the middle of a sentence."""
    kind, _, which = name.partition("-")
    return _CALLED[kind].with_(which=which)


_CALLED: Final = {
    "player": Text("player {which}"),
    SNIPER: Text("Sniper {which}"),
    ASSASSIN: Text("Assassin {which}"),
}
