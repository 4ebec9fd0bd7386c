"""Random small maps: a jittered lattice of quadrangles, some joined into concave spaces, with walkways over tunnels.

Coordinates are small, so no gap between corners is narrower than a few thousandths of a unit. On such maps, a line that
survives any nudge also survives a nudge of a thousandth.
"""

from __future__ import annotations

from random import Random

from engine.graph.coverage import coverage_faults, ring_faults
from engine.graph.derive import derive
from engine.graph.drawing import Drawing, DrawnSpace
from engine.graph.model import ENTERABLE, Access, Kind, Map, Point
from engine.graph.plane import edges, oriented

STEP = 20
KINDS: tuple[Kind, ...] = (
    "open",
    "open",
    "open",
    "enclosed",
    "enclosed",
    "elevated",
    "elevated",
    "water",
    "obstruction",
)


def random_map(seed: int, columns: int = 4, rows: int = 3) -> Map:
    """Return a map without geometry faults. It may be unplayable."""
    chance = Random(seed)
    corners = _lattice(chance, columns, rows)
    groups = _groups(chance, columns, rows)
    kinds = chance.choices(KINDS, k=len(groups))
    if chance.random() < 0.3:
        kinds = [kind if kind != "obstruction" else "elevated" for kind in kinds]
    spaces = []
    for number, (group, kind) in enumerate(zip(groups, kinds, strict=True)):
        ring = _outline([_quad(corners, cell) for cell in group])
        spaces.append(_space(f"s{number}", kind, ring, chance))
    spaces += _tunnels(chance, spaces)
    drawing = Drawing(
        slug="random",
        name="Random",
        code="RN",
        size=((columns + 1) * STEP, (rows + 1) * STEP),
        sectors=("white",),
        spaces=tuple(spaces),
        accesses=(),
        entries=(),
    )
    assert not [fault for space in spaces for fault in ring_faults(space)]
    assert not coverage_faults(spaces)
    derived = derive(drawing)
    ladders = [
        Access("ladder", (one, other), (0, 0))
        for one, others in derived.adjacent.items()
        for other in others
        if one < other and _kinds(derived, one, other) == {"elevated", "enclosed"} and chance.random() < 0.5
    ]
    return derive(Drawing(**{**_fields(drawing), "accesses": tuple(ladders)}))


def _fields(drawing: Drawing) -> dict[str, object]:
    return {name: getattr(drawing, name) for name in drawing.__struct_fields__}


def _kinds(found: Map, one: str, other: str) -> set[str]:
    return {found.spaces[one].kind, found.spaces[other].kind}


def _space(name: str, kind: Kind, ring: list[Point], chance: Random, under: bool = False) -> DrawnSpace:
    return DrawnSpace(
        id=name,
        kind=kind,
        outline=tuple(ring),
        sector="white" if kind in ENTERABLE else None,
        area=chance.choice("HJ") if kind == "enclosed" else None,
        under=under,
    )


def _lattice(chance: Random, columns: int, rows: int) -> dict[tuple[int, int], Point]:
    """Return the points of a lattice. Points inside the rim are jittered, except on an occasional regular lattice."""
    shake = chance.choice((0, 3, 6))
    found = {}
    for i in range(columns + 1):
        for j in range(rows + 1):
            dx = chance.randint(-shake, shake) if 0 < i < columns else 0
            dy = chance.randint(-shake, shake) if 0 < j < rows else 0
            found[i, j] = (STEP // 2 + i * STEP + dx, STEP // 2 + j * STEP + dy)
    return found


def _quad(corners: dict[tuple[int, int], Point], cell: tuple[int, int]) -> list[Point]:
    i, j = cell
    return [corners[i, j], corners[i + 1, j], corners[i + 1, j + 1], corners[i, j + 1]]


def _groups(chance: Random, columns: int, rows: int) -> list[list[tuple[int, int]]]:
    """Return the cells in groups. Some are joined to one or two neighbours, so that some spaces are concave."""
    owner = {(i, j): (i, j) for i in range(columns) for j in range(rows)}
    for _ in range(chance.randint(0, columns * rows // 2)):
        i, j = chance.choice(sorted(owner))
        beside = chance.choice([(i + 1, j), (i, j + 1)])
        if beside not in owner:
            continue
        joined = [cell for cell, name in owner.items() if name in (owner[i, j], owner[beside])]
        if len(joined) <= 3:
            owner |= dict.fromkeys(joined, owner[i, j])
    return [[cell for cell in owner if owner[cell] == name] for name in sorted(set(owner.values()))]


def _outline(quads: list[list[Point]]) -> list[Point]:
    """Return the ring around connected quadrangles."""
    sides = {side for quad in quads for side in edges(oriented(quad))}
    onwards = {a: b for a, b in sides if (b, a) not in sides}
    ring = [min(onwards)]
    while onwards[ring[-1]] != ring[0]:
        ring.append(onwards[ring[-1]])
    return ring


def _tunnels(chance: Random, spaces: list[DrawnSpace]) -> list[DrawnSpace]:
    """Return enclosed (occasionally open) spaces below walkways: each below a whole walkway or a part of one."""
    found = []
    for space in spaces:
        if space.kind != "elevated" or chance.random() < 0.4:
            continue
        ring = list(space.outline)
        if len(ring) == 4 and chance.random() < 0.5:
            ring = [ring[0], ring[1], ring[2]]
        kind: Kind = "open" if chance.random() < 0.2 else "enclosed"
        found.append(_space(f"u{space.id}", kind, ring, chance, under=True))
    return found[:2]
