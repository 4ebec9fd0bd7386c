"""Small drawings for tests: an editable drawing, a valid small board, and rows of spaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.graph.coverage import coverage_faults, ring_faults
from engine.graph.derive import derive
from engine.graph.geojson import read_drawing
from engine.graph.model import Map
from maker.mapping.drawings import survey
from maker.mapping.sight import with_sights

Corner = tuple[int, int]
Feature = dict[str, Any]
SIDE = 400


def box(left: int, top: int, right: int, bottom: int) -> list[Corner]:
    """Return the ring of a rectangle."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


class Sheet:
    """A GeoJSON map under construction. Features can be changed by ID before `document()` is called."""

    def __init__(self, size: Corner, sectors: Sequence[str] = ("white",)) -> None:
        suits = dict(zip(("yellow", "red", "black", "white"), ("diamonds", "hearts", "spades", "clubs"), strict=True))
        self.members: dict[str, Any] = {
            "type": "FeatureCollection",
            "format": "board-map/1",
            "slug": "little",
            "name": "Little",
            "code": "LT",
            "size": list(size),
            "sectors": list(sectors),
            "suits": {sector: suits[sector] for sector in sectors if sector in suits},
        }
        self.features: list[Feature] = []

    def space(self, name: str, ring: Sequence[Corner], kind: str = "open", /, **said: Any) -> Feature:
        """Add a space. By default its sector is white, and its area is "house" if it is enclosed."""
        properties: dict[str, Any] = {"id": name, "kind": kind}
        if kind in ("open", "enclosed", "elevated"):
            properties["sector"] = "white"
        if kind == "enclosed":
            properties["area"] = "house"
        corners = [list(corner) for corner in [*ring, ring[0]]]
        return self._add("Polygon", [corners], properties | said)

    def access(self, kind: str, one: str, other: str, at: Corner) -> Feature:
        """Add a door or ladder."""
        return self._add("Point", list(at), {"access": kind, "between": [one, other]})

    def entry(self, name: str, at: Corner) -> Feature:
        """Add an entry arrow."""
        return self._add("Point", list(at), {"entry": name})

    def _add(self, form: str, coordinates: list[Any], properties: dict[str, Any]) -> Feature:
        feature = {"type": "Feature", "geometry": {"type": form, "coordinates": coordinates}, "properties": properties}
        self.features.append(feature)
        return feature

    def said(self, name: str) -> dict[str, Any]:
        """Return the properties of a space, for changing them."""
        found: dict[str, Any] = self._find(name)["properties"]
        return found

    def ring(self, name: str) -> list[list[Any]]:
        """Return the closed ring of a space, for changing it."""
        found: list[list[Any]] = self._find(name)["geometry"]["coordinates"][0]
        return found

    def reshape(self, name: str, ring: Sequence[Corner]) -> None:
        """Replace the outline of a space."""
        self.ring(name)[:] = [list(corner) for corner in [*ring, ring[0]]]

    def drop(self, name: str) -> None:
        """Remove a space."""
        self.features.remove(self._find(name))

    def drop_entry(self, name: str) -> None:
        """Remove the entry into a space."""
        self.features = [feature for feature in self.features if feature["properties"].get("entry") != name]

    def drop_access(self, name: str) -> None:
        """Remove the doors and ladders of a space."""
        self.features = [feature for feature in self.features if name not in feature["properties"].get("between", ())]

    def _find(self, name: str) -> Feature:
        return next(feature for feature in self.features if feature["properties"].get("id") == name)

    def document(self) -> dict[str, Any]:
        """Return the map as decoded GeoJSON."""
        return {**self.members, "features": self.features}


def board() -> Sheet:
    """Return a small board without faults: 6 x 4 squares of 40 mm, columns a to f, rows 1 to 4.

    Yellow has columns a and b, red c and d, black e and f, and white the last row of d to f. d1 and d2 are a hut with
    one door.
    """
    sheet = Sheet((6 * SIDE, 4 * SIDE), ("yellow", "red", "black", "white"))
    sectors = {"a": "yellow", "b": "yellow", "c": "red", "d": "red", "e": "black", "f": "black"}
    for i, column in enumerate("abcdef"):
        for j in range(4):
            sector = "white" if column in "cdef" and j == 3 else sectors[column]
            ring = box(i * SIDE, j * SIDE, (i + 1) * SIDE, (j + 1) * SIDE)
            sheet.space(f"{column}{j + 1}", ring, sector=sector)
    for number, name in enumerate(("a2", "a3", "b4", "c1", "c2", "d3", "e1", "f3", "e4"), start=1):
        sheet.said(name)["objective"] = number
    for role, names in (("officer", ("b2", "d1", "f1")), ("soldier", ("a4", "b3", "c3", "d2", "e2", "e3"))):
        for name in names:
            sheet.said(name)["start"] = role
    for name in ("d1", "d2"):
        sheet.said(name).update(kind="enclosed", area="hut")
    for name, at in (("a1", (0, 200)), ("c4", (1000, 1600)), ("f2", (2400, 600)), ("f4", (2400, 1400))):
        sheet.entry(name, at)
    sheet.said("c4")["sector"] = "red"
    sheet.access("door", "c1", "d1", (1200, 200))
    return sheet


def surveyed(sheet: Sheet) -> Map:
    """Return the map of a playable sheet without sights. The room for bases is not checked."""
    return survey(sheet.document(), "little.geojson", "loose").map


def drawn(sheet: Sheet) -> Map:
    """Return the map, without sights, of a sheet whose spaces tile the ground. It may be unplayable."""
    drawing = read_drawing(sheet.document())
    faults = [*drawing.faults, *(fault for space in drawing.spaces for fault in ring_faults(space))]
    assert not [*faults, *coverage_faults(drawing.spaces)]
    return derive(drawing)


def looked(sheet: Sheet) -> Map:
    """Return the same map with sights."""
    return with_sights(drawn(sheet))


def row(*kinds: str, area: str = "house") -> Sheet:
    """Return squares of 10 mm in a row, named a, b, c …, of the given kinds.

    Each line from end to end crosses all of them.
    """
    sheet = Sheet((100 * len(kinds), 100))
    for number, kind in enumerate(kinds):
        said = {"area": area} if kind == "enclosed" else {}
        sheet.space("abcdefghij"[number], box(100 * number, 0, 100 * number + 100, 100), kind, **said)
    return sheet
