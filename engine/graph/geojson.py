"""Read a decoded GeoJSON document into a drawing: spaces, accesses and entries, as drawn.

This checks only the form: members, types, integers on the board, known words. `feature.py` reads single features.
`check.py` checks whether the drawing makes a playable map.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import cast, get_args

from msgspec import structs

from engine.graph.drawing import Drawing, DrawnSpace
from engine.graph.fault import MapError, with_subject
from engine.graph.feature import NO_TEXT, POINT, SPOT, Feature, ReadingContext, as_integer, is_text, quoted_value
from engine.graph.model import ENTERABLE, Access, AccessKind, Entry, Kind, Point
from engine.text import Text, and_list

FORMAT = "board-map/1"
KINDS: tuple[str, ...] = get_args(Kind)
MAX_SIDE = 100_000
"""Ten metres. A larger board is a wrong unit. The limit also keeps products of coordinates small."""
MAX_SECTORS = 12
MAX_FEATURES = 600
MAX_CORNERS = 4_000
"""The most features and corners of a map.

The largest printable board holds about 400 spaces with room for a base. With more corners, computing sight would take
minutes.
"""
MANY_OFF = 10
"""If more than one corner in this many is off the board, the axes may be swapped, unlike with one misplaced space."""
PROPERTIES = ("id", "kind", "sector", "area", "under", "difficult", "spot", "name")
"""The properties of a space that the map model knows. All others are kept for games."""
MAKER_PROPERTIES = ("lamp",)  # The properties that only a maker's drawings read: where a space's lamp lies
MEMBERS = frozenset(
    {"type", "features", "bbox", "crs", "format", "slug", "name", "code", "size", "sectors", "licence", "author"}
)
"""The members of the collection that the map model or GeoJSON knows. All others are kept for games."""


def read_drawing(document: object, where: str = "") -> Drawing:
    """Return the drawing in a decoded GeoJSON `FeatureCollection`.

    Errors of form are collected in the drawing. Raises `MapError` only if the document cannot be read at all: no
    collection, no board size, or more features and corners than any board has.
    """
    if not isinstance(document, dict) or document.get("type") != "FeatureCollection":
        raise MapError(where, [Text("this is not a GeoJSON FeatureCollection. Save the map as one FeatureCollection.")])
    reader = _Reader(cast("dict[str, object]", document))
    features = document.get("features")
    if not isinstance(features, list):
        raise MapError(where, [Text('the collection has no list "features". Add one with the spaces of the map.')])
    if len(features) > MAX_FEATURES:
        raise MapError(
            where, [Text("there are more features than a board can have. Keep to {most}.", most=MAX_FEATURES)]
        )
    # Without a size, no point can be checked.
    if reader.size is None:
        raise MapError(where, reader.faults)
    if _corner_count(features) > MAX_CORNERS:
        raise MapError(where, [Text("the outlines have more than {most} corners. Simplify them.", most=MAX_CORNERS)])
    if _is_swapped(features, reader.page.size):
        fault = Text(
            "the corners are not on the board of {width} x {height}, but on one of {height} x {width}. Swap the two "
            'numbers of "size", or x and y of all points.'
        )
        raise MapError(where, [fault.with_(width=reader.page.size[0], height=reader.page.size[1])])
    if _is_in_another_unit(features, reader.page.size):
        fault = Text(
            "hardly any corner is on the board of {width} x {height} in whole tenths of a millimetre. Is the map in "
            "degrees or metres? Scale it to the size of the board, and snap its corners to integers."
        )
        raise MapError(where, [fault.with_(width=reader.page.size[0], height=reader.page.size[1])])
    for number, feature in enumerate(features, start=1):
        reader.feature(number, feature)
    return reader.drawing()


def _corner_count(features: list[object]) -> int:
    return sum(len(ring) for feature in features for ring in _rings(feature) if isinstance(ring, list))


def _pairs(features: list[object]) -> list[list[object]] | None:
    """Return x and y of all corners; None if some have less."""
    corners = [corner for feature in features for ring in _rings(feature) if isinstance(ring, list) for corner in ring]
    pairs = [corner[:2] for corner in corners if isinstance(corner, list) and len(corner) >= 2]
    return pairs if len(pairs) == len(corners) else None


def _is_swapped(features: list[object], size: Point) -> bool:
    """Return whether many corners are off the board, but all would be on it with x and y swapped."""
    points = [(as_integer(x), as_integer(y)) for x, y in _pairs(features) or []]
    whole = [(x, y) for x, y in points if x is not None and y is not None]
    off = sum(not (0 <= x <= size[0] and 0 <= y <= size[1]) for x, y in whole)
    return len(whole) == len(points) < MANY_OFF * off and all(0 <= x <= size[1] and 0 <= y <= size[0] for x, y in whole)


def _is_in_another_unit(features: list[object], size: Point) -> bool:
    """Return whether the coordinates are in another unit: all are numbers, but hardly any is a point of the board."""
    pairs = _pairs(features) or []
    points = [[as_integer(number) for number in pair] for pair in pairs]
    are_numbers = all(type(number) in (int, float) for pair in pairs for number in pair)
    whole = [(x, y) for x, y in points if x is not None and y is not None]
    on_board = any(0 <= x <= size[0] and 0 <= y <= size[1] for x, y in whole)
    few = not on_board or 2 * len(whole) < len(points)
    return bool(pairs) and are_numbers and few


def _rings(feature: object) -> list[object]:
    geometry = feature.get("geometry") if isinstance(feature, dict) else None
    coordinates = _only_part(geometry)[1] if isinstance(geometry, dict) else None
    return coordinates if isinstance(coordinates, list) else []


class _Reader:
    """Collects the parts of one document and its errors."""

    def __init__(self, document: dict[str, object]) -> None:
        self.document = document
        self.faults: list[Text] = []
        self.warnings: list[Text] = []
        self.lost: set[str] = set()
        self.spaces: list[DrawnSpace] = []
        self.accesses: list[Access] = []
        self.entries: list[Entry] = []
        if document.get("format") != FORMAT:
            sentence = Text('"format" is {value}, not "{format}". Write "{format}".')
            self.faults.append(sentence.with_(value=quoted_value(document.get("format")), format=FORMAT))
        self.size = self._size()
        self.sectors = self._sectors()
        self.page = ReadingContext(self.size or (0, 0), self.sectors, self.faults, self.warnings)

    def drawing(self) -> Drawing:
        return Drawing(
            slug=self._text("slug", re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")),
            name=self._text("name"),
            code=self._text("code"),
            size=self.page.size,
            sectors=self.sectors,
            spaces=tuple(self.spaces),
            accesses=tuple(self.accesses),
            entries=tuple(self.entries),
            licence=self._optional_text("licence"),
            author=self._optional_text("author"),
            members={name: value for name, value in self.document.items() if name not in MEMBERS},
            lost=frozenset(self.lost),
            faults=tuple(self.faults),
            warnings=tuple(self.warnings),
        )

    # The collection's own members

    def _text(self, member: str, form: re.Pattern[str] | None = None) -> str:
        value = self.document.get(member)
        if is_text(value) and (form is None or form.fullmatch(value)):
            return value
        sentence = Text('"{name}" is {value}. Give the map a {name}, a short text.')
        self.faults.append(sentence.with_(name=member, value=quoted_value(value)))
        return ""

    def _optional_text(self, member: str) -> str:
        value = self.document.get(member)
        if value is None or isinstance(value, str):
            return value or ""
        self.faults.append(NO_TEXT.with_(name=member, value=quoted_value(value)))
        return ""

    def _size(self) -> Point | None:
        value = self.document.get("size")
        sides = [as_integer(side) for side in value] if isinstance(value, list) and len(value) == 2 else []
        if len(sides) == 2 and sides[0] and sides[1] and all(0 < side <= MAX_SIDE for side in sides if side):
            return (sides[0], sides[1])
        sentence = Text(
            '"size" must be [width, height] in whole tenths of a millimetre, each from 1 to {most}. Correct it.'
        )
        self.faults.append(sentence.with_(most=MAX_SIDE))
        return None

    def _sectors(self) -> tuple[str, ...]:
        value = self.document.get("sectors")
        names = [name for name in value if is_text(name)] if isinstance(value, list) else []
        if not isinstance(value, list) or not 0 < len(value) == len(names) <= MAX_SECTORS:
            sentence = Text('"sectors" must list the names of the sectors in play. Write ["yellow", …, "white"].')
            self.faults.append(sentence)
        doubled = sorted({name for name in names[:MAX_SECTORS] if names.count(name) > 1})
        if doubled:
            sentence = Text('"sectors" names {sectors} more than once. Name each sector once.')
            self.faults.append(sentence.with_(sectors=and_list(doubled)))
        return tuple(dict.fromkeys(names[:MAX_SECTORS]))

    # Features

    def feature(self, number: int, feature: object) -> None:
        properties = feature.get("properties") if isinstance(feature, dict) else None
        geometry = feature.get("geometry") if isinstance(feature, dict) else None
        if not isinstance(properties, dict) or not isinstance(geometry, dict):
            # A check that something is missing must not report what is only unreadable.
            self.lost.update(_roles(properties))
            fault = Text("it lacks its properties or its geometry. Give it both, or remove it.")
            self.faults.append(with_subject(_feature_name(number, properties), fault))
            return
        if isinstance(feature, dict) and feature.get("type") != "Feature":
            fault = Text('it is no "type": "Feature". Write it: tools look for it.')
            self.warnings.append(with_subject(_feature_name(number, properties), fault))
        # A property that is null counts as missing.
        set_values = {key: value for key, value in properties.items() if value is not None}
        shape, coordinates = _only_part(geometry)
        if shape == "Polygon":
            self._space(Feature(self.page, number, set_values, coordinates))
        elif shape == "Point" and ("access" in set_values or "entry" in set_values):
            self._point(Feature(self.page, number, set_values, coordinates))
        else:
            self.lost.update(_roles(set_values))
            fault = Text(
                "it is {value} and neither space, access nor entry. "
                'Draw a Polygon for a space, a Point with "access" or "entry" for those, or remove it.'
            )
            self.faults.append(
                with_subject(_feature_name(number, set_values), fault.with_(value=quoted_value(geometry.get("type"))))
            )

    def _space(self, drawn: Feature) -> None:
        outline = drawn.ring()
        name, drawn_kind = drawn.id(), drawn.word("kind", KINDS)
        # Assume a kind, so that the outline and the neighbours are still checked.
        kind = drawn_kind or "open"
        sector, area = drawn.said.get("sector"), None
        if drawn_kind is None:  # requirements of a kind are checked only if the kind is known
            sector = sector if sector in self.sectors else None
        else:
            sector = self._sector(drawn) if kind in ENTERABLE else drawn.warn_if_set("sector", kind)
            area = drawn.area() if kind == "enclosed" else drawn.warn_if_set("area", kind)
        space = DrawnSpace(
            # No drawing can have this id, because ids have no blanks.
            id=name or f"feature {drawn.number}",
            kind=cast("Kind", kind),
            outline=outline,
            sector=sector,
            area=area,
            under=drawn.flag("under"),
            difficult=drawn.flag("difficult"),
            spot=drawn.point(drawn.said["spot"], SPOT) if "spot" in drawn.said else None,
            name=drawn.text("name"),
            properties={word: value for word, value in drawn.said.items() if word not in PROPERTIES},
            label=drawn.label,
        )
        self.spaces.append(structs.replace(space, unread=frozenset(drawn.unread)))

    def _sector(self, drawn: Feature) -> str | None:
        if "sector" in drawn.said or not self.sectors:
            return drawn.sector()
        misspelt = get_close_matches("sector", [word for word in drawn.said if word not in PROPERTIES], 1)
        fault = Text('"sector" is missing. Give the space one of {known}.', known=and_list(self.sectors))
        if misspelt:
            fault = Text('"{name}" means nothing. Rename it to "sector".', name=quoted_value(misspelt[0]))
        drawn.add_fault(fault, "sector")
        return None

    def _point(self, drawn: Feature) -> None:
        point = drawn.point(drawn.coordinates, POINT)
        if "entry" in drawn.said:
            into = drawn.said["entry"]
            if not is_text(into):
                drawn.add_fault(
                    Text('"entry" is {value}. Name the space that the arrow leads into.', value=quoted_value(into))
                )
                self.lost.add("entry")
            elif point is not None:
                self.entries.append(Entry(into, point))
            else:
                self.lost.add("entry")
            return
        kind, between = drawn.word("access", ("door", "ladder")), drawn.said.get("between")
        if not (isinstance(between, list) and len(between) == 2 and is_text(between[0]) and is_text(between[1])):
            drawn.add_fault(Text('"between" must name the two spaces of the access. Write ["Y7", "Y8"].'))
        elif kind is not None and point is not None:
            self.accesses.append(Access(cast("AccessKind", kind), (between[0], between[1]), point))
            return
        self.lost.add("access")


def _only_part(geometry: dict[str, object]) -> tuple[object, object]:
    """Return the type and coordinates of a shape, or of its only part.

    QGIS saves layers as MultiPolygon and MultiPoint, even if each shape has one part.
    """
    shape, coordinates = geometry.get("type"), geometry.get("coordinates")
    if shape in ("MultiPolygon", "MultiPoint") and isinstance(coordinates, list) and len(coordinates) == 1:
        return str(shape).removeprefix("Multi"), coordinates[0]
    return shape, coordinates


def _roles(properties: object) -> set[str]:
    """Return the roles that a feature could have, because it cannot be read."""
    named_roles = {role for role in ("access", "entry") if isinstance(properties, dict) and role in properties}
    if isinstance(properties, dict) and properties:
        return named_roles or {"space"}
    return {"space", "access", "entry"}


def _feature_name(number: int, properties: object) -> Text:
    """Return a feature's number, and its id if it has one."""
    name = properties.get("id") if isinstance(properties, dict) else None
    if name:
        return Text("feature {feature}, {thing}", feature=number, thing=quoted_value(name))
    return Text("feature {feature}", feature=number)
