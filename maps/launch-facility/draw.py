"""Draws the Launch Facility: `layout.py` in, `map.geojson` out.

This file knows how a drawing becomes one planar coverage; what stands where is `layout.py`. All lines are noded
together, turned into faces and rounded to tenths of a millimetre once, so that neighbours share their corners exactly.

Run it with the environment that has Shapely: `.venv/bin/python maps/launch-facility/draw.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import layout
from layout import Door, Entry, Place, Spot
from shapely import MultiPoint, STRtree, transform, unary_union, voronoi_polygons
from shapely.geometry import LineString, MultiLineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize

HERE = Path(__file__).parent
HAIR = 0.001
"""Millimetres: two lines this near are the same line."""
TENTHS = 10
"""The layout is drawn in millimetres, the file is written in tenths of them."""


def main() -> None:
    """Write the map beside this file."""
    faces = spaces()
    doors = [door(it, faces) for it in layout.DOORS]
    features = [feature(place, faces[place.id]) for place in layout.PLACES]
    features += doors
    features += [entry(it) for it in layout.ENTRIES]
    text = json.dumps(layout.MEMBERS | {"features": ["@"]}, ensure_ascii=False, indent=1)
    lines = ",\n".join("  " + json.dumps(it, ensure_ascii=False) for it in features)
    (HERE / "map.geojson").write_text(text.replace('  "@"', lines) + "\n", encoding="utf-8")


def spaces() -> dict[str, Polygon]:
    """Each place's outline in tenths of a millimetre; together they cover the board."""
    lines = [transform(line, lambda points: points * TENTHS) for line in (*shapes(), *ground())]
    return named(list(polygonize(unary_union(lines, grid_size=1))))


def shapes() -> Iterator[BaseGeometry]:
    """The straight lines of the skeleton: every shape's outline and the walls and cuts inside it."""
    yield board().exterior
    for shape in solid():
        yield shape.boundary
    roads = road_net()
    yield roads.boundary
    yield MultiLineString(layout.ROAD_CUTS).intersection(roads)
    for outline, walls in layout.SHAPES.values():
        yield MultiLineString(walls).intersection(Polygon(outline))


def ground() -> Iterator[BaseGeometry]:
    """The lines between the fields of open ground: each point of it belongs to the nearest place on the same piece."""
    free = board().difference(unary_union([*solid(), road_net()]))
    for piece in pieces(free):
        yield from (it.boundary for it in fields(piece, standing(piece)))


def standing(piece: Polygon) -> list[Spot]:
    """The points of the places on a piece of ground."""
    return [it.at for it in layout.PLACES if piece.contains(Point(it.at))]


def fields(piece: Polygon, seeds: list[Spot]) -> list[Polygon]:
    """Divide a piece of ground among its seeds; a corner cut off from its seed goes to who touches it most."""
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


def pieces(geometry: BaseGeometry) -> list[Polygon]:
    """The polygons of a geometry, without the points and lines that an intersection may leave."""
    return [it for it in getattr(geometry, "geoms", [geometry]) if isinstance(it, Polygon) and not it.is_empty]


def named(faces: list[Polygon]) -> dict[str, Polygon]:
    """Faces by the id of the one place that stands in each."""
    tree = STRtree(faces)
    places: dict[int, list[Place]] = {face: [] for face in range(len(faces))}
    for place in layout.PLACES:
        for face in tree.query(Point(place.at[0] * TENTHS, place.at[1] * TENTHS), predicate="within"):
            places[int(face)].append(place)
    wrong = [said(faces[face], found) for face, found in places.items() if len(found) != 1]
    if wrong:
        raise SystemExit("\n".join(wrong))
    return {found[0].id: faces[face] for face, found in places.items()}


