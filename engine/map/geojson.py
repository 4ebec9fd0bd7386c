"""Reads a decoded GeoJSON document into a drawing: spaces, accesses and entries, as somebody drew them.

Form only: members, types, whole numbers on the board, words that are known. Whether the drawing makes a map that can
be played on is `check.py`; what follows from it (neighbours, sight) is `derive.py` and `sight.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite
from typing import Literal, TypeGuard, cast, get_args

from msgspec import Struct

from engine.map.fault import MapError, at, guess, listed
from engine.map.model import Kind, Marks, Point

FORMAT = "board-map/1"
NEUTRAL = "white"
KINDS: tuple[str, ...] = get_args(Kind)
MAX_SIDE = 100_000
"""Ten metres: a board beyond that is a slip of units, and keeps all products of coordinates small."""
MAX_SECTORS = 12
MAX_FEATURES = 2_000
MAX_CORNERS = 6_000
MEMBERS = ("format", "slug", "name", "code", "size", "sectors", "suits", "licence", "author", "marks")
PROPERTIES = ("id", "kind", "sector", "area", "under", "difficult", "objective", "start", "spot", "name")

Start = Literal["officer", "soldier"]
AccessKind = Literal["door", "ladder"]


class DrawnSpace(Struct, frozen=True):
    """A space as drawn; `outline` without the closing point, `spot` None where the drawing leaves it to us."""

    id: str
    kind: Kind
    outline: tuple[Point, ...]
    sector: str | None = None
    area: str | None = None
    under: bool = False
    difficult: bool = False
    objective: int | None = None
    start: Start | None = None
    spot: Point | None = None
    name: str | None = None


class DrawnAccess(Struct, frozen=True):
    """A door or ladder as drawn; the two spaces need not exist yet."""

    kind: AccessKind
    between: tuple[str, str]
    at: Point


class DrawnEntry(Struct, frozen=True):
    """An entry arrow as drawn."""

    space: str
    at: Point


class Drawing(Struct, frozen=True):
    """Everything readable in a document, and every fault of form met on the way; in the file's order."""

    slug: str
    name: str
    code: str
    size: Point
    sectors: tuple[str, ...]
    suits: dict[str, str]
    spaces: tuple[DrawnSpace, ...]
    accesses: tuple[DrawnAccess, ...]
    entries: tuple[DrawnEntry, ...]
    licence: str = ""
    author: str = ""
    marks: Marks = {}
    whole: bool = True
    """Whether every feature could be read; if not, what seems to be missing may be there."""
    faults: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def read(document: object, where: str = "") -> Drawing:
    """The drawing in a decoded GeoJSON `FeatureCollection`.

    Faults of form are collected in the drawing. Raises `MapError` only for what cannot be read at all: no
    collection, no board size, or more features and corners than any board has.
    """
    if not isinstance(document, dict) or document.get("type") != "FeatureCollection":
        raise MapError(where, ["this is no GeoJSON FeatureCollection. Save the map as one FeatureCollection."])
    reader = _Reader(cast("dict[str, object]", document))
    features = document.get("features")
    if not isinstance(features, list):
        raise MapError(where, ['the collection has no list "features". Add one with the spaces of the map.'])
    if len(features) > MAX_FEATURES:
        raise MapError(where, [f"{len(features)} features are more than a board can have. Keep to {MAX_FEATURES}."])
    if reader.size is None:
        raise MapError(where, reader.faults)
    if _corner_count(features) > MAX_CORNERS:
        raise MapError(where, [f"the outlines have more than {MAX_CORNERS} corners. Simplify them."])
    for number, feature in enumerate(features, start=1):
        reader.feature(number, feature)
    return reader.drawing()


def _corner_count(features: list[object]) -> int:
    return sum(len(ring) for feature in features for ring in _rings(feature) if isinstance(ring, list))


def _rings(feature: object) -> list[object]:
    geometry = feature.get("geometry") if isinstance(feature, dict) else None
    coordinates = geometry.get("coordinates") if isinstance(geometry, dict) else None
    return coordinates if isinstance(coordinates, list) else []


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def _whole(value: object) -> int | None:
    """The value as a whole number; tools write 120.0 for 120, and that is one too."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not (isfinite(value) and value.is_integer()):
        return None
    return int(value)


def _short(value: object) -> str:
    """A value as a sentence quotes it, however long or odd it is."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = str(value) if isinstance(value, int | float | bool | str) or value is None else type(value).__name__
    return text if len(text) <= 40 else text[:37] + "…"


