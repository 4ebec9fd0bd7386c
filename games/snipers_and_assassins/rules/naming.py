"""Whether the spaces, markers and seats that a command names exist."""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import attrgetter
from typing import Any, Final

from engine.game import Command
from engine.text import Text
from games.snipers_and_assassins.rules import places
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.words import known, markers_of

Named = tuple[Text, Callable[[Command], Any], Callable[[Picture], Collection[str]]]
"""What one field of a command names, how to read the field, and what there is of it."""


def _spaces(view: Picture) -> Collection[str]:
    return places.spaces(view.pathways)


def _markers(view: Picture) -> Collection[str]:
    return markers_of(view.seats)


def _seats(view: Picture) -> Collection[str]:
    return view.players


_NOUNS: Final[dict[str, tuple[Text, Callable[[Picture], Collection[str]]]]] = {
    "space": (Text("space"), _spaces),
    "to": (Text("space"), _spaces),
    "mine": (Text("space"), _spaces),
    "marker": (Text("marker"), _markers),
    "target": (Text("marker"), _markers),
    "seat": (Text("seat"), _seats),
}
"""Field -> what it names, in the order in which the first unknown name is told."""
_fields: Final[dict[type[Command], list[Named]]] = {}


def _named_by(kind: type[Command]) -> list[Named]:
    fields = kind.__struct_fields__
    return [(what, _reader(name), among) for name, (what, among) in _NOUNS.items() if name in fields]


def _reader(field: str) -> Callable[[Command], Any]:
    return _mined if field == "mine" else attrgetter(field)


def _mined(command: Any) -> str | None:
    """Where a move plants a mine, if it does."""
    return None if command.mine is None else command.mine.space


def require_known(view: Picture, command: Command) -> None:
    """Raises `NotUnderstood` for a space, marker or seat that does not exist in this game."""
    kind = type(command)
    if (named := _fields.get(kind)) is None:
        named = _fields[kind] = _named_by(kind)
    for what, read, among in named:
        name = read(command)
        if name is not None and name not in among(view):
            known(what, (name,), among(view))
