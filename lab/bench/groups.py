"""What can be measured, by group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from lab.bench import disk, edges, engine, growth, pictures, sight, table
from lab.bench.figures import Measured, Plan


class Group(Struct, frozen=True):
    """A heading, and what measures."""

    title: str
    measure: Callable[[Plan], Iterator[Measured]]


GROUPS: Final[Mapping[str, Group]] = {
    "engine": Group("Engine, one core", engine.measure),
    "pictures": Group("Updates for the screens", pictures.measure),
    "sight": Group("Compiling maps", sight.measure),
    "growth": Group("Growing with the map", growth.measure),
    "disk": Group("Journal", disk.measure),
    "edges": Group("From sensor to lamps", edges.measure),
    "table": Group("The whole table", table.measure),
}
