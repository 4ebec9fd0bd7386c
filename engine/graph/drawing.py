"""A drawing as values: its spaces, accesses and entries, valid or not.

`geojson.py` reads a drawing, `check.py` checks it.
"""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from engine.graph.fault import at
from engine.graph.model import Kind, Map, Point, Properties, Space
from engine.text import Text

AccessKind = Literal["door", "ladder"]


class DrawnSpace(Struct, frozen=True):
    """A space as drawn. `outline` has no closing point. `spot` is None if the drawing leaves it open.

    `unread` names the properties that could not be read, including `outline`; their values are guesses. `properties`
    are those that the map model doesn't know, unchecked. `label` is the space's name in errors of form.
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
        return at(self.outline[0]) if self.outline else Text("a place that could not be read")


class DrawnAccess(Struct, frozen=True):
    """A door or ladder as drawn. The two spaces need not exist yet."""

    kind: AccessKind
    between: tuple[str, str]
    at: Point

    @property
    def label(self) -> Text:
        """Its name in errors."""
        pair, place = "-".join(self.between), at(self.at)
        if self.kind == "door":
            return Text("door {pair} at {place}", pair=pair, place=place)
        return Text("ladder {pair} at {place}", pair=pair, place=place)


class DrawnEntry(Struct, frozen=True):
    """An entry arrow as drawn."""

    space: str
    at: Point

    @property
    def label(self) -> Text:
        """Its name in errors."""
        return Text("entry {space} at {place}", space=self.space, place=at(self.at))


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
    accesses: tuple[DrawnAccess, ...]
    entries: tuple[DrawnEntry, ...]
    licence: str = ""
    author: str = ""
    members: Properties = {}
    adjacent: tuple[tuple[str, str], ...] | None = None
    lost: frozenset[str] = frozenset()
    """Roles (`space`, `access`, `entry`) of features that could not be read. Such a part may exist."""
    faults: tuple[Text, ...] = ()
    warnings: tuple[Text, ...] = ()

    def sure(self, *names: str) -> bool:
        """Return whether all spaces were read, with these properties.

        Only then is it certain that something is missing.
        """
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

        The drawing may have errors of any other kind. Returns None if the game cannot check it because of those.
        """


def redrawn(board: Map) -> Drawing:
    """Return a drawing that gives this map. Its table of neighbours is kept as it is."""
    return Drawing(
        slug=board.slug,
        name=board.name,
        code=board.code,
        size=board.size,
        sectors=board.sectors,
        spaces=tuple(_drawn(space) for space in board.spaces.values()),
        accesses=tuple(DrawnAccess(access.kind, access.between, access.at) for access in board.accesses),
        entries=tuple(DrawnEntry(entry.space, entry.at) for entry in board.entries),
        licence=board.licence,
        author=board.author,
        members=board.members,
        adjacent=tuple((one, other) for one, others in board.adjacent.items() for other in others),
    )


def _drawn(space: Space) -> DrawnSpace:
    return DrawnSpace(
        id=space.id,
        kind=space.kind,
        outline=space.outline,
        sector=space.sector,
        area=space.area,
        under=space.under,
        difficult=space.difficult,
        spot=space.spot,
        name=space.name,
        properties=space.properties,
        label=Text("{thing} at {place}", thing=Text("space {name}", name=space.id), place=at(space.outline[0])),
    )
