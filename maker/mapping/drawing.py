"""`python -m maker.mapping.drawing NAME`: draw the layout of a map as one planar coverage, `maps/NAME/map.geojson`.

A layout (`layouts/<name>.py`) says what stands where, in millimetres. All lines are noded together, turned into faces
and rounded once to tenths of a millimetre, so that neighbours share their corners exactly. Needs Shapely.
`sniperboard map check` checks the result, and `measure_map` shows how well it plays.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from shapely import MultiPoint, STRtree, transform, unary_union, voronoi_polygons
from shapely.geometry import LineString, MultiLineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize

from firmware_host.core import maps
from maker.made import format_geojson

Spot = tuple[float, float]
Line = list[Spot]

SECTORS = {"Y": "yellow", "R": "red", "K": "black", "W": "white"}
HAIR = 0.001
"""Millimetres: two lines this near are the same line."""
TENTHS = 10
"""The layout is drawn in millimetres, the file is written in tenths of them."""


# What a layout is made of


@dataclass(frozen=True)
class Place:
    """A space, by any point inside it. The first letter of its id is its sector, or `~` for water and `#` for a block.

    Ladders lead to a `raised` place. `area` is its room. `spot` is where the miniature stands, if not in the middle.
    A place with walls in `under` lies beneath a raised one, between those walls.
    """

    id: str
    at: Spot
    name: str = ""
    area: str = ""
    difficult: bool = False
    objective: int = 0
    start: str = ""
    raised: bool = False
    under: Sequence[Line] = ()
    spot: Spot | None = None

    @property
    def kind(self) -> str:
        """Return the kind of space in the map format."""
        barred = {"~": "water", "#": "obstruction"}.get(self.id[0])
        return barred or ("elevated" if self.raised else "enclosed" if self.area else "open")

    def properties(self) -> dict[str, Any]:
        """Return the properties of the space in the map format, without empty ones."""
        found: dict[str, Any] = {"id": self.id, "kind": self.kind, "sector": SECTORS.get(self.id[0])}
        found |= {"area": self.area, "under": bool(self.under), "difficult": self.difficult}
        found |= {"objective": self.objective, "start": self.start, "name": self.name}
        found |= {"spot": [round(value * TENTHS) for value in self.spot or ()]}
        return {key: value for key, value in found.items() if value}


@dataclass(frozen=True)
class Door:
    """A door in the wall between two places."""

    inside: str
    outside: str
    access = "door"


@dataclass(frozen=True)
class Ladder:
    """A ladder up to a raised place."""

    inside: str
    outside: str
    access = "ladder"


@dataclass(frozen=True)
class EntryArrow:
    """An arrow on the rim and the place that it leads to."""

    into: str
    at: Spot


@dataclass(frozen=True)
class Layout:
    """A whole map, in millimetres.

    `members` are those of the GeoJSON collection. `shapes` are solid: each has an outline, and walls and cuts inside
    it. `roads` are centre lines with their widths, divided by `road_cuts`. The ground between is divided among the
    places on it, each point to the nearest.
    """

    members: dict[str, Any]
    places: Sequence[Place]
    shapes: Mapping[str, tuple[Line, list[Line]]]
    accesses: Sequence[Door | Ladder]
    entries: Sequence[EntryArrow]
    roads: Sequence[tuple[Line, float]] = ()
    road_cuts: Sequence[Line] = ()


def draw_layout(name: str) -> str:
    """Return the GeoJSON of an included map. Raises `ModuleNotFoundError` if it has no layout."""
    module = importlib.import_module(f"maker.mapping.layouts.{name.replace('-', '_')}")
    return _Drawing(module.LAYOUT).text()


# Drawing


class _Drawing:
    """A layout while it is turned into faces."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        width, height = layout.members["size"]
        self.board = box(0, 0, width / TENTHS, height / TENTHS)
        self.solid = unary_union([Polygon(outline) for outline, _ in layout.shapes.values()])
        self.level = [place for place in layout.places if not place.under]

    def text(self) -> str:
        """Return the GeoJSON document, one feature per line."""
        faces = self.spaces()
        for place in self.layout.places:
            if place.under:
                faces[place.id] = space_below(place, faces)
        accesses = [access(it, faces) for it in self.layout.accesses]
        features = [feature(place, faces[place.id]) for place in self.layout.places]
        features += [*accesses, *(entry(it) for it in self.layout.entries)]
        return format_geojson(self.layout.members | {"features": features})

    def spaces(self) -> dict[str, Polygon]:
        """Return each level place's outline in tenths of a millimetre. Together they cover the board."""
        lines = [transform(line, lambda points: points * TENTHS) for line in (*self.shapes(), *self.ground())]
        sheet = transform(self.board, lambda points: points * TENTHS)
        faces = [face for face in polygonize(unary_union(lines, grid_size=1)) if sheet.contains(face)]
        return name_faces(faces, self.level)

    def shapes(self) -> Iterator[BaseGeometry]:
        """Yield the straight lines: every shape's outline, and the walls and cuts inside it."""
        yield self.board.exterior
        for outline, _ in self.layout.shapes.values():
            yield Polygon(outline).boundary
        roads = self.roads()
        yield roads.boundary
        yield MultiLineString(self.layout.road_cuts).intersection(roads)
        for outline, walls in self.layout.shapes.values():
            yield MultiLineString(walls).intersection(Polygon(outline))

    def ground(self) -> Iterator[BaseGeometry]:
        """Yield the borders on open ground: each point belongs to the nearest place on the same piece."""
        for piece in pieces(self.board.difference(unary_union([self.solid, self.roads()]))):
            yield from (it.boundary for it in divide_ground(piece, self.standing(piece)))

    def standing(self, piece: Polygon) -> list[Spot]:
        """Return the points of the places on a piece of ground."""
        return [it.at for it in self.level if piece.contains(Point(it.at))]

    def roads(self) -> BaseGeometry:
        """Return all roads as one area outside solid shapes. Pieces of ground without a place belong to the roads."""
        strips = [
            LineString(round_corners(line)).buffer(width / 2, cap_style="flat", join_style="mitre")
            for line, width in self.layout.roads
        ]
        roads = unary_union(strips).intersection(self.board).difference(self.solid)
        free = self.board.difference(unary_union([self.solid, roads]))
        scraps = [piece.buffer(HAIR) for piece in pieces(free) if not self.standing(piece)]
        return unary_union([roads, *scraps]).difference(self.solid)


