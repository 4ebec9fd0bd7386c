"""A board without a game: its drivers opened, what they feel one settled edge at a time, its lamps lit by number.

A bench first says what it is connected to. Whatever its hardware says of itself later is told at once, and the time of
the job stands still until all is well again: a pulled cable must not be taken for a dead sensor.

Who waits decides how time passes: `Waiting` on a real bench, the simulated maker of `maker.py` on the board in memory.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol, TextIO

from msgspec import Struct

from engine.graph import Map
from firmware_host.board.cues.scene import limited
from firmware_host.board.drivers import OpenedDrivers, open_drivers
from firmware_host.core.settings import Settings
from hardware.ports import DARK, Colour, DriverStatus, Edge, Frame, HardwareFault, Note, Sensors
from hardware.settle import Settle

FIRST_WORD = 3.0
"""Seconds within which a board has to say who it is."""
GLANCE, AWHILE = 0.05, 3600.0

Say = Callable[[str], None]


class Typed(Struct, frozen=True):
    """A line that the maker typed."""

    text: str


class Patience(Protocol):
    """How the time at the bench passes."""

    def now(self) -> float:
        """Monotonic seconds."""

    def tell(self, note: Note) -> None:
        """Where the drivers leave what they feel; any thread."""

    def wait(self, until: float) -> Note | Typed | None:
        """The next thing that was felt or typed, or None when it is `until`."""


class Waiting:
    """Real time: sensors and keyboard leave notes in one inbox."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.now = clock
        self._inbox: queue.SimpleQueue[Note | Typed] = queue.SimpleQueue()

    def tell(self, note: Note) -> None:
        self._inbox.put(note)

    def listen(self, keyboard: TextIO = sys.stdin) -> None:
        """Take what is typed from now on."""
        threading.Thread(target=self._read, args=(keyboard,), name="keyboard", daemon=True).start()

    def _read(self, keyboard: TextIO) -> None:
        for line in keyboard:
            self._inbox.put(Typed(line.strip()))

    def wait(self, until: float) -> Note | Typed | None:
        try:
            return self._inbox.get(timeout=max(0.0, until - self.now()))
        except queue.Empty:
            return None


