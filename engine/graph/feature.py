"""One feature of a GeoJSON map being read: its words, numbers and points, each checked as it is asked for.

What the parts of a feature may be; how features make a drawing is `geojson.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import NamedTuple, TypeGuard

from engine.graph.fault import at, guess, listed
from engine.graph.model import Point


def is_text(value: object) -> TypeGuard[str]:
    """Whether a value is a text that can be printed."""
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def whole(value: object) -> int | None:
    """The value as a whole number; tools write 120.0 for 120, and that is one too."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not (isfinite(value) and value.is_integer()):
        return None
    return int(value)


def short(value: object) -> str:
    """A value as a sentence quotes it, however long or odd it is."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = str(value) if isinstance(value, int | float | bool | str) or value is None else type(value).__name__
    return text if len(text) <= 40 else text[:37] + "…"


class Page(NamedTuple):
    """What features are read against, and where their faults and warnings are collected."""

    size: Point
    sectors: Sequence[str]
    faults: list[str]
    warnings: list[str]


class Feature:
    """One feature being read; knows what to call itself in a fault."""

    def __init__(self, page: Page, number: int, said: dict[str, object], coordinates: object) -> None:
        self.page = page
        self.number = number
        self.said = said
        self.coordinates = coordinates
        self.unread: set[str] = set()

    def fault(self, sentence: str, unread: str = "") -> None:
        """Notes a fault of this feature, and the property that it leaves unread."""
        self.unread.update([unread] if unread else [])
        self.page.faults.append(f"{self}: {sentence}")

    def __str__(self) -> str:
        name = self.said.get("id") or self.said.get("entry") or self.said.get("between")
        if isinstance(name, list):
            name = "-".join(short(part) for part in name[:2])
        role = next((role for role in ("access", "entry") if role in self.said), "space")
        label = short(self.said["access"]) if role == "access" else role
        first = next(self._positions(), None)
        place = f" at {at((short(first[0]), short(first[1])))}" if first else ""
        return f"feature {self.number}, {label} {short(name) if name else 'without id'}{place}"

    def _positions(self) -> Iterator[list[object]]:
        here = self.coordinates
        for _ in range(3):
            if isinstance(here, list) and len(here) >= 2 and not isinstance(here[0], list | dict):
                yield here
                return
            here = here[0] if isinstance(here, list) and here else None

    def id(self) -> str | None:
        """The space's id."""
        value = self.said.get("id")
        if is_text(value) and len(value) <= 24 and not re.search(r"\s", value):
            return value
        self.fault(f'"id" is {short(value)}. Give the space a short id without blanks, such as Y7.', "id")
        return None

    def word(self, name: str, known: Sequence[str]) -> str | None:
        """One of the known words."""
        value = self.said.get(name)
        if isinstance(value, str) and value in known:
            return value
        hint = guess(value, known) if isinstance(value, str) else ""
        self.fault(f'"{name}" is {short(value)}, which is unknown. Use {listed(known)}.{hint}', name)
        return None

    def text(self, name: str) -> str | None:
        """A text that may be absent."""
        value = self.said.get(name)
        if value is None or is_text(value):
            return value
        self.fault(f'"{name}" is {short(value)}. Write a text or leave it out.')
        return None

    def flag(self, name: str) -> bool:
        """True or false; absent is false."""
        value = self.said.get(name, False)
        if isinstance(value, bool):
            return value
        self.fault(f'"{name}" is {short(value)}. Write true or false.', name)
        return False

    def sector(self, kind: str) -> str | None:
        """The sector, which a space of this kind must have."""
        value = self.said.get("sector")
        if isinstance(value, str) and value in self.page.sectors:
            return value
        hint = guess(value, self.page.sectors) if isinstance(value, str) else ""
        known = listed(self.page.sectors)
        self.fault(f'"sector" is {short(value)}. Give an {kind} space one of {known}.{hint}', "sector")
        return None

    def area(self) -> str | None:
        """The building or room, which an enclosed space must have."""
        value = self.said.get("area")
        if is_text(value):
            return value
        self.fault(f'"area" is {short(value)}. Name the building or room that this enclosed space belongs to.', "area")
        return None

    def without(self, name: str, kind: str) -> str | None:
        """None, with a warning where the drawing says something that this kind of space has not."""
        if name in self.said:
            self.page.warnings.append(f'{self}: "{name}" means nothing for the kind {kind} and is left out. Remove it.')
        return None

    def ring(self) -> tuple[Point, ...]:
        """The outline, without its closing point; of one that cannot be read, those of its corners that can."""
        rings = self.coordinates
        if not isinstance(rings, list) or len(rings) != 1 or not isinstance(rings[0], list):
            self.fault("its polygon must have exactly one ring. Draw the outline without holes.", "outline")
            return ()
        points = [self.point(position, "a corner") for position in rings[0]]
        ring = [point for point in points if point is not None]
        if len(ring) != len(points):
            self.unread.add("outline")
            return tuple(ring)
        if len(ring) < 4 or ring[0] != ring[-1]:
            mend = "Repeat the first corner at the end."
            self.fault(f"its ring has fewer than 3 corners or is not closed. {mend}", "outline")
            return tuple(ring)
        return tuple(ring[:-1])

    def point(self, position: object, what: str) -> Point | None:
        """A whole point on the board."""
        if not isinstance(position, list) or len(position) != 2:
            self.fault(f"{what} is {short(position)}, not a pair of numbers. Write [x, y].")
            return None
        x, y = whole(position[0]), whole(position[1])
        place = at((short(position[0]), short(position[1])))
        if x is None or y is None:
            self.fault(f"{what} {place} is not in whole tenths of a millimetre. Snap it to integers.")
            return None
        width, height = self.page.size
        if not (0 <= x <= width and 0 <= y <= height):
            self.fault(f"{what} {place} lies off the board of {width} x {height}. Move it onto the board.")
            return None
        return (x, y)