def said(face: Polygon, found: list[Place]) -> str:
    """What is wrong with a face that is not one place's, and where."""
    at = face.representative_point()
    who = "no place stands" if not found else " and ".join(it.id for it in found) + " stand"
    return f"{who} in the face of {face.area / TENTHS**2:.0f} mm² at ({at.x / TENTHS:.0f}, {at.y / TENTHS:.0f})"


def board() -> Polygon:
    """The whole sheet, in millimetres."""
    width, height = layout.MEMBERS["size"]
    return box(0, 0, width / TENTHS, height / TENTHS)


def solid() -> list[Polygon]:
    """Everything that the ground ends at, but for the roads."""
    return [Polygon(outline) for outline, _ in layout.SHAPES.values()]


def road_net() -> BaseGeometry:
    """All roads as one area, kept off everything solid; scraps of ground where nothing stands are theirs."""
    strips = [
        LineString(rounded_off(line)).buffer(width / 2, cap_style="flat", join_style="mitre")
        for line, width in layout.ROADS
    ]
    roads = unary_union(strips).intersection(board()).difference(unary_union(solid()))
    free = board().difference(unary_union([*solid(), roads]))
    scraps = [piece.buffer(HAIR) for piece in pieces(free) if not standing(piece)]
    return unary_union([roads, *scraps]).difference(unary_union(solid()))


def rounded_off(line: list[Spot]) -> list[Spot]:
    """A polyline with its bends cut at a quarter and three quarters of each leg (Chaikin), so that roads flow."""
    middle = []
    for (x0, y0), (x1, y1) in pairwise(line):
        middle += [(x0 * 3 / 4 + x1 / 4, y0 * 3 / 4 + y1 / 4), (x0 / 4 + x1 * 3 / 4, y0 / 4 + y1 * 3 / 4)]
    return [line[0], *middle[1:-1], line[-1]]


def feature(place: Place, outline: Polygon) -> dict[str, Any]:
    """A place as the map format writes it."""
    ring = [[round(x), round(y)] for x, y in outline.exterior.coords]
    return {"type": "Feature", "properties": place.properties(), "geometry": {"type": "Polygon", "coordinates": [ring]}}


def door(it: Door, faces: dict[str, Polygon]) -> dict[str, Any]:
    """A door in the middle of the longest straight stretch of wall; it becomes a corner of the two places."""
    a, b = longest(faces[it.inside].intersection(faces[it.outside]), f"door {it.inside}-{it.outside}")
    middle = (float(round((a[0] + b[0]) / 2)), float(round((a[1] + b[1]) / 2)))
    for place in (it.inside, it.outside):
        faces[place] = Polygon(with_corner(list(faces[place].exterior.coords), {a, b}, middle))
    return point({"access": "door", "between": [it.inside, it.outside]}, *middle)


def longest(shared: BaseGeometry, what: str) -> tuple[Spot, Spot]:
    """The longest leg of a shared boundary."""
    lines = [it for it in getattr(shared, "geoms", [shared]) if isinstance(it, LineString)]
    legs = [leg for line in lines for leg in pairwise(line.coords)]
    if not legs:
        raise SystemExit(f"{what}: the two places share no wall")
    return max(legs, key=lambda leg: LineString(leg).length)


def with_corner(ring: list[Spot], leg: set[Spot], corner: Spot) -> list[Spot]:
    """A ring with one more corner in the leg between two of its corners."""
    at = next(i for i, ends in enumerate(pairwise(ring)) if set(ends) == leg)
    return [*ring[: at + 1], corner, *ring[at + 1 :]]


def entry(it: Entry) -> dict[str, Any]:
    """An arrow on the rim."""
    return point({"entry": it.into}, it.at[0] * TENTHS, it.at[1] * TENTHS)


def point(properties: dict[str, Any], x: float, y: float) -> dict[str, Any]:
    """A point feature."""
    where = {"type": "Point", "coordinates": [round(x), round(y)]}
    return {"type": "Feature", "properties": properties, "geometry": where}


if __name__ == "__main__":
    main()
