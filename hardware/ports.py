"""The interface between the daemon and any hardware: sensors, lamps, buttons and a buzzer.

Sensors report edges; lamps show complete pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from msgspec import Struct

from engine.text import Text

Colour = tuple[int, int, int]
"""Red, green, blue, 0..255 each."""
Frame = tuple[Colour, ...]
"""A colour for every lamp, in lamp order. Always the complete picture."""
DARK: Colour = (0, 0, 0)
CHANNEL_MA = 20.0
"""Current of one colour of a lamp at full brightness, in mA.

WS2812B lamps were made with 20 and with 12 mA a colour (Adafruit's NeoPixel guide reckons 60 mA a lamp). The larger
value is safe for every supply and fuse. The board's firmware uses the same value (`hardware/pico/dimmer.py`).
"""
IDLE_MA = 1.0
"""Current of a dark lamp, in mA (the same source)."""


def check_length(frame: Frame, lamps: int) -> None:
    """Raise `ValueError` for a frame that is not for this many lamps."""
    if len(frame) != lamps:
        raise ValueError(f"A frame of {len(frame)} colours was given to {lamps} lamps.")


def set_bits(bitmap: int) -> list[int]:
    """Return the numbers of the bits that are set, in ascending order."""
    bits = []
    while bitmap:
        # In two's complement, this leaves only the lowest bit that is set.
        lowest = bitmap & -bitmap
        bits.append(lowest.bit_length() - 1)
        bitmap ^= lowest
    return bits


class Edge(Struct, frozen=True):
    """A raw change of a sensor, before debouncing: its number, whether something is there, and when.

    `at` is monotonic time in seconds, on the clock that the driver received.
    """

    sensor: int
    down: bool
    at: float


class UnsettledContact(Struct, frozen=True):
    """A sensor whose raw contact differs from the state that the hardware has debounced.

    It is changing or chattering at `at` (as in `Edge`). This is not an edge and moves nothing on the board.
    """

    sensor: int
    at: float


class Press(Struct, frozen=True):
    """A button was pressed, at `at` (as in `Edge`)."""

    button: str
    at: float


class DriverStatus(Struct, frozen=True):
    """A driver's state: a message with the remedy while its hardware is away or faulty, else None."""

    driver: str
    sentence: str | None


class BoardEnded(Struct, frozen=True):
    """The board has ended. Its reports that are still queued must not be applied to the next board."""


class Tune(Struct, frozen=True):
    """A sound: its name, and its notes as (pitch in Hz, length in ms). A pitch of 0 is a rest."""

    name: str
    notes: tuple[tuple[int, int], ...]


BUTTONS = ("confirm", "undo", "next")
"""The buttons that a table may have."""


class HardwareFault(Exception):
    """The hardware cannot work. `sentence` says what is wrong and what to do."""

    def __init__(self, text: str, /, **values: str | int) -> None:
        """Fill the placeholders of `text`."""
        self.sentence = text if isinstance(text, Text) else Text(text, **values)
        super().__init__(self.sentence)


class Sensors(Protocol):
    """Presence sensors, numbered from 0."""

    count: int

    def start(self, report: Callable[[Edge | UnsettledContact], None]) -> None:
        """Report every edge from now on, from any thread. Start with an edge for each sensor that is down.

        Raises `HardwareFault`.
        """

    def stop(self) -> None:
        """Report nothing more and release the hardware. May be called twice."""


class Lamps(Protocol):
    """Lamps, numbered from 0."""

    count: int

    def show(self, frame: Frame) -> None:
        """Show the complete picture. Raises `ValueError` for a frame of another length, and `HardwareFault`."""

    def stop(self) -> None:
        """Turn all lamps off and release the hardware. May be called twice."""


class Buttons(Protocol):
    """Push buttons. `names` are some of `BUTTONS`."""

    names: tuple[str, ...]

    def start(self, report: Callable[[str, float], None]) -> None:
        """Report the name and time (as in `Edge`) of each press from now on, from any thread.

        Raises `HardwareFault`.
        """

    def stop(self) -> None:
        """Report nothing more and release the hardware. May be called twice."""


class Buzzer(Protocol):
    """A sounder that plays tunes."""

    def play(self, tune: Tune) -> None:
        """Start a tune and return at once. A tune that is still playing is cut off. Raises `HardwareFault`."""

    def stop(self) -> None:
        """Stop sounding and release the hardware. May be called twice."""


class Miniatures(Protocol):
    """Miniatures that a board moves by itself, identified by name: of a simulated board, or on motors."""

    @property
    def places(self) -> Mapping[str, int | None]:
        """The place of every miniature: a sensor's number, or None off the board."""

    def set_miniatures(self, miniatures: Iterable[str]) -> None:
        """Set the miniatures in use. Each stays where it was last. Other miniatures are kept if they are on the
        board."""

    def arrange(self, places: Mapping[str, int | None]) -> None:
        """Put miniatures on sensors, or take them off the board (None). The sensors detect it.

        All are lifted before one is set down. Raises `ValueError` for an unknown miniature or sensor, and
        `HardwareFault` if they cannot be moved. After an error, all miniatures are where they were.
        """


Note = Edge | UnsettledContact | Press | DriverStatus | BoardEnded
"""The types of reports that a driver may put into the daemon's inbox."""
