"""The interface between the daemon and any hardware: sensors that report edges, lamps that show whole pictures,
buttons and a buzzer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from msgspec import Struct

Colour = tuple[int, int, int]
"""Red, green, blue, 0..255 each."""
Frame = tuple[Colour, ...]
"""A colour for every lamp, in lamp order: always the whole picture."""
DARK: Colour = (0, 0, 0)


class Edge(Struct, frozen=True):
    """What the wire said, before any debouncing: sensor number, whether something is there now, and when.

    `at` is monotonic time in seconds, on the clock that was handed to the driver.
    """

    sensor: int
    down: bool
    at: float


class UnsettledContact(Struct, frozen=True):
    """A sensor whose raw contact differs, at `at` (as in `Edge`), from the state that the hardware has debounced: it is
    changing or chattering. This is not an edge, and moves nothing on the board.
    """

    sensor: int
    at: float


class Press(Struct, frozen=True):
    """A button was pressed, at `at` (as in `Edge`)."""

    button: str
    at: float


class Sentence(str):
    """What is wrong and what to do, in English, which remembers the text and the values that it was made of: whoever
    speaks another language says the same in that.
    """

    text: str
    values: Mapping[str, str | int]

    __slots__ = ("text", "values")

    def __new__(cls, text: str, /, **values: str | int) -> Sentence:
        """`text` with its places `{name}` filled."""
        made = super().__new__(cls, text.format(**values))
        made.text, made.values = text, values
        return made


class DriverStatus(Struct, frozen=True):
    """A driver's report: a sentence with the remedy while its hardware is away or faulty, None when all is well."""

    driver: str
    sentence: str | None


class Tune(Struct, frozen=True):
    """A sound: its name, and its notes as (pitch in Hz, length in ms); a pitch of 0 is a rest."""

    name: str
    notes: tuple[tuple[int, int], ...]


BUTTONS = ("confirm", "undo", "next")
"""The buttons that a table may have."""


class HardwareFault(Exception):
    """The hardware cannot do its work; the sentence says what is wrong and what to do."""

    @property
    def sentence(self) -> str:
        """What was said."""
        said: str = self.args[0]
        return said


class Sensors(Protocol):
    """Presence sensors, numbered from 0."""

    count: int

    def start(self, report: Callable[[Edge | UnsettledContact], None]) -> None:
        """Report every edge from now on, from any thread. First comes an edge for each sensor that is down already.

        Raises `HardwareFault`.
        """

    def stop(self) -> None:
        """Report nothing any more and let go of the hardware; may be called twice."""


class Lamps(Protocol):
    """Lamps, numbered from 0."""

    count: int

    def show(self, frame: Frame) -> None:
        """Light the whole picture. Raises `ValueError` for a frame of another length and `HardwareFault`."""

    def stop(self) -> None:
        """All dark; let go of the hardware; may be called twice."""


class Buttons(Protocol):
    """Push buttons; `names` are some of `BUTTONS`."""

    names: tuple[str, ...]

    def start(self, report: Callable[[str, float], None]) -> None:
        """Report the name and time (as in `Edge`) of each press from now on, from any thread.

        Raises `HardwareFault`.
        """

    def stop(self) -> None:
        """Report nothing any more and let go of the hardware; may be called twice."""


class Buzzer(Protocol):
    """Something that sounds."""

    def play(self, tune: Tune) -> None:
        """Begin a tune and return at once; one that still sounds is cut short. Raises `HardwareFault`."""

    def stop(self) -> None:
        """Silence; let go of the hardware; may be called twice."""


class Miniatures(Protocol):
    """Miniatures that a board moves by itself, known by their names: those of a board in memory, or on motors."""

    @property
    def places(self) -> Mapping[str, int | None]:
        """Where every miniature stands: the number of a sensor, or None off the board."""

    def hold(self, miniatures: Iterable[str]) -> None:
        """These are the miniatures from now on, each where it was last; of others those that stand on the board."""

    def arrange(self, places: Mapping[str, int | None]) -> None:
        """Put miniatures on sensors, or take them off the board (None); the sensors feel it.

        All are lifted before one is set down. Raises `ValueError` for an unknown miniature or sensor, and
        `HardwareFault` where they cannot be moved; then all stay.
        """


Note = Edge | UnsettledContact | Press | DriverStatus
"""Whatever a driver may leave in the daemon's inbox."""
