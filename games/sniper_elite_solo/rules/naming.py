"""Whether the spaces, units and cards that a command names exist."""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import attrgetter
from typing import Any, Final

from engine.game import Command
from engine.text import Text
from games.sniper_elite.rules.words import UNITS, known
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import LOADOUT

Named = tuple[Text, Callable[[Command], Any], Callable[[Picture], Collection[Any]]]
"""What one field of a command names, how to read the field, and what there is of it."""


def _spaces(view: Picture) -> Collection[Any]:
    return view.map.spaces


def _units(view: Picture) -> Collection[Any]:
    return UNITS


def _sectors(view: Picture) -> Collection[Any]:
    return view.terrain.entries


def _objectives(view: Picture) -> Collection[Any]:
    return view.terrain.objectives


def _cards(view: Picture) -> Collection[Any]:
    return LOADOUT


_NOUNS: Final[dict[str, tuple[Text, Callable[[Picture], Collection[Any]]]]] = {
    "space": (Text("space"), _spaces),
    "to": (Text("space"), _spaces),
    "path": (Text("space"), _spaces),
    "unit": (Text("unit"), _units),
    "target": (Text("unit"), _units),
    "sector": (Text("sector"), _sectors),
    "objective": (Text("objective"), _objectives),
    "card": (Text("loadout card"), _cards),
}
"""Field -> what it names, in the order in which the first unknown name is told."""
_fields: Final[dict[type[Command], list[Named]]] = {}


def _named_by(kind: type[Command]) -> list[Named]:
    fields = kind.__struct_fields__
    return [(what, attrgetter(name), among) for name, (what, among) in _NOUNS.items() if name in fields]


def require_known(view: Picture, command: Command) -> None:
    """Raises `NotUnderstood` for a space, unit, card … that does not exist."""
    kind = type(command)
    if (named := _fields.get(kind)) is None:
        named = _fields[kind] = _named_by(kind)
    for what, read, among in named:
        value = read(command)
        if type(value) is tuple:
            known(what, value, among(view))
        elif value is not None and value not in among(view):
            known(what, (value,), among(view))
