"""A matrix of reed contacts on a Raspberry Pi's pins, for breadboards and small boards.

It uses gpiozero.

Wiring: each contact is in series with a diode (1N4148, cathode to the row) between its column and its row. Sensor
number r * columns + c is at row r, column c. Columns are inputs with pull-ups. A row is driven low while it is read and
is an input at all other times, so that two pins never drive against each other, even if there is a short.

Uncertain readings are ignored. Without diodes, three closed corners of a rectangle also close the fourth. The board
then reports no changes on that rectangle, and shows a message. With diodes, a row that goes low together with another
row indicates a missing diode or a short. A column that is low while no row is driven indicates a short to ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.text import Text
from hardware.drivers import DriverContext, DriverKind, DriverOption, OpenedParts, _gpio
from hardware.drivers._scanning import RATE, ScannedSensors
from hardware.ports import HardwareFault, set_bits

ROWS = (4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
COLUMNS = (16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27)


class ReedMatrix:
    """The opened matrix (`_scanning.Scanner`)."""

    def __init__(self, options: Mapping[str, Any], count: int) -> None:
        """Raises `HardwareFault`."""
        self._rows: list[Any] = []
        self._columns: list[Any] = []
        self._numbers: tuple[int, ...] = options["rows"]
        self._diodes: bool = options["diodes"]
        self._count = count
        self.doubt: str | None = None
        self._believed = 0
        self._masks: list[int] = []
        self._look_at = 0
        self._check(options["columns"], count)
        pins = _gpio.pin_factory()
        try:
            with _gpio.library_errors(Text("The matrix")):
                self._open(pins, options["rows"], options["columns"])
        except HardwareFault:
            self.close()
            raise

    def _check(self, columns: tuple[int, ...], count: int) -> None:
        twice = sorted({pin for pin in (*self._numbers, *columns) if (*self._numbers, *columns).count(pin) > 1})
        if twice:
            raise HardwareFault("The matrix: GPIO {pin} is named twice in rows and columns.", pin=twice[0])
        if len(self._numbers) * len(columns) < count:
            raise HardwareFault(
                "The matrix has {rows} rows of {columns} contacts, and this map needs {count}. Name more pins in "
                "rows and columns, or choose a driver for larger boards.",
                rows=len(self._numbers),
                columns=len(columns),
                count=count,
            )

    def _open(self, pins: Any, rows: Iterable[int], columns: Iterable[int]) -> None:
        from gpiozero import InputDevice

        self._rows += [InputDevice(number, pull_up=True, pin_factory=pins) for number in rows]
        self._columns += [InputDevice(number, pull_up=True, pin_factory=pins) for number in columns]

    def read(self) -> int:
        self._look_for_ground()
        masks = [self._read_row(index) for index in range(len(self._rows))]
        self._look_at += 1
        width = len(self._columns)
        # Crossings beyond the map's sensors are left out.
        seen = sum(mask << (width * index) for index, mask in enumerate(masks)) & ((1 << self._count) - 1)
        self._believed = seen if self._diodes else self._certain_mask(masks, seen)
        return self._believed

    def _look_for_ground(self) -> None:
        low = [column.pin.info.name for column in (*self._columns, *self._rows) if column.is_active]
        if low:
            raise HardwareFault(
                "The matrix: {pins} is low while nothing drives it. Look for a short to ground there.",
                pins=", ".join(low),
            )

    def _read_row(self, index: int) -> int:
        """Return one row's contacts: bit c is set while the contact in column c is closed."""
        pin = self._rows[index].pin
        # A column is low only if its contact connects it with the row that is driven low.
        pin.output_with_state(False)
        try:
            if self._diodes:
                self._look_for_diode(index)
            return sum(column.is_active << number for number, column in enumerate(self._columns))
        finally:
            # Two rows driven at once could short through closed contacts, so release this one first.
            pin.input_with_pull("up")

    def _look_for_diode(self, index: int) -> None:
        """Raise `HardwareFault` if another row follows this one; each reading checks a different row."""
        # One row per reading is enough to find a missing diode within a second, and costs little.
        other = (index + 1 + self._look_at % max(1, len(self._rows) - 1)) % len(self._rows)
        if other != index and self._rows[other].is_active:
            raise HardwareFault(
                "The matrix: GPIO {one} follows GPIO {other}. A diode is missing or the wrong way round in one of "
                "these rows, or they are shorted.",
                one=self._numbers[other],
                other=self._numbers[index],
            )

    def _certain_mask(self, masks: list[int], seen: int) -> int:
        """Return the contacts that are certain without diodes. On a fully closed rectangle, and in rows that contradict
        each other, these are only the contacts that were closed before.
        """
        doubtful = torn = 0
        width = len(self._columns)
        for one in range(len(masks)):
            for other in range(one):
                both, either = masks[one] & masks[other], masks[one] | masks[other]
                # Two rows with two or more common columns form closed rectangles: all four corners are uncertain.
                if both.bit_count() > 1:
                    doubtful |= both << (width * one) | both << (width * other)
                # A common column connects two rows. They differ for a moment if a contact moved between their readings,
                # and permanently if only some contacts have diodes.
                if both and both != either and masks != self._masks:
                    torn |= either << (width * one) | either << (width * other)
        doubtful &= seen
        self._masks = masks
        self.doubt = self._doubt_sentence(doubtful)
        # The previous state stays: a new piece is reported when the rectangle opens.
        return seen & ~(doubtful | torn) | self._believed & (doubtful | torn)

    def _doubt_sentence(self, doubtful: int) -> str | None:
        if not doubtful:
            return None
        return Text(
            "Without diodes the sensors {sensors} cannot be told apart while three of them are covered. "
            "Lift one of the miniatures, or solder a diode to each contact.",
            sensors=", ".join(map(str, set_bits(doubtful))),
        )

    def close(self) -> None:
        for device in (*self._rows, *self._columns):
            device.close()
        self._rows, self._columns = [], []


def open_matrix(options: Mapping[str, Any], context: DriverContext) -> OpenedParts:
    """Open the matrix (`drivers.DriverKind`). Raises `HardwareFault`."""
    rows, columns = len(options["rows"]), len(options["columns"])
    words = Text("{rows} rows and {columns} columns of contacts", rows=rows, columns=columns)
    return OpenedParts(
        sensors=ScannedSensors(lambda: ReedMatrix(options, context.count), context, options["rate"]),
        about=lambda: words,
    )


KIND = DriverKind(
    parts=("sensors",),
    options=(
        DriverOption("rows", ROWS, "The GPIO numbers of the rows, in order.", 0, _gpio.LAST_PIN),
        DriverOption("columns", COLUMNS, "The GPIO numbers of the columns, in order.", 0, _gpio.LAST_PIN),
        DriverOption("diodes", True, "Whether each contact has its diode."),
        RATE,
    ),
    open=open_matrix,
    pins=lambda options: frozenset({*options["rows"], *options["columns"]}),
    needs=_gpio.pin_needs("This machine has no pins: use a Raspberry Pi, or the driver board_link."),
)