def round_corners(line: Line) -> Line:
    """Return a polyline with its bends cut at a quarter and three quarters of each leg (Chaikin's algorithm)."""
    middle = []
    for (x0, y0), (x1, y1) in pairwise(line):
        middle += [(x0 * 3 / 4 + x1 / 4, y0 * 3 / 4 + y1 / 4), (x0 / 4 + x1 * 3 / 4, y0 / 4 + y1 * 3 / 4)]
    return [line[0], *middle[1:-1], line[-1]]


def pieces(geometry: BaseGeometry) -> list[Polygon]:
    """Return the polygons of a geometry, without points and lines that an intersection may leave."""
    return [it for it in getattr(geometry, "geoms", [geometry]) if isinstance(it, Polygon) and not it.is_empty]


def divide_ground(piece: Polygon, seeds: list[Spot]) -> list[Polygon]:
    """Divide a piece of ground among its seeds. A part without a seed joins the neighbour with the longest border."""
    if len(seeds) < 2:
        return [piece]
    cells = voronoi_polygons(MultiPoint(seeds), extend_to=piece)
    parts = [part for cell in cells.geoms for part in pieces(cell.intersection(piece))]
    kept = [part for part in parts if any(part.contains(Point(seed)) for seed in seeds)]
    for orphan in (part for part in parts if part not in kept):
        rim = orphan.buffer(HAIR)
        best = max(range(len(kept)), key=lambda i: kept[i].intersection(rim).area)
        kept[best] = kept[best].union(rim).intersection(piece)
    return kept


# Faces


def name_faces(faces: list[Polygon], places: Sequence[Place]) -> dict[str, Polygon]:
    """Return each face by the id of the one place in it. Raises `SystemExit` if a face has no place or several."""
    tree = STRtree(faces)
    standing: dict[int, list[Place]] = {face: [] for face in range(len(faces))}
    for place in places:
        for face in tree.query(Point(place.at[0] * TENTHS, place.at[1] * TENTHS), predicate="within"):
            standing[int(face)].append(place)
    wrong = [
        describe_face(faces[face], found)
        for face, found in standing.items()
        if len(found) != 1 or faces[face].interiors
    ]
    inside = {place.id for found in standing.values() for place in found}
    wrong += [
        f"{place.id} at {place.at} stands on a line or off the board" for place in places if place.id not in inside
    ]
    if wrong:
        raise SystemExit("\n".join(wrong))
    return {found[0].id: faces[face] for face, found in standing.items()}


