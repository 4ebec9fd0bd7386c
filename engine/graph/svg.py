"""Draw a map as one SVG, in tenths of a millimetre. It depends only on the map.

Every space is a `<path class="space open yellow" data-space="Y7" data-spot="x,y" id="s-Y7">`, with `data-sector`,
`data-objective` and `data-name` if it has them. Every arrow is a path with `data-entry` (its space) and `data-sector`.
A page can use these to overlay lights and restyle the parts. Colours and textures are in `palette.py`, lines in
`borders.py`, and text placement in `labels.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from engine.graph.arrangement import arrange
from engine.graph.borders import Stroke, links, sector_border_lines, strokes_by_kind
from engine.graph.labels import ABOVE_FIRST, BESIDE_FIRST, NARROW, FreeArea, box_around, line_breaks, text_width
from engine.graph.model import Access, Entry, Map, Space
from engine.graph.overlay import NO_OVERLAY, STRIP, Overlay
from engine.graph.palette import BASE_RADIUS, PATTERNS, style
from engine.graph.pen import Place, closed_path, coord, escaped, joined_points, text_element
from engine.graph.plane import edges, on_segment

ORDER = ("obstruction", "water", "open", "enclosed", "elevated")
# How far a shadow reaches, in map units. A longer shadow makes a level look higher.
SHADOW = {"enclosed": 26, "elevated": 44}
TEXTURES = {"water": "bm-water", "obstruction": "bm-block", "elevated": "bm-deck"}
DOOR = 130
LADDER = 150
ARROW = 120
NUMBER, START, LEADER = "objective", "start", "officer"
"""The properties of spaces that are drawn: a numbered plate and a circle. A leader's circle has a cross."""
DIAGONALS = ((1, 1), (-1, 1), (-1, -1), (1, -1))


def draw(board: Map, overlay: Overlay = NO_OVERLAY) -> str:
    """Return the map as SVG, with its overlay."""
    across, down = board.size
    # A strip is laid out for a board of width STRIP, and scaled to this one.
    scale = across / STRIP
    height = down + round(overlay.depth * scale)
    lines = board.derived(links)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{f"board-map {overlay.name}".rstrip()}" '
        f'viewBox="0 0 {across} {height}" width="{across / 10:g}mm" height="{height / 10:g}mm" role="img">',
        f"<title>{escaped(board.name)}</title>",
        f"<style>{style()}\n{overlay.style()}</style>",
        PATTERNS,
        f'<rect class="table" width="{across}" height="{height}"/>',
        *_grounds(board),
        *_lines(board),
        f'<rect class="frame" x="8" y="8" width="{across - 16}" height="{down - 16}"/>',
        *_accesses(board),
        *_links(lines),
        *(mark for entry in board.entries for mark in _entry(board, entry)),
        *_windows(board),
        *overlay.beneath,
        *board.derived(_marks),
        *overlay.above,
        *((f'<g transform="translate(0 {down}) scale({scale:g})">', *overlay.strip, "</g>") if overlay.strip else ()),
        "</svg>\n",
    ]
    return "\n".join(parts)


# Ground


def _grounds(board: Map) -> Iterator[str]:
    # Draw from the lowest level to the highest: under spaces first, then kind by kind in ORDER.
    spaces = sorted(board.spaces.values(), key=lambda space: (not space.under, ORDER.index(space.kind)))
    for kind in (None, *ORDER):
        own = [space for space in spaces if (space.under if kind is None else space.kind == kind and not space.under)]
        if kind in SHADOW and own:
            shadow = "".join(
                closed_path((x + SHADOW[kind], y + SHADOW[kind]) for x, y in space.outline) for space in own
            )
            yield f'<path class="shadow" d="{shadow}"/>'
        for space in own:
            yield _space(space, closed_path(space.outline))
        for texture, textured in _spaces_by_texture(own):
            outlines = "".join(closed_path(space.outline) for space in textured)
            yield f'<path class="texture" fill="url(#{texture})" d="{outlines}"/>'


