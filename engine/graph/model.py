"""The data model of a map: spaces, neighbours and sight.

Values only. `geojson.py` reads a drawing, `check.py` finds its errors, and `sight.py` computes sight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

from msgspec import Raw, Struct, json

from engine.graph.fault import point_text
from engine.text import Text

T = TypeVar("T")
AccessKind = Literal["door", "ladder"]
Kind = Literal["open", "enclosed", "elevated", "water", "obstruction"]
Point = tuple[int, int]
"""Tenths of a millimetre, x to the right, y down, origin at the board's top left corner."""
SightLine = tuple[tuple[float, float], tuple[float, float]]
Properties = dict[str, Any]
"""Properties of a drawing beyond the map model, as decoded JSON. Only games read them."""

ENTERABLE: frozenset[str] = frozenset({"open", "enclosed", "elevated"})
"""The kinds that a piece can stand in (MP-MOVE-10)."""


class Space(Struct, frozen=True, omit_defaults=True):
    """One space of the board. `outline` is its ring, without the closing point.

    `sector` is the named region of the board. `area` is the building or room of the space. `properties` are those that
    the map model doesn't know.
    """

    id: str
    kind: Kind
    outline: tuple[Point, ...]
    spot: Point
    sector: str | None = None
    area: str | None = None
    under: bool = False
    difficult: bool = False
    name: str | None = None
    properties: Properties = {}

    @property
    def enterable(self) -> bool:
        """Whether a piece can ever be in this space (MP-MOVE-10, R-83)."""
        return self.kind in ENTERABLE


class Access(Struct, frozen=True):
    """A door or a ladder on the edge between two spaces. `at` is a point of that edge."""

    kind: AccessKind
    between: tuple[str, str]
    at: Point

    @property
    def label(self) -> Text:
        """The name of the access in errors."""
        pair, place = "-".join(self.between), point_text(self.at)
        if self.kind == "door":
            return Text("door {pair} at {place}", pair=pair, place=place)
        return Text("ladder {pair} at {place}", pair=pair, place=place)


class Entry(Struct, frozen=True):
    """A way onto the board: an arrow at the point `at` of the rim that leads into `space`."""

    space: str
    at: Point

    @property
    def label(self) -> Text:
        """The name of the entry in errors."""
        return Text("entry {space} at {place}", space=self.space, place=point_text(self.at))


class Sight(Struct, frozen=True, array_like=True):
    """The reason why one space sees another. `distance` is D of MP-DIST-01.

    `distance` is D of MP-DIST-01. `line` is the witness from the first space's outline to the second's, in map units,
    or None for a space that sees itself. `through` lists the spaces crossed between the two, in order.
    """

    distance: int
    line: SightLine | None
    through: tuple[str, ...]


class StoredSight(Struct, frozen=True, array_like=True, eq=False):
    """A `Sight` of a compiled map. Its line and spaces stay JSON until they are needed, because there are many."""

    distance: int
    line_json: Raw
    through_json: Raw

    def decoded(self) -> Sight:
        """Return the sight. Raises `msgspec.DecodeError` if it isn't one."""
        line = json.decode(self.line_json, type=SightLine | None)
        return Sight(self.distance, line, json.decode(self.through_json, type=tuple[str, ...]))

    @property
    def line(self) -> SightLine | None:
        return self.decoded().line

    @property
    def through(self) -> tuple[str, ...]:
        return self.decoded().through

    def __eq__(self, other: object) -> bool:
        return self.decoded() == (other.decoded() if isinstance(other, StoredSight) else other)

    def __hash__(self) -> int:
        return hash(self.decoded())


class Map(Struct, frozen=True, dict=True):
    """A checked map with all its derived tables.

    - `adjacent`, `matching`, `walk`: each space's neighbours in the file's order. They share an edge (MP-MAP-07), share
      one and have the same kind (MP-MAP-08), or are walkable (MP-MOVE-02).
    - `sights[a][b]`: stored only for a before b in the file's order; use `sight`. Empty on a board without sight.
    - `members`: the members of the drawing that the map model doesn't know.
    - `source`: the SHA-256 of the file that the map was compiled from, or of a generated board's canonical drawing.
    """

    slug: str
    name: str
    code: str
    size: tuple[int, int]
    sectors: tuple[str, ...]
    spaces: dict[str, Space]
    accesses: tuple[Access, ...]
    entries: tuple[Entry, ...]
    adjacent: dict[str, tuple[str, ...]]
    matching: dict[str, tuple[str, ...]]
    walk: dict[str, tuple[str, ...]]
    sights: Mapping[str, Mapping[str, Sight | StoredSight]]
    members: Properties = {}
    licence: str = ""
    author: str = ""
    source: str = ""

    def derived(self, make: Callable[[Map], T]) -> T:
        """Return `make(self)`. It is computed on the first call and cached with the map."""
        # A frozen struct can't be assigned to, but `dict=True` gives it a namespace for the cache.
        cache: dict[Any, T] = self.__dict__
        value = cache.get(make)
        if value is None:
            value = cache[make] = make(self)
        return value

    @property
    def enterable(self) -> tuple[str, ...]:
        """The spaces that a piece can stand in, in the file's order, which is that of sensors and lamps."""
        return self.derived(_enterable)

    @property
    def has_sensors(self) -> bool:
        """Whether the spaces have sensors. A drawing with the member `"sensors": false` has only lamps."""
        return self.members.get("sensors") is not False

    def sight(self, a: str, b: str) -> Sight | None:
        """Return the sight from `a` to `b`, or None. Sight is symmetric (MP-LOS-17)."""
        if a == b:
            return Sight(1, None, ())
        sight = self.sights.get(a, {}).get(b)
        if sight is not None:
            return _full(sight)
        stored = self.sights.get(b, {}).get(a)
        back = None if stored is None else _full(stored)
        if back is None or back.line is None:
            return None
        # The sight is stored in the other direction: reverse its line and its spaces.
        return Sight(back.distance, (back.line[1], back.line[0]), back.through[::-1])

    def distance(self, a: str, b: str) -> int | None:
        """Return D between two spaces (MP-DIST-01..04), or None without sight."""
        if a == b:
            return 1
        sight = self.sights.get(a, {}).get(b) or self.sights.get(b, {}).get(a)
        return None if sight is None else sight.distance


def _enterable(board: Map) -> tuple[str, ...]:
    return tuple(name for name, space in board.spaces.items() if space.enterable)


def _full(sight: Sight | StoredSight) -> Sight:
    return sight.decoded() if isinstance(sight, StoredSight) else sight
