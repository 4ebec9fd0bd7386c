"""Maps: what they are, how a drawing becomes one, and what can be wrong with it."""

from engine.graph.model import ENTERABLE, Access, Entry, Kind, Map, Point, Sight, Space

__all__ = ["ENTERABLE", "Access", "Entry", "Kind", "Map", "Point", "Sight", "Space"]