def _spaces_by_texture(spaces: Sequence[Space]) -> Iterator[tuple[str, list[Space]]]:
    for kind, texture in TEXTURES.items():
        if own := [space for space in spaces if space.kind == kind]:
            yield texture, own
    if rough := [space for space in spaces if space.difficult]:
        yield "bm-rough", rough


def _space(space: Space, shape: str, *more: str) -> str:
    classes = ["space", space.kind, *([space.sector] if space.sector else []), *more]
    classes += [word for word in ("under", "difficult") if getattr(space, word)]
    # About half of the spaces are slightly dimmer, so that many neighbours differ. The id decides which.
    if sum(map(ord, space.id)) % 2:
        classes.append("even")
    facts = {"sector": space.sector, NUMBER: _property(space, NUMBER), "name": space.name}
    attributes = "".join(f' data-{fact}="{escaped(str(value))}"' for fact, value in facts.items() if value)
    # Ids must be unique, so a tunnel's window has none.
    own = "" if more else f' id="s-{escaped(space.id)}"'
    return (
        f'<path class="{escaped(" ".join(classes))}" data-space="{escaped(space.id)}" '
        f'data-spot="{space.spot[0]},{space.spot[1]}"{attributes}{own} d="{shape}"/>'
    )


def _property(space: Space, name: str) -> str:
    """Return a property as text, or "" if it is missing or neither text nor an integer."""
    value = space.properties.get(name)
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""


def _windows(board: Map) -> Iterator[str]:
    """Yield tunnels: a dashed outline over what lies above, and a window where a miniature stands and people tap."""
    for space in board.spaces.values():
        if space.under:
            x, y = space.spot
            reach = BASE_RADIUS + 26
            disc = f"M{x - reach} {y}a{reach} {reach} 0 1 0 {2 * reach} 0a{reach} {reach} 0 1 0 {-2 * reach} 0Z"
            yield f'<path class="line tunnel" d="{closed_path(space.outline)}"/>'
            yield _space(space, disc, "window")
            yield f'<path class="texture" fill="url(#bm-below)" d="{disc}"/>'
            yield f'<circle class="line tunnel" cx="{x}" cy="{y}" r="{reach}"/>'


# Lines


def _lines(board: Map) -> Iterator[str]:
    spaces = list(board.spaces.values())
    arrangement = arrange(spaces)
    strokes = strokes_by_kind(spaces, arrangement)
    for kind in ("path", "trench", "ripple", "shore", "cliff", "partition"):
        yield from _stroke(kind, strokes.get(kind, []))
    # Walls and brinks are drawn in two strokes: a broad one, then a narrow one on top.
    for kind, under in (("wall", "wall"), ("wall", "coping"), ("rail", "rail"), ("brink", "fall"), ("brink", "brink")):
        yield from _stroke(under, strokes.get(kind, []))
    for sector, chains in sector_border_lines(spaces, arrangement).items():
        shape = "".join(f"M{joined_points(chain)}" for chain in chains)
        yield f'<path class="line border {escaped(sector)}" d="{shape}"/>'
        if sector == "black":
            yield f'<path class="line border black trim" d="{shape}"/>'


def _stroke(kind: str, lines: Sequence[Stroke]) -> Iterator[str]:
    if lines:
        yield f'<path class="line {kind}" d="{"".join(f"M{joined_points(line)}" for line in lines)}"/>'


def _links(lines: Sequence[Sequence[Place]]) -> Iterator[str]:
    if shape := "".join(f"M{joined_points(line)}" for line in lines if line):
        yield from (f'<path class="line link{kind}" d="{shape}"/>' for kind in (" bed", ""))


def _accesses(board: Map) -> Iterator[str]:
    """Yield all doors and ladders, one path for each kind of stroke."""
    shapes = {"gap": "", "sill": "", "jamb": "", "ladder bed": "", "ladder": ""}
    for access in board.accesses:
        for kind, shape in _access(board, access):
            shapes[kind] += shape
    yield from (f'<path class="line {kind}" d="{shape}"/>' for kind, shape in shapes.items() if shape)


