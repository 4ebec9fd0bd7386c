"""Whether what a command names exists. The fields of each kind of command are looked up once, not for each command."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from operator import attrgetter
from typing import Any, Generic, TypeVar

from engine.game import Command
from engine.text import Text

P = TypeVar("P")
"""What a viewer of the game sees."""
Noun = tuple[Text, Callable[[P], Collection[Any]]]
"""What a field names, and what there is of it in a picture."""


class Naming(Generic[P]):
    """The nouns of a game by the field of a command, in the order in which the first unknown name is told."""

    def __init__(
        self, nouns: Mapping[str, Noun[P]], known: Callable[[Text, Iterable[Any], Collection[Any]], None]
    ) -> None:
        """A field is that of the command, or one of a field: `mine.space`. `known(what, names, among)` raises
        `NotUnderstood` for the first of some names that does not exist.
        """
        self._nouns, self._known = nouns, known
        self._fields: dict[type[Command], list[tuple[Callable[[Command], Any], Noun[P]]]] = {}

    def require(self, view: P, command: Command) -> None:
        """Raises `NotUnderstood` for a name that does not exist; None names nothing."""
        kind = type(command)
        if (fields := self._fields.get(kind)) is None:
            fields = self._fields[kind] = [
                (_reader(field), noun)
                for field, noun in self._nouns.items()
                if field.partition(".")[0] in kind.__struct_fields__
            ]
        for read, (what, among) in fields:
            value = read(command)
            if type(value) is tuple:
                self._known(what, value, among(view))
            elif value is not None and value not in among(view):
                self._known(what, (value,), among(view))


def _reader(field: str) -> Callable[[Command], Any]:
    """Reads a field, or a field of one that may be None."""
    outer, _, inner = field.partition(".")
    whole = attrgetter(outer)
    return whole if not inner else lambda command: getattr(whole(command), inner, None)
