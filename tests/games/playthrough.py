"""The recorded games of the project, some of them on toy maps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine.graph import Map
from firmware_host.core import maps
from lab.authoring import recorded
from lab.authoring.create import TEMPLATE
from lab.authoring.recorded import SETTINGS, Replay
from tests.toys import grid, t1

__all__ = ["SETTINGS", "files", "load", "remade", "replayed"]

TOYS: dict[str, Callable[[], Map]] = {
    "grid": grid,
    "t1": t1,
    "rough": lambda: grid(
        kinds={"d4": "enclosed", "d5": "enclosed", "b5": "water"},
        difficult=["c2", "d2", "e6"],
        doors=[("d4", "c4"), ("d5", "d6")],
    ),
}


def load(name: str) -> Map:
    """Return a toy map, or one of the included maps."""
    return TOYS[name]() if name in TOYS else maps.load(name)


def files() -> list[Path]:
    """Return the files of all recorded games."""
    return [*recorded.files(Path(__file__).parent), *recorded.files(TEMPLATE)]


def remade(text: str) -> str:
    """Return the text with the current results of its acts."""
    return recorded.remade(text, load)


def replayed(text: str) -> Replay:
    """Return the replayed game of a text, after its last line."""
    return recorded.replayed(text, load)
