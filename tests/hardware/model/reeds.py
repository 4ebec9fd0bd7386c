"""A model of a reed matrix between pins, with or without diodes, including ghost contacts."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from tests.hardware.model.pins import PinHeader
from tests.patience import PATIENCE

Crossing = tuple[int, int]


class Contention(RuntimeError):
    """Two outputs drive one net to different levels. On a real board, this causes heat."""


class Reeds:
    """Contacts at the crossings of `rows` and `columns` (GPIO numbers), as `pins.Circuit`.

    A contact conducts from its column to its row, and in the other direction too if its diode is missing. `bridges` are
    pairs of pins soldered together by mistake; `grounded` are pins connected to ground. Every free pin is pulled up.
    `sweeps` counts how often the last row was driven.
    """

    def __init__(self, rows: Sequence[int], columns: Sequence[int], diodes: bool = True) -> None:
        self.rows, self.columns = tuple(rows), tuple(columns)
        self.closed: set[Crossing] = set()
        self.bare: set[Crossing] = set() if diodes else {(row, column) for row in rows for column in columns}
        self.bridges: set[Crossing] = set()
        self.grounded: set[int] = set()
        self.sweeps = 0
        self._sweeping = False
        """Whether the last row is driven now."""

    def join(self, header: PinHeader) -> None:
        self._header = header
        self._swept = threading.Condition(header.lock)

    def touch(self, sensor: int, down: bool) -> None:
        """Close or open a contact. Contacts are numbered row by row."""
        row, column = divmod(sensor, len(self.columns))
        with self._header.lock:
            (self.closed.add if down else self.closed.discard)((self.rows[row], self.columns[column]))
            self.settle()

    def changed(self, number: int) -> None:
        """Follow a changed pin, and count sweeps. Raises `Contention`."""
        if number not in (*self.rows, *self.columns):
            return
        with self._header.lock:
            before, self._sweeping = self._sweeping, self._header.is_driven(self.rows[-1])
            # A pin changes more than once while it becomes an output.
            if self._sweeping and not before:
                self.sweeps += 1
                self._swept.notify_all()
            self.settle()

    def wait_for_sweeps(self, more: int) -> bool:
        """Wait until the matrix was read `more` times. Return whether that took less than ten seconds."""
        with self._swept:
            wanted = self.sweeps + more
            return self._swept.wait_for(lambda: self.sweeps >= wanted, PATIENCE)

    def settle(self) -> None:
        """Update the level of every free pin. Raises `Contention`."""
        driven = {pin: self._header.level(pin) for pin in (*self.rows, *self.columns) if self._header.is_driven(pin)}
        low = self._pulled_low(pin for pin, level in driven.items() if not level)
        burning = [pin for pin, level in driven.items() if level and pin in low]
        if burning:
            raise Contention(f"GPIO {burning[0]} drives high what another output drives low.")
        for pin in (*self.rows, *self.columns):
            if pin not in driven:
                self._header.follow(pin, pin not in low)

    def _pulled_low(self, sources: Iterable[int]) -> set[int]:
        """Return all pins that conduct to ground."""
        low: set[int] = set()
        # Depth-first search along the conducting contacts, from the pins that are low.
        todo = [*sources, *self.grounded]
        while todo:
            pin = todo.pop()
            if pin not in low:
                low.add(pin)
                todo += self._feeding(pin)
        return low

    def _feeding(self, pin: int) -> Iterable[int]:
        """Yield the pins from which current can flow into this one."""
        for row, column in self.closed:
            if row == pin:
                yield column
            elif column == pin and (row, column) in self.bare:
                yield row
        for one, other in self.bridges:
            if pin in (one, other):
                yield other if pin == one else one
