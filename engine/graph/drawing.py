"""What somebody drew, as values: spaces, accesses and entries of a drawing, sound or not.

Reading one is `geojson.py`, judging it `check.py`.
"""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from engine.graph.fault import at
from engine.graph.model import Kind, Map, Point, Properties, Space
from engine.text import Text

AccessKind = Literal["door", "ladder"]


class DrawnSpace(Struct, frozen=True):
    """A space as drawn; `outline` without the closing point, `spot` None where the drawing leaves it to us.

    `unread` names the properties that could not be read, `outline` among them; what stands in their place is a guess.
    `properties` are those that the map model does not know, unchecked. `label` is what a fault of form calls the space.
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
        """A place on the drawing by which the space can be found, for faults."""
        return at(self.outline[0]) if self.outline else Text("a place that could not be read")


class DrawnAccess(Struct, frozen=True):
    """A door or ladder as drawn; the two spaces need not exist yet."""

    kind: AccessKind
    between: tuple[str, str]
    at: Point

    @property
    def label(self) -> Text:
        """What faults call it."""
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
        """What faults call it."""
        return Text("entry {space} at {place}", space=self.space, place=at(self.at))


class Drawing(Struct, frozen=True):
    """Everything readable in a document, and every fault of form met on the way; in the file's order.

    `members` are the members of the collection that the map model does not know, unchecked. `adjacent` says who borders
    whom where edges do not: the spaces then need neither tile the ground nor hang together, and all steps between
    neighbours can be walked.
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
    """Of which roles (`space`, `access`, `entry`) a feature could not be read: what seems to lack may be there."""
    faults: tuple[Text, ...] = ()
    warnings: tuple[Text, ...] = ()

    def sure(self, *names: str) -> bool:
        """Whether all spaces are there, and these properties of each were read: only then is anything known to lack."""
        return "space" not in self.lost and not any(space.unread.intersection(names) for space in self.spaces)


class Verdict(Struct, frozen=True):
    """The faults and warnings of a drawing, each a sentence."""

    faults: tuple[Text, ...] = ()
    warnings: tuple[Text, ...] = ()


class MapRules(Protocol):
    """What a game asks of a drawing beyond what holds for any map."""

    @property
    def title(self) -> str:
        """The game's title, for faults that not every game finds."""

    @property
    def drawn_properties(self) -> tuple[str, ...]:
        """The properties of spaces that the game reads and the map model does not know."""

    def check_drawing(self, drawing: Drawing) -> Verdict | None:
        """The game's own faults and warnings of a drawing, which may have faults of any other kind.

        None where the game cannot tell because of those.
        """


def redrawn(board: Map) -> Drawing:
    """The drawing that a map could have been derived from; its table of neighbours is kept as it is."""
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
