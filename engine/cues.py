"""How a game's cues look and sound, as data: the lights of its lamps, its colours, its sounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from msgspec import Struct

from engine.text import Text


class Rhythm(Struct, frozen=True):
    """How a light goes over time: its levels, 0 to 9, each for `step_ms`, over and over.

    `smooth` glides from level to level; `travel` lets each space of a cue run one level behind the one before it, and
    `laps` lets it run once over all of them before it begins again.
    """

    name: str
    levels: str
    step_ms: int = 1000
    smooth: bool = False
    travel: bool = False
    laps: bool = False

    @property
    def steady(self) -> bool:
        """Whether it never changes."""
        return len(set(self.levels)) == 1


class Light(Struct, frozen=True):
    """How one cue is shown. Where several meet on a lamp, the greatest `weight` is seen. `role` names its colour, and
    `meaning` is what the legend of the map says of it.
    """

    role: str
    rhythm: Rhythm
    weight: int
    meaning: Text


class Sound(Struct, frozen=True):
    """How one piece of news sounds: `notes` are hertz (0 for a rest) and milliseconds. Where several come at once, the
    greatest `weight` is heard.
    """

    notes: tuple[tuple[int, int], ...]
    weight: int


Palette = Mapping[str, tuple[int, int, int]]
"""Role -> red, green and blue, 0 to 255."""


class Show(Struct, frozen=True):
    """The lights of a game by the name of the cue, its colours for each palette of the table, and its sounds by the tag
    of an event or the name of a cue. The table has lights, colours and sounds of its own beside them.
    """

    lights: Mapping[str, Light] = {}
    palettes: Mapping[str, Palette] = {}
    sounds: Mapping[str, Sound] = {}


@runtime_checkable
class Showing(Protocol):
    """What a game may offer besides: how its cues look and sound."""

    show: Show


NO_SHOW = Show()


def show_of(game: object) -> Show:
    """How a game looks and sounds; nothing for one that does not say so."""
    return game.show if isinstance(game, Showing) else NO_SHOW
