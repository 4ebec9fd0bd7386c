"""How a game's cues look and sound, as data: lights of its lamps, colours and sounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from msgspec import Struct

from engine.text import Text

Colour = tuple[int, int, int]  # Red, green and blue, 0 to 255
Palette = Mapping[str, Colour]  # Role -> colour


class Rhythm(Struct, frozen=True):
    """How the brightness of a light changes: its `levels`, 0 to 9, each for `step_ms`, repeated forever.

    For example, `Rhythm("double wink", "90909999", 200)`. `smooth` fades from level to level. `travel` delays each
    space of a cue by one level after the space before it. With `laps` the light runs once over all spaces before it
    starts again.
    """

    name: str
    levels: str
    step_ms: int = 1000
    smooth: bool = False
    travel: bool = False
    laps: bool = False

    @property
    def steady(self) -> bool:
        """Whether the brightness never changes."""
        return len(set(self.levels)) == 1


class Light(Struct, frozen=True):
    """How one cue is shown. If several lights use the same lamp, the one with the greatest `weight` is visible.

    `role` is the name of its colour in the palette; `meaning` is its line in the map legend.
    """

    role: str
    rhythm: Rhythm
    weight: int
    meaning: Text


class Sound(Struct, frozen=True):
    """How one event sounds. `notes` are pairs of hertz (0 for a rest) and milliseconds.

    If several sounds start at once, the one with the greatest `weight` is played.
    """

    notes: tuple[tuple[int, int], ...]
    weight: int


class Show(Struct, frozen=True):
    """The lights of a game by cue name, its palettes by name, and its sounds by event tag or cue name.

    The table adds its own lights, colours and sounds.
    """

    lights: Mapping[str, Light] = {}
    palettes: Mapping[str, Palette] = {}
    sounds: Mapping[str, Sound] = {}


@runtime_checkable
class Showing(Protocol):
    """Capability: say how cues look and sound, for example `show = Show(LIGHTS, PALETTES, SOUNDS)`."""

    show: Show


NO_SHOW = Show()
PLAYERS: Mapping[str, tuple[Colour, Colour, Colour]] = {
    "player-1": ((255, 40, 20), (255, 0, 0), (213, 94, 0)),
    "player-2": ((40, 110, 255), (0, 90, 255), (0, 114, 178)),
    "player-3": ((0, 190, 70), (0, 230, 60), (0, 158, 115)),
    "player-4": ((255, 180, 0), (255, 200, 0), (240, 228, 66)),
    "player-5": ((200, 60, 220), (230, 0, 255), (204, 121, 167)),
    "player-6": ((220, 220, 220), (255, 255, 255), (220, 220, 220)),
}
"""Colours for up to six players, by seat name, in the form that `palettes` takes."""


def palettes(roles: Mapping[str, tuple[Colour, Colour, Colour]]) -> dict[str, Palette]:
    """Return the palettes of a game from role -> its colours in the palettes `night`, `day` and `clear`."""
    names = ("night", "day", "clear")
    return {name: {role: colours[index] for role, colours in roles.items()} for index, name in enumerate(names)}


def show_of(game: object) -> Show:
    """Return how a game looks and sounds; an empty `Show` if the game doesn't define it."""
    # Not `isinstance`, which is slow with a protocol: the loop asks at each turn.
    show: Show = getattr(game, "show", NO_SHOW)
    return show
