"""Open the drivers that the settings name. A driver that cannot be opened is tried again; a sentence says why."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from engine.graph import Map
from engine.text import Text
from firmware_host.board.fault_script import read_script
from firmware_host.board.late import LateBoard
from firmware_host.board.sensor_health import health_of
from firmware_host.board.wiring import FILE, Wiring, WiringError, default_wiring, of_board
from firmware_host.core import maps
from firmware_host.core.settings import NO_DRIVER, Settings, split_names
from hardware import drivers
from hardware.drivers import DriverContext, OpenedParts
from hardware.faults import FaultInjector
from hardware.ports import (
    Buttons,
    Buzzer,
    DriverStatus,
    Edge,
    Frame,
    HardwareFault,
    Lamps,
    Miniatures,
    Note,
    Sensors,
    check_length,
)

WAND = "wand"
"""The spare magnet in the box, for touching spaces."""

UNUSABLE_WIRING = Text(
    "The wiring file of this board cannot be used, so its sensors and lamps are off. Calibrate the board again in the "
    "workshop. The log says what is wrong in the file."
)

log = logging.getLogger("firmware_host")


class AbsentBoard:
    """`count` sensors and lamps that do not exist (`ports.Sensors` and `ports.Lamps`)."""

    def __init__(self, count: int) -> None:
        self.count = count

    def start(self, report: Callable[[Edge], None]) -> None:
        pass

    def show(self, frame: Frame) -> None:
        check_length(frame, self.count)

    def stop(self) -> None:
        pass


class OpenedDrivers(Struct, frozen=True):
    """The hardware of a table, and the folder for its files.

    `end_reports` makes the drivers stop reporting their states, because these would replace the states of the next
    board, whose drivers have the same names. `faults` maps a driver to the reason why it could not be opened; `late.py`
    tries again. `about` is driver -> function that returns what it is connected to (`drivers.OpenedParts`).
    """

    folder: Path
    wiring: Wiring
    sensors: Sensors
    lamps: Lamps
    buttons: tuple[Buttons, ...] = ()
    buzzers: tuple[Buzzer, ...] = ()
    faults: Mapping[str, str] = {}
    miniatures: Miniatures | None = None
    injected: FaultInjector | None = None
    about: Mapping[str, Callable[[], str]] = {}
    end_reports: Callable[[], None] = lambda: None


def open_drivers(
    settings: Settings,
    board: Map,
    state: Path,
    clock: Callable[[], float],
    report: Callable[[Note], None],
    *,
    spares: bool = False,
    wait: bool = True,
) -> OpenedDrivers:
    """Open the drivers that the settings name, each once. `state` is the folder for what drivers store for this map.

    `spares` also reports inputs under no space. Without `wait`, devices in the network are opened in threads, because
    it takes seconds to notice that one is off. If the wiring is unusable, sensors and lamps stay off, except with
    `spares`, which are needed to find a new wiring. Raises `ConfigError` for a faulty script of faults.
    """
    folder = state / "boards" / board.slug
    wiring, usable = _wiring_of(board, folder)
    # If no driver is set for the lamps, the driver of the sensors has them.
    count, lamps = wiring.count, settings.lamps or settings.board
    # `_open_each` replaces `report_state`, because each driver reports under its own name.
    context = DriverContext(count, clock, lambda _: None, folder, (WAND,), board.has_sensors, len(wiring.lamps), spares)
    without_sensors = (lamps, *split_names(settings.controls))
    # For a map without sensors, the sensors' driver is opened only if it also has the lamps or buttons.
    driver_names = [name for name in settings.drivers if board.has_sensors or name in without_sensors]
    off = () if usable or spares else (settings.board, lamps)
    # A driver may report during a call from the thread that ends the board.
    guard, ended = threading.RLock(), threading.Event()

    def pass_on(note: Note) -> None:
        with guard:
            if not ended.is_set():
                report(note)

    def end_reports() -> None:
        with guard:
            ended.set()

    opened, faults = _open_each([name for name in driver_names if name not in off], settings, context, pass_on, wait)
    if off:
        faults[settings.board] = UNUSABLE_WIRING
    controls = [opened[name] for name in split_names(settings.controls) if name in opened]
    injected = None
    if settings.fault_script:
        script = read_script(Path(settings.fault_script), wiring.numbers, count)
        injected = FaultInjector(script, count, health_of(board, wiring).near, clock())
    return OpenedDrivers(
        folder,
        wiring,
        opened.get(settings.board, OpenedParts()).sensors or AbsentBoard(count),
        AbsentBoard(count) if lamps == NO_DRIVER else opened.get(lamps, OpenedParts()).lamps or AbsentBoard(count),
        tuple(parts.buttons for parts in controls if parts.buttons is not None),
        tuple(parts.buzzer for parts in controls if parts.buzzer is not None),
        faults,
        opened.get(settings.board, OpenedParts()).miniatures,
        injected,
        {name: parts.about for name, parts in opened.items() if parts.about is not None},
        end_reports,
    )


def _wiring_of(board: Map, folder: Path) -> tuple[Wiring, bool]:
    """Return the wiring of a board with this folder, and whether its file can be used.

    Without a usable file, return the default wiring..
    """
    try:
        return of_board(board, folder / FILE, maps.FOLDER / board.slug / FILE), True
    except WiringError as error:
        log.warning("%s", error)
        return default_wiring(board), False


def _open_each(
    names: Iterable[str], settings: Settings, context: DriverContext, report: Callable[[Note], None], wait: bool
) -> tuple[dict[str, OpenedParts], dict[str, str]]:
    """Return the parts of each driver, and the faults of those that cannot be opened."""
    opened: dict[str, OpenedParts] = {}
    faults: dict[str, str] = {}
    for name in names:

        def tell(sentence: str | None, driver: str = name) -> None:
            # Bind the name as a default value, because `name` changes in the loop.
            report(DriverStatus(driver, sentence))

        again = partial(_open, name, settings, context, tell)
        if drivers.find(name).needs.ask is not None and not wait:
            opened[name] = _late(name, LateBoard(context.count, again, tell))
            continue
        try:
            opened[name] = again()
        except HardwareFault as fault:
            # The game goes on by screens, without the parts of this driver.
            faults[name] = fault.sentence
            log.warning("%s: %s", name, fault)
            opened[name] = _late(name, LateBoard(context.count, again, tell, fault.sentence))
    return opened, faults


def _open(
    name: str, settings: Settings, context: DriverContext, report_state: Callable[[str | None], None]
) -> OpenedParts:
    """Open a driver. Raises `HardwareFault`."""
    _make(context.state)
    return drivers.find(name).open(settings.drivers[name], replace(context, report_state=report_state))


def _late(name: str, late: LateBoard) -> OpenedParts:
    """Return the parts of a driver that could not be opened.

    There is no second attempt for a board that moves its miniatures, or for controls.
    """
    parts = drivers.find(name).parts
    if "miniatures" in parts:
        return OpenedParts()
    sensors, lamps = (late if part in parts else None for part in ("sensors", "lamps"))
    return OpenedParts(sensors=sensors, lamps=lamps, about=late.about)


def _make(folder: Path) -> None:
    try:
        for missing in reversed([it for it in (folder, *folder.parents) if not it.exists()]):
            missing.mkdir()
            missing.chmod(0o700)  # the umask may have taken rights that the table needs
    except OSError as error:
        raise HardwareFault(
            "{folder}: cannot be made ({why}). Make the state folder writable, then start again.",
            folder=str(folder),
            why=str(error.strerror),
        ) from error
