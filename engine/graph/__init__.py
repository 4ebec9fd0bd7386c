"""Maps: their data model, deriving one from a drawing, and checking a drawing."""

from engine.graph.model import ENTERABLE, Access, Entry, Kind, Map, Point, Sight, Space

__all__ = ["ENTERABLE", "Access", "Entry", "Kind", "Map", "Point", "Sight", "Space"]
