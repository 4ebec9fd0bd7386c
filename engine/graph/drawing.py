"""What somebody drew, as values: spaces, accesses and entries of a drawing, sound or not.

Reading one is `geojson.py`, judging it `check.py`.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from engine.graph.model import Kind, Marks, Point

NEUTRAL = "white"
"""The sector that has no squad."""

Start = Literal["officer", "soldier"]
AccessKind = Literal["door", "ladder"]


class DrawnSpace(Struct, frozen=True):
    """A space as drawn; `outline` without the closing point, `spot` None where the drawing leaves it to us.

    `unread` names the properties that could not be read, `outline` among them; what stands in their place is a guess.
    """

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
    unread: frozenset[str] = frozenset()


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
    lost: frozenset[str] = frozenset()
    """Of which roles (`space`, `access`, `entry`) a feature could not be read: what seems to lack may be there."""
    faults: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
