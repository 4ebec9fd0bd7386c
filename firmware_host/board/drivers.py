"""Open the drivers that the settings name. A part that cannot be opened is absent, with a sentence that says why."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from engine.graph import Map
from firmware_host.board.fault_script import read
from firmware_host.board.sensor_health import fresh
from firmware_host.board.wiring import FILE, Wiring, of_board
from firmware_host.core import maps
from firmware_host.core.settings import NONE, Settings, listed
from hardware import drivers
from hardware.absent import AbsentBoard
from hardware.drivers import DriverContext, OpenedParts
from hardware.faults import FaultInjector
from hardware.ports import Buttons, Buzzer, DriverStatus, HardwareFault, Lamps, Miniatures, Note, Sensors, Sentence

WAND = "wand"
"""The spare magnet in the box, for touching spaces."""

log = logging.getLogger("firmware_host")


class OpenedDrivers(Struct, frozen=True):
    """The hardware of a table, and the folder for its files.

    `faults` is driver -> why it could not be opened; its parts are an `AbsentBoard`. `about` is driver -> function that
    returns what it is connected to (`drivers.OpenedParts`).
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


def open_drivers(
    settings: Settings,
    board: Map,
    state: Path,
    clock: Callable[[], float],
    report: Callable[[Note], None],
    *,
    spares: bool = False,
) -> OpenedDrivers:
    """Open the drivers that the settings name, each once. `state` is the folder for what drivers store for this map.

    `spares` also reports inputs under no space.

    Raises `WiringError`, and `ConfigError` for a script of faults that cannot be used.
    """
    folder = state / "boards" / board.slug
    wiring = of_board(board, folder / FILE, maps.FOLDER / board.slug / FILE)
    count, lamps = wiring.count, settings.lamps or settings.board

    def context(name: str) -> DriverContext:
        tell = _status_reporter(name, report)
        return DriverContext(count, clock, tell, folder, (WAND,), board.has_sensors, len(wiring.lamps), spares)

    without_sensors = (lamps, *listed(settings.controls))
    wanted = [name for name in settings.drivers if board.has_sensors or name in without_sensors]
    opened, faults = _open_each(wanted, settings, folder, context)
    controls = [opened[name] for name in listed(settings.controls) if name in opened]
    return OpenedDrivers(
        folder,
        wiring,
        opened.get(settings.board, OpenedParts()).sensors or AbsentBoard(count),
        AbsentBoard(count) if lamps == NONE else opened.get(lamps, OpenedParts()).lamps or AbsentBoard(count),
        tuple(parts.buttons for parts in controls if parts.buttons is not None),
        tuple(parts.buzzer for parts in controls if parts.buzzer is not None),
        faults,
        opened.get(settings.board, OpenedParts()).miniatures,
        None if not settings.fault_script else _injector(Path(settings.fault_script), board, wiring, clock()),
        {name: parts.about for name, parts in opened.items() if parts.about is not None},
    )


def _open_each(
    names: Iterable[str], settings: Settings, folder: Path, context: Callable[[str], DriverContext]
) -> tuple[dict[str, OpenedParts], dict[str, str]]:
    """Return the parts of each driver that can be opened, and the faults of the others."""
    opened: dict[str, OpenedParts] = {}
    faults: dict[str, str] = {}
    for name in names:
        try:
            _make(folder)
            opened[name] = drivers.find(name).open(settings.drivers[name], context(name))
        except HardwareFault as fault:
            faults[name] = fault.sentence
            log.warning("%s: %s", name, fault)
    return opened, faults


def _injector(script: Path, board: Map, wiring: Wiring, start: float) -> FaultInjector:
    """Return the injector for a fault script. Raises `ConfigError`."""
    numbers = {space: number for number, space in enumerate(wiring.sensors) if space is not None}
    return FaultInjector(read(script, numbers, wiring.count), wiring.count, fresh(board, wiring).near, start)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HardwareFault(
            Sentence(
                "{folder}: cannot be made ({why}). Make the state folder writable, then start again.",
                folder=str(folder),
                why=str(error.strerror),
            )
        ) from error


def _status_reporter(driver: str, report: Callable[[Note], None]) -> Callable[[str | None], None]:
    """Return a function that reports a driver's state as a note in the inbox."""

    def tell(sentence: str | None) -> None:
        report(DriverStatus(driver, sentence))

    return tell