class Workbench:
    """An opened board. `down` are the sensors that are settled down, by number; `ills` what the drivers say of
    themselves, which is told to `say`.
    """

    def __init__(self, board: Map, fitted: OpenedDrivers, settings: Settings, patience: Patience, say: Say) -> None:
        """Raises `HardwareFault` for a board that cannot be opened."""
        self.board = board
        self.wiring = fitted.wiring
        self.ills = dict(fitted.faults)
        self._fitted = fitted
        self._patience = patience
        self._say = say
        self._early: deque[Note | Typed] = deque()
        self._lost = self._ill_since = 0.0
        self._limit_ma = settings.current_limit_ma
        self._settle = Settle(settings.debounce_down_ms, settings.debounce_up_ms)
        self._settled: list[Edge] = []
        self._need_health()
        fitted.sensors.start(patience.tell)
        self.dark()

    @property
    def down(self) -> frozenset[int]:
        """The sensors that are settled down."""
        return self._settle.down

    @property
    def sensors(self) -> Sensors:
        """The opened sensors."""
        return self._fitted.sensors

    @property
    def now(self) -> float:
        """Seconds of the job: monotonic, and standing still while the hardware is ill."""
        return (self._ill_since if self.ills else self._patience.now()) - self._lost

    @property
    def connected(self) -> list[str]:
        """What the drivers are connected to, or what is wrong with that, a line each."""
        return [f"{name}: {self.ills.get(name) or about()}" for name, about in self._fitted.about.items()]

    def greet(self) -> None:
        """Say what the drivers are connected to. Raises `HardwareFault` for what is not there or not well."""
        until = self._patience.now() + FIRST_WORD
        while not self.ills and self._unmet() and self._patience.now() < until:
            self._keep(self._patience.wait(self._patience.now() + GLANCE))
        while (note := self._patience.wait(self._patience.now())) is not None:
            self._keep(note)
        self._need_health()
        if unmet := self._unmet():
            raise HardwareFault(f"{unmet[0]}: the board does not say who it is. Unplug it and plug it in again.")
        for line in self.connected:
            self._say(line)

    def _unmet(self) -> list[str]:
        return [name for name, about in self._fitted.about.items() if not about()]

    def _keep(self, note: Note | Typed | None) -> None:
        if isinstance(note, DriverStatus):
            self._note(note)
        elif note is not None:
            self._early.append(note)

    def _need_health(self) -> None:
        if self.ills:
            raise HardwareFault("\n".join(f"{name}: {sentence}" for name, sentence in self.ills.items()))

    def close(self) -> None:
        """All dark; let go of the hardware."""
        self._fitted.sensors.stop()
        self._fitted.lamps.stop()

    # --- lamps --------------------------------------------------------------------------------------------------

    def light(self, colours: Mapping[int, Colour]) -> None:
        """Light these lamps, by number, and no others; the current limit holds here too."""
        count = self._fitted.lamps.count
        frame: Frame = tuple(colours.get(number, DARK) for number in range(count))
        self._fitted.lamps.show(limited(frame, self._limit_ma))

    def dark(self) -> None:
        """Light nothing."""
        self.light({})

    # --- sensors ------------------------------------------------------------------------------------------------

    def raw(self, until: float) -> Edge | Typed | None:
        """The next raw edge or typed line, or None when it is `until` (seconds of the job)."""
        return self._felt(until, None)

    def _felt(self, until: float, due: float | None) -> Edge | Typed | None:
        """The same; also None when it is `due` (monotonic seconds)."""
        while True:
            note = self._early.popleft() if self._early else self._patience.wait(self._limit(until, due))
            if isinstance(note, Edge | Typed):
                return note
            if isinstance(note, DriverStatus):
                self._hear(note)
            elif note is None and (not self.ills or (due is not None and self._patience.now() >= due)):
                return None

    def _limit(self, until: float, due: float | None) -> float:
        limit = self._patience.now() + AWHILE if self.ills else until + self._lost
        return limit if due is None else min(limit, due)

    def next(self, until: float) -> Edge | Typed | None:
        """The next settled edge or typed line, or None when it is `until` (seconds of the job)."""
        while not self._settled:
            note = self._felt(until, self._settle.next_due())
            if isinstance(note, Typed):
                return note
            if isinstance(note, Edge):
                self._settle, settled = self._settle.feel(note)
            else:
                self._settle, settled = self._settle.due(self._patience.now())
                if not settled and self.now >= until:
                    return None
            self._settled += settled
        return self._settled.pop(0)

    def _hear(self, ailment: DriverStatus) -> None:
        """Tell at once how the hardware is, and stop or start the time of the job."""
        was_ill = bool(self.ills)
        self._note(ailment)
        self._say(f"{ailment.driver}: {ailment.sentence or 'All is well again.'}")
        if self.ills and not was_ill:
            self._ill_since = self._patience.now()
        elif was_ill and not self.ills:
            self._lost += self._patience.now() - self._ill_since

    def _note(self, ailment: DriverStatus) -> None:
        self.ills.pop(ailment.driver, None)
        if ailment.sentence is not None:
            self.ills[ailment.driver] = ailment.sentence


def open_workbench(settings: Settings, board: Map, state: Path, patience: Patience, say: Say = print) -> Workbench:
    """The board that the settings name, once it has said to what it is connected.

    Raises `HardwareFault` and `WiringError`.
    """
    fitted = open_drivers(settings, board, state, patience.now, patience.tell, spares=True)
    bench = Workbench(board, fitted, settings, patience, say)
    try:
        bench.greet()
    except HardwareFault:
        bench.close()
        raise
    return bench
