"""Read one feature of a GeoJSON map: its words, numbers and points, each checked when it is read.

This file defines the values of a feature's parts. `geojson.py` combines features into a drawing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import NamedTuple, TypeGuard

from engine.graph.fault import did_you_mean, point_text, with_subject
from engine.graph.model import Point
from engine.text import Text, and_list


def is_text(value: object) -> TypeGuard[str]:
    """Return whether a value is a printable text that is not blank."""
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


def as_integer(value: object) -> int | None:
    """Return the value as an integer, or None. 120.0 is valid too, because some tools write it."""
    # In Python a bool is an int, but true is not a coordinate.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not (isfinite(value) and value.is_integer()):
        return None
    return int(value)


def quoted_value(value: object) -> str:
    """Return a value as a sentence quotes it, shortened if it is long."""
    if isinstance(value, list | dict):
        return Text("a list") if isinstance(value, list) else Text("an object")
    text = str(value) if isinstance(value, int | float | bool | str) or value is None else type(value).__name__
    return text if len(text) <= 40 else text[:37] + "…"


MOST_NUMBERS = 4
"""Most numbers of a point: some tools write a height and a measure after x and y, which maps do not have."""
NO_TEXT = Text('"{name}" is {value}. Write a text or leave it out.')
CORNER, SPOT, POINT = Text("a corner"), Text("its spot"), Text("its point")
THINGS = {
    "space": (Text("space {name}"), Text("space without id")),
    "door": (Text("door {name}"), Text("door without id")),
    "ladder": (Text("ladder {name}"), Text("ladder without id")),
    "entry": (Text("entry {name}"), Text("entry without id")),
}
"""Kind of feature -> its name in errors, with and without a name."""
ACCESS = (Text("access {name}"), Text("access without id"))
"""The same names for an access that is neither a known door nor a known ladder."""


def unknown_value_fault(name: str, value: object, allowed: Sequence[str]) -> Text:
    """Return the error for a property whose value is not allowed."""
    sentence = Text('"{name}" is {value}, which is unknown. Use {known}.{hint}')
    return sentence.with_(
        name=name, value=quoted_value(value) or '""', known=and_list(allowed), hint=did_you_mean(value, allowed)
    )


class ReadingContext(NamedTuple):
    """The context for reading features, which also collects their errors and warnings."""

    size: Point
    sectors: Sequence[str]
    faults: list[Text]
    warnings: list[Text]


class Feature:
    """A feature being read."""

    def __init__(self, page: ReadingContext, number: int, said: dict[str, object], coordinates: object) -> None:
        self.page = page
        self.number = number
        self.said = said
        self.coordinates = coordinates
        self.unread: set[str] = set()
        self.high = self.outside = False

    def add_fault(self, sentence: Text, unread: str = "") -> None:
        """Add an error of this feature, and mark the property as unread."""
        # Later checks skip unread properties, so that one mistake gives one error.
        self.unread.update([unread] if unread else [])
        self.page.faults.append(with_subject(self.label, sentence))

    @property
    def label(self) -> Text:
        """The feature's name in errors: its number, name and place."""
        name = self.said.get("id") or self.said.get("entry") or self.said.get("between")
        # An access has no id: it is named by the two spaces that it joins.
        if isinstance(name, list):
            name = "-".join(quoted_value(part) for part in name[:2])
        named, nameless = self._role()
        thing = named.with_(name=quoted_value(name)) if name else nameless
        first = next(self._positions(), None)
        if first:
            thing = Text(
                "{thing} at {place}", thing=thing, place=point_text((quoted_value(first[0]), quoted_value(first[1])))
            )
        return Text("feature {feature}, {thing}", feature=self.number, thing=thing)

    def _role(self) -> tuple[Text, Text]:
        if "access" in self.said:
            return THINGS.get(quoted_value(self.said["access"]), ACCESS)
        return THINGS["entry" if "entry" in self.said else "space"]

    def _positions(self) -> Iterator[list[object]]:
        # Find the first position at any depth of nesting: a point, a line or a polygon.
        here = self.coordinates
        for _ in range(3):
            if isinstance(here, list) and len(here) >= 2 and not isinstance(here[0], list | dict):
                yield here
                return
            here = here[0] if isinstance(here, list) and here else None

    def id(self) -> str | None:
        """Return the space's id."""
        value = self.said.get("id")
        if is_text(value) and len(value) <= 24 and not re.search(r"\s", value):
            return value
        sentence = Text(
            '"id" is {value}. Give the space a short id without blanks, such as Y7.', value=quoted_value(value)
        )
        self.add_fault(sentence, "id")
        return None

    def word(self, name: str, allowed: Sequence[str]) -> str | None:
        """Return a property that must be one of the known words."""
        value = self.said.get(name)
        if isinstance(value, str) and value in allowed:
            return value
        self.add_fault(unknown_value_fault(name, value, allowed), name)
        return None

    def text(self, name: str) -> str | None:
        """Return an optional text."""
        value = self.said.get(name)
        if value is None or is_text(value):
            return value
        self.add_fault(NO_TEXT.with_(name=name, value=quoted_value(value)))
        return None

    def flag(self, name: str) -> bool:
        """Return a flag. A missing one is false."""
        value = self.said.get(name, False)
        if isinstance(value, bool):
            return value
        self.add_fault(Text('"{name}" is {value}. Write true or false.', name=name, value=quoted_value(value)), name)
        return False

    def sector(self) -> str | None:
        """Return the sector. A space that can be entered must have one."""
        value = self.said.get("sector")
        if isinstance(value, str) and value in self.page.sectors:
            return value
        if not self.page.sectors:  # the map's own fault says so, once
            self.unread.add("sector")
            return None
        sectors, hint = and_list(self.page.sectors), did_you_mean(value, self.page.sectors)
        sentence = Text('"sector" is {value}. Give the space one of {known}.{hint}')
        self.add_fault(sentence.with_(value=quoted_value(value), known=sectors, hint=hint), "sector")
        return None

    def area(self) -> str | None:
        """Return the building or room. An enclosed space must have one."""
        value = self.said.get("area")
        if is_text(value):
            return value
        sentence = Text('"area" is {value}. Name the building or room that this enclosed space belongs to.')
        self.add_fault(sentence.with_(value=quoted_value(value)), "area")
        return None

    def warn_if_set(self, name: str, kind: str) -> str | None:
        """Return None. Add a warning if the drawing sets a property that this kind of space doesn't have."""
        if name in self.said:
            sentence = Text('"{name}" means nothing for the kind {kind} and is left out. Remove it.')
            self.page.warnings.append(with_subject(self.label, sentence.with_(name=name, kind=kind)))
        return None

    def ring(self) -> tuple[Point, ...]:
        """Return the outline without its closing point. If it is invalid, return its readable corners."""
        rings = self.coordinates
        if not isinstance(rings, list) or len(rings) != 1 or not isinstance(rings[0], list):
            self.add_fault(Text("its polygon must have exactly one ring. Draw the outline without holes."), "outline")
            return ()
        points = [self.point(position, CORNER) for position in rings[0]]
        ring = [point for point in points if point is not None]
        # Without a corner the outline has another shape, so nothing can be said about its geometry.
        if len(ring) != len(points):
            self.unread.add("outline")
            return tuple(ring)
        if len(ring) < 4 or ring[0] != ring[-1]:
            sentence = Text("its ring has fewer than 3 corners or is not closed. Repeat the first corner at the end.")
            self.add_fault(sentence, "outline")
            return tuple(ring)
        return tuple(ring[:-1])

    def point(self, position: object, what: Text) -> Point | None:
        """Return a point with integer coordinates on the board. `what` names it in errors."""
        if not isinstance(position, list) or not 2 <= len(position) <= MOST_NUMBERS:
            sentence = Text("there is {value} for {what}, and no pair of numbers. Write [x, y].")
            self.add_fault(sentence.with_(value=quoted_value(position), what=what))
            return None
        if len(position) > 2 and not self.high:
            self.high = True
            sentence = Text("its points have a height, which is left out. Write [x, y] without a third number.")
            self.page.warnings.append(with_subject(self.label, sentence))
        x, y = as_integer(position[0]), as_integer(position[1])
        place = point_text((quoted_value(position[0]), quoted_value(position[1])))
        if any(isinstance(part, bool) or not isinstance(part, int | float) for part in position[:2]):
            sentence = Text("{place}, {what}, is not a pair of numbers. Write [x, y], without quotation marks.")
            self.add_fault(sentence.with_(place=place, what=what))
            return None
        if x is None or y is None:
            sentence = Text("{place}, {what}, is not in whole tenths of a millimetre. Snap it to integers.")
            self.add_fault(sentence.with_(place=place, what=what))
            return None
        width, height = self.page.size
        if not (0 <= x <= width and 0 <= y <= height):
            sentence = Text("{place}, {what}, lies off the board of {width} x {height}. Move it onto the board.")
            if what is not CORNER or not self.outside:  # one fault for all corners
                self.add_fault(sentence.with_(place=place, what=what, width=width, height=height))
            self.outside = self.outside or what is CORNER
            return None
        return (x, y)