def describe_face(face: Polygon, found: list[Place]) -> str:
    """Describe what is wrong with a face that has no place, several places or a hole, and where it is."""
    at = face.representative_point()
    who = "no place stands" if not found else " and ".join(it.id for it in found) + " stand"
    hole = ", around a hole," if face.interiors else ""
    return f"{who} in the face of {face.area / TENTHS**2:.0f} mm²{hole} at ({at.x / TENTHS:.0f}, {at.y / TENTHS:.0f})"


def space_below(place: Place, faces: dict[str, Polygon]) -> Polygon:
    """Return the outline of a place under a raised one: the part of its face between the walls."""
    at = Point(place.at[0] * TENTHS, place.at[1] * TENTHS)
    above = next((name for name, face in faces.items() if face.contains(at)), None)
    if above is None:
        raise SystemExit(f"{place.id} lies under nothing")
    walls = []
    for wall in place.under:
        across = transform(LineString(wall), lambda points: points * TENTHS).intersection(faces[above])
        walls.append(LineString([snap_to_corner(end, above, faces) for end in across.coords]))
    return next(part for part in polygonize(unary_union([faces[above].exterior, *walls])) if part.contains(at))


def snap_to_corner(end: Spot, name: str, faces: dict[str, Polygon]) -> Spot:
    """Return a point of a face's outline as one of its corners. A new corner is added to every face there."""
    legs = list(pairwise(faces[name].exterior.coords))
    a, b = min(legs, key=lambda leg: LineString(leg).distance(Point(end)))
    near: Spot = min((a, b), key=lambda corner: Point(corner).distance(Point(end)))
    if Point(near).distance(Point(end)) < TENTHS:
        return near
    corner = (float(round(end[0])), float(round(end[1])))
    split_leg(faces, {a, b}, corner)
    return corner


def split_leg(faces: dict[str, Polygon], leg: set[Spot], corner: Spot) -> None:
    """Add a corner to a leg, in the outline of every face that has it."""
    for name, face in faces.items():
        ring = list(face.exterior.coords)
        at = next((i for i, ends in enumerate(pairwise(ring)) if set(ends) == leg), None)
        if at is not None:
            faces[name] = Polygon([*ring[: at + 1], corner, *ring[at + 1 :]])


def longest_leg(shared: BaseGeometry, what: str) -> tuple[Spot, Spot]:
    """Return the longest leg of a shared boundary."""
    lines = [it for it in getattr(shared, "geoms", [shared]) if isinstance(it, LineString)]
    legs: list[tuple[Spot, Spot]] = [leg for line in lines for leg in pairwise(line.coords)]
    if not legs:
        raise SystemExit(f"{what}: the two places share no edge")
    return max(legs, key=lambda leg: LineString(leg).length)


# Features


def feature(place: Place, outline: Polygon) -> dict[str, Any]:
    """Return a place in the map format."""
    ring = [[round(x), round(y)] for x, y in outline.exterior.coords]
    return {"type": "Feature", "properties": place.properties(), "geometry": {"type": "Polygon", "coordinates": [ring]}}


def access(it: Door | Ladder, faces: dict[str, Polygon]) -> dict[str, Any]:
    """Return a door or ladder in the middle of the longest straight part of the edge, and add a corner there."""
    what = f"{it.access} {it.inside}-{it.outside}"
    a, b = longest_leg(faces[it.inside].intersection(faces[it.outside]), what)
    middle = (float(round((a[0] + b[0]) / 2)), float(round((a[1] + b[1]) / 2)))
    split_leg(faces, {a, b}, middle)
    return point({"access": it.access, "between": [it.inside, it.outside]}, *middle)


def entry(it: EntryArrow) -> dict[str, Any]:
    """Return an entry arrow in the map format."""
    return point({"entry": it.into}, it.at[0] * TENTHS, it.at[1] * TENTHS)


def point(properties: dict[str, Any], x: float, y: float) -> dict[str, Any]:
    """Return a point feature."""
    where = {"type": "Point", "coordinates": [round(x), round(y)]}
    return {"type": "Feature", "properties": properties, "geometry": where}


if __name__ == "__main__":
    for name in sys.argv[1:]:
        (maps.FOLDER / name / maps.DRAWING).write_text(draw_layout(name), "utf-8")