class _Reader:
    """Collects the parts of one document and the faults met on the way."""

    def __init__(self, document: dict[str, object]) -> None:
        self.document = document
        self.faults: list[str] = []
        self.warnings: list[str] = []
        self.features = 0
        self.spaces: list[DrawnSpace] = []
        self.accesses: list[DrawnAccess] = []
        self.entries: list[DrawnEntry] = []
        if document.get("format") != FORMAT:
            self.faults.append(f'"format" is {_short(document.get("format"))}, not "{FORMAT}". Write "{FORMAT}".')
        self.size = self._size()
        self.sectors = self._sectors()

    def drawing(self) -> Drawing:
        assert self.size is not None
        return Drawing(
            slug=self._text("slug", re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")),
            name=self._text("name"),
            code=self._text("code"),
            size=self.size,
            sectors=self.sectors,
            suits=self._suits(),
            spaces=tuple(self.spaces),
            accesses=tuple(self.accesses),
            entries=tuple(self.entries),
            licence=self._optional_text("licence"),
            author=self._optional_text("author"),
            marks=self._marks(),
            whole=len(self.spaces) + len(self.accesses) + len(self.entries) == self.features,
            faults=tuple(self.faults),
            warnings=tuple(self.warnings),
        )

    # The collection's own members

    def _text(self, member: str, form: re.Pattern[str] | None = None) -> str:
        value = self.document.get(member)
        if _is_text(value) and (form is None or form.fullmatch(value)):
            return value
        self.faults.append(f'"{member}" is {_short(value)}. Give the map a {member}, a short text.')
        return ""

    def _optional_text(self, member: str) -> str:
        value = self.document.get(member)
        if value is None or isinstance(value, str):
            return value or ""
        self.faults.append(f'"{member}" is {_short(value)}. Write a text or leave it out.')
        return ""

    def _size(self) -> Point | None:
        value = self.document.get("size")
        sides = [_whole(side) for side in value] if isinstance(value, list) and len(value) == 2 else []
        if len(sides) == 2 and sides[0] and sides[1] and all(0 < side <= MAX_SIDE for side in sides if side):
            return (sides[0], sides[1])
        self.faults.append(
            f'"size" must be [width, height] in whole tenths of a millimetre, each from 1 to {MAX_SIDE}. Correct it.'
        )
        return None

    def _sectors(self) -> tuple[str, ...]:
        value = self.document.get("sectors")
        names = [name for name in value if _is_text(name)] if isinstance(value, list) else []
        if not isinstance(value, list) or not 0 < len(value) == len(names) <= MAX_SECTORS:
            self.faults.append('"sectors" must list the names of the sectors in play. Write ["yellow", …, "white"].')
        doubled = sorted({name for name in names[:MAX_SECTORS] if names.count(name) > 1})
        if doubled:
            self.faults.append(f'"sectors" names {listed(doubled)} more than once. Name each sector once.')
        return tuple(dict.fromkeys(names[:MAX_SECTORS]))

    def _suits(self) -> dict[str, str]:
        value = self.document.get("suits")
        if not isinstance(value, dict):
            self.faults.append('"suits" must give each sector its card suit. Write {"yellow": "diamonds", …}.')
            return {}
        for sector, suit in value.items():
            if sector not in self.sectors:
                self.faults.append(f'"suits" names the unknown sector {_short(sector)}. Remove it or add the sector.')
            elif not _is_text(suit):
                self.faults.append(f'"suits" gives {sector} no suit but {_short(suit)}. Write its card suit.')
        for sector in self.sectors:
            if sector not in value:
                self.warnings.append(f'"suits" has no card suit for {sector}. Add one.')
        return {sector: suit for sector, suit in value.items() if sector in self.sectors and _is_text(suit)}

    def _marks(self) -> Marks:
        value = self.document.get("marks")
        if value is None:
            return {}
        known = {space.id for space in self.spaces}
        marks: Marks = {}
        for names, ids in _leaves(value):
            if len(names) != 3 or not isinstance(ids, list) or not all(_is_text(one) for one in ids):
                self.faults.append('"marks" must be set -> sector -> colour -> list of space ids. Correct its form.')
                return {}
            unknown = [one for one in ids if one not in known]
            if unknown:
                self.faults.append(
                    f'"marks" for {" / ".join(names)} names unknown spaces {listed(unknown)}. Mend them.'
                )
            marks.setdefault(names[0], {}).setdefault(names[1], {})[names[2]] = tuple(ids)
        return marks

    # Features

    def feature(self, number: int, feature: object) -> None:
        self.features = number
        properties = feature.get("properties") if isinstance(feature, dict) else None
        geometry = feature.get("geometry") if isinstance(feature, dict) else None
        if not isinstance(properties, dict) or not isinstance(geometry, dict):
            self.faults.append(f"feature {number} lacks its properties or its geometry. Give it both, or remove it.")
            return
        said = {key: value for key, value in properties.items() if value is not None}
        if geometry.get("type") == "Polygon":
            self._space(_Feature(self, number, said, geometry.get("coordinates")))
        elif geometry.get("type") == "Point" and ("access" in said or "entry" in said):
            self._point(_Feature(self, number, said, geometry.get("coordinates")))
        else:
            self.faults.append(
                f"feature {number} is {_short(geometry.get('type'))} and neither space, access nor entry. "
                'Draw a Polygon for a space, a Point with "access" or "entry" for those, or remove it.'
            )

    def _space(self, drawn: _Feature) -> None:
        for word in drawn.said:
            if word not in PROPERTIES:
                self.warnings.append(f"{drawn}: the property {_short(word)} means nothing.{guess(word, PROPERTIES)}")
        outline = drawn.ring()
        name, kind = drawn.id(), drawn.word("kind", KINDS)
        if outline is None or name is None or kind is None:
            return
        enterable = kind in ("open", "enclosed", "elevated")
        self.spaces.append(
            DrawnSpace(
                id=name,
                kind=cast("Kind", kind),
                outline=outline,
                sector=drawn.sector(kind) if enterable else drawn.without("sector", kind),
                area=drawn.area() if kind == "enclosed" else drawn.without("area", kind),
                under=drawn.flag("under"),
                difficult=drawn.flag("difficult"),
                objective=drawn.objective(),
                start=cast(
                    "Start | None", drawn.word("start", ("officer", "soldier")) if "start" in drawn.said else None
                ),
                spot=drawn.point(drawn.said["spot"], "its spot") if "spot" in drawn.said else None,
                name=drawn.text("name"),
            )
        )

    def _point(self, drawn: _Feature) -> None:
        point = drawn.point(drawn.coordinates, "its point")
        if "entry" in drawn.said:
            into = drawn.said["entry"]
            if not _is_text(into):
                drawn.fault(f'"entry" is {_short(into)}. Name the space that the arrow leads into.')
            elif point is not None:
                self.entries.append(DrawnEntry(into, point))
            return
        kind, between = drawn.word("access", ("door", "ladder")), drawn.said.get("between")
        if not (isinstance(between, list) and len(between) == 2 and _is_text(between[0]) and _is_text(between[1])):
            drawn.fault('"between" must name the two spaces of the access. Write ["Y7", "Y8"].')
        elif kind is not None and point is not None:
            self.accesses.append(DrawnAccess(cast("AccessKind", kind), (between[0], between[1]), point))


class _Feature:
    """One feature being read; knows what to call itself in a fault."""

    def __init__(self, reader: _Reader, number: int, said: dict[str, object], coordinates: object) -> None:
        self.reader = reader
        self.number = number
        self.said = said
        self.coordinates = coordinates

    def fault(self, sentence: str) -> None:
        self.reader.faults.append(f"{self}: {sentence}")

    def __str__(self) -> str:
        name = self.said.get("id") or self.said.get("entry") or self.said.get("between")
        if isinstance(name, list):
            name = "-".join(_short(part) for part in name[:2])
        role = next((role for role in ("access", "entry") if role in self.said), "space")
        label = _short(self.said["access"]) if role == "access" else role
        first = next(self._positions(), None)
        place = f" at {at((_short(first[0]), _short(first[1])))}" if first else ""
        return f"feature {self.number}, {label} {_short(name) if name else 'without id'}{place}"

    def _positions(self) -> Iterator[list[object]]:
        here = self.coordinates
        for _ in range(3):
            if isinstance(here, list) and len(here) >= 2 and not isinstance(here[0], list | dict):
                yield here
                return
            here = here[0] if isinstance(here, list) and here else None

    def id(self) -> str | None:
        value = self.said.get("id")
        if _is_text(value) and len(value) <= 24 and not re.search(r"\s", value):
            return value
        self.fault(f'"id" is {_short(value)}. Give the space a short id without blanks, such as Y7.')
        return None

    def word(self, name: str, known: tuple[str, ...]) -> str | None:
        value = self.said.get(name)
        if isinstance(value, str) and value in known:
            return value
        hint = guess(value, known) if isinstance(value, str) else ""
        self.fault(f'"{name}" is {_short(value)}, which is unknown. Use {listed(known)}.{hint}')
        return None

    def text(self, name: str) -> str | None:
        value = self.said.get(name)
        if value is None or _is_text(value):
            return value
        self.fault(f'"{name}" is {_short(value)}. Write a text or leave it out.')
        return None

    def flag(self, name: str) -> bool:
        value = self.said.get(name, False)
        if isinstance(value, bool):
            return value
        self.fault(f'"{name}" is {_short(value)}. Write true or false.')
        return False

    def objective(self) -> int | None:
        if "objective" not in self.said:
            return None
        number = _whole(self.said["objective"])
        if number is not None and 1 <= number <= 9:
            return number
        self.fault(f'"objective" is {_short(self.said["objective"])}. Write a number from 1 to 9.')
        return None

    def sector(self, kind: str) -> str | None:
        value = self.said.get("sector")
        if isinstance(value, str) and value in self.reader.sectors:
            return value
        hint = guess(value, self.reader.sectors) if isinstance(value, str) else ""
        self.fault(f'"sector" is {_short(value)}. Give an {kind} space one of {listed(self.reader.sectors)}.{hint}')
        return None

    def area(self) -> str | None:
        value = self.said.get("area")
        if _is_text(value):
            return value
        self.fault(f'"area" is {_short(value)}. Name the building or room that this enclosed space belongs to.')
        return None

    def without(self, name: str, kind: str) -> str | None:
        """None, with a warning where the drawing says something that this kind of space has not."""
        if name in self.said:
            self.reader.warnings.append(
                f'{self}: "{name}" means nothing for the kind {kind} and is left out. Remove it.'
            )
        return None

    def ring(self) -> tuple[Point, ...] | None:
        rings = self.coordinates
        if not isinstance(rings, list) or len(rings) != 1 or not isinstance(rings[0], list):
            self.fault("its polygon must have exactly one ring. Draw the outline without holes.")
            return None
        points = [self.point(position, "a corner") for position in rings[0]]
        whole = [point for point in points if point is not None]
        if len(whole) != len(points):
            return None
        if len(whole) < 4 or whole[0] != whole[-1]:
            self.fault("its ring has fewer than 3 corners or is not closed. Repeat the first corner at the end.")
            return None
        return tuple(whole[:-1])

    def point(self, position: object, what: str) -> Point | None:
        if not isinstance(position, list) or len(position) != 2:
            self.fault(f"{what} is {_short(position)}, not a pair of numbers. Write [x, y].")
            return None
        x, y = _whole(position[0]), _whole(position[1])
        place = at((_short(position[0]), _short(position[1])))
        if x is None or y is None:
            self.fault(f"{what} {place} is not in whole tenths of a millimetre. Snap it to integers.")
            return None
        width, height = self.reader.size or (0, 0)
        if not (0 <= x <= width and 0 <= y <= height):
            self.fault(f"{what} {place} lies off the board of {width} x {height}. Move it onto the board.")
            return None
        return (x, y)


def _leaves(value: object) -> Iterator[tuple[tuple[str, ...], object]]:
    """The lists three names deep, with the names on the way; anything else comes with fewer names."""
    if not isinstance(value, dict):
        yield (), value
        return
    for first, inner in value.items():
        for second, innermost in inner.items() if isinstance(inner, dict) else [("", None)]:
            for third, ids in innermost.items() if isinstance(innermost, dict) else [("", None)]:
                yield (str(first), str(second), str(third)), ids