def _access(board: Map, access: Access) -> Iterator[tuple[str, str]]:
    """Yield the strokes (kind and shape) of a door: a lit sill in a gap of the wall; or of a ladder: rails with rungs
    across the edge.
    """
    along, room = _edge_at(board, access)
    across = (-along[1], along[0])
    x, y = access.at

    def place(forward: float, aside: float) -> str:
        return joined_points([(x + forward * along[0] + aside * across[0], y + forward * along[1] + aside * across[1])])

    if access.kind == "door":
        # Leave some wall on both sides of a door in a short edge.
        half = min(DOOR, 0.7 * room) / 2
        for kind in ("gap", "sill"):
            yield kind, f"M{place(-half, 0)}L{place(half, 0)}"
        yield "jamb", "".join(f"M{place(end, -28)}L{place(end, 28)}" for end in (-half, half))
        return
    half, rail = LADDER / 2, 30
    yield "ladder bed", f"M{place(0, -half)}L{place(0, half)}"
    rails = "".join(f"M{place(side, -half)}L{place(side, half)}" for side in (-rail, rail))
    rungs = "".join(f"M{place(-rail, step)}L{place(rail, step)}" for step in (-50, -17, 17, 50))
    yield "ladder", f"{rails}{rungs}"


def _edge_at(board: Map, access: Access) -> tuple[Place, float]:
    """Return the direction and length of the edge that an access lies on."""
    outline = board.spaces[access.between[0]].outline
    a, b = next(edge for edge in edges(outline) if on_segment(*edge, access.at))
    length = hypot(b[0] - a[0], b[1] - a[1])
    return ((b[0] - a[0]) / length, (b[1] - a[1]) / length), length


def _entry(board: Map, entry: Entry) -> Iterator[str]:
    x, y = entry.at
    sector = board.spaces[entry.space].sector or ""
    along = _inwards(board, entry)
    across = (-along[1], along[0])
    # The arrow's outline: forwards along the entry direction, and to its sides.
    corners = ((0, -62), (0, 62), (70, 62), (70, 92), (ARROW + 34, 0), (70, -92), (70, -62))
    shape = closed_path((x + f * along[0] + a * across[0], y + f * along[1] + a * across[1]) for f, a in corners)
    attributes = f'data-entry="{escaped(entry.space)}" data-sector="{escaped(sector)}"'
    yield f'<path class="mark entry {escaped(sector)}" {attributes} d="{shape}"/>'


def _inwards(board: Map, entry: Entry) -> Place:
    """Return the unit vector into the entry's space.

    It is perpendicular to the edge of the space, or points towards the spot if the entry is on no edge.
    """
    space, point = board.spaces[entry.space], entry.at
    aim = (space.spot[0] - point[0], space.spot[1] - point[1])
    for a, b in edges(space.outline):
        if on_segment(a, b, point):
            square = (-(b[1] - a[1]), b[0] - a[0])
            # The perpendicular has two directions; take the one towards the spot.
            turn = 1 if square[0] * aim[0] + square[1] * aim[1] > 0 else -1
            return _unit((turn * square[0], turn * square[1]))
    return _unit(aim)


def _unit(way: Place) -> Place:
    length = hypot(*way) or 1.0
    return (way[0] / length, way[1] / length)


# Marks and words


def _marks(board: Map) -> list[str]:
    """Return rings, start circles, plates and text, which avoids the links.

    Tunnels are drawn first, because the marks of the spaces above must leave the windows free.
    """
    taken = [box_around(entry.at, 1.3 * ARROW) for entry in board.entries]
    taken += [box_around(access.at, 62 if access.kind == "door" else 96) for access in board.accesses]
    taken += [box_around(place, 45) for line in board.derived(links) for place in line]
    taken += [box_around(space.spot, BASE_RADIUS + 40) for space in board.spaces.values() if space.under]
    marks: list[str] = []
    for space in sorted(board.spaces.values(), key=lambda space: not space.under):
        reach = BASE_RADIUS + (30 if space.under else 6)
        room = FreeArea(space.outline, space.spot, reach, [] if space.under else taken)
        before = len(room.taken)
        marks += _ring_marks(space)
        marks += _words(space, room)
        taken += room.taken[before:]
    return marks


