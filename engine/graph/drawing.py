"""A drawing as values: its spaces, accesses and entries, valid or not.

`geojson.py` reads a drawing, `check.py` checks it.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct
from msgspec.structs import asdict

from engine.graph.fault import point_text
from engine.graph.model import Access, Entry, Kind, Map, Point, Properties, Space
from engine.text import Text

COMMON_FIELDS = ("slug", "name", "code", "size", "sectors", "accesses", "entries", "licence", "author", "members")
"""The fields that a drawing and its map have in common."""


class DrawnSpace(Struct, frozen=True):
    """A space as drawn. `outline` has no closing point. `spot` is None if the drawing leaves it open.

    `unread` names the properties that could not be read, including `outline`; their values are guesses. `properties`
    has the properties that the map model doesn't know, unchecked. `label` is the space's name in errors of form.
    """

    id: str
    kind: Kind
    outline: tuple[Point, ...]
    sector: str | None = None
    area: str | None = None
    under: bool = False
    difficult: bool = False
    spot: Point | None = None
    name: str | None = None
    unread: frozenset[str] = frozenset()
    properties: Properties = {}
    label: str = ""

    @property
    def place(self) -> str:
        """A place on the drawing that identifies the space in errors."""
        return point_text(self.outline[0]) if self.outline else Text("a place that could not be read")


class Drawing(Struct, frozen=True):
    """Everything readable in a document, and every error of form, in the file's order.

    `members` are the members of the collection that the map model doesn't know, unchecked. `adjacent` lists the
    neighbours if edges don't define them: the spaces then need neither tile the ground nor be connected, and all steps
    between neighbours are walkable.
    """

    slug: str
    name: str
    code: str
    size: Point
    sectors: tuple[str, ...]
    spaces: tuple[DrawnSpace, ...]
    accesses: tuple[Access, ...]
    entries: tuple[Entry, ...]
    licence: str = ""
    author: str = ""
    members: Properties = {}
    adjacent: tuple[tuple[str, str], ...] | None = None
    lost: frozenset[str] = frozenset()
    """Roles (`space`, `access`, `entry`) of features that could not be read. Such a part may exist in the drawing."""
    faults: tuple[Text, ...] = ()
    warnings: tuple[Text, ...] = ()

    def sure(self, *names: str) -> bool:
        """Return whether these properties were read for all spaces, so a missing part is really missing."""
        return "space" not in self.lost and not any(space.unread.intersection(names) for space in self.spaces)


class Verdict(Struct, frozen=True):
    """The errors and warnings of a drawing, each a sentence."""

    faults: tuple[Text, ...] = ()
    warnings: tuple[Text, ...] = ()


class MapRules(Protocol):
    """A game's additional requirements for a drawing."""

    @property
    def title(self) -> str:
        """The game's title, for errors that not every game reports."""

    @property
    def drawn_properties(self) -> tuple[str, ...]:
        """The properties of spaces that the game reads and the map model doesn't know."""

    def check_drawing(self, drawing: Drawing) -> Verdict | None:
        """Return the game's own errors and warnings of a drawing.

        The drawing may have errors of any other kind. Return None if these other errors prevent the check.
        """


def drawing_of_map(board: Map) -> Drawing:
    """Return a drawing that gives this map. Its table of neighbours is kept as it is."""
    return Drawing(
        **{name: getattr(board, name) for name in COMMON_FIELDS},
        spaces=tuple(_drawing_of(space) for space in board.spaces.values()),
        adjacent=tuple((one, other) for one, others in board.adjacent.items() for other in others),
    )


def _drawing_of(space: Space) -> DrawnSpace:
    thing = Text("space {name}", name=space.id)
    return DrawnSpace(
        **asdict(space), label=Text("{thing} at {place}", thing=thing, place=point_text(space.outline[0]))
    )