def _ring_marks(space: Space) -> Iterator[str]:
    x, y = space.spot
    if not space.enterable:
        return
    role = _property(space, START)
    if not role:
        yield f'<circle class="mark spot" cx="{x}" cy="{y}" r="{BASE_RADIUS}"/>'
        return
    yield f'<circle class="mark start {escaped(space.sector or "")}" cx="{x}" cy="{y}" r="{BASE_RADIUS - 6}"/>'
    if role == LEADER:
        near, far = 22, 62
        arms = "".join(f"M{x + near * dx} {y + near * dy}L{x + far * dx} {y + far * dy}" for dx, dy in DIAGONALS)
        yield f'<path class="mark cross {escaped(space.sector or "")}" d="{arms}"/>'
        yield f'<circle class="mark cross {escaped(space.sector or "")}" cx="{x}" cy="{y}" r="{BASE_RADIUS - 34}"/>'


def _words(space: Space, room: FreeArea) -> Iterator[str]:
    if number_ := _property(space, NUMBER):
        yield from _plate(number_, space, room)
    yield from _id(space, room)
    if space.difficult:
        yield from _alarm(space, room)
    if space.name:
        yield from _name(space.name, room)


def _plate(text: str, space: Space, room: FreeArea) -> Iterator[str]:
    for reach in (92, 76, 62):
        middle = room.place(2 * reach, 2 * reach, BESIDE_FIRST)
        if middle:
            break
    else:
        reach = 58
        middle = room.place_tightly(2 * reach, 2 * reach, BESIDE_FIRST) or (space.spot[0], space.spot[1] - 20)
    x, y, size = middle[0], middle[1], 1.5 * reach
    yield f'<circle class="mark plate" cx="{coord(x)}" cy="{coord(y)}" r="{reach}"/>'
    # SVG places text by its baseline. Capitals are centred if that is 0.36 of the size below.
    yield text_element("objective", text, (x, y + 0.36 * size), size)


def _id(space: Space, room: FreeArea) -> Iterator[str]:
    # In a low room, the nearest free place is a corner, where a word looks out of place.
    directions = (-90, 0, 180, *ABOVE_FIRST) if len(space.id) > 3 else ABOVE_FIRST
    # In a short name, narrow letters count like others, so that "f1" isn't larger than "a1" on a grid.
    name = space.id if len(space.id) > 3 else NARROW.sub("a", space.id)
    for size in (66, 54, 44):
        middle = room.place(text_width(name, size), 0.8 * size, directions)
        if middle:
            yield text_element("id", space.id, (middle[0], middle[1] + 0.36 * size), size)
            return
    middle = room.place_tightly(text_width(space.id, 44), 36, ABOVE_FIRST) or (
        space.spot[0],
        space.spot[1] + BASE_RADIUS - 40,
    )
    yield text_element("id", space.id, (middle[0], middle[1] + 16), 44)


def _alarm(space: Space, room: FreeArea) -> Iterator[str]:
    for size in (110, 80, 60):
        middle = room.place(0.5 * size, 0.8 * size, BESIDE_FIRST)
        if middle:
            yield text_element("alarm", "!", (middle[0], middle[1] + 0.36 * size), size)
            return
    yield text_element("alarm", "!", (space.spot[0], space.spot[1] - BASE_RADIUS + 70), 70)


def _name(name: str, room: FreeArea) -> Iterator[str]:
    """Yield a place name if it fits in one or two lines, else nothing."""
    for size in (58, 48):
        for lines in line_breaks(name):
            wide = max(text_width(line, size) for line in lines)
            middle = room.place(wide, 1.08 * size * len(lines), ABOVE_FIRST[3:] + ABOVE_FIRST[:3], 5)
            if middle:
                for count, line in enumerate(lines):
                    down = 1.08 * (count - (len(lines) - 1) / 2) + 0.3
                    yield text_element("name", line, (middle[0], middle[1] + down * size), size)
                return
